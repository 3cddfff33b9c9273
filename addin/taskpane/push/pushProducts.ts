import type { Client } from '../../../shared/client.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Product } from '../../../shared/resources/product.ts';
import type { ProductRow } from './readProductRow.ts';

/*
 * The push runs in the pane, one request a row. It knows nothing of sheets or of screens: rows go in, outcomes come out,
 * so that a push that runs elsewhere can take its place.
 */

export type ReadyRow = Extract<ProductRow, { kind: 'ready' }>;

/** What became of a row. */
export type Outcome =
  | { kind: 'applied'; product: Product }
  /** Nothing was changed; the service says why. */
  | { kind: 'refused'; message: string }
  /** The answer was lost: changed or not. */
  | { kind: 'unknown' }
  | { kind: 'notSent'; reason: 'cancelled' | 'offline' | 'losses' | 'unauthorized' };

export type PushedRow = { row: ReadyRow; outcome: Outcome };

export type PushOptions = {
  /** Stops before the next row: a request on its way is waited for, so that its outcome is known. */
  signal?: AbortSignal;
  /** Told when the service asks to wait, in seconds; 0 when it goes on. */
  onPause?: (seconds: number) => void;
  isOnline?: () => boolean;
  sleep?: (milliseconds: number) => Promise<void>;
};

/** How often an update that sets is sent again when its answer was lost. One that adds never is. */
const REPEATS = 2;
/** Answers lost in a row after which nothing more is sent. */
const MOST_LOSSES = 3;
/** Seconds to wait when the service asks for it without saying how long. */
const USUAL_PAUSE = 5;
const LONGEST_PAUSE = 120;

/**
 * Sends each row in turn and gives its outcome. Sent again are only: a row the service put off (nothing was done), and a
 * row that sets values when its answer was lost. A row that adds to the stock is sent once.
 */
export async function* pushProducts(
  rows: readonly ReadyRow[],
  client: Pick<Client, 'updateproduct'>,
  options: PushOptions = {},
): AsyncGenerator<PushedRow, void> {
  const { signal, isOnline = () => true } = options;
  let losses = 0;
  let stopped: Extract<Outcome, { kind: 'notSent' }>['reason'] | undefined;
  for (const row of rows) {
    stopped ??= signal?.aborted ? 'cancelled' : isOnline() ? undefined : 'offline';
    const outcome: Outcome =
      stopped === undefined ? await send(row, client, options) : { kind: 'notSent', reason: stopped };
    if (outcome.kind === 'notSent') stopped = outcome.reason;
    losses = outcome.kind === 'unknown' ? losses + 1 : 0;
    if (losses === MOST_LOSSES) stopped = 'losses';
    yield { row, outcome };
  }
}

async function send(row: ReadyRow, client: Pick<Client, 'updateproduct'>, options: PushOptions): Promise<Outcome> {
  const { signal, onPause, sleep = wait } = options;
  const repeats = row.mode === 'Relative' ? 0 : REPEATS;
  for (let lost = 0; ; ) {
    try {
      const product = await client.updateproduct(row.update);
      return isProduct(product) ? { kind: 'applied', product } : { kind: 'refused', message: '' };
    } catch (error) {
      const seconds = pauseAskedFor(error);
      if (seconds !== undefined) {
        onPause?.(seconds);
        await untilAborted(sleep(seconds * 1000), signal);
        onPause?.(0);
        if (signal?.aborted) return { kind: 'notSent', reason: 'cancelled' };
        continue;
      }
      if (error instanceof Problem && error.code === 'UNAUTHORIZED') return { kind: 'notSent', reason: 'unauthorized' };
      if (isRefusal(error)) return { kind: 'refused', message: error.message };
      if (lost++ === repeats || signal?.aborted) return { kind: 'unknown' };
      await sleep(1000 * lost);
    }
  }
}

/** A service may answer an update it did not apply with an empty object. */
const isProduct = ({ ArticleNumber, EAN, Name }: Product): boolean => Boolean(ArticleNumber || EAN || Name);

/** The service did not look at the request: it may be sent again, whatever it does. */
function pauseAskedFor(error: unknown): number | undefined {
  if (!(error instanceof Problem && error.code === 'RATE_LIMIT')) return undefined;
  const seconds = Number(error.headers['Retry-After'] ?? USUAL_PAUSE);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), LONGEST_PAUSE) : USUAL_PAUSE;
}

/** Refused before anything was done, as against failed on the way. */
const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && (error.status < 500 || error.code === 'NOT_IMPLEMENTED');

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const untilAborted = (sleeping: Promise<void>, signal: AbortSignal | undefined): Promise<void> =>
  signal === undefined
    ? sleeping
    : Promise.race([
        sleeping,
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
      ]);
