import { setTimeout } from 'node:timers/promises';
import type { HttpRequest, InvocationContext } from '@azure/functions';
import { Problem } from '../../shared/problem.ts';
import { callerAddress } from './callerAddress.ts';
import { isSameSecret, wasCredentialRead } from './credential.ts';
import { guessLimit } from './guessLimit.ts';
import type { Middleware } from './middleware.ts';

/**
 * The allowed attempts in a minute with a wrong key: for one user name, for one user name from one address, and from
 * one address. Further ones get 429.
 */
const MAX_FAILURES_OF_USER = 20;
const MAX_FAILURES_OF_ADDRESS = 100;

/** How long a key waits at most while as many others are being tried, which may all be wrong. */
const MAX_WAIT_MS = 10_000;

/** What a request tries to prove: a key of a user name, or the health key. */
type Attempt = { username: string; secret: string; address: string };

/**
 * Limits and logs attempts to guess a key. While an address is limited, every key from it gets 429, right or wrong,
 * except for those that it used before: a guess teaches nothing then. While only a user name is limited, because of
 * others, its right key is accepted, so that nobody can lock out its owner. Each instance of the app counts by itself.
 * @param healthKey guesses of it count too
 */
export function signInLimit(healthKey?: string | undefined): Middleware {
  // Setting the clock of the machine back locks nobody out for longer.
  const limit = guessLimit(() => performance.now());
  const namesOf = ({ username, address }: Attempt) => ({
    user: `user ${username}`,
    userFrom: `user ${username} from ${address}`,
    from: `address ${address}`,
  });

  /** Milliseconds for which an attempt gets no response but 429. */
  function waitOf(attempt: Attempt): number {
    const { userFrom, from } = namesOf(attempt);
    if (limit.isKnown(attempt.address, attempt.secret)) return 0;
    return Math.max(limit.wait(userFrom, MAX_FAILURES_OF_USER - 1), limit.wait(from, MAX_FAILURES_OF_ADDRESS - 1));
  }

  /**
   * Counts a key among the wrong ones until it is known: else any number could be tried at the same time. Where others
   * leave no room it waits for them, since one person may open many books with as many keys.
   * @returns a function that ends this
   * @throws Problem RATE_LIMIT
   */
  async function begin(attempt: Attempt, context: InvocationContext): Promise<() => void> {
    const { userFrom, from } = namesOf(attempt);
    const { address, secret } = attempt;
    let over: Promise<true> | undefined;
    for (let isOver = false; ; ) {
      const wait = waitOf(attempt);
      if (wait > 0) throw limited(attempt, wait, context);
      if (limit.isKnown(address, secret)) return () => {};
      const isCrowded =
        limit.isCrowded(userFrom, MAX_FAILURES_OF_USER - 1, secret) ||
        limit.isCrowded(from, MAX_FAILURES_OF_ADDRESS - 1, secret);
      if (!isCrowded) return limit.begin([userFrom, from], secret);
      if (isOver) throw limited(attempt, MAX_WAIT_MS, context);
      over ??= setTimeout(MAX_WAIT_MS, true, { ref: false });
      isOver = (await Promise.race([limit.nextEnd(), over])) === true;
    }
  }

  /** Counts a wrong key. @returns milliseconds until another one of this user name may fail */
  function fail(attempt: Attempt): number {
    const { user, userFrom, from } = namesOf(attempt);
    for (const name of [user, userFrom, from]) limit.fail(name);
    return limit.wait(user, MAX_FAILURES_OF_USER);
  }

  const limited = (attempt: Attempt, wait: number, context: InvocationContext): Problem => {
    log('sign-in limited', attempt, context);
    const seconds = Math.ceil(wait / 1000);
    return new Problem('RATE_LIMIT', `Too many wrong keys: expected the next attempt in ${seconds} seconds.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  };

  return (next) => async (request, context) => {
    const guess = healthGuess(request);
    if (guess !== undefined && healthKey !== undefined) {
      const wait = waitOf(guess);
      if (wait > 0) throw limited(guess, wait, context);
      if (isSameSecret(guess.secret, healthKey)) limit.remember(guess.address, guess.secret);
      else {
        fail(guess);
        log('sign-in refused', guess, context);
      }
    }
    const attempt = attemptOf(request);
    if (attempt === undefined) return next(request, context);
    const end = await begin(attempt, context);
    try {
      const response = await next(request, context);
      if (wasCredentialRead(request)) limit.remember(attempt.address, attempt.secret);
      return response;
    } catch (thrown) {
      if (!(thrown instanceof Problem && thrown.code === 'UNAUTHORIZED')) throw thrown;
      const nextIn = fail(attempt);
      if (nextIn > 0) throw limited(attempt, nextIn, context);
      log('sign-in refused', attempt, context);
      throw thrown;
    } finally {
      end();
    }
  };
}

const log = (event: string, { username, address }: Attempt, context: InvocationContext): void =>
  context.warn(JSON.stringify({ event, username, address }));

function attemptOf(request: HttpRequest): Attempt | undefined {
  const username = request.headers.get('Username')?.trim().toLowerCase().slice(0, 255);
  const apiKey = request.headers.get('ApiKey')?.trim();
  if (!username || !apiKey) return undefined;
  return { username, secret: `${username}\n${apiKey}`, address: callerAddress(request) };
}

function healthGuess(request: HttpRequest): Attempt | undefined {
  const secret = request.headers.get('Health-Key');
  return secret === null ? undefined : { username: '(health key)', secret, address: callerAddress(request) };
}
