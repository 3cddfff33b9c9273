import fc from 'fast-check';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { addDays, daysBetween } from '../../../../shared/wire/calendarDate.ts';
import { ledgerBooks, type Opening } from '../../../../testing/builtin/ledgerBooks.ts';
import { databaseKind } from '../../../../testing/database.ts';
import { deeper } from '../../../../testing/deep.ts';
import { checkAdministration } from '../check/check.ts';
import { ledgerDifferences } from '../check/ledger.ts';
import type { Database } from '../sql/database.ts';
import { newRow } from '../sql/rows.ts';
import { accountBalances, accountsOf, fiscalYearsOf } from './balances.ts';
import { entryLines } from './entryLines.ts';

/** Accounts of the Dutch chart: two of the balance sheet, the result account, and two of the income statement. */
const accounts = ['1000', '1300', '0540', '4000', '8000'] as const;
const isResult = (number: string) => number.startsWith('4') || number.startsWith('8');

type Books = {
  startMonth: number;
  openings: readonly Opening[];
  entries: readonly { date: string; amounts: [string, bigint][] }[];
};

async function booksOf({ startMonth, openings, entries }: Books) {
  const { db, id, administration } = await ledgerBooks({
    startMonth,
    openings,
    entries: entries.map(({ date, amounts }) => ({
      date,
      lines: amounts.map(([ledger_account_number, amount]) => ({ ledger_account_number, amount })),
    })),
  });
  const ours = await administration();
  const balances = async (first: string, last: string) => {
    const found = await accountBalances(db, ours, { first, last }, await fiscalYearsOf(db, ours));
    return Object.fromEntries(found.map(({ number, opening, debit, credit }) => [number, [opening, debit, credit]]));
  };
  return { db, id, balances };
}

/** Debit and credit that add up, of at most two accounts a side. */
const amounts = fc
  .tuple(fc.constantFrom(...accounts), fc.constantFrom(...accounts), fc.constantFrom(...accounts))
  .chain(([a, b, c]) =>
    fc.tuple(fc.bigInt(-9_999_999n, 9_999_999n), fc.bigInt(-99_999n, 99_999n)).map(([x, y]): [string, bigint][] => [
      [a, x],
      [b, y],
      [c, -x - y],
    ]),
  );
const day = fc.integer({ min: 0, max: 1460 }).map((days) => addDays('2023-01-01', days));
const startMonth = fc.constantFrom(1, 4, 7);

/** The first day of the fiscal year of a date, by counting months. */
const yearStart = (date: string, month: number): string => {
  const year = Number(date.slice(0, 4)) - (Number(date.slice(5, 7)) < month ? 1 : 0);
  return `${year}-${String(month).padStart(2, '0')}-01`;
};
const text = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

test('a trial balance of any period is the sum of the entries, results of earlier years on the result account', async () => {
  await fc.assert(
    fc.asyncProperty(
      startMonth,
      fc.array(fc.record({ date: day, amounts }), { maxLength: 12 }),
      fc.option(amounts),
      day,
      fc.integer({ min: 0, max: 500 }),
      async (month, entries, opening, first, length) => {
        const last = addDays(first, length);
        const openingStart = yearStart('2025-01-15', month);
        const openings = opening === null ? [] : [{ start: openingStart, amounts: opening }];
        const { db, id, balances } = await booksOf({
          startMonth: month,
          entries,
          openings: openings.map(({ start, amounts: list }) => ({
            start,
            end: addDays(yearStart(addDays(start, 370), month), -1),
            amounts: list.reduce<Record<string, bigint>>((all, [account, amount]) => {
              all[account] = (all[account] ?? 0n) + amount;
              return all;
            }, {}),
          })),
        });
        // One by one, day by day: an opening replaces what was, a new year moves the results.
        const expected = new Map<string, [bigint, bigint, bigint]>(accounts.map((one) => [one, [0n, 0n, 0n]]));
        const start = yearStart(first, month);
        for (let offset = 0; offset <= daysBetween('2022-01-01', last); offset++) {
          const date = addDays('2022-01-01', offset);
          if (date <= start && yearStart(date, month) === date) {
            const stored = openings.find((one) => one.start === date);
            if (stored !== undefined) for (const one of expected.values()) one[0] = 0n;
            for (const [account, amount] of stored?.amounts ?? []) expected.get(account)![0] += amount;
            if (stored === undefined) {
              for (const account of accounts.filter(isResult)) {
                expected.get('0540')![0] += expected.get(account)![0];
                expected.get(account)![0] = 0n;
              }
            }
          }
          for (const entry of entries.filter((one) => one.date === date)) {
            for (const [account, amount] of entry.amounts) {
              if (date < first) expected.get(account)![0] += amount;
              else expected.get(account)![amount > 0n ? 1 : 2] += amount > 0n ? amount : -amount;
            }
          }
        }
        const lines = [...expected].filter(([, sides]) => sides.some((side) => side !== 0n));
        expect(await balances(first, last)).toEqual(
          Object.fromEntries(lines.map(([account, sides]) => [account, sides.map(text)])),
        );
        expect(await Array.fromAsync(checkAdministration(db, id))).toEqual([]);
      },
    ),
    // A database on a server takes long to make.
    { numRuns: databaseKind() === 'sqlite' ? deeper(12, 200) : deeper(6, 20) },
  );
});

test('an opening that differs from how the year before closed counts, and is listed by account', async () => {
  const { db, id, balances } = await booksOf({
    startMonth: 1,
    openings: [{ start: '2026-01-01', end: '2026-12-31', amounts: { '1000': 90_00n, '0540': -90_00n } }],
    entries: [
      {
        date: '2025-05-01',
        amounts: [
          ['1000', 100_00n],
          ['8000', -100_00n],
        ],
      },
    ],
  });
  expect(await balances('2026-01-01', '2026-12-31')).toEqual({
    '0540': ['-90.00', '0.00', '0.00'],
    '1000': ['90.00', '0.00', '0.00'],
  });
  expect(await Array.fromAsync(checkAdministration(db, id))).toEqual([]);
  expect(await Array.fromAsync(ledgerDifferences(db, id))).toEqual([
    'Account 0540 opens on 2026-01-01 with 10 more than it closed with the day before.',
    'Account 1000 opens on 2026-01-01 with -10 more than it closed with the day before.',
  ]);
});

test('results of earlier years stand in a row without a number when there is no result account', async () => {
  const { db, id } = await booksOf({
    startMonth: 1,
    openings: [],
    entries: [
      {
        date: '2025-05-01',
        amounts: [
          ['1000', 100_00n],
          ['8000', -100_00n],
        ],
      },
    ],
  });
  await db.updateTable('administration').where('id', '=', id).set({ result_account: '' }).execute();
  const administration = await db
    .selectFrom('administration')
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow();
  const years = await fiscalYearsOf(db, administration);
  const found = await accountBalances(db, administration, years.beginningIn(2026), years);
  expect(found.map(({ number, closing }) => [number, closing])).toEqual([
    ['', '-100.00'],
    ['1000', '100.00'],
  ]);
});

test('the check names a total, a day and an opening that do not agree with their lines', async () => {
  const { db, id } = await booksOf({
    startMonth: 1,
    openings: [{ start: '2026-01-01', end: '2026-12-31', amounts: { '1000': 90_00n } }],
    entries: [
      {
        date: '2025-05-01',
        amounts: [
          ['1000', 100_00n],
          ['8000', -100_00n],
        ],
      },
    ],
  });
  await db.updateTable('ledger_total').where('ledger_account_number', '=', '8000').set({ credit: 1n }).execute();
  await db
    .updateTable('journal_line')
    .where('ledger_account_number', '=', '1000')
    .set({ date: '2025-05-02' })
    .execute();
  await db
    .insertInto('fiscal_year')
    .values(newRow('fiscal_year', { administration_id: id, start_date: '2026-06-01', end_date: '2026-06-30' }))
    .execute();
  const found = await Array.fromAsync(checkAdministration(db, id));
  for (const sentence of [
    'The total of account 8000 on 2025-05-01 is off by 0 debit and -99.99 credit.',
    'The total of account 1000 on 2025-05-02 is off by -100 debit and 0 credit.',
    'A line of the journal entry of entry is of 2025-05-02, unlike its entry, or of another administration.',
    'The fiscal year from 2026-01-01 opens with 90 debit and 0 credit.',
    'The fiscal year from 2026-06-01 to 2026-06-30 overlaps another one, or ends before.',
  ]) {
    expect(found).toContain(sentence);
  }
});

test('an account of customers that is not what their invoices have open is listed, and is nothing that is wrong', async () => {
  const lines = [
    { ledger_account_number: '1300', amount: 1210n },
    { ledger_account_number: '8000', amount: -1210n },
  ];
  const { db, id } = await ledgerBooks({ startMonth: 1, openings: [], entries: [{ date: '2025-05-01', lines }] });
  await db.updateTable('administration').set({ debtor_account: '1300', creditor_account: '1600' }).execute();
  expect(await Array.fromAsync(ledgerDifferences(db, id))).toEqual([
    'Account 1300 of customers is 12.1, their open invoices are 0: 12.1 is not matched.',
  ]);
  expect(await Array.fromAsync(checkAdministration(db, id))).toEqual([]);
});

test.skipIf(databaseKind() !== 'sqlite')(
  'names of some accounts are looked for without reading all accounts',
  async () => {
    const { db, id } = await ledgerBooks({ startMonth: 1, openings: [], entries: [] });
    expect(
      await planOf(db, 'ledger_account', (watched) => accountsOf(watched, id, { of: new Set(['1000', '8000']) })),
    ).toContain('(administration_id=? AND number=?)');
  },
);

test.skipIf(databaseKind() !== 'sqlite').each<[string, Parameters<typeof entryLines>[2], string]>([
  ['a document', { account: [], document: 'F1', limit: 10 }, '(administration_id=? AND document=?)'],
  ['a relation', { account: [], relation: '1', limit: 10 }, '(relation_id=?)'],
  ['an entry', { account: [], entry: '1', limit: 10 }, '(administration_id=? AND date=? AND journal_entry_id=?)'],
  ['some accounts', { account: ['1300', '1600'], limit: 10 }, '(administration_id=? AND ledger_account_number=?)'],
])('lines of %s are looked for by themselves, without reading all others', async (_, selection, expected) => {
  const { db, id } = await ledgerBooks({ startMonth: 1, openings: [], entries: [] });
  const plan = await planOf(db, 'journal_line', (watched) => entryLines(watched, id, selection));
  expect(plan).toContain(expected);
});

/** How SQLite carries out the first statement about a table that some work executes for the first time. */
async function planOf(db: Database, table: string, work: (watched: Database) => Promise<unknown>): Promise<string> {
  const statements: CompiledQuery[] = [];
  const watched = db.withPlugin({
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await work(watched);
  const { sql } = statements.find((one) => one.sql.includes(table))!;
  // Without values, which do not change the plan.
  const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`));
  return rows.map(({ detail }) => detail).join('\n');
}
