import { type RawBuilder, sql } from 'kysely';
import { centsText } from '../../../../shared/money.ts';
import type { AccountBalance } from '../../../../shared/resources/generalLedger/ledgerBalance.ts';
import type { LedgerType } from '../../../../shared/resources/ledgerAccount.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import { filledUp, type ListedValues, listed, prepared, preparedForms, valuesOf } from '../sql/prepared.ts';
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
 */
export async function balancesIn(
  db: Database,
  administration: Administration,
  period: Period,
  { years, isDerived = false }: { years: FiscalYears; isDerived?: boolean },
): Promise<Balance[]> {
  const span = spanOf(period, years, isDerived);
  return added(administration, span, await readOf(db, administration, span));
}

/** What the balances of a period add up: a stored opening, if there is one, and the movements since. */
type Span = Period & {
  /** The first day of the fiscal year of the period, and the year in which it begins. */
  start: CalendarDate;
  year: number;
  /** The id of the fiscal year whose opening is stored, and the first day whose movements count. */
  opening: bigint | undefined;
  from: CalendarDate;
};

function spanOf({ first, last }: Period, years: FiscalYears, isDerived = false): Span {
  const start = years.yearOf(first).first;
  const stored = years.stored.findLast(
    ({ start_date, has_opening }) => has_opening === 1n && (isDerived ? start_date < start : start_date <= start),
  );
  return { first, last, start, year: Number(start.slice(0, 4)), opening: stored?.id, from: stored?.start_date ?? '' };
}

type Read = {
  accounts: ReadonlyMap<string, Account>;
  opening: readonly { number: string; amount: Cents }[];
  totals: Iterable<Totals>;
};

const readOf = async (db: Database, { id }: Administration, span: Span): Promise<Read> => ({
  accounts: await accountsOf(db, id, span),
  opening: span.opening === undefined ? [] : await openingOf(db, span.opening),
  totals: await totalsOf(db, id, span),
});

/** The balances of a period, from what was read for it. */
function added(
  { result_account }: Administration,
  { from, start }: Span,
  { accounts, opening, totals }: Read,
): Balance[] {
  const balances = new Map<string, Balance>();
  const balanceOf = (number: string): Balance => {
    const balance = balances.get(number) ?? { number, opening: 0n, debit: 0n, credit: 0n };
    balances.set(number, balance);
    return balance;
  };
  /** Brings a balance over from an earlier year: a result goes to the result account. */
  const bringOver = (number: string, amount: Cents) => {
    const isResult = accounts.get(number)?.type === 'IncomeStatement';
    balanceOf(isResult ? result_account : number).opening += amount;
  };
  for (const { number, amount } of opening) {
    if (from === start) balanceOf(number).opening += amount;
    else bringOver(number, amount);
  }
  for (const row of totals) {
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
  const span = spanOf(period, years);
  const read = await readOf(db, administration, span);
  return named(added(administration, span, read), read.accounts);
}

/** The balances of several periods, for which the totals are read once. */
export async function balancesOfEach(
  db: Database,
  administration: Administration,
  periods: readonly Period[],
  years: FiscalYears,
): Promise<AccountBalance[][]> {
  const spans = periods.map((period) => spanOf(period, years));
  const accounts = new Map<number, Map<string, Account>>();
  for (const { year } of spans) {
    if (!accounts.has(year)) accounts.set(year, await accountsOf(db, administration.id, { year }));
  }
  const openings = new Map<bigint, Read['opening']>();
  for (const { opening: id } of spans) {
    if (id !== undefined && !openings.has(id)) openings.set(id, await openingOf(db, id));
  }
  const totalsIn = await totalsBetween(db, administration.id, spans);
  return spans.map((span) => {
    const opening = span.opening === undefined ? [] : openings.get(span.opening)!;
    const read = { accounts: accounts.get(span.year)!, opening, totals: totalsIn(span) };
    return named(added(administration, span, read), read.accounts);
  });
}

const named = (balances: readonly Balance[], accounts: ReadonlyMap<string, Account>): AccountBalance[] =>
  balances.map(({ number, opening, debit, credit }) => {
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

export type Account = { name: string; type: LedgerType };

/** Accounts that are looked for by their numbers; of more, all are read. */
const MAX_NAMED = 128;

/**
 * Accounts by number, as they are called in a fiscal year; those that it does not have, in the year nearest to it.
 * @param which.of their numbers; left out: all
 */
export async function accountsOf(
  db: Database,
  administrationId: bigint,
  { year = Number.POSITIVE_INFINITY, of }: { year?: number; of?: ReadonlySet<string> } = {},
): Promise<Map<string, Account>> {
  if (of?.size === 0) return new Map();
  const numbers = of === undefined || of.size > MAX_NAMED ? [] : filledUp([...of]);
  const rows = await accountRows(db, { administrationId, ...valuesOf(numbers) }, { named: numbers.length });
  const accounts = new Map<string, Account & { year: number }>();
  for (const { number, name, ledger_type, fiscal_year } of rows) {
    const [one, other] = [Number(fiscal_year), accounts.get(number)?.year];
    if (other === undefined || (one > year ? other > one : other > year || other < one))
      accounts.set(number, { name, type: ledger_type, year: one });
  }
  return accounts;
}

const accountRows = preparedForms(
  (db, values: { administrationId: bigint } & ListedValues, { named }: { named: number }) =>
    db
      .selectFrom('ledger_account')
      .where('administration_id', '=', values.administrationId)
      .$if(named > 0, (all) => all.where('number', 'in', listed<string>(values, named)))
      .select(['number', 'name', 'ledger_type', 'fiscal_year']),
);

/** The opening balance of a stored fiscal year. */
export const openingOf = (db: Database, yearId: bigint): Promise<{ number: string; amount: Cents }[]> =>
  openingRows(db, { yearId });

const openingRows = prepared((db, { yearId }: { yearId: bigint }) =>
  db
    .selectFrom('opening_line')
    .where('fiscal_year_id', '=', yearId)
    .groupBy('ledger_account_number')
    .select(['ledger_account_number as number', sql<Cents>`cast(sum(debit - credit) as bigint)`.as('amount')]),
);

type Totals = { number: string; before: Cents; within: Cents; debit: Cents; credit: Cents };

/** Sums of totals by account: before a fiscal year, within it before a period, and in the period. */
async function totalsOf(db: Database, administrationId: bigint, { from, start, first, last }: Span): Promise<Totals[]> {
  const isWhole = first === start;
  // The parts of a sum that are before a day cost as much as the rest: without lines before it they are not added up.
  const hasBefore = first > from && (await areLinesIn(db, { administrationId, from, before: first }));
  const hasEarlier = hasBefore && !isWhole && start > from;
  const rows = await totalRows(db, { administrationId, from, start, first, last }, { hasBefore, hasEarlier });
  return rows.map(
    ({ number, debit, credit, debit_before = 0n, credit_before = 0n, debit_earlier = 0n, credit_earlier = 0n }) => {
      const net = debit_before - credit_before;
      const before = isWhole ? net : debit_earlier - credit_earlier;
      return { number, before, within: net - before, debit: debit - debit_before, credit: credit - credit_before };
    },
  );
}

const totalRows = preparedForms(
  (
    db,
    { administrationId, from, start, first, last }: { administrationId: bigint } & Record<Day, CalendarDate>,
    { hasBefore, hasEarlier }: { hasBefore: boolean; hasEarlier: boolean },
  ) => {
    const sumOf = (column: RawBuilder<unknown>) => sql<Cents>`cast(sum(${column}) as bigint)`;
    const before = (day: CalendarDate, column: 'debit' | 'credit') =>
      sumOf(sql`case when date < ${day} then ${sql.ref(column)} else 0 end`);
    return db
      .selectFrom('ledger_total')
      .where('administration_id', '=', administrationId)
      .where('date', '>=', from)
      .where('date', '<=', last)
      .groupBy('ledger_account_number')
      .select(['ledger_account_number as number', sumOf(sql`debit`).as('debit'), sumOf(sql`credit`).as('credit')])
      .$if(hasBefore, (rows) =>
        rows.select([before(first, 'debit').as('debit_before'), before(first, 'credit').as('credit_before')]),
      )
      .$if(hasEarlier, (rows) =>
        rows.select([before(start, 'debit').as('debit_earlier'), before(start, 'credit').as('credit_earlier')]),
      );
  },
);

type Day = 'from' | 'start' | 'first' | 'last';

/** Whether there is a line from a day on and before another one. */
async function areLinesIn(
  db: Database,
  days: { administrationId: bigint; from: CalendarDate; before: CalendarDate },
): Promise<boolean> {
  return (await firstLineIn(db, days)).length > 0;
}

const firstLineIn = prepared(
  (db, { administrationId, from, before }: { administrationId: bigint; from: CalendarDate; before: CalendarDate }) =>
    db
      .selectFrom('journal_line')
      .where('administration_id', '=', administrationId)
      .where('date', '>=', from)
      .where('date', '<', before)
      .limit(1)
      .select('date'),
);

/** Sums of totals as `totalsOf` has them, for several periods, of which each total is read once. */
async function totalsBetween(
  db: Database,
  administrationId: bigint,
  spans: readonly Span[],
): Promise<(span: Span) => Iterable<Totals>> {
  // Behind a day, and before the next one.
  const after = (day: CalendarDate) => `${day}~`;
  const bounds = [
    ...new Set(spans.flatMap(({ from, start, first, last }) => [from, start, first, after(last)])),
  ].sort();
  if (bounds.length === 0) return () => [];
  /** The number of the last bound that is not after a date, of those from `low` to `high`. */
  const partOf = (low: number, high: number): RawBuilder<number> => {
    const middle = Math.ceil((low + high) / 2);
    return low === high
      ? sql.raw(`${low}`)
      : sql`case when date < ${bounds[middle]} then ${partOf(low, middle - 1)} else ${partOf(middle, high)} end`;
  };
  const { rows } = await sql<{ number: string; part: bigint | number; debit: Cents; credit: Cents }>`
    select ledger_account_number as number, ${partOf(0, bounds.length - 1)} as part,
      cast(sum(debit) as bigint) as debit, cast(sum(credit) as bigint) as credit
    from ledger_total
    where administration_id = ${administrationId} and date >= ${bounds[0]} and date < ${bounds.at(-1)}
    group by 1, 2`.execute(db);
  const place = new Map(bounds.map((bound, index) => [bound, index]));
  const byAccount = [...Map.groupBy(rows, ({ number }) => number)].map(([number, parts]) => {
    /** Debit and credit before each bound. */
    const debit = new Array<Cents>(bounds.length).fill(0n);
    const credit = new Array<Cents>(bounds.length).fill(0n);
    for (const { part, ...sums } of parts) {
      debit[Number(part) + 1]! += sums.debit;
      credit[Number(part) + 1]! += sums.credit;
    }
    for (let index = 1; index < bounds.length; index++) {
      debit[index]! += debit[index - 1]!;
      credit[index]! += credit[index - 1]!;
    }
    return { number, debit, credit };
  });
  return ({ from, start, first, last }) => {
    const [a, b, c, d] = [from, start, first, after(last)].map((bound) => place.get(bound)!) as [
      number,
      number,
      number,
      number,
    ];
    return byAccount.map(({ number, debit, credit }) => {
      const net = (low: number, high: number) => debit[high]! - debit[low]! - (credit[high]! - credit[low]!);
      return {
        number,
        before: net(a, b),
        within: net(b, c),
        debit: debit[d]! - debit[c]!,
        credit: credit[d]! - credit[c]!,
      };
    });
  };
}
