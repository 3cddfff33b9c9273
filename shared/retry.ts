import { type EndpointName, endpointOf } from './api.ts';
import type { ProductUpdate } from './resources/product.ts';

/*
 * Every retry of the project: how often, after which pauses, and what may be repeated. Pure: clock and chance are arguments.
 */

export type RetryOptions = {
  /** The first attempt counts too. */
  maxAttempts: number;
  /** Milliseconds before the second attempt; times `factor` for each one after it. */
  initialBackoffMs: number;
  maxBackoffMs: number;
  factor: number;
  /** Milliseconds a service may ask for by Retry-After; it is asked again anyway after that. */
  maxRetryAfterMs: number;
};

const defaults: RetryOptions = {
  maxAttempts: 4,
  initialBackoffMs: 500,
  maxBackoffMs: 10_000,
  factor: 2,
  maxRetryAfterMs: 60 * 60_000,
};

export const retryOptions = (given: Partial<RetryOptions> = {}): RetryOptions => ({ ...defaults, ...given });

export const retries = {
  /** A request to a remote administration, after a transient error. */
  remoteRequest: retryOptions(),
  /** The same after it refused for its rate limit: it seldom says for how long. */
  remoteRateLimit: retryOptions({ initialBackoffMs: 5000, maxBackoffMs: 5 * 60_000 }),
  /** How long a remote administration that failed several times in a row is left alone. */
  remoteBreaker: retryOptions({ maxAttempts: Number.POSITIVE_INFINITY, initialBackoffMs: 5000, maxBackoffMs: 60_000 }),
  /** A row of a push whose answer was lost, where the second time changes nothing more. */
  pushRow: retryOptions({ initialBackoffMs: 1000, maxBackoffMs: 30_000 }),
  /** What a push writes into storage. */
  pushStorage: retryOptions({ maxAttempts: 5, initialBackoffMs: 200 }),
  /** A message that finds another worker busy with the same pushes; by then the lease of a dead one has run out. */
  pushMessage: retryOptions({ maxAttempts: 4, initialBackoffMs: 15_000, factor: 1 }),
  /** An export that fails: the queue brings its message back, as often as host.json says. */
  exportRun: retryOptions({ maxAttempts: 5 }),
  /** A read of the pane, after a transient error. */
  paneRead: retryOptions({ maxAttempts: 3, initialBackoffMs: 1000, factor: 3 }),
  /** The same after status 429, which says when to come back. */
  paneRateLimit: retryOptions({ maxAttempts: 21, initialBackoffMs: 1000, factor: 1, maxRetryAfterMs: 120_000 }),
  /** A question about a push the pane follows: as long as the pane is open. */
  paneFollow: retryOptions({
    maxAttempts: Number.POSITIVE_INFINITY,
    initialBackoffMs: 2000,
    maxBackoffMs: 60_000,
    maxRetryAfterMs: 120_000,
  }),
  /** A write into the workbook while somebody edits a cell. */
  editedCell: retryOptions({ maxAttempts: 8, maxBackoffMs: 8000 }),
} as const;

/**
 * Milliseconds to wait after an attempt.
 * @param attempt which one failed, from 1
 * @param retryAfterMs what the service asked for: it is never asked again sooner, up to `maxRetryAfterMs`
 * @param jitter from 0 to 1: the part of the backoff to wait; left out: all of it
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
 * Milliseconds a Retry-After header asks for; undefined for what is neither a number of seconds nor a date.
 * @param now milliseconds since 1970
 */
export function readRetryAfter(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // A date begins with its weekday; `Date.parse` takes much else for one.
  const date = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Whether a request that may have been carried out may be sent again: the second time changes nothing more. */
export function isRepeatable(name: EndpointName, request: object): boolean {
  const { repeat } = endpointOf(name);
  return repeat === 'safe' || (repeat === 'when-absolute' && setsStock(request as ProductUpdate));
}

/** Whether an update says what the stock is to be, rather than what is added; or leaves it alone. */
function setsStock(update: ProductUpdate): boolean {
  const stock = update.NewStockQty !== undefined;
  const batches = (update.Product_Batch ?? []).some(({ BatchStockQty }) => BatchStockQty !== undefined);
  // What a batch gains the product does: setting both, one after the other, ends elsewhere the second time.
  if (stock && batches) return false;
  return (!stock || update.StockUpdateMode === 'Absolute') && (!batches || update.BatchStockUpdateMode === 'Absolute');
}
