import type { HttpRequest, InvocationContext } from '@azure/functions';
import { Problem } from '../../shared/problem.ts';
import type { HttpFunction } from './definition.ts';

/**
 * The allowed attempts with a wrong key, for one user name and from one address. Further ones get 429.
 */
const MAX_FAILURES_OF_USER = 20;
const MAX_FAILURES_OF_ADDRESS = 100;
/** Milliseconds after which an attempt no longer counts. */
const WINDOW_MS = 60_000;
/** User names and addresses that are counted at the same time. */
const MAX_REMEMBERED = 10_000;

type Failures = { count: number; until: number };

/**
 * Limits and logs attempts to guess a key. A valid key is always accepted, so that an attacker cannot lock out its
 * owner: only a wrong key gets 429 after many attempts. Each instance of the app counts by itself.
 */
export function withSignInLimit(functions: readonly HttpFunction[], clock: () => number = Date.now): HttpFunction[] {
  const failures = new Map<string, Failures>();

  /** Counts a failure. @returns milliseconds until another attempt may fail; 0 while the limit is not reached */
  function fail(key: string, max: number): number {
    const now = clock();
    const before = failures.get(key);
    const after = before === undefined || before.until <= now ? { count: 0, until: now + WINDOW_MS } : before;
    after.count++;
    // Deleted and set again, so that the oldest entry is the first of the map.
    failures.delete(key);
    failures.set(key, after);
    if (failures.size > MAX_REMEMBERED) failures.delete(failures.keys().next().value!);
    return after.count > max ? after.until - now : 0;
  }

  const refused = (request: HttpRequest, context: InvocationContext, problem: Problem): Problem => {
    const username = request.headers.get('Username')?.trim().toLowerCase().slice(0, 255);
    if (!username || !request.headers.has('ApiKey')) return problem;
    const address = addressOf(request);
    const waits = [fail(`user ${username}`, MAX_FAILURES_OF_USER)];
    if (address !== undefined) waits.push(fail(`address ${address}`, MAX_FAILURES_OF_ADDRESS));
    const wait = Math.max(...waits);
    const event = wait === 0 ? 'sign-in refused' : 'sign-in limited';
    context.warn(JSON.stringify({ event, username, ...(address === undefined ? {} : { address }) }));
    if (wait === 0) return problem;
    const seconds = Math.ceil(wait / 1000);
    return new Problem('RATE_LIMIT', `Too many wrong keys: expected the next attempt in ${seconds} seconds.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  };

  return functions.map(({ handler, ...definition }) => ({
    ...definition,
    handler: (request, context) =>
      handler(request, context).catch((thrown) => {
        const isRefusal = thrown instanceof Problem && thrown.code === 'UNAUTHORIZED';
        throw isRefusal ? refused(request, context, thrown) : thrown;
      }),
  }));
}

/** The address of a caller, from the header of the proxy; the last address is the one that the proxy saw itself. */
const addressOf = ({ headers }: HttpRequest): string | undefined =>
  headers.get('X-Forwarded-For')?.split(',').at(-1)?.trim().replace(/:\d+$/, '').slice(0, 60) || undefined;
