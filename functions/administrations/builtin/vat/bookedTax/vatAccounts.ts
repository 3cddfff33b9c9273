import type { Cents } from '../../../../../shared/money.ts';
import type { CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import { total } from '../../check/amounts.ts';
import type { Database } from '../../sql/database.ts';
import type { Row } from '../../sql/schema.ts';
import type { VatLine } from '../vatReturn.ts';
import type { Days } from './documentVatLines.ts';

/** A document or entry that moved the VAT accounts otherwise than the return has it. Positive is to pay. */
type AccountDifference = { date: CalendarDate; document: string; moved: Cents; expected: Cents };

/** How much the VAT accounts moved in a period, and how much the documents of its return expect. */
export type AccountMovement = { moved: Cents; expected: Cents; differences: AccountDifference[] };

/** What a line has to pay by what was booked for it: tax on sales, and owed on purchases less deducted. */
export const taxToPay = ({ taxType, tax, booked }: Pick<VatLine, 'taxType' | 'tax' | 'booked'>): Cents => {
  if (taxType === 'Sales') return tax;
  return booked === undefined ? -tax : booked.assessed - booked.deductible;
};

/** The VAT accounts of a period: the two of the administration, and those on which entries without a document book tax. */
export async function vatAccounts(
  db: Database,
  administration: Pick<Row<'administration'>, 'id' | 'vat_payable_account' | 'vat_receivable_account'>,
  { from, to }: { from: CalendarDate; to: CalendarDate },
): Promise<string[]> {
  const { id, vat_payable_account, vat_receivable_account } = administration;
  const others = await db
    .selectFrom('journal_line')
    .where('administration_id', '=', id)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .where('tax_code', '<>', '')
    .where('tax_amount', '<>', 0n)
    .where((eb) => eb('tax_amount', '=', eb('debit', '-', eb.ref('credit'))))
    .select('ledger_account_number as number')
    .distinct()
    .execute();
  return [...new Set([vat_payable_account, vat_receivable_account, ...others.map(({ number }) => number)])];
}

/**
 * Compares the movement of VAT accounts on some days with what a return has to pay by what is dated then, entry by entry.
 * @param days of what was entered late: its movement is in no period of the return
 * @param lines all lines of those days in the return, also those that are in no box
 */
export async function accountMovement(
  db: Database,
  administrationId: bigint,
  accounts: readonly string[],
  { first, last, after }: Days,
  lines: readonly VatLine[],
): Promise<AccountMovement> {
  const booked = db
    .selectFrom('journal_line as line')
    .innerJoin('journal_entry as entry', 'entry.id', 'line.journal_entry_id')
    .where('line.administration_id', '=', administrationId)
    .where('line.date', '>=', first)
    .where('line.date', '<=', last)
    .where('line.ledger_account_number', 'in', accounts)
    .groupBy(['entry.id', 'entry.date', 'entry.sales_invoice_id', 'entry.purchase_invoice_id', 'entry.description'])
    .select([
      'entry.id',
      'entry.date',
      'entry.sales_invoice_id',
      'entry.purchase_invoice_id',
      'entry.description',
      total('line.debit').as('debit'),
      total('line.credit').as('credit'),
    ]);
  const rows = after === undefined ? await booked.execute() : [];
  const expected = new Map<string, Cents>();
  for (const line of lines) expected.set(line.document, (expected.get(line.document) ?? 0n) + taxToPay(line));
  const moved = new Map(
    rows.map(({ id, date, sales_invoice_id, purchase_invoice_id, description, debit, credit }) => [
      sales_invoice_id !== null
        ? `sales ${sales_invoice_id}`
        : purchase_invoice_id !== null
          ? `purchases ${purchase_invoice_id}`
          : `entry ${id}`,
      { date, description, amount: credit - debit },
    ]),
  );
  const lineOf = new Map(lines.map((line) => [line.document, line]));
  const movement: AccountMovement = { moved: 0n, expected: 0n, differences: [] };
  for (const document of new Set([...moved.keys(), ...expected.keys()])) {
    const booked = moved.get(document);
    const [is, should] = [booked?.amount ?? 0n, expected.get(document) ?? 0n];
    movement.moved += is;
    movement.expected += should;
    if (is === should) continue;
    const line = lineOf.get(document);
    movement.differences.push({
      date: line?.date ?? booked!.date,
      document: line?.number ?? booked!.description,
      moved: is,
      expected: should,
    });
  }
  return movement;
}
