import { type Credential, type Fetch, type Service, Unreachable } from '../../shared/client/client.ts';
import { sleep } from '../../shared/client/sleep.ts';
import { Problem } from '../../shared/problem.ts';
import { backoffMs, readRetryAfter, retries } from '../../shared/retry.ts';
import { appAddress } from './appAddress.ts';

/** `fetch` with its own error for a missing response. @throws Unreachable */
export async function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (cause instanceof TypeError) throw new Unreachable(cause.message, { cause });
    throw cause;
  }
}

/** Whether a request that failed so may have been carried out: its response was lost, or comes from something between. */
export const mayHaveArrived = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Problem && error.status >= 500 && error.code !== 'NOT_IMPLEMENTED');

/** Milliseconds until the next attempt after status 429 without Retry-After. */
const DEFAULT_RETRY_AFTER_MS = 5000;

/** Why a read waits for the service: until a moment, refused for its rate limit, or for a response that is late. */
export type ServiceWait = { rateLimitUntil: Date } | 'SLOW_SERVICE';

/** Milliseconds without a response after which a read counts as slow. */
const SLOW_MS = 10_000;

type WaitOptions = {
  /** Whether a request only reads; GET by default. */
  isRead?: (init: RequestInit) => boolean;
  wait?: typeof sleep;
  /** Called with the reason for waiting, and with undefined when the wait is over. */
  onWaiting?: (reason: ServiceWait | undefined) => void;
};

/** Repeats a read after a transient error, and after status 429 when Retry-After says so. Other requests are sent once. */
export function fetchWithRetry(
  send: Fetch,
  { isRead = ({ method }) => method === 'GET', wait = sleep, onWaiting = () => {} }: WaitOptions = {},
): Fetch {
  const sendInTime: Fetch = async (url, init) => {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      onWaiting('SLOW_SERVICE');
    }, SLOW_MS);
    try {
      return await send(url, init);
    } finally {
      clearTimeout(timer);
      if (isSlow) onWaiting(undefined);
    }
  };
  return async (url, init) => {
    if (!isRead(init)) return send(url, init);
    const signal = init.signal ?? undefined;
    const { paneRead, paneRateLimit } = retries;
    let failures = 0;
    for (let limited = 0; ; ) {
      const response = await sendInTime(url, init).catch((error: unknown) => {
        if (error instanceof Unreachable && failures + 1 < paneRead.maxAttempts) return undefined;
        throw error;
      });
      if (response?.status === 429 && ++limited < paneRateLimit.maxAttempts) {
        const retryAfterMs = readRetryAfter(response.headers.get('Retry-After'), Date.now());
        const milliseconds = backoffMs(limited, paneRateLimit, {
          retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_AFTER_MS,
        });
        onWaiting({ rateLimitUntil: new Date(Date.now() + milliseconds) });
        await wait(milliseconds, signal).finally(() => onWaiting(undefined));
      } else if (response === undefined || (response.status >= 502 && failures + 1 < paneRead.maxAttempts)) {
        await wait(backoffMs(++failures, paneRead), signal);
      } else {
        return response;
      }
    }
  };
}

/** The app that served the pane, with a credential. @param fetch with retries by default; `fetchOnce` has none */
export const serviceOf = ({ apiKey, username }: Credential, fetch: Fetch = fetchWithRetry(fetchOnce)): Service => ({
  base: appAddress(),
  credential: { apiKey, username },
  fetch,
});
