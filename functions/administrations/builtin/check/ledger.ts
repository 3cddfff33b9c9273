import { sql } from 'kysely';
import { balancesIn, fiscalYearsOf, openingOf } from '../balances/balances.ts';
import type { Database } from '../sql/database.ts';
import type { Cents, Row } from '../sql/schema.ts';
import { money, total } from './amounts.ts';

/** Checks that lines agree with their entries, totals with the lines, and that opening balances balance. */
export async function* checkLedger(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const strays = await db
    .selectFrom('journal_line')
    .innerJoin('journal_entry', 'journal_entry.id', 'journal_line.journal_entry_id')
    .where('journal_entry.administration_id', '=', administrationId)
    .where((eb) =>
      eb.or([
        eb('journal_line.date', '<>', eb.ref('journal_entry.date')),
        eb('journal_line.administration_id', '<>', administrationId),
      ]),
    )
    .orderBy('journal_entry.id')
    .orderBy('journal_line.id')
    .select(['journal_entry.description', 'journal_line.date'])
    .execute();
  for (const { description, date } of strays)
    yield `A line of the journal entry of ${description} is of ${date}, unlike its entry, or of another administration.`;
  const { rows: differences } = await sql<{ account: string; date: string; debit: Cents; credit: Cents }>`
    select account, date, cast(sum(debit) as bigint) as debit, cast(sum(credit) as bigint) as credit from (
      select ledger_account_number as account, date, debit, credit from ledger_total
        where administration_id = ${administrationId}
      union all
      select ledger_account_number, date, -debit, -credit from journal_line
        where administration_id = ${administrationId}
    ) as sides group by account, date having sum(debit) <> 0 or sum(credit) <> 0 order by date, account`.execute(db);
  for (const { account, date, debit, credit } of differences)
    yield `The total of account ${account} on ${date} is off by ${money(debit)} debit and ${money(credit)} credit.`;
  const openings = await db
    .selectFrom('fiscal_year')
    .leftJoin('opening_line', 'fiscal_year_id', 'fiscal_year.id')
    .where('administration_id', '=', administrationId)
    .groupBy(['start_date', 'end_date'])
    .orderBy('start_date')
    .orderBy('end_date')
    .select(['start_date', 'end_date', total('debit').as('debit'), total('credit').as('credit')])
    .execute();
  let before = '';
  for (const { start_date, end_date, debit, credit } of openings) {
    const year = `The fiscal year from ${start_date}`;
    if (debit !== credit) yield `${year} opens with ${money(debit)} debit and ${money(credit)} credit.`;
    if (end_date < start_date || start_date <= before)
      yield `${year} to ${end_date} overlaps another one, or ends before.`;
    before = end_date;
  }
}

const controls = [
  { column: 'debtor_account', table: 'sales_invoice', sign: 1n, whom: 'customers' },
  { column: 'creditor_account', table: 'purchase_invoice', sign: -1n, whom: 'suppliers' },
] as const;

/**
 * Lists what may differ without being wrong: an opening balance from the close of the year before, and a control account
 * from the open items, since payments are not matched with invoices.
 */
export async function* ledgerDifferences(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const administration: Row<'administration'> = await db
    .selectFrom('administration')
    .where('id', '=', administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const years = await fiscalYearsOf(db, administration);
  const lastLine = await db
    .selectFrom('ledger_total')
    .where('administration_id', '=', administrationId)
    .select((eb) => [eb.fn.min('date').as('first'), eb.fn.max('date').as('last')])
    .executeTakeFirst();
  for (const { id, start_date, has_opening } of years.stored) {
    const isFirst = !years.stored.some((year) => year.has_opening === 1n && year.start_date < start_date);
    if (has_opening === 0n || (isFirst && !(lastLine?.first && lastLine.first < start_date))) continue;
    const day = { first: start_date, last: start_date };
    const closed = await balancesIn(db, administration, day, { years, isDerived: true });
    const difference = new Map(closed.map(({ number, opening }) => [number, -opening]));
    for (const { number, amount } of await openingOf(db, id)) {
      difference.set(number, (difference.get(number) ?? 0n) + amount);
    }
    for (const [number, amount] of [...difference].sort()) {
      if (amount === 0n) continue;
      yield `Account ${number || 'for results of earlier years'} opens on ${start_date} with ${money(amount)} more than it closed with the day before.`;
    }
  }
  if (!lastLine?.last) return;
  const day = { first: lastLine.last, last: lastLine.last };
  const balances = await balancesIn(db, administration, day, { years });
  for (const { column, table, sign, whom } of controls) {
    const account = administration[column];
    if (account === '') continue;
    const found = balances.find(({ number }) => number === account);
    const balance = found === undefined ? 0n : sign * (found.opening + found.debit - found.credit);
    const open = await db
      .selectFrom(table as 'sales_invoice')
      .where('administration_id', '=', administrationId)
      .$if(table === 'sales_invoice', (invoices) => invoices.where('is_draft', '=', 0n))
      .select(total('outstanding').as('outstanding'))
      .executeTakeFirstOrThrow();
    if (balance === open.outstanding) continue;
    yield `Account ${account} of ${whom} is ${money(balance)}, their open invoices are ${money(open.outstanding)}: ${money(balance - open.outstanding)} is not matched.`;
  }
}
