import { type Credential, type Fetch, type Service, Unreachable } from '../../shared/client/client.ts';
import { sleep } from '../../shared/client/sleep.ts';
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

/** Milliseconds until the next attempt after status 429 without Retry-After. */
const DEFAULT_RETRY_AFTER_MS = 5000;

/** Repeats a read after a transient error, and after status 429 when Retry-After says so. Other requests are sent once. */
export function fetchWithRetry(send: Fetch, wait = sleep): Fetch {
  return async (url, init) => {
    if (init.method !== 'GET') return send(url, init);
    const signal = init.signal ?? undefined;
    const { paneRead, paneRateLimit } = retries;
    let failures = 0;
    for (let limited = 0; ; ) {
      const response = await send(url, init).catch((error: unknown) => {
        if (error instanceof Unreachable && failures + 1 < paneRead.maxAttempts) return undefined;
        throw error;
      });
      if (response?.status === 429 && ++limited < paneRateLimit.maxAttempts) {
        const retryAfterMs = readRetryAfter(response.headers.get('Retry-After'), Date.now());
        await wait(backoffMs(limited, paneRateLimit, { retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_AFTER_MS }), signal);
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
