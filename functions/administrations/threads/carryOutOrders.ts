import { parentPort } from 'node:worker_threads';
import type { FieldError } from '../../../shared/fieldErrors.ts';
import { Problem, type ProblemCode } from '../../../shared/problem.ts';

/** What came of an order. */
export type Outcome<Result> =
  | { kind: 'done'; result: Result }
  | {
      kind: 'refused';
      code: ProblemCode;
      message: string;
      errors: readonly FieldError[];
      headers: Readonly<Record<string, string>>;
      /** Why, for the log. */
      cause?: string;
    }
  | { kind: 'failed'; reason: string };

/**
 * Carries out the orders that a thread of a pool gets, one at a time.
 * @param transferred of a result is handed over without a copy
 */
export function carryOutOrders<Order, Result>(
  work: (order: Order) => Promise<Result>,
  transferred: (result: Result) => ArrayBuffer[] = () => [],
): void {
  parentPort!.on('message', async (order: Order) => {
    try {
      const result = await work(order);
      parentPort!.postMessage({ kind: 'done', result } satisfies Outcome<Result>, transferred(result));
    } catch (thrown) {
      parentPort!.postMessage(failureOf(thrown));
    }
  });
}

type Failure = Exclude<Outcome<never>, { kind: 'done' }>;

/** An error as another thread can be told of it. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Problem)) return { kind: 'failed', reason: textOf(thrown) };
  const { code, message, errors, headers, cause } = thrown;
  return {
    kind: 'refused',
    ...{ code, message, errors, headers },
    ...(cause === undefined ? {} : { cause: textOf(cause) }),
  };
}

/** The error that another thread told of. */
export const errorOf = (failure: Failure): Error =>
  failure.kind === 'failed' ? new Error(failure.reason) : new Problem(failure.code, failure.message, failure);

/** An error with where it was thrown, which another thread does not know. */
export const textOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : `${thrown}`;
