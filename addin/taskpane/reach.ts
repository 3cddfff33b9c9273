import { type Credential, type Fetch, type Service, Unreachable } from '../../shared/client.ts';

/** The app the pane belongs to, asked in the name of a connection. @param fetch `reach`, or `patient(reach)` */
export const serviceOf = ({ apiKey, username }: Credential, fetch: Fetch): Service => ({
  base: location.origin,
  credential: { apiKey, username },
  fetch,
});

/** `fetch`, with its one way of saying that there was no answer told apart from mistakes in a program. */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (cause instanceof TypeError) throw new Unreachable(cause.message, { cause });
    throw cause;
  }
}

/** Milliseconds before a read is tried again after a failure on the way. */
const PAUSES = [1000, 3000];
/** How often a service may put a read off, and for how long at the most: it says itself when to come back. */
const MOST_DELAYS = 20;
const LONGEST_DELAY = 120_000;

/**
 * Reads that do not give up at the first hiccup: one that found nobody, or a failure on the way, is tried again, and one
 * the service puts off (429) waits as long as it says. Everything but a read is passed on as it is, once.
 */
export function patient(
  send: Fetch,
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void> = wait,
): Fetch {
  return async (url, init) => {
    if (init.method !== 'GET') return send(url, init);
    const signal = init.signal ?? undefined;
    let failures = 0;
    for (let delays = 0; ; ) {
      const outcome = await send(url, init).catch((error: unknown) => {
        if (error instanceof Unreachable && failures < PAUSES.length) return undefined;
        throw error;
      });
      if (outcome?.status === 429 && delays++ < MOST_DELAYS) {
        const seconds = Number(outcome.headers.get('Retry-After') ?? 5);
        await sleep(Math.min(Math.max(Number.isFinite(seconds) ? seconds : 5, 1) * 1000, LONGEST_DELAY), signal);
      } else if ((outcome === undefined || [502, 503, 504].includes(outcome.status)) && failures < PAUSES.length) {
        await sleep(PAUSES[failures++]!, signal);
      } else {
        return outcome!;
      }
    }
  };
}

const wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
