import { sql } from 'kysely';
import { type Cents, sum } from '../../../../shared/money.ts';
import type { Period } from '../balances/fiscalYears.ts';
import { bookedOnAccounts } from '../balances/taxedWithoutLine.ts';
import { type EntryInvoice, invoicesOfEntries } from '../ledger/invoicesOfEntries.ts';
import { linesOfEntries } from '../ledger/linesOfEntries.ts';
import type { Database } from '../sql/database.ts';
import { newRow } from '../sql/rows.ts';
import type { Row } from '../sql/schema.ts';

/* Lines with what was taxed at 0 %, as an audit file has them: in the ledger they have no tax code. */

type Line = Row<'journal_line'>;

type Entry = Row<'journal_entry'>;

/**
 * Gives a line of an invoice the tax code under which it was taxed at 0 %, without a line of tax: as lines of their own
 * where only parts of it were. A cost with VAT that may not be deducted stays without one: other rules than those of these
 * books might deduct it.
 */
export async function taxedLines(
  db: Database,
  entries: readonly Entry[],
): Promise<(entry: Entry, lines: readonly Line[]) => readonly Line[]> {
  const idsOf = (column: 'sales_invoice_id' | 'purchase_invoice_id') => entries.flatMap((entry) => entry[column] ?? []);
  const sales = Map.groupBy(await bookedOnAccounts(db, 'sales', idsOf('sales_invoice_id')), (one) => one.invoice);
  const purchases = Map.groupBy(
    await bookedOnAccounts(db, 'purchases', idsOf('purchase_invoice_id')),
    (one) => one.invoice,
  );
  const bookedBy = ({ sales_invoice_id: sale, purchase_invoice_id: purchase }: Entry): Booked[] =>
    (sale !== null ? sales.get(sale) : purchase !== null ? purchases.get(purchase) : undefined) ?? [];
  const invoices = await invoicesOfEntries(
    db,
    // Few invoices come to nothing.
    entries.filter((entry) => sum(bookedBy(entry).map(({ excl, tax }) => excl + tax)) === 0n),
  );
  return (entry, lines) => {
    const booked = bookedBy(entry);
    const withLine = new Set(['', ...lines.map(({ tax_code }) => tax_code)]);
    const isUntaxed = ({ taxCode, tax, notDeducted }: Booked) =>
      tax === 0n && notDeducted === 0n && !withLine.has(taxCode);
    if (!booked.some(isUntaxed)) return lines;
    const inParts = new Map<Line, Line[]>();
    const more: Line[] = [];
    for (const ofAccount of Map.groupBy(booked, accountOf).values()) {
      const parts = ofAccount.filter(isUntaxed);
      if (parts.length === 0) continue;
      const amount = sum(ofAccount.map(({ excl, notDeducted }) => excl + notDeducted));
      const own = lines.find((line) => line.tax_code === '' && isOn(line, ofAccount[0]!) && amountOf(line) === amount);
      // What comes to nothing on an account has no line there.
      const line = own ?? (amount === 0n ? lineOn(ofAccount[0]!, lines[0] ?? firstLine(entry, invoices)) : undefined);
      if (line === undefined) continue;
      const rest = amount - sum(parts.map(({ excl }) => excl));
      const written = [
        ...parts.map(({ taxCode, excl }) => ({ ...withAmount(line, excl), tax_code: taxCode, tax_base: excl })),
        ...(rest === 0n ? [] : [withAmount(line, rest)]),
      ];
      if (own === undefined) more.push(...written);
      else inParts.set(own, written);
    }
    return [...lines.flatMap((line) => inParts.get(line) ?? [line]), ...more];
  };
}

type Booked = Awaited<ReturnType<typeof bookedOnAccounts>>[number];

const accountOf = ({ account, costCenter }: Booked): string => JSON.stringify([account, costCenter]);

const isOn = (line: Line, { account, costCenter }: Booked): boolean =>
  line.ledger_account_number === account && line.cost_center === costCenter;

const amountOf = ({ debit, credit }: Line): Cents => debit - credit;

/** A line of an entry that has none, since all that it books comes to nothing. */
function firstLine(
  { id, administration_id, date }: Entry,
  invoices: ReadonlyMap<bigint, EntryInvoice>,
): Line | undefined {
  const invoice = invoices.get(id);
  if (invoice === undefined) return undefined;
  const owner = { administration_id, journal_entry_id: id };
  return {
    id: 0n,
    ...newRow('journal_line', { ...owner, ledger_account_number: '', date, debit: 0n, credit: 0n, ...invoice }),
  } as Line;
}

/** A line on an account as an entry has another one; undefined when it has none. */
function lineOn({ account, costCenter }: Booked, first: Line | undefined): Line | undefined {
  if (first === undefined) return undefined;
  const untaxed = { tax_code: '', tax_base: 0n, tax_amount: 0n };
  return { ...first, ...untaxed, ledger_account_number: account, cost_center: costCenter };
}

/** A line with another amount: debit is positive. */
const withAmount = (line: Line, amount: Cents): Line => ({
  ...line,
  debit: amount > 0n ? amount : 0n,
  credit: amount < 0n ? -amount : 0n,
});

/** Entries whose lines are counted together. */
const BATCH_SIZE = 400;

/** How many lines there are, and what they come to, more than in the ledger where lines of a year are in parts. */
export async function addedByParts(db: Database, administrationId: bigint, days: Period): Promise<LineTotals> {
  const added: LineTotals = { lines: 0n, debit: 0n, credit: 0n };
  const ids = await idsWithParts(db, administrationId, days);
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const some = ids.slice(start, start + BATCH_SIZE);
    const entries = await db.selectFrom('journal_entry').where('id', 'in', some).selectAll().execute();
    const byEntry = await linesOfEntries(db, some);
    const withTaxed = await taxedLines(db, entries);
    for (const entry of entries) {
      const lines = byEntry.get(entry.id) ?? [];
      const written = withTaxed(entry, lines);
      added.lines += BigInt(written.length - lines.length);
      added.debit += sum(written.map(({ debit }) => debit)) - sum(lines.map(({ debit }) => debit));
      added.credit += sum(written.map(({ credit }) => credit)) - sum(lines.map(({ credit }) => credit));
    }
  }
  return added;
}

export type LineTotals = { lines: bigint; debit: Cents; credit: Cents };

/** The entries whose invoice has, on one account, something at 0 % beside something else: others have no line in parts. */
async function idsWithParts(db: Database, administrationId: bigint, { first, last }: Period): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (const document of ['sales_invoice', 'purchase_invoice']) {
    const invoice = sql.ref(`${document}_id`);
    const ofDays = sql`from journal_entry
      where administration_id = ${administrationId} and date >= ${first} and date <= ${last}`;
    const { rows } = await sql<{ id: bigint }>`
      select id ${ofDays} and ${invoice} in (
        select invoice from (
          select ${invoice} as invoice, ledger_account_number, cost_center, tax_code, sum(subtotal_excl) as excl,
            sum(subtotal_incl - subtotal_excl) as tax
          from ${sql.table(`${document}_line`)} where ${invoice} in (select ${invoice} ${ofDays})
          group by ${invoice}, ledger_account_number, cost_center, tax_code
        ) as booked
        group by invoice, ledger_account_number, cost_center
        having count(*) > 1 and sum(case when tax_code <> '' and tax = 0 and excl <> 0 then 1 else 0 end) > 0
      )`.execute(db);
    for (const { id } of rows) ids.push(id);
  }
  return ids;
}
