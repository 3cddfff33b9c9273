/** Milliseconds by which the clocks of instances may differ. */
const MAX_DIFFERENCE = 3_600_000;

/** Whether the clock was ahead when a moment was stored that was then the present one. @param now milliseconds since 1970 */
export const isOfClockAhead = (stored: number, now: number): boolean => stored > now + MAX_DIFFERENCE;
