import { abs, sum } from '../../../../shared/money.ts';
import { Problem } from '../../../../shared/problem.ts';
import { type Journal, postingsOf } from '../ledger/journal.ts';
import type { Database } from '../sql/database.ts';
import type { Cents, Flag, Row } from '../sql/schema.ts';
import { checkTotals, money } from './amounts.ts';
import { linesByDocument, pagesWith } from './pages.ts';

const invoiceColumns = ['number', 'date', 'total_excl', 'total_tax', 'total_incl', 'outstanding'] as const;
const lineColumns = [
  'ledger_account_number',
  'cost_center',
  'tax_code',
  'tax_pc',
  'subtotal_excl',
  'subtotal_incl',
] as const;

type Invoice = Pick<Row<'purchase_invoice'>, 'id' | (typeof invoiceColumns)[number]> & { is_draft?: Flag };
type Line = Pick<Row<'purchase_invoice_line'>, (typeof lineColumns)[number]> &
  Partial<Pick<Row<'purchase_invoice_line'>, 'assessed_tax' | 'deductible_tax'>> & { is_text?: Flag };
type Side = Pick<Row<'journal_line'>, 'ledger_account_number' | 'tax_code' | 'debit' | 'credit'>;
type Entry = Pick<Row<'journal_entry'>, 'date'> & { lines: readonly Side[] };

const kinds = {
  sales_invoice: {
    name: 'Sales invoice',
    journal: 'sales' as const,
    columns: [...invoiceColumns, 'is_draft'],
    lineColumns: [...lineColumns, 'is_text'],
  },
  purchase_invoice: {
    name: 'Purchase invoice',
    journal: 'purchases' as const,
    columns: invoiceColumns,
    lineColumns: [...lineColumns, 'assessed_tax', 'deductible_tax'],
  },
};

/** Checks the totals of invoices, and their journal entries against their lines and dates. */
export async function* checkInvoices(
  db: Database,
  administration: Row<'administration'>,
  table: keyof typeof kinds,
): AsyncGenerator<string> {
  const { name: kind, journal, columns, lineColumns } = kinds[table];
  const pages: AsyncIterable<Invoice[]> = pagesWith(db, administration.id, table, columns as typeof invoiceColumns);
  for await (const invoices of pages) {
    const ids = invoices.map(({ id }) => id);
    const linesOf = await linesByDocument<Line>(db, table, ids, lineColumns);
    const entries = await entriesOf(db, administration.id, `${table}_id`, ids);
    for (const invoice of invoices) {
      const name = `${kind} ${invoice.number}`;
      const lines = linesOf.get(invoice.id) ?? [];
      const entry = entries.get(invoice.id);
      yield* checkInvoice(name, invoice, lines);
      if (invoice.is_draft === 1n) {
        if (entry !== undefined) yield `${name} is a draft, and is in the journal.`;
      } else if (entry === undefined) {
        yield `${name} is ${invoice.is_draft === 0n ? 'final, and is ' : ''}not in the journal.`;
      } else {
        const priced = lines.filter(({ is_text }) => is_text !== 1n);
        yield* checkEntry(name, administration, journal, invoice, priced, entry);
      }
    }
  }
}

/** Journal entries with their lines, by document. */
async function entriesOf(
  db: Database,
  administrationId: bigint,
  document: 'sales_invoice_id' | 'purchase_invoice_id',
  ids: readonly bigint[],
): Promise<Map<bigint, Entry>> {
  const rows = await db
    .selectFrom('journal_entry')
    .leftJoin('journal_line', 'journal_line.journal_entry_id', 'journal_entry.id')
    .where('journal_entry.administration_id', '=', administrationId)
    .where(document, 'in', ids)
    .orderBy('journal_entry.id')
    .orderBy('journal_line.id')
    .select([`${document} as document`, 'journal_entry.date', 'ledger_account_number', 'tax_code', 'debit', 'credit'])
    .execute();
  return new Map(
    [...Map.groupBy(rows, (row) => row.document!)].map(([id, ofEntry]) => [
      id,
      // An entry of zero has no lines.
      { date: ofEntry[0]!.date, lines: ofEntry.filter((row): row is typeof row & Side => row.debit !== null) },
    ]),
  );
}

function* checkInvoice(name: string, invoice: Invoice, lines: readonly Line[]): Generator<string> {
  const { total_incl, outstanding } = invoice;
  const excl = sum(lines.map(({ subtotal_excl }) => subtotal_excl));
  yield* checkTotals(name, invoice, excl);
  const incl = sum(lines.map(({ subtotal_incl }) => subtotal_incl));
  if (incl !== total_incl) yield `${name}: its lines are ${money(incl)} with tax, its total is ${money(total_incl)}.`;
  // Partial payments, overpayments and refunds leave an amount of either sign, which never exceeds the total.
  if (abs(outstanding) > abs(total_incl)) {
    yield `${name} is ${money(total_incl)}, and ${money(outstanding)} of it is outstanding.`;
  }
}

/** Checks that an entry matches the lines of its invoice, on the invoice's date. */
function* checkEntry(
  name: string,
  administration: Row<'administration'>,
  journal: Journal,
  invoice: Invoice,
  lines: readonly Line[],
  entry: Entry,
): Generator<string> {
  if (entry.date !== invoice.date) yield `${name} is of ${invoice.date}, and in the journal on ${entry.date}.`;
  /** The sides that lines make. */
  const madeBy = (of: readonly Line[]) =>
    sidesOf(
      postingsOf(administration, journal, { ...invoice, lines: of }).map(({ account, amount, tax }) => ({
        ledger_account_number: account,
        tax_code: tax?.code ?? '',
        debit: amount > 0n ? amount : 0n,
        credit: amount < 0n ? -amount : 0n,
      })),
    );
  let expected: ReturnType<typeof sidesOf>;
  try {
    expected = madeBy(lines);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    yield `${name} is in the journal. ${error.message}`;
    return;
  }
  // Earlier versions booked the lines of an account together, whatever their cost centers.
  const together = madeBy(lines.map((line) => ({ ...line, cost_center: '' })));
  const booked = sidesOf(entry.lines);
  const nothing = { debit: 0n, credit: 0n };
  for (const place of new Set([...expected.keys(), ...booked.keys()])) {
    const is = booked.get(place) ?? nothing;
    const isMade = ({ debit, credit } = nothing) => debit === is.debit && credit === is.credit;
    if (isMade(expected.get(place)) || isMade(together.get(place))) continue;
    const should = expected.get(place) ?? nothing;
    yield `${name}: the journal has ${sides(is)} on ${place}, its lines make ${sides(should)}.`;
  }
}

/** Debit and credit by account and tax code, as a sentence names them. */
function sidesOf(lines: readonly Side[]): Map<string, Record<'debit' | 'credit', Cents>> {
  const place = ({ ledger_account_number: account, tax_code: code }: Side) =>
    code === '' ? `account ${account}` : `account ${account} for tax code ${code}`;
  return new Map(
    [...Map.groupBy(lines, place)].map(([place, group]) => [
      place,
      { debit: sum(group.map(({ debit }) => debit)), credit: sum(group.map(({ credit }) => credit)) },
    ]),
  );
}

const sides = ({ debit, credit }: Record<'debit' | 'credit', Cents>): string =>
  credit === 0n
    ? `${money(debit)} debit`
    : debit === 0n
      ? `${money(credit)} credit`
      : `${money(debit)} debit and ${money(credit)} credit`;
