import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EndpointWrite, pushRulesOf } from '../../../shared/api.ts';
import { atOnce } from '../../../shared/inSteps.ts';
import { Problem } from '../../../shared/problem.ts';
import { salesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { isRepeatable, retryOptions } from '../../../shared/retry.ts';
import { dateIn, writeDate } from '../../../shared/wire/calendarDate.ts';
import { deeper } from '../../../testing/deep.ts';
import { everyKind, type Kind, rowsOf, storedPushes } from '../../../testing/pushes/storedPushes.ts';
import type {
  Administration,
  AppliedWrites,
  KeyedWrite,
  PushWriter,
  WriteOutcome,
} from '../../administrations/administration.ts';
import { noCounts, type PushStore } from '../pushStore.ts';
import { orderInSteps } from './rowOrder.ts';
import { CANCELLED, workPush } from './workPush.ts';

/*
 * A push with all kinds of faults: workers crash at any operation, two work at a time, responses are lost, the service
 * defers rows, the push is cancelled. What the service applied is compared with what the push reports.
 */

const { store, secrets, begun, statesOf, cancel } = await storedPushes();

/** An invoice as a service lists it. */
const invoiceOf = (index: number, kind: string) =>
  salesInvoice.parse({
    InvoiceNumber: index + 1,
    InvoiceDate: writeDate(dateIn('Europe/Amsterdam', new Date())),
    CustomerNumber: 7,
    InvoiceTotalInclTax: index + 1,
    InvoiceType: kind === 'sells' ? 'INVOICING' : 'BOOKKEEPING',
  });

/** The outcome of an attempt at the service. */
type Outcome = 'apply' | 'refuse' | 'applied, response lost' | 'not applied, response lost' | 'deferred';

/** A service with these outcomes of writes. @param remembers whether it stores which writes it applied */
function serviceOf(outcomes: readonly Outcome[], remembers: boolean, concurrency: number, isRateLimited: boolean) {
  const executed = new Map<string, number>();
  const inOrderOfExecution: number[] = [];
  const lost = new Set<string>();
  let attempts = 0;
  /** How often a worker had more concurrent writes than allowed. */
  let overlaps = 0;
  /** What applied rows show is the number of no invoice in the list, which has that of a row and one more. */
  const shown = '{"number":"1000"}';
  const isRepeatableWrite = ({ name, request }: EndpointWrite) => isRepeatable(name, request);

  function outcomeOf(write: KeyedWrite): WriteOutcome {
    if (remembers && executed.has(write.key)) return { kind: 'applied', shown };
    const outcome = outcomes[attempts++ % outcomes.length]!;
    if (outcome === 'refuse') return { kind: 'refused', problem: new Problem('INVALID_REQUEST', 'Refused.') };
    if (outcome === 'deferred') return { kind: 'deferred', problem: new Problem('RATE_LIMIT', 'Later.'), after: 5 };
    if (outcome !== 'not applied, response lost') {
      if (!executed.has(write.key)) inOrderOfExecution.push(Number(write.key.split('.')[1]));
      executed.set(write.key, (executed.get(write.key) ?? 0) + 1);
    }
    if (outcome === 'apply') return { kind: 'applied', shown };
    // An administration that stores applied writes has no unknown outcome: the write is repeated.
    if (remembers) return { kind: 'deferred', problem: new Problem('INTERNAL', 'Lost.'), after: 5 };
    lost.add(write.key);
    return { kind: 'unknown', problem: new Problem('OUTCOME_UNKNOWN', 'Lost.') };
  }

  const writer = (life: ProcessLife): PushWriter => {
    let underWay = 0;
    return {
      batchSize: remembers ? 3 : 1,
      concurrency,
      isRateLimited,
      isInOrder: remembers,
      isRepeatable: isRepeatableWrite,
      async write(writes, onSending, signal) {
        if (++underWay > concurrency) overlaps++;
        try {
          await life.step();
          signal.throwIfAborted();
          await onSending();
          await life.step();
          const outcomes: WriteOutcome[] = [];
          for (const write of writes) {
            const before = outcomes.at(-1);
            outcomes.push(before?.kind === 'deferred' ? { ...before, begun: false } : outcomeOf(write));
          }
          await life.step();
          return outcomes;
        } finally {
          underWay--;
        }
      },
    };
  };
  const appliedWrites: AppliedWrites = {
    applied: async (keys) => new Map(keys.filter((key) => executed.has(key)).map((key) => [key, shown])),
    forget: async () => {},
  };
  return {
    executed,
    inOrderOfExecution,
    lost,
    overlaps: () => overlaps,
    isRepeatable: isRepeatableWrite,
    writer,
    ...(remembers ? { appliedWrites } : {}),
  };
}

/** The life of a worker, which ends after so many steps like a killed process. */
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

/** The result of an operation of the storage. */
type StoreResult = 'done' | 'failed before' | 'failed after';

/** The store of a worker that may crash before or after an operation, with operations that may fail. */
const crashing = (life: ProcessLife, storeResults: readonly StoreResult[]): PushStore => {
  let operations = 0;
  return Object.fromEntries(
    Object.entries(store).map(([name, operation]) => {
      if (name === 'entries' || name === 'index') return [name, operation];
      const call = operation as (...args: unknown[]) => Promise<unknown>;
      return [
        name,
        async (...args: unknown[]) => {
          const storeResult = storeResults[operations++] ?? 'done';
          await life.step();
          if (storeResult === 'failed before') throw new Error('The storage failed before the operation.');
          const result = await call(...args);
          if (storeResult === 'failed after') throw new Error('The storage failed after the operation.');
          await life.step();
          return result;
        },
      ];
    }),
  ) as unknown as PushStore;
};

/** A worker: whether it works at the same time as the next one, for how many steps and how long. */
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
    'applied, response lost',
    'not applied, response lost',
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
      // Fewer consecutive failures than a worker retries.
      fc
        .array(fc.constantFrom<StoreResult>('done', 'done', 'done', 'done', 'failed before', 'failed after'), {
          maxLength: 30,
        })
        .filter((all) => !/,(failed[^,]*,){4}/.test(`,${all.join(',')},`)),
    ),
  });

  it.each([
    ['a service that stores nothing', false],
    ['an administration that stores which writes it applied', true],
  ])('ends with %s, without a lost row and without a row applied twice', async (_, remembers) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<Kind>(...everyKind), { minLength: 1, maxLength: 9 }),
        fc
          .array(fate, { minLength: 1, maxLength: 12 })
          .filter((all) => all.some((one) => one === 'apply' || one === 'refuse')),
        fc.array(act, { maxLength: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        // The act after which the credential is refused.
        fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 4 }),
        // Whether documents go one after the other.
        fc.boolean(),
        async (kinds, outcomes, acts: Act[], concurrency, isRateLimited, refusedAfter, inOrder) => {
          const writes = rowsOf(kinds);
          const order = atOnce(orderInSteps(writes, inOrder));
          const head = await begun(writes, { inOrder });
          /** The invoices that the service has, each with a total of its own. */
          const listed = () =>
            [...service.executed.keys()].flatMap((key) => {
              const index = Number(key.split('.')[1]);
              return ['sells', 'books'].includes(kinds[index]!) ? [invoiceOf(index, kinds[index]!)] : [];
            });
          const service = serviceOf(outcomes, remembers, remembers ? 1 : concurrency, isRateLimited);
          let crashes = 0;
          let isRefused = false;
          const checkCredential = () => {
            if (isRefused) throw new Problem('UNAUTHORIZED', 'Refused.');
          };
          const work = async ({ steps, sliceAfter, storeResults }: Omit<Act, 'together'>) => {
            const life = new ProcessLife(steps);
            const dependencies = {
              store: crashing(life, storeResults),
              administrations: {
                open: async () => {
                  checkCredential();
                  return {
                    listsalesinvoices: async ({ Offset }: { Offset?: number }) => (Offset ? [] : listed()),
                  } as unknown as Administration;
                },
                ...service,
                writer: async () => {
                  checkCredential();
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
              await sleep(cancelAfter);
              isCancelled = true;
              await cancel(head);
            }
            if (together) running.push(one);
            else await one;
          }
          await Promise.all(running);
          // In the end a worker does not crash.
          for (let turn = 0; (await store.head(head.owner, head.id))!.head.state !== 'ended'; turn++) {
            if (turn > 50) throw new Error('It does not end.');
            await work({ ...quiet, steps: Number.POSITIVE_INFINITY });
          }

          const { head: end } = (await store.head(head.owner, head.id))!;
          const states = await statesOf(head);
          for (const [index, state] of states.entries()) {
            const key = `${head.id}.${index}`;
            const times = service.executed.get(key) ?? 0;
            const isSetting = service.isRepeatable(writes[index]!);
            const description = `row ${index} (${kinds[index]}) is ${state}, and was carried out ${times} times`;
            if (remembers || !isSetting) expect(times, description).toBeLessThanOrEqual(1);
            if (state === 'applied') expect(times, description).toBeGreaterThanOrEqual(1);
            else if (state === 'refused' || state === 'cancelled') expect(times, description).toBe(0);
            else {
              expect(state, description).toBe('unknown');
              expect(remembers, description).toBe(false);
              // What the list has is found, while the credential may still read it.
              if (!isRefused && acts.every(({ together }) => !together))
                expect(
                  listed().some(({ InvoiceNumber }) => InvoiceNumber === String(index + 1)),
                  description,
                ).toBe(false);
              // Only a crash or a lost response leaves an outcome unknown.
              expect(crashes + acts.length > 0 || service.lost.has(key), description).toBe(true);
              if (crashes === 0 && acts.every(({ together }) => !together))
                expect(service.lost, description).toContain(key);
            }
            const isLeftOut = order[index]!.needs.some((needed) => states[needed] !== 'applied');
            if (state === 'cancelled') expect(isCancelled || isRefused || isLeftOut, description).toBe(true);
            if (isLeftOut) expect(times, description).toBe(0);
          }
          // Only a slow worker of the two sends a document late.
          if (inOrder && crashes === 0 && acts.every(({ together }) => !together)) {
            const documents = service.inOrderOfExecution.filter((index) => pushRulesOf(writes[index]!.name).isNumbered);
            expect(documents).toEqual(documents.toSorted((a, b) => a - b));
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
        numRuns: deeper(20, 60),
        // Cases that failed once.
        examples: [
          // A second worker continued a push that the first had just ended.
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
            true,
          ],
          // The last row is found in the list, beside one that was applied.
          [
            ['adds', 'adds', 'adds', 'adds', 'adds', 'sells', 'books'],
            ['apply', 'apply', 'applied, response lost', 'apply'],
            [],
            1,
            true,
            undefined,
            false,
          ],
          // Rows were deferred, and a later document was sent before they were queued again.
          [
            ['adds', 'adds', 'prices', 'buys', 'adds', 'adds', 'books'],
            ['not applied, response lost', 'not applied, response lost', 'apply'],
            [],
            1,
            false,
            undefined,
            true,
          ],
          // A document was not sent, and one that followed it did not wait for those before both.
          [
            ['sets', 'adds', 'orders', 'adds', 'buys', 'adds', 'orders', 'adds', 'books'],
            ['apply', 'apply', 'refuse'],
            [],
            3,
            false,
            undefined,
            true,
          ],
          // A document waited without end: one before it was never sent, and the one before that was done by then.
          [['buys', 'makes', 'orders', 'books'], ['apply', 'refuse', 'apply'], [], 1, true, undefined, true],
          // The credential was refused after an invoice was made and its response lost: no list can be read.
          [
            ['sells', 'adds'],
            ['apply'],
            [
              { ...quiet, steps: 16, together: false },
              { ...quiet, steps: 10, together: false },
            ],
            1,
            false,
            1,
            false,
          ],
          // Rows were taken again and being recorded, while a later document was sent.
          [
            ['adds', 'buys', 'adds', 'adds', 'books'],
            ['not applied, response lost', 'not applied, response lost', 'apply'],
            [],
            1,
            false,
            undefined,
            true,
          ],
        ],
      },
    );
  });
});
