import { setTimeout as passed } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import type { Product } from '../../shared/resources/product.ts';
import { retryOptions } from '../../shared/retry.ts';
import { deeper } from '../../testing/deep.ts';
import { rowsOf, storedPushes } from '../../testing/pushes/storedPushes.ts';
import type { AppliedWrites, ProductWrite, ProductWriter, WriteOutcome } from '../administrations/administration.ts';
import { noCounts, type PushStore } from './pushStore.ts';
import { CANCELLED, workPush } from './workPush.ts';

/*
 * A push among everything that can go wrong: workers die at any operation, two work at a time, answers are lost, the
 * service puts rows off, the push is cancelled. What the service really did is compared with what the push tells.
 */

const { store, secrets, begun, statesOf, cancel } = await storedPushes();

/** What the service does with an attempt. */
type Outcome = 'apply' | 'refuse' | 'apply, answer lost' | 'not applied, answer lost' | 'deferred';

/** A service that carries out what it is given, or not, and remembers what it did. */
function serviceOf(outcomes: readonly Outcome[], remembers: boolean, concurrency: number, isRateLimited: boolean) {
  const executed = new Map<string, number>();
  const lost = new Set<string>();
  let attempts = 0;
  /** How often more was under way with one worker than may be. */
  let overlaps = 0;
  const isRepeatable = ({ request }: ProductWrite) =>
    request.NewStockQty === undefined || request.StockUpdateMode === 'Absolute';
  const product = { ArticleNumber: 'A' } as Product;

  function outcomeOf(write: ProductWrite): WriteOutcome {
    if (remembers && executed.has(write.key)) return { kind: 'applied', product };
    const fate = outcomes[attempts++ % outcomes.length]!;
    if (fate === 'refuse') return { kind: 'refused', problem: new Problem('INVALID_REQUEST', 'Refused.') };
    if (fate === 'deferred') return { kind: 'deferred', problem: new Problem('RATE_LIMIT', 'Later.'), after: 5 };
    if (fate !== 'not applied, answer lost') executed.set(write.key, (executed.get(write.key) ?? 0) + 1);
    if (fate === 'apply') return { kind: 'applied', product };
    // Who remembers never leaves anybody in doubt: the write is given again.
    if (remembers) return { kind: 'deferred', problem: new Problem('INTERNAL', 'Lost.'), after: 5 };
    lost.add(write.key);
    return { kind: 'unknown', problem: new Problem('OUTCOME_UNKNOWN', 'Lost.') };
  }

  const writer = (life: ProcessLife): ProductWriter => {
    let underWay = 0;
    return {
      batchSize: remembers ? 3 : 1,
      concurrency,
      isRateLimited,
      isRepeatable,
      async write(writes, onSending, signal) {
        if (++underWay > concurrency) overlaps++;
        try {
          await life.step();
          signal.throwIfAborted();
          await onSending();
          await life.step();
          const outcomes = writes.map(outcomeOf);
          await life.step();
          return outcomes;
        } finally {
          underWay--;
        }
      },
    };
  };
  const appliedWrites: AppliedWrites = {
    applied: async (keys) => new Map(keys.filter((key) => executed.has(key)).map((key) => [key, product])),
    forget: async () => {},
  };
  return { executed, lost, overlaps: () => overlaps, isRepeatable, writer, ...(remembers ? { appliedWrites } : {}) };
}

/** A worker's life: it ends after so many steps, without a word, as a process that is killed does. */
class ProcessLife {
  readonly died: Promise<void>;
  #left: number;
  #die!: () => void;
  constructor(steps: number) {
    this.#left = steps;
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
  }
  async step(): Promise<void> {
    if (this.#left-- > 0) return;
    this.#die();
    await new Promise(() => {});
  }
}

/** What an operation of the storage comes to: done, failed before it was carried out, or after. */
type StoreResult = 'done' | 'failed before' | 'failed after';

/** The store as a worker has it that may die before an operation, or after it, and whose operations may fail. */
const crashing = (life: ProcessLife, storeResults: readonly StoreResult[]): PushStore => {
  let operations = 0;
  return Object.fromEntries(
    Object.entries(store).map(([name, operation]) => {
      if (name === 'entries' || name === 'index') return [name, operation];
      const call = operation as (...given: unknown[]) => Promise<unknown>;
      return [
        name,
        async (...given: unknown[]) => {
          const storeResult = storeResults[operations++] ?? 'done';
          await life.step();
          if (storeResult === 'failed before') throw new Error('The storage failed, and nothing was done.');
          const result = await call(...given);
          if (storeResult === 'failed after') throw new Error('The storage failed, and all was done.');
          await life.step();
          return result;
        },
      ];
    }),
  ) as unknown as PushStore;
};

/** Who works on the push, one after the other or at the same time, for how many steps and how long. */
type Act = {
  steps: number;
  together: boolean;
  cancelAfter: number | undefined;
  sliceAfter: number | undefined;
  storeResults: readonly StoreResult[];
};

const quiet = { cancelAfter: undefined, sliceAfter: undefined, storeResults: [] };

describe('a push with any faults', () => {
  const fate = fc.constantFrom<Outcome>(
    'apply',
    'apply',
    'apply',
    'refuse',
    'apply, answer lost',
    'not applied, answer lost',
    'deferred',
  );
  const act = fc.record({
    // A worker takes a dozen steps before it sends, and a few for each row.
    steps: fc.oneof(fc.integer({ min: 10, max: 24 }), fc.integer({ min: 1, max: 60 })),
    together: fc.boolean(),
    cancelAfter: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined, freq: 8 }),
    sliceAfter: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined, freq: 3 }),
    storeResults: fc.oneof(
      fc.constant<readonly StoreResult[]>([]),
      // Fewer failures in a row than a worker puts up with.
      fc
        .array(fc.constantFrom<StoreResult>('done', 'done', 'done', 'done', 'failed before', 'failed after'), {
          maxLength: 30,
        })
        .filter((all) => !/,(failed[^,]*,){4}/.test(`,${all.join(',')},`)),
    ),
  });

  it.each([
    ['a service that remembers nothing', false],
    ['an administration that remembers what it was given', true],
  ])(
    'ends with %s, without a lost row and without a row applied twice',
    async (_, remembers) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom('adds' as const, 'sets' as const, 'prices' as const), {
            minLength: 1,
            maxLength: 9,
          }),
          fc
            .array(fate, { minLength: 1, maxLength: 12 })
            .filter((all) => all.some((one) => one === 'apply' || one === 'refuse')),
          fc.array(act, { maxLength: 6 }),
          fc.integer({ min: 1, max: 3 }),
          fc.boolean(),
          // After which act the credential is refused.
          fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 4 }),
          async (kinds, outcomes, acts: Act[], concurrency, isRateLimited, refusedAfter) => {
            const writes = rowsOf(kinds);
            const head = await begun(writes);
            const service = serviceOf(outcomes, remembers, remembers ? 1 : concurrency, isRateLimited);
            let crashes = 0;
            let isRefused = false;
            const work = async ({ steps, sliceAfter, storeResults }: Omit<Act, 'together'>) => {
              const life = new ProcessLife(steps);
              const dependencies = {
                store: crashing(life, storeResults),
                administrations: {
                  ...service,
                  writer: async () => {
                    if (isRefused) throw new Problem('UNAUTHORIZED', 'Refused.');
                    return service.writer(life);
                  },
                },
                secrets,
                report: () => {},
                rowRetry: retryOptions({ initialBackoffMs: 2 }),
                storageRetry: retryOptions({ maxAttempts: 5, initialBackoffMs: 1 }),
              };
              const slice = sliceAfter === undefined ? new AbortController().signal : AbortSignal.timeout(sliceAfter);
              const work = workPush(dependencies, head, slice).catch(() => {});
              await Promise.race([work, life.died.then(() => crashes++)]);
            };
            let isCancelled = false;
            const running: Promise<void>[] = [];
            for (const [number, act] of acts.entries()) {
              const { together, cancelAfter } = act;
              isRefused ||= number === refusedAfter;
              const one = work(act);
              if (cancelAfter !== undefined) {
                await passed(cancelAfter);
                isCancelled = true;
                await cancel(head);
              }
              if (together) running.push(one);
              else await one;
            }
            await Promise.all(running);
            // Somebody comes in the end who lives long enough.
            for (let turn = 0; (await store.head(head.owner, head.id))!.head.state !== 'ended'; turn++) {
              if (turn > 50) throw new Error('It does not end.');
              await work({ ...quiet, steps: Number.POSITIVE_INFINITY });
            }

            const { head: end } = (await store.head(head.owner, head.id))!;
            const states = await statesOf(head);
            for (const [index, state] of states.entries()) {
              const key = `${head.id}.${index}`;
              const times = service.executed.get(key) ?? 0;
              const isSetting = service.isRepeatable({ key, ...writes[index]! } as ProductWrite);
              const said = `row ${index} (${kinds[index]}) is ${state}, and was carried out ${times} times`;
              if (remembers || !isSetting) expect(times, said).toBeLessThanOrEqual(1);
              if (state === 'applied') expect(times, said).toBeGreaterThanOrEqual(1);
              else if (state === 'refused' || state === 'cancelled') expect(times, said).toBe(0);
              else {
                expect(state, said).toBe('unknown');
                expect(remembers, said).toBe(false);
                // Somebody died on the way, or an answer was lost: otherwise something better can be known.
                expect(crashes + acts.length > 0 || service.lost.has(key), said).toBe(true);
                if (crashes === 0 && acts.every(({ together }) => !together)) expect(service.lost, said).toContain(key);
              }
              if (state === 'cancelled') expect(isCancelled || isRefused, said).toBe(true);
            }
            expect(service.overlaps()).toBe(0);
            const counted = { ...noCounts() };
            for (const state of states) counted[state]++;
            expect(end.counts).toEqual(counted);
            const reasons = ['', ...(isCancelled ? [CANCELLED] : []), ...(isRefused ? ['UNAUTHORIZED'] : [])];
            expect(reasons).toContain(end.stopped);
            expect(end.credential).toBe('');
          },
        ),
        {
          numRuns: deeper(60, 120),
          // Seeds that found a mistake once.
          examples: [
            // A second worker took up a push that the first had just ended.
            [
              ['adds'],
              ['apply'],
              [
                { ...quiet, steps: 16, together: true },
                { ...quiet, steps: 15, together: false },
              ],
              1,
              true,
              undefined,
            ],
          ],
        },
      );
    },
    240_000,
  );
});
