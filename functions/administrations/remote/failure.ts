import { type EndpointName, endpointOf, type InterfaceWrite } from '../../../shared/api.ts';
import { Problem } from '../../../shared/problem.ts';
import { backoffMs, isRepeatable, retries } from '../../../shared/retry.ts';
import type { WriteOutcome } from '../administration.ts';
import { tooManyRequests } from './rateLimit/deferred.ts';

/** The failure of one attempt. Times are milliseconds. */
export type Failure =
  /** No byte of the request was sent: there was no connection. */
  | { kind: 'not sent'; reason: string; timedOut: boolean }
  /** The service refused this credential for its rate limit. */
  | { kind: 'rate limited'; retryAfter?: number | undefined }
  /** The service responded with a refusal. */
  | { kind: 'refused'; problem: Problem }
  /** It may have been applied or not. `isLasting`: a retry would end in the same way. */
  | { kind: 'unknown'; reason: string; timedOut: boolean; isLasting?: boolean; retryAfter?: number | undefined };

export type Attempt = {
  /** The number of this attempt, from 1. */
  number: number;
  /** Whether the outcome of an earlier attempt is unknown. */
  unknownBefore: boolean;
  /** A random number from 0 up to 1. */
  random: number;
};

/**
 * The consequence of a failure: `problem` is thrown, unless a retry `after` so many milliseconds succeeds.
 * `pause`: milliseconds in which nothing is sent for this credential.
 */
type Next = { problem: Problem; after?: number; pause?: number };

export function afterFailure(name: EndpointName, request: object, failure: Failure, attempt: Attempt): Next {
  const isRead = endpointOf(name).repeat === 'safe';
  const after = backoffAfter(failure, attempt);
  const retry = (problem: Problem): Next =>
    attempt.number < retries.remoteRequest.maxAttempts ? { problem, after } : { problem };
  // The outcome of a later attempt says nothing about the earlier one.
  const reported = (problem: Problem): Problem =>
    attempt.unknownBefore && !isRead ? unknownOutcome(problem.message) : problem;

  switch (failure.kind) {
    case 'refused':
      return { problem: reported(failure.problem) };
    case 'rate limited':
      return { ...retry(reported(tooManyRequests(after))), pause: after };
    case 'not sent': {
      const message = `The service could not be reached: ${failure.reason}. Nothing was sent.`;
      return retry(reported(new Problem(failure.timedOut ? 'REMOTE_TIMEOUT' : 'REMOTE_FAILED', message)));
    }
    case 'unknown': {
      const message = `The service failed: ${failure.reason}.`;
      const problem = isRead
        ? new Problem(failure.timedOut ? 'REMOTE_TIMEOUT' : 'REMOTE_FAILED', message)
        : unknownOutcome(message);
      return failure.isLasting || !isRepeatable(name, request) ? { problem } : retry(problem);
    }
  }
}

/** Milliseconds until the next attempt; 0 after a refusal, which has none. */
function backoffAfter(failure: Failure, { number, random }: Pick<Attempt, 'number' | 'random'>): number {
  switch (failure.kind) {
    case 'refused':
      return 0;
    case 'rate limited':
      return backoffMs(number, retries.remoteRateLimit, { retryAfterMs: failure.retryAfter });
    case 'not sent':
      return backoffMs(number, retries.remoteRequest, { jitter: random });
    case 'unknown':
      return backoffMs(number, retries.remoteRequest, { jitter: random, retryAfterMs: failure.retryAfter });
  }
}

/**
 * The outcome of a write of a push, which is sent once, after a failed attempt.
 * @param attempt `number`: one more than there were in a row that were deferred
 */
export function writeOutcome(
  { name, request }: InterfaceWrite,
  failure: Failure,
  attempt: Pick<Attempt, 'number' | 'random'>,
): Exclude<WriteOutcome, { kind: 'applied' }> & Pick<Next, 'pause'> {
  const { problem, pause } = afterFailure(name, request, failure, { ...attempt, unknownBefore: false });
  if (failure.kind === 'refused' || failure.kind === 'unknown') return { kind: failure.kind, problem };
  return {
    kind: 'deferred',
    problem,
    after: backoffAfter(failure, attempt),
    ...(pause === undefined ? {} : { pause }),
  };
}

const unknownOutcome = (message: string): Problem =>
  new Problem(
    'OUTCOME_UNKNOWN',
    `${message} It is unknown whether this was carried out: look before you send it again.`,
  );
