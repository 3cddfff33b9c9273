/** Requests a credential may send in any second and in any minute; 0 is without limit. */
export type Limits = { perSecond: number; perMinute: number };

/** So many requests in any span of so many milliseconds. `margin`: how much of the span is more than the limit asks. */
type Window = { max: number; span: number; margin: number };

/**
 * What leaves here evenly may leave a little late and arrive closer together: each window is taken this much longer than it
 * is. It costs one request in a hundred.
 */
const MARGIN = 1.01;
/** The same for a window that another one keeps from being full: there it costs nothing. */
const FREE_MARGIN = 1.1;
/** Of a window with more requests than these, parts are looked at: all that is remembered must fit in a record. */
const MAX_REMEMBERED = 1000;

const windows = new WeakMap<Limits, Window[]>();

/** The windows of limits, put together once. */
function windowsOf(limits: Limits): Window[] {
  let known = windows.get(limits);
  if (known === undefined) {
    known = makeWindows(limits);
    windows.set(limits, known);
  }
  return known;
}

function makeWindows({ perSecond, perMinute }: Limits): Window[] {
  const limited = [
    { max: perSecond, span: 1000 },
    { max: perMinute, span: 60_000 },
  ]
    .filter(({ max }) => max > 0)
    .map(({ max, span }) => {
      const parts = Math.ceil(max / MAX_REMEMBERED);
      return { max: Math.floor(max / parts), span: span / parts };
    });
  /** Milliseconds a request takes on average where it is narrowest. */
  const pace = Math.max(0, ...limited.map(({ max, span }) => (span * MARGIN) / max));
  return limited.map(({ max, span }) => {
    const longer = Math.ceil(Math.max(span * MARGIN, Math.min(span * FREE_MARGIN, pace * max)));
    return { max, span: longer, margin: longer - span };
  });
}

/**
 * The earliest moment a request may be sent so that no window, wherever it is laid, ever holds more than it may.
 * @param history when requests were sent or are going to be, the latest last; at least those of the latest `historySpan(limits)`
 * @param isSpread whether it is to keep its distance from the one before it, so that the windows fill evenly and somebody who
 *   comes in between gets a permit soon
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
  // A little less than on average, half a distance for the whole of a window: what came late is made up for.
  const distances = windowsOf(limits).map(({ max, span }) => (span / max) * (1 - 1 / (2 * max)));
  return Math.max(slot, last + Math.floor(Math.max(0, ...distances)));
}

/** The next moments in a row, each counting for those after it: so many as early as can be, then so many that are spread. */
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

/** How many of the latest requests the limits look back to. */
export const maxRemembered = (limits: Limits): number => Math.max(0, ...windowsOf(limits).map(({ max }) => max));

/** After so many milliseconds without a request there is nothing left to remember. */
export const historySpan = (limits: Limits): number => Math.max(0, ...windowsOf(limits).map(({ span }) => span));

/** So many milliseconds after its moment a request may still leave; the other half of the margin is for the way. */
export const maxLateness = (limits: Limits): number => Math.min(...windowsOf(limits).map(({ margin }) => margin / 2));
