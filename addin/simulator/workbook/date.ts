const DAY_MS = 86_400_000;

/** The day number 0 of Excel's 1900 date system for every day after its famous 29 February 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** The largest serial Excel shows as a date: 31 December 9999. */
export const MAX_SERIAL = 2_958_465;

/** The serial number of a calendar day; undefined when there is no such day or Excel has no number for it. */
export const serialOf = (year: number, month: number, day: number): number | undefined => {
  if (year < 1900 || year > 9999) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const serial = Math.round((date.getTime() - EPOCH_MS) / DAY_MS);
  return serial < 61 ? serial - 1 : serial;
};

export type Moment = {
  year: number;
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
};

/** What a serial number means as date and time; undefined outside of Excel's calendar. */
export const momentOf = (serial: number): Moment | undefined => {
  if (!(serial >= 0) || serial >= MAX_SERIAL + 1) return undefined;
  const milliseconds = Math.round((serial % 1) * DAY_MS);
  const whole = Math.floor(serial) + (milliseconds === DAY_MS ? 1 : 0);
  const time = milliseconds % DAY_MS;
  const clock = {
    hour: Math.floor(time / 3_600_000),
    minute: Math.floor(time / 60_000) % 60,
    second: Math.floor(time / 1000) % 60,
    millisecond: time % 1000,
  };
  // Excel's calendar has a 29 February 1900, and calls day 0 the 0th of January.
  if (whole === 60) return { year: 1900, month: 2, day: 29, weekday: 3, ...clock };
  if (whole === 0) return { year: 1900, month: 1, day: 0, weekday: 6, ...clock };
  const date = new Date(EPOCH_MS + (whole < 60 ? whole + 1 : whole) * DAY_MS);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: (whole + 6) % 7,
    ...clock,
  };
};
