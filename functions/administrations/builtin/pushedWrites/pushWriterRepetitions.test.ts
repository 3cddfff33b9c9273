import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testProductWrites, update } from '../../../../testing/builtin/productWrites.ts';
import { databaseKind } from '../../../../testing/database.ts';
import { openShop } from '../../../../testing/shop.ts';
import type { WriteOutcome } from '../../administration.ts';
import { builtinAdministrations } from '../builtin.ts';
import { checkAdministration } from '../check/check.ts';
import { openDatabase } from '../sql/openDatabase.ts';

const writes = testProductWrites();
const { newWriter, stockOf, storedKeys, write } = writes;

it('the stock is the sum of the different writes, in any calls and with any repetitions', async () => {
  const hundredths = fc.integer({ min: -99_999, max: 99_999 });
  const calls = fc.array(
    fc.record({ by: fc.nat({ max: 1 }), keys: fc.array(fc.nat({ max: 11 }), { maxLength: 15 }) }),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('0100', '0200', 'nergens'), hundredths), { minLength: 12, maxLength: 12 }),
      calls,
      fc.boolean(),
      async (moves, madeCalls, atOnce) => {
        writes.shop = await openShop(writes.app);
        const writers = [await newWriter(), await newWriter()];
        const requested = moves.map(([article, moved], index) =>
          update(`key ${index}`, { ArticleNumber: article, NewStockQty: (moved / 100).toFixed(2) }),
        );
        const call = ({ by, keys }: { by: number; keys: number[] }) =>
          write(
            keys.map((key) => requested[key]!),
            writers[by],
          );
        const outcomes: WriteOutcome[][] = [];
        if (atOnce) outcomes.push(...(await Promise.all(madeCalls.map(call))));
        else for (const each of madeCalls) outcomes.push(await call(each));

        const sums: Record<string, number> = { '0100': 1000, '0200': 10_000 };
        const seen = new Map<number, WriteOutcome>();
        for (const [index, { keys }] of madeCalls.entries()) {
          for (const [place, key] of keys.entries()) {
            const outcome = outcomes[index]![place]!;
            const [article, moved] = moves[key]!;
            expect(outcome.kind).toBe(article === 'nergens' ? 'refused' : 'applied');
            if (article !== 'nergens') expect(outcome).toEqual(seen.get(key) ?? outcome);
            if (!seen.has(key) && article !== 'nergens') sums[article]! += moved;
            seen.set(key, outcome);
          }
        }
        for (const [article, sum] of Object.entries(sums)) expect(await stockOf(article)).toBe(sum / 100);
        expect(await Array.fromAsync(checkAdministration(writes.app.db, writes.shop.administrationId))).toEqual([]);
      },
    ),
    { numRuns: databaseKind() === 'embedded' ? 15 : 40 },
  );
});

it('two writers that send the same writes at once, with a connection each, have every one applied once', async () => {
  const connection = writes.app.databaseUrl === '' ? undefined : await openDatabase(writes.app.databaseUrl);
  const other = builtinAdministrations(connection ?? writes.app.db);
  const writers = [writes.writer, await other.writer(writes.shop.credential)];
  const requested = Array.from({ length: 200 }, (_, index) =>
    update(`key ${index}`, { ArticleNumber: index % 2 === 0 ? '0100' : '0200', NewStockQty: '0.01' }),
  );
  const parts = Array.from({ length: 10 }, (_, part) => requested.slice(part * 20, part * 20 + 20));
  const outcomes = await Promise.all(
    writers.map(async (by, index) => {
      const received: WriteOutcome[] = [];
      for (const part of parts) {
        // One of them in reverse order, so that neither is always first.
        received.push(...(await write(index === 0 ? part : part.toReversed(), by)));
      }
      return received;
    }),
  );
  expect(new Set(outcomes.flat().map(({ kind }) => kind))).toEqual(new Set(['applied']));
  expect(await stockOf('0100')).toBe(11);
  expect(await stockOf('0200')).toBe(101);
  expect(await writes.shop.mutationsOf('0100')).toHaveLength(101);
  expect(await storedKeys()).toHaveLength(200);
  expect(await Array.fromAsync(checkAdministration(writes.app.db, writes.shop.administrationId))).toEqual([]);
  await connection?.destroy();
});
