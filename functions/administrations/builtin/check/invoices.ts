import { Problem } from '../../../../shared/problem.ts';
import { type Journal, type Posting, postingsOf } from '../ledger/journal.ts';
import type { Database } from '../sql/database.ts';
import type { Cents, Row } from '../sql/schema.ts';
import { checkTotals, magnitude, money, sumOf } from './amounts.ts';
import { pagesOf } from './pages.ts';

type Invoice = Pick<
  Row<'purchase_invoice'>,
  'id' | 'number' | 'date' | 'total_excl' | 'total_tax' | 'total_incl' | 'outstanding'
>;
type Line = Pick<
  Row<'purchase_invoice_line'>,
  'ledger_account_number' | 'tax_code' | 'tax_pc' | 'subtotal_excl' | 'subtotal_incl'
>;
type Entry = Pick<Row<'journal_entry'>, 'date'> & { lines: readonly Side[] };
type Side = Pick<Row<'journal_line'>, 'ledger_account_number' | 'tax_code' | 'debit' | 'credit'>;

const invoiceColumns = ['number', 'date', 'total_excl', 'total_tax', 'total_incl', 'outstanding'] as const;
const lineColumns = ['ledger_account_number', 'tax_code', 'tax_pc', 'subtotal_excl', 'subtotal_incl'] as const;

/** Checks the totals of sales invoices, and their journal entries against their lines and dates. */
export async function* checkSalesInvoices(db: Database, administration: Row<'administration'>): AsyncGenerator<string> {
  const pages = pagesOf(db, administration.id, 'sales_invoice', [...invoiceColumns, 'is_draft']);
  for await (const invoices of pages) {
    const ids = invoices.map(({ id }) => id);
    const lines = await db
      .selectFrom('sales_invoice_line')
      .where('sales_invoice_id', 'in', ids)
      .orderBy('sales_invoice_id')
      .orderBy('position')
      .select(['sales_invoice_id as owner', 'is_text', ...lineColumns])
      .execute();
    const linesOf = Map.groupBy(lines, ({ owner }) => owner);
    const entries = await entriesOf(db, administration.id, 'sales_invoice_id', ids);
    for (const invoice of invoices) {
      const name = `Sales invoice ${invoice.number}`;
      const own = linesOf.get(invoice.id) ?? [];
      const entry = entries.get(invoice.id);
      yield* checkInvoice(name, invoice, own);
      if (invoice.is_draft === 1n) {
        if (entry !== undefined) yield `${name} is a draft, and is in the journal.`;
      } else if (entry === undefined) {
        yield `${name} is final, and is not in the journal.`;
      } else {
        const priced = own.filter(({ is_text }) => is_text === 0n);
        yield* checkEntry(name, administration, 'sales', invoice, priced, entry);
      }
    }
  }
}

/** The same for purchase invoices. */
export async function* checkPurchaseInvoices(
  db: Database,
  administration: Row<'administration'>,
): AsyncGenerator<string> {
  for await (const invoices of pagesOf(db, administration.id, 'purchase_invoice', invoiceColumns)) {
    const ids = invoices.map(({ id }) => id);
    const lines = await db
      .selectFrom('purchase_invoice_line')
      .where('purchase_invoice_id', 'in', ids)
      .orderBy('purchase_invoice_id')
      .orderBy('position')
      .select(['purchase_invoice_id as owner', ...lineColumns])
      .execute();
    const linesOf = Map.groupBy(lines, ({ owner }) => owner);
    const entries = await entriesOf(db, administration.id, 'purchase_invoice_id', ids);
    for (const invoice of invoices) {
      const name = `Purchase invoice ${invoice.number}`;
      const own = linesOf.get(invoice.id) ?? [];
      const entry = entries.get(invoice.id);
      yield* checkInvoice(name, invoice, own);
      if (entry === undefined) yield `${name} is not in the journal.`;
      else yield* checkEntry(name, administration, 'purchases', invoice, own, entry);
    }
  }
}

/** The entries of some documents, each with its lines, by the document. */
async function entriesOf(
  db: Database,
  administrationId: bigint,
  document: 'sales_invoice_id' | 'purchase_invoice_id',
  ids: readonly bigint[],
): Promise<Map<bigint, Entry>> {
  const rows = await db
    .selectFrom('journal_entry')
    .leftJoin('journal_line', 'journal_line.journal_entry_id', 'journal_entry.id')
    .where('administration_id', '=', administrationId)
    .where(document, 'in', ids)
    .select([`${document} as document`, 'date', 'ledger_account_number', 'tax_code', 'debit', 'credit'])
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
  yield* checkTotals(
    name,
    invoice,
    sumOf(lines, ({ subtotal_excl }) => subtotal_excl),
  );
  const incl = sumOf(lines, ({ subtotal_incl }) => subtotal_incl);
  if (incl !== total_incl) yield `${name}: its lines are ${money(incl)} with tax, its total is ${money(total_incl)}.`;
  // Partial payments, overpayments and refunds leave an amount of either sign, which never exceeds the total.
  if (magnitude(outstanding) > magnitude(total_incl)) {
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
  let postings: Posting[];
  try {
    postings = postingsOf(administration, journal, { ...invoice, lines });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    yield `${name} is in the journal. ${error.message}`;
    return;
  }
  const expected = sidesOf(
    postings.map(({ account, amount, taxCode = '' }) => ({
      ledger_account_number: account,
      tax_code: taxCode,
      debit: amount > 0n ? amount : 0n,
      credit: amount < 0n ? -amount : 0n,
    })),
  );
  const booked = sidesOf(entry.lines);
  const nothing = { debit: 0n, credit: 0n };
  for (const place of new Set([...expected.keys(), ...booked.keys()])) {
    const should = expected.get(place) ?? nothing;
    const is = booked.get(place) ?? nothing;
    if (should.debit === is.debit && should.credit === is.credit) continue;
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
      { debit: sumOf(group, ({ debit }) => debit), credit: sumOf(group, ({ credit }) => credit) },
    ]),
  );
}

const sides = ({ debit, credit }: Record<'debit' | 'credit', Cents>): string =>
  credit === 0n
    ? `${money(debit)} debit`
    : debit === 0n
      ? `${money(credit)} credit`
      : `${money(debit)} debit and ${money(credit)} credit`;
