import { memoized } from '../../../../shared/memoized.ts';

/** Requests a credential may send in any second and in any minute; 0 is without limit. */
export type Limits = { perSecond: number; perMinute: number };

/**
 * A window: the most requests in any span of so many milliseconds. `margin`: the part of the span added to the limit's.
 */
type Window = { max: number; span: number; margin: number };

/**
 * Requests that are sent evenly may be sent late and arrive closer together, so each window is made this much longer
 * than it is. It costs one request in a hundred.
 */
const MARGIN = 1.01;
/** A window with more requests is checked by parts, since the whole history must fit in a record. */
const MAX_REMEMBERED = 1000;

const windowsOf = memoized(makeWindows, new WeakMap());

function makeWindows({ perSecond, perMinute }: Limits): Window[] {
  return [
    { max: perSecond, span: 1000 },
    { max: perMinute, span: 60_000 },
  ]
    .filter(({ max }) => max > 0)
    .map(({ max, span }) => {
      const parts = Math.ceil(max / MAX_REMEMBERED);
      const longer = Math.ceil((span / parts) * MARGIN);
      return { max: Math.floor(max / parts), span: longer, margin: longer - span / parts };
    });
}

/**
 * The earliest moment for a request at which no window, wherever it begins, has too many requests.
 * @param history the moments of sent and reserved requests, the latest last; at least those of the last
 *   `historySpan(limits)`
 * @param isSpread whether to have a distance from the request before, so that the windows fill evenly and another caller
 *   soon gets a permit in between
 */
export function nextSlot(history: readonly number[], limits: Limits, now: number, isSpread = false): number {
  const last = history.at(-1);
  if (last === undefined) return now;
  let slot = Math.max(now, last);
  for (const { max, span } of windowsOf(limits)) {
    const first = history[history.length - max];
    if (first !== undefined) slot = Math.max(slot, first + span);
  }
  if (!isSpread) return slot;
  // A little less than the average, by half a distance over a whole window, to catch up on late requests.
  const distances = windowsOf(limits).map(({ max, span }) => (span / max) * (1 - 1 / (2 * max)));
  return Math.max(slot, last + Math.floor(Math.max(0, ...distances)));
}

/** The next moments, each counted for those after it: first as early as possible, then spread. */
export function nextSlots(
  history: readonly number[],
  limits: Limits,
  now: number,
  early: number,
  spread = 0,
): number[] {
  const taken = history.slice();
  for (let made = 0; made < early + spread; made++) taken.push(nextSlot(taken, limits, now, made >= early));
  return taken.slice(history.length);
}

/** The number of latest requests that the limits need. */
export const maxRemembered = (limits: Limits): number => Math.max(0, ...windowsOf(limits).map(({ max }) => max));

/** Milliseconds without a request after which no history is needed. */
export const historySpan = (limits: Limits): number => Math.max(0, ...windowsOf(limits).map(({ span }) => span));

/** Milliseconds by which a request may be sent late; the other half of the margin is for the network. */
export const maxLateness = (limits: Limits): number => Math.min(...windowsOf(limits).map(({ margin }) => margin / 2));
