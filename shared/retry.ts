import { type EndpointName, operationOf, type PushedName } from './api.ts';

/*
 * The retries of the project: the number of attempts, the backoff, and what may be repeated. Clock and randomness are
 * arguments.
 */

export type RetryOptions = {
  /** Includes the first attempt. */
  maxAttempts: number;
  /** Milliseconds before the second attempt; multiplied by `factor` for each further one. */
  initialBackoffMs: number;
  maxBackoffMs: number;
  factor: number;
  /** The longest Retry-After of a service that is respected, in milliseconds. */
  maxRetryAfterMs: number;
};

const defaults: RetryOptions = {
  maxAttempts: 4,
  initialBackoffMs: 500,
  maxBackoffMs: 10_000,
  factor: 2,
  maxRetryAfterMs: 60 * 60_000,
};

/**
 * The longest wait for the rate limit of a service, in milliseconds: the longest Retry-After, and as much for the
 * requests of others and for clocks that differ.
 */
export const MAX_RATE_LIMIT_WAIT_MS = 2 * defaults.maxRetryAfterMs;

export const retryOptions = (given: Partial<RetryOptions> = {}): RetryOptions => ({ ...defaults, ...given });

export const retries = {
  /** A request to a remote administration, after a transient error. */
  remoteRequest: retryOptions(),
  /** A request to a remote administration, after a refusal for the rate limit: services seldom send Retry-After. */
  remoteRateLimit: retryOptions({ initialBackoffMs: 5000, maxBackoffMs: 5 * 60_000 }),
  /** The open time of the circuit breaker after several failures in a row. */
  remoteBreaker: retryOptions({ maxAttempts: Number.POSITIVE_INFINITY, initialBackoffMs: 5000, maxBackoffMs: 60_000 }),
  /** A row of a push whose response was lost, and that may be applied twice with the same result. */
  pushRow: retryOptions({ initialBackoffMs: 1000, maxBackoffMs: 30_000 }),
  /** A write of a push to the storage. */
  pushStorage: retryOptions({ maxAttempts: 5, initialBackoffMs: 200 }),
  /** A message that finds another worker busy with the same pushes; by then the lease of a crashed one has expired. */
  pushMessage: retryOptions({ maxAttempts: 4, initialBackoffMs: 15_000, factor: 1 }),
  /** A failed export: the queue delivers its message again, as often as host.json says. */
  exportRun: retryOptions({ maxAttempts: 5 }),
  /** A read of the pane, after a transient error. */
  paneRead: retryOptions({ maxAttempts: 3, initialBackoffMs: 1000, factor: 3 }),
  /** A read of the pane, after status 429, whose Retry-After is respected. */
  paneRateLimit: retryOptions({ maxAttempts: 21, initialBackoffMs: 1000, factor: 1, maxRetryAfterMs: 120_000 }),
  /** A request for the state of a push: repeated as long as the pane is open. */
  paneFollow: retryOptions({
    maxAttempts: Number.POSITIVE_INFINITY,
    initialBackoffMs: 2000,
    maxBackoffMs: 60_000,
    maxRetryAfterMs: 120_000,
  }),
  /** A request of the command that pushes a file, while the app does not respond. */
  pushCommand: retryOptions({ maxAttempts: 5, maxRetryAfterMs: 120_000 }),
  /** A request to a busy Excel. While a cell is being edited it is repeated without a limit. */
  workbook: retryOptions({ maxAttempts: 6, maxBackoffMs: 8000 }),
} as const;

/**
 * Milliseconds to wait after an attempt.
 * @param attempt the number of the failed attempt, from 1
 * @param retryAfterMs of the service: the delay is at least this, up to `maxRetryAfterMs`
 * @param jitter from 0 to 1: the part of the backoff to wait; left out: the whole backoff
 */
export function backoffMs(
  attempt: number,
  { initialBackoffMs, maxBackoffMs, factor, maxRetryAfterMs }: RetryOptions,
  { retryAfterMs = 0, jitter = 1 }: { retryAfterMs?: number | undefined; jitter?: number } = {},
): number {
  const backoff = Math.min(maxBackoffMs, initialBackoffMs * factor ** Math.max(0, attempt - 1));
  return Math.max(jitter * backoff, Math.min(maxRetryAfterMs, retryAfterMs));
}

/**
 * The milliseconds of a Retry-After header; undefined when it is neither a number of seconds nor a date.
 * @param now milliseconds since 1970
 */
export function readRetryAfter(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // A date begins with its weekday; `Date.parse` accepts much else.
  const date = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Whether a request that may have been applied may be sent again with the same result. */
export function isRepeatable(name: EndpointName | PushedName, request: object): boolean {
  const { repeat } = operationOf(name);
  return typeof repeat === 'function' ? repeat(request as never) : repeat === 'safe';
}
