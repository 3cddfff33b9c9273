import { balanceList } from '../../../../shared/resources/generalLedger/ledgerBalance.ts';
import { entryPage } from '../../../../shared/resources/generalLedger/ledgerEntry.ts';
import { ledgerFigures } from '../../../../shared/resources/generalLedger/ledgerFigures.ts';
import { openItemPage } from '../../../../shared/resources/generalLedger/openItem.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { encode } from '../../../../shared/wire/encode.ts';
import type { LedgerReader } from '../../administration.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { withTimeout } from '../sql/timeout.ts';
import { type VatOrder, vatText } from '../vat/vatReader.ts';
import { ledgerReader } from './ledgerReader.ts';

/** A question about the ledger of an administration, which another thread may answer. */
export type LedgerOrder = BooksOrder | VatOrder;

type BooksOrder = { administration: Row<'administration'>; today: CalendarDate } & {
  [Name in keyof LedgerReader]: { name: Name; query: Parameters<LedgerReader[Name]>[0] };
}[keyof LedgerReader];

/** The response to a question: JSON text in UTF-8. @throws Problem */
export async function ledgerResponse(db: Database, order: LedgerOrder): Promise<Uint8Array<ArrayBuffer>> {
  return new TextEncoder().encode(
    await withTimeout(db, () => ('today' in order ? booksText(db, order) : vatText(db, order))),
  );
}

async function booksText(db: Database, { administration, today, ...order }: BooksOrder): Promise<string> {
  const reader = ledgerReader({ db, administration, today: () => today });
  switch (order.name) {
    case 'balances':
      return encode(balanceList, await reader.balances(order.query));
    case 'entries':
      return encode(entryPage, await reader.entries(order.query));
    case 'figures':
      return encode(ledgerFigures, await reader.figures(order.query));
    case 'openItems':
      return encode(openItemPage, await reader.openItems(order.query));
  }
}
