/** Requests a credential may send in any second and in any minute; 0 is without limit. */
export type Limits = { perSecond: number; perMinute: number };

/** So many requests in any span of so many milliseconds. */
type Window = { most: number; span: number };

/**
 * What leaves here evenly may arrive a little closer together: each window is taken this much longer than it is.
 * It costs one request in a hundred.
 */
const MARGIN = 1.01;

const windowsOf = ({ perSecond, perMinute }: Limits): Window[] =>
  [
    { most: perSecond, span: 1000 * MARGIN },
    { most: perMinute, span: 60_000 * MARGIN },
  ].filter(({ most }) => most > 0);

/**
 * The earliest moment a request may be sent so that no window, wherever it is laid, ever holds more than it may.
 * @param history when requests were sent, the latest last; at least the latest `mostRemembered(limits)` of them
 */
export function nextSlot(history: readonly number[], limits: Limits, now: number): number {
  let slot = now;
  for (const { most, span } of windowsOf(limits)) {
    const first = history[history.length - most];
    if (first !== undefined) slot = Math.max(slot, first + span);
  }
  return slot;
}

/** The next so many moments in a row, one or more, each counting for those after it. */
export function nextSlots(history: readonly number[], limits: Limits, now: number, count: number): number[] {
  const taken = history.slice(-mostRemembered(limits));
  for (let made = 0; made < count; made++) taken.push(nextSlot(taken, limits, Math.max(now, taken.at(-1) ?? now)));
  return taken.slice(-count);
}

/** How many of the latest requests the limits look back to. */
export const mostRemembered = (limits: Limits): number => Math.max(0, ...windowsOf(limits).map(({ most }) => most));

/** After so many milliseconds without a request there is nothing left to remember. */
export const forgottenAfter = (limits: Limits): number => Math.max(0, ...windowsOf(limits).map(({ span }) => span));
