/** Seconds by which the clocks of instances may differ. */
export const MAX_CLOCK_DIFFERENCE = 3600;

/** Whether the clock was ahead when a moment was stored that was then the present one. @param now milliseconds since 1970 */
export const isOfClockAhead = (stored: number, now: number): boolean => stored > now + MAX_CLOCK_DIFFERENCE * 1000;
