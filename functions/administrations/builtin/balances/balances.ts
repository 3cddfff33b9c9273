import { sql } from 'kysely';
import { centsText } from '../../../../shared/money.ts';
import type { AccountBalance } from '../../../../shared/resources/generalLedger/ledgerBalance.ts';
import type { LedgerType } from '../../../../shared/resources/ledgerAccount.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import type { Cents, Row } from '../sql/schema.ts';
import { type FiscalYears, fiscalYears, type Period, storedYears } from './fiscalYears.ts';

/** An account in a period; balances are positive for debit. */
export type Balance = {
  /** "" for results of earlier years without a result account. */
  number: string;
  opening: Cents;
  debit: Cents;
  credit: Cents;
};

type Administration = Pick<Row<'administration'>, 'id' | 'result_account' | 'fiscal_year_start'>;

/** The fiscal years of an administration. */
export const fiscalYearsOf = async (db: Database, { id, fiscal_year_start }: Administration): Promise<FiscalYears> =>
  fiscalYears(await storedYears(db, id), Number(fiscal_year_start));

/**
 * The accounts with an opening or movements in a period, by number. An opening is that of the fiscal year of the first
 * day, and the movements of that year before the period.
 * @param isDerived the opening of that fiscal year follows from the year before, even if it is stored
 * @param known the accounts as they are called in that year, if they were read
 */
export async function balancesIn(
  db: Database,
  administration: Administration,
  { first, last }: Period,
  {
    years,
    isDerived = false,
    known,
  }: { years: FiscalYears; isDerived?: boolean; known?: ReadonlyMap<string, Account> },
): Promise<Balance[]> {
  const start = years.yearOf(first).first;
  const from = years.stored.findLast(
    ({ start_date, has_opening }) => has_opening === 1n && (isDerived ? start_date < start : start_date <= start),
  );
  const accounts = known ?? (await accountsOf(db, administration.id, Number(start.slice(0, 4))));
  const balances = new Map<string, Balance>();
  const balanceOf = (number: string): Balance => {
    const balance = balances.get(number) ?? { number, opening: 0n, debit: 0n, credit: 0n };
    balances.set(number, balance);
    return balance;
  };
  /** Brings a balance over from an earlier year: a result goes to the result account. */
  const bringOver = (number: string, amount: Cents) => {
    const isResult = accounts.get(number)?.type === 'IncomeStatement';
    balanceOf(isResult ? administration.result_account : number).opening += amount;
  };
  for (const { number, amount } of from === undefined ? [] : await openingOf(db, from.id)) {
    if (from!.start_date === start) balanceOf(number).opening += amount;
    else bringOver(number, amount);
  }
  for (const row of await totalsOf(db, administration.id, { from: from?.start_date ?? '', start, first, last })) {
    if (row.before !== 0n) bringOver(row.number, row.before);
    const balance = balanceOf(row.number);
    balance.opening += row.within;
    balance.debit += row.debit;
    balance.credit += row.credit;
  }
  return [...balances.values()]
    .filter(({ opening, debit, credit }) => opening !== 0n || debit !== 0n || credit !== 0n)
    .sort((a, b) => (a.number < b.number ? -1 : 1));
}

/** Balances with the names of their accounts, as a response has them. */
export async function accountBalances(
  db: Database,
  administration: Administration,
  period: Period,
  years: FiscalYears,
): Promise<AccountBalance[]> {
  const accounts = await accountsOf(db, administration.id, Number(years.yearOf(period.first).first.slice(0, 4)));
  const found = await balancesIn(db, administration, period, { years, known: accounts });
  return found.map(({ number, opening, debit, credit }) => {
    const account = accounts.get(number);
    return {
      number,
      name: account?.name ?? '',
      type: account?.type ?? 'BalanceSheet',
      opening: centsText(opening),
      debit: centsText(debit),
      credit: centsText(credit),
      closing: centsText(opening + debit - credit),
    };
  });
}

export type Account = { name: string; type: LedgerType };

/** Accounts by number, as they are called in a fiscal year; those that it does not have, in the year nearest to it. */
export async function accountsOf(
  db: Database,
  administrationId: bigint,
  year: number = Number.POSITIVE_INFINITY,
): Promise<Map<string, Account>> {
  const rows = await db
    .selectFrom('ledger_account')
    .where('administration_id', '=', administrationId)
    .orderBy('fiscal_year')
    .select(['number', 'name', 'ledger_type', 'fiscal_year'])
    .execute();
  const accounts = new Map<string, Account>();
  for (const { number, name, ledger_type, fiscal_year } of rows) {
    if (accounts.has(number) && Number(fiscal_year) > year) continue;
    accounts.set(number, { name, type: ledger_type });
  }
  return accounts;
}

/** The opening balance of a stored fiscal year. */
export async function openingOf(db: Database, yearId: bigint): Promise<{ number: string; amount: Cents }[]> {
  const { rows } = await sql<{ number: string; amount: Cents }>`
    select ledger_account_number as number, cast(sum(debit - credit) as bigint) as amount
    from opening_line where fiscal_year_id = ${yearId} group by ledger_account_number`.execute(db);
  return rows;
}

type Totals = { number: string; before: Cents; within: Cents; debit: Cents; credit: Cents };

/** Sums of totals by account: before a fiscal year, within it before a period, and in the period. */
async function totalsOf(
  db: Database,
  administrationId: bigint,
  { from, start, first, last }: Record<'from' | 'start' | 'first' | 'last', CalendarDate>,
): Promise<Totals[]> {
  const { rows } = await sql<Totals>`
    select ledger_account_number as number,
      cast(sum(case when date < ${start} then debit - credit else 0 end) as bigint) as before,
      cast(sum(case when date >= ${start} and date < ${first} then debit - credit else 0 end) as bigint) as within,
      cast(sum(case when date >= ${first} then debit else 0 end) as bigint) as debit,
      cast(sum(case when date >= ${first} then credit else 0 end) as bigint) as credit
    from ledger_total
    where administration_id = ${administrationId} and date >= ${from} and date <= ${last}
    group by ledger_account_number`.execute(db);
  return rows;
}
