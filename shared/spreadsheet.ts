/* Limits and conversions for cells of a spreadsheet, used by the pane and by exports. */

/** The longest text of a cell, in UTF-16 units. */
export const MAX_CELL_LENGTH = 32_767;
/** The number of rows of a sheet. */
export const MAX_SHEET_ROWS = 1_048_576;

/** Cuts a text that is too long for a cell, and ends it with an ellipsis. */
export function cutText(text: string): string {
  const start = text.slice(0, MAX_CELL_LENGTH - 1);
  // A lone half of a surrogate pair is left out.
  return `${/[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start}…`;
}

/** The name of a column by its index: 0 is A, 26 is AA. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

const DAY = 86_400_000;
/** The first day after 9999. */
const END = (Date.UTC(10_000, 0, 1) - Date.UTC(1899, 11, 30)) / DAY;

/**
 * The serial number of a local time, given as milliseconds as if it were
 * UTC. Days are counted from 1900, which in Excel has a 29 February: serials before it are one lower.
 * @returns undefined for a time that a cell cannot contain: before 1900 or after 9999
 */
export function serialOf(milliseconds: number): number | undefined {
  const days = (milliseconds - Date.UTC(1899, 11, 30)) / DAY;
  const serial = days < 61 ? days - 1 : days;
  return serial >= 1 && serial < END ? serial : undefined;
}

/**
 * The local time of a serial number, in milliseconds as if it were UTC: the inverse of `serialOf`. A part of a day is a
 * time of the day before 1900.
 * @returns undefined for a number that Excel shows as no date
 */
export const timeOfSerial = (serial: number): number | undefined =>
  serial >= 0 && serial < END
    ? Date.UTC(1899, 11, 30) + Math.round((serial < 61 ? serial + 1 : serial) * DAY)
    : undefined;
