import type { HttpRequest, InvocationContext } from '@azure/functions';
import { Problem } from '../../shared/problem.ts';
import type { HttpFunction } from './definition.ts';

/** Attempts with a wrong key, of one user name and from one address, before the next are answered 429. */
const MAX_FAILURES_OF_USER = 20;
const MAX_FAILURES_OF_ADDRESS = 100;
/** Milliseconds in which they count. */
const WINDOW_MS = 60_000;
/** User names and addresses that are remembered at a time. */
const MAX_REMEMBERED = 10_000;

type Failures = { count: number; until: number };

/**
 * The same functions, where guessing keys is slowed down and seen. A right key always passes, so that nobody can lock out its
 * owner: only a wrong one is answered 429 once there were many. Each instance of the app counts by itself.
 */
export function withSignInLimit(functions: readonly HttpFunction[], clock: () => number = Date.now): HttpFunction[] {
  const failures = new Map<string, Failures>();

  /** Counts a failure. @returns milliseconds until the next one is free to fail again; 0 while it is */
  function fail(key: string, max: number): number {
    const now = clock();
    const before = failures.get(key);
    const after = before === undefined || before.until <= now ? { count: 0, until: now + WINDOW_MS } : before;
    after.count++;
    // The one that was counted last is forgotten last.
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

/** Where a caller is, as what stands in front of the app says; the last of the addresses is the one it saw itself. */
const addressOf = ({ headers }: HttpRequest): string | undefined =>
  headers.get('X-Forwarded-For')?.split(',').at(-1)?.trim().replace(/:\d+$/, '').slice(0, 60) || undefined;
