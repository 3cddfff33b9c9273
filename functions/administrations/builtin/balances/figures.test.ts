import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { addDays } from '../../../../shared/wire/calendarDate.ts';
import { databaseKind, emptyDatabase } from '../../../../testing/database.ts';
import { deeper } from '../../../../testing/deep.ts';
import { storeEntries } from '../ledger/storeEntries.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import type { Database } from '../sql/database.ts';
import { newRow } from '../sql/rows.ts';
import { writingIn } from '../sql/transaction.ts';
import { ledgerReader } from './ledgerReader.ts';

const accounts = ['1300', '1600', '1000', '4000', '8000'] as const;
const relations = ['Jansen', 'Bakker', 'Smit'] as const;

const documents = ['', '2026001', 'B-17'] as const;

type Line = {
  account: (typeof accounts)[number];
  relation: (typeof relations)[number] | null;
  document: (typeof documents)[number];
  cents: bigint;
};

/** An entry of some lines, and one on the bank that makes it balance. */
const entry = fc.record({
  date: fc.integer({ min: 0, max: 1000 }).map((days) => addDays('2024-01-01', days)),
  lines: fc.array(
    fc.record<Line>({
      account: fc.constantFrom(...accounts),
      relation: fc.constantFrom(null, ...relations),
      document: fc.constantFrom(...documents),
      // Together up to 90 billion: amounts with cents that a 32-bit number cannot hold.
      cents: fc.bigInt(-900_000_000_000n, 900_000_000_000n),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

const year = fc.integer({ min: 2023, max: 2027 });
const twoDigits = (number: number) => String(number).padStart(2, '0');
/** The texts of periods with their days, in a fiscal year that begins in January. */
const period = fc.oneof(
  year.map((one) => ({ text: `${one}`, first: `${one}-01-01`, last: `${one}-12-31` })),
  fc.tuple(year, fc.integer({ min: 1, max: 4 })).map(([one, quarter]) => ({
    text: `${one}-Q${quarter}`,
    first: `${one}-${twoDigits(quarter * 3 - 2)}-01`,
    last: `${one}-${['03-31', '06-30', '09-30', '12-31'][quarter - 1]}`,
  })),
  fc.integer({ min: 0, max: 1400 }).map((days) => {
    const day = addDays('2023-06-01', days);
    return { text: day, first: day, last: day };
  }),
);

const decimal = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const sumOf = (lines: readonly { cents: bigint }[]): bigint => lines.reduce((sum, { cents }) => sum + cents, 0n);

test('figures of any periods, and open amounts and items of any days, equal a sum of the lines, to the cent', async () => {
  const books = fc.asyncProperty(
    fc.array(entry, { maxLength: 12 }),
    fc.array(fc.tuple(fc.option(period), period), { maxLength: 25 }),
    fc.array(period, { maxLength: 25 }),
    async (entries, asked, days) => {
      const { db } = await emptyDatabase();
      onTestFinished(() => db.destroy());
      const id = await createAdministration(db, { name: 'Books', country: 'NL', fiscalYears: [2025], now: 1n });
      const administration = await db
        .selectFrom('administration')
        .where('id', '=', id)
        .selectAll()
        .executeTakeFirstOrThrow();
      expect([administration.debtor_account, administration.creditor_account]).toEqual(['1300', '1600']);
      const balanced = entries.map(({ date, lines }) => ({
        date,
        lines: [...lines, { account: '1000', relation: null, document: '', cents: -sumOf(lines) } satisfies Line],
      }));
      const booked = balanced.flatMap(({ date, lines }) => lines.map((line) => ({ ...line, date })));
      const log = { administrationId: id, author: { origin: 'command', key: null, action: 'test' }, now: 1n } as const;
      await writingIn(db, log, async (trx) => {
        const ids = new Map<string, bigint>();
        for (const [index, name] of relations.entries()) ids.set(name, await addRelation(trx, id, name, BigInt(index)));
        const stored = balanced.map(({ date, lines }) => ({
          journal: 'memorial' as const,
          date,
          description: 'entry',
          created_on: 1n,
          lines: lines.map(({ account, relation, document, cents }) => ({
            ledger_account_number: account,
            document,
            relation_id: relation === null ? null : ids.get(relation)!,
            amount: cents,
          })),
        }));
        await storeEntries({ db: trx, administration }, stored);
      });

      const reader = ledgerReader({ db, administration, today: () => '2026-01-01' });
      const figures = await reader.figures({
        period: asked.map(([from, to]) => `${from?.text ?? ''}..${to.text}`),
        open: days.map(({ text }) => text),
      });

      expect(figures.periods).toHaveLength(asked.length);
      for (const [index, [from, to]] of asked.entries()) {
        const first = from?.first ?? `${to.last.slice(0, 4)}-01-01`;
        const found = figures.periods[index]!;
        expect(found.isBackwards).toBe(first > to.last);
        if (found.isBackwards) continue;
        // What the income statement had before this fiscal year has gone to the result account.
        const openedFrom = `${first.slice(0, 4)}-01-01`;
        for (const account of accounts) {
          const own = booked.filter((line) => line.account === account && line.date <= to.last);
          const within = own.filter(({ date }) => date >= first);
          const isResult = account === '4000' || account === '8000';
          const expected = {
            debit: sumOf(within.filter(({ cents }) => cents > 0n)),
            credit: -sumOf(within.filter(({ cents }) => cents < 0n)),
            closing: sumOf(isResult ? own.filter(({ date }) => date >= openedFrom) : own),
          };
          const row = found.figures.find(({ number }) => number === account);
          expect([row?.debit ?? '0.00', row?.credit ?? '0.00', row?.closing ?? '0.00']).toEqual(
            [expected.debit, expected.credit, expected.closing].map(decimal),
          );
        }
      }
      expect(figures.open).toHaveLength(days.length);
      for (const [index, { last }] of days.entries()) {
        const control = booked.filter(({ account, cents }) => ['1300', '1600'].includes(account) && cents !== 0n);
        const expected = relations.flatMap((name) => {
          const own = control.filter(({ relation }) => relation === name);
          return own.length === 0 ? [] : [[name, decimal(sumOf(own.filter(({ date }) => date <= last)))]];
        });
        const { relations: found } = figures.open[index]!;
        expect(found.map(({ name, amount }) => [name, amount])).toEqual(expected);

        const question = { at: days[index]!.text, limit: 2 };
        let page = await reader.openItems(question);
        const { at, controls } = page;
        const items = [...page.items];
        while (page.next !== null) {
          page = await reader.openItems({ ...question, after: page.next });
          items.push(...page.items);
        }
        expect(at).toEqual(last);
        const expectedItems = relations.flatMap((name) =>
          ['1300', '1600'].flatMap((account) =>
            documents.flatMap((document) => {
              const own = control.filter(
                (line) =>
                  line.relation === name && line.account === account && line.document === document && line.date <= last,
              );
              const date = own.map((line) => line.date).toSorted()[0];
              return sumOf(own) === 0n ? [] : [[name, account, document, date, decimal(sumOf(own))].join(' ')];
            }),
          ),
        );
        expect(
          items
            .map(({ relationName, account, document, date, open }) =>
              [relationName, account, document, date, open].join(' '),
            )
            .toSorted(),
        ).toEqual(expectedItems.toSorted());
        for (const account of ['1300', '1600']) {
          const own = control.filter((line) => line.account === account && line.date <= last);
          expect(controls.find((one) => one.account === account)?.balance ?? '0.00').toBe(decimal(sumOf(own)));
        }
      }
    },
  );
  // A database on a server takes long to make.
  await fc.assert(books, { numRuns: databaseKind() === 'sqlite' ? deeper(15, 200) : deeper(5, 20) });
});

/** Adds a relation whose RelationGUID no float can hold. */
async function addRelation(db: Database, administrationId: bigint, name: string, index: bigint): Promise<bigint> {
  const row = newRow('relation', {
    administration_id: administrationId,
    guid: 9_007_199_254_740_993n + index,
    name,
    is_business: 1n,
    created_on: 1n,
    changed_on: 1n,
  });
  return (await db.insertInto('relation').values(row).returning('id').executeTakeFirstOrThrow()).id;
}
