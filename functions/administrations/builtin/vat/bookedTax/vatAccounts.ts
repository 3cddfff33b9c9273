import type { Cents } from '../../../../../shared/money.ts';
import type { CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import { total } from '../../check/amounts.ts';
import type { Database } from '../../sql/database.ts';
import type { Row } from '../../sql/schema.ts';
import type { VatLine } from '../vatReturn.ts';

/** A document or entry that moved the VAT accounts otherwise than the return has it. Positive is to pay. */
export type AccountDifference = { date: CalendarDate; document: string; moved: Cents; expected: Cents };

/** How much the VAT accounts moved in a period, and how much the documents of its return expect. */
export type AccountMovement = { moved: Cents; expected: Cents; differences: AccountDifference[] };

/** What a line has to pay by what was booked for it: tax on sales, and owed on purchases less deducted. */
export const taxToPay = ({ taxType, tax, booked }: Pick<VatLine, 'taxType' | 'tax' | 'booked'>): Cents => {
  if (taxType === 'Sales') return tax;
  return booked === undefined ? -tax : booked.assessed - booked.deductible;
};

/**
 * Compares the movement of the VAT accounts in a period with what its return has to pay, entry by entry: the two accounts
 * of the administration, and those on which entries without a document book tax.
 * @param lines all lines of the return, also those that are in no box
 */
export async function accountMovement(
  db: Database,
  administration: Pick<Row<'administration'>, 'id' | 'vat_payable_account' | 'vat_receivable_account'>,
  { from, to }: { from: CalendarDate; to: CalendarDate },
  lines: readonly VatLine[],
): Promise<AccountMovement> {
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
  const accounts = [vat_payable_account, vat_receivable_account, ...others.map(({ number }) => number)];
  const rows = await db
    .selectFrom('journal_line as line')
    .innerJoin('journal_entry as entry', 'entry.id', 'line.journal_entry_id')
    .where('line.administration_id', '=', id)
    .where('line.date', '>=', from)
    .where('line.date', '<=', to)
    .where('line.ledger_account_number', 'in', [...new Set(accounts)])
    .groupBy(['entry.id', 'entry.date', 'entry.sales_invoice_id', 'entry.purchase_invoice_id', 'entry.description'])
    .select([
      'entry.id',
      'entry.date',
      'entry.sales_invoice_id',
      'entry.purchase_invoice_id',
      'entry.description',
      total('line.debit').as('debit'),
      total('line.credit').as('credit'),
    ])
    .execute();
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
  movement.differences.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
  return movement;
}
