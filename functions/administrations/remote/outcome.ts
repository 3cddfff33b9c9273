import type { EndpointName } from '../../../shared/api.ts';
import { endpointOf } from '../../../shared/api.ts';
import { Problem } from '../../../shared/problem.ts';
import { backoffMs, isRepeatable, retries } from '../../../shared/retry.ts';
import type { ProductWrite, WriteOutcome } from '../administration.ts';
import { tooMany } from './pacer.ts';

/** What became of one attempt, when it was not an answer. Times are milliseconds. */
export type Failure =
  /** No byte of the request left: no connection was made. */
  | { kind: 'not sent'; reason: string; timedOut: boolean }
  /** The service had enough of this credential. */
  | { kind: 'rate limited'; retryAfter?: number | undefined }
  /** The service answered that it did not do it. */
  | { kind: 'refused'; problem: Problem }
  /** It may have been done or not. `lasting`: asking again would end in the same way. */
  | { kind: 'unknown'; reason: string; timedOut: boolean; lasting?: boolean; retryAfter?: number | undefined };

export type Attempt = {
  /** Which one this was, from 1. */
  number: number;
  /** Whether it is unknown of an earlier one if it was carried out. */
  unknownBefore: boolean;
  /** From 0 up to 1. */
  random: number;
};

/**
 * What follows from a failure: `problem` is told, unless another attempt `after` so many milliseconds answers.
 * `hold`: milliseconds in which nothing is sent for this credential.
 */
export type Next = { problem: Problem; after?: number; hold?: number };

/** What follows from an attempt that failed. */
export function afterFailure(name: EndpointName, request: object, failure: Failure, attempt: Attempt): Next {
  const isRead = endpointOf(name).repeat === 'safe';
  const pause = pauseAfter(failure, attempt);
  const again = (problem: Problem): Next =>
    attempt.number < retries.remoteRequest.maxAttempts ? { problem, after: pause } : { problem };
  // Whatever became of a later attempt says nothing about the earlier one.
  const told = (problem: Problem): Problem =>
    attempt.unknownBefore && !isRead ? unknownOutcome(problem.message) : problem;

  switch (failure.kind) {
    case 'refused':
      return { problem: told(failure.problem) };
    case 'rate limited':
      return { ...again(told(tooMany(pause))), hold: pause };
    case 'not sent': {
      const message = `The service could not be reached: ${failure.reason}. Nothing was sent.`;
      return again(told(new Problem(failure.timedOut ? 'REMOTE_TIMEOUT' : 'REMOTE_FAILED', message)));
    }
    case 'unknown': {
      const problem = isRead
        ? new Problem(failure.timedOut ? 'REMOTE_TIMEOUT' : 'REMOTE_FAILED', `The service failed: ${failure.reason}.`)
        : unknownOutcome(`The service failed: ${failure.reason}.`);
      if (failure.lasting || !isRepeatable(name, request)) return { problem };
      return again(problem);
    }
  }
}

/** Milliseconds after which another attempt makes sense, if any does. */
function pauseAfter(failure: Failure, { number, random }: Pick<Attempt, 'number' | 'random'>): number {
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
 * What a failed attempt makes of a write of a push, which is sent once.
 * @param attempt `number`: one more than there were in a row that were put off
 */
export function writeOutcome(
  { name, request }: ProductWrite,
  failure: Failure,
  attempt: Pick<Attempt, 'number' | 'random'>,
): Exclude<WriteOutcome, { kind: 'applied' }> & { hold?: number | undefined } {
  const { problem, hold } = afterFailure(name, request, failure, { ...attempt, unknownBefore: false });
  if (failure.kind === 'refused' || failure.kind === 'unknown') return { kind: failure.kind, problem };
  return { kind: 'deferred', problem, after: pauseAfter(failure, attempt), hold };
}

const unknownOutcome = (message: string): Problem =>
  new Problem(
    'OUTCOME_UNKNOWN',
    `${message} It is unknown whether this was carried out: look before you send it again.`,
  );
