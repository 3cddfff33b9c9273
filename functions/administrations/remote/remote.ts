import { type EndpointName, endpointNames } from '../../../shared/api.ts';
import type { Credential } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { readRequest } from '../../../shared/readRequest.ts';
import type { Administration, Administrations, CallOptions } from '../administration.ts';
import { createAcceptedCredentials } from './acceptedCredentials.ts';
import { createAttempt, keyOf } from './attempts.ts';
import { type BreakerOptions, DEFAULT_BREAKER } from './circuitBreaker.ts';
import { createBreakers } from './circuitBreakers.ts';
import { afterFailure } from './failure.ts';
import { type Clock, systemClock } from './rateLimit/clock.ts';
import { Deferred } from './rateLimit/deferred.ts';
import { createRateLimiter } from './rateLimit/rateLimiter.ts';
import { createSharedHistory, type HistoryStore } from './rateLimit/rateLimitHistory.ts';
import type { Result } from './readResponse.ts';
import { createTransport, type Transport } from './transport.ts';
import { createVerifiedCredentials } from './verifiedCredentials.ts';
import { withoutKey } from './withoutKey.ts';
import { remoteWriter } from './writer.ts';

/** The address of the service, and the limits for requests to it. */
export type RemoteSettings = {
  url: string;
  /** Requests of one credential; 0 is without limit. */
  perSecond: number;
  perMinute: number;
  /** Milliseconds an attempt may take, and a caller waits for the rate limiter. */
  timeout: number;
  /** Writes of a push that may be under way at a time. */
  concurrency: number;
};

export type RemoteOptions = {
  /** The history that the instances of the app share; left out: each has its own limits. */
  history?: HistoryStore;
  clock?: Clock;
  /** From 0 up to 1. */
  random?: () => number;
  transport?: Transport;
  breaker?: BreakerOptions;
  log?: (line: string) => void;
};

/** The history of a credential counts for minutes; it is removed after this. */
const MAX_HISTORY_AGE_MS = 60 * 60_000;

/** The administrations of a remote service with the same interface. */
export function remoteAdministrations(settings: RemoteSettings, options: RemoteOptions = {}): Administrations {
  const { clock = systemClock, random = Math.random, log = console.warn } = options;
  const { url, timeout: defaultTimeout, concurrency } = settings;
  const transport = options.transport ?? createTransport({ url, timeout: defaultTimeout });
  const shared = options.history && createSharedHistory(options.history, clock, log);
  const accepted = createAcceptedCredentials(clock);
  const limiter = createRateLimiter(settings, clock, shared);
  const breakers = createBreakers(options.breaker ?? DEFAULT_BREAKER, clock, log, accepted.isAccepted);
  const attempt = createAttempt({ transport, limiter, breakers, accepted });
  const verified = createVerifiedCredentials(clock);
  let closed = false;

  /**
   * A request, for as many attempts as make sense.
   * @param options `attempts`: at most so many; those that the service refused for its rate limit do not count
   */
  async function call(
    name: EndpointName,
    request: object,
    credential: Credential,
    options: CallOptions & { attempts?: number },
  ): Promise<unknown> {
    const { priority = 'interactive', timeout = defaultTimeout, signal, attempts = Number.POSITIVE_INFINITY } = options;
    const until = clock.now() + timeout;
    let unknownBefore = false;
    /** What is thrown when no further attempt is made. */
    let problem: Problem | undefined;
    for (let number = 1; ; number++) {
      let result: Result;
      try {
        result = await attempt(name, request, credential, { priority, timeout: until - clock.now(), signal });
      } catch (refusal) {
        throw problem ?? refusal;
      }
      if (result.kind === 'response') return result.response;
      const next = afterFailure(name, request, result, { number, unknownBefore, random: random() });
      problem = withoutKey(next.problem, credential);
      if (next.pause !== undefined) limiter.pause(keyOf(credential), next.pause);
      const isLast = number >= attempts && next.pause === undefined;
      if (isLast || next.after === undefined || clock.now() + next.after > until || closed) throw problem;
      unknownBefore ||= result.kind === 'unknown';
      // A pause of the rate limiter needs no second wait.
      if (next.pause === undefined && !(await waited(next.after, signal))) throw problem;
    }
  }

  /** The prototype of administrations: one is opened for each request. */
  const endpointMethods = Object.fromEntries(
    endpointNames.map((name) => [
      name,
      function (this: { credential: Credential; callOptions: CallOptions }, request: object) {
        return call(name, request, this.credential, this.callOptions);
      },
    ]),
  );

  /** Waits. @returns whether until the end */
  const waited = (milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> =>
    new Promise((resolve) => {
      const stop = () => {
        cancel();
        resolve(false);
      };
      const cancel = clock.after(milliseconds, () => {
        signal?.removeEventListener('abort', stop);
        resolve(true);
      });
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });

  async function verify(credential: Credential, attempts = Number.POSITIVE_INFINITY): Promise<void> {
    checkSendable(credential);
    // One row: the smallest response that needs a valid credential.
    const { request } = readRequest('listrelations', { Limit: 1 });
    await verified.verify(keyOf(credential), async () => {
      await call('listrelations', request, credential, { attempts });
    });
  }

  /**
   * Refuses a credential that the service does not accept, or cannot be asked about, before the body of its write is
   * read. After any other response it may be known: the write will show that.
   */
  async function refuseUnknown(credential: Credential): Promise<void> {
    if (accepted.isAccepted(keyOf(credential))) return;
    await verify(credential, 1).catch((thrown: unknown) => {
      const { code } = Object(thrown) as Partial<Problem>;
      if (thrown instanceof Deferred || code === 'UNAUTHORIZED' || code === 'REMOTE_TIMEOUT') throw thrown;
    });
  }

  return {
    async open(credential, callOptions = {}) {
      checkSendable(credential);
      if (callOptions.writes) await refuseUnknown(credential);
      return { __proto__: endpointMethods, credential, callOptions } as unknown as Administration;
    },
    async writer(credential) {
      checkSendable(credential);
      const pause = (milliseconds: number) => limiter.pause(keyOf(credential), milliseconds);
      const isRateLimited = settings.perSecond > 0 || settings.perMinute > 0;
      return remoteWriter(credential, { attempt, pause, random, concurrency, isRateLimited });
    },
    verify,
    async identify(credential) {
      await verify(credential);
      const service = new URL(url).href.replace(/(?<!\/)\/+$/, '');
      const { perMinute } = settings;
      return { kind: 'remote', service, ...(perMinute > 0 ? { requestsPerMinute: perMinute } : {}) };
    },
    async maintain() {
      await options.history?.expire?.(clock.now() - MAX_HISTORY_AGE_MS);
    },
    async health() {
      const { state, consecutiveFailures } = breakers.health();
      return {
        status: state === 'closed' ? 'ok' : 'degraded',
        kind: 'remote',
        service: new URL(url).host,
        breaker: { state, consecutiveFailures },
        waiting: limiter.waiting(),
      };
    },
    async close() {
      closed = true;
      limiter.close();
      await transport.close();
    },
  };
}

/** @throws Problem UNAUTHORIZED for a credential that a header cannot contain */
function checkSendable({ apiKey, username }: Credential): void {
  for (const value of [apiKey, username]) {
    if (!/^[\t\x20-\x7e\x80-\xff]+$/.test(value)) {
      throw new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
    }
  }
}
