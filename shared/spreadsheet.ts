/* What a cell of a spreadsheet can hold, whoever writes it: the pane through Excel, or an export as a file. */

/** The most characters a text has, in units of UTF-16. */
export const MAX_CELL_LENGTH = 32_767;
/** Rows a sheet has. */
export const MAX_SHEET_ROWS = 1_048_576;

/** A text that is too long for a cell, so that it fits, with an ellipsis at its end. */
export function cutText(text: string): string {
  const kept = text.slice(0, MAX_CELL_LENGTH - 1);
  // Half of a character that takes two units is none.
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

const DAY = 86_400_000;
/** The first day after 9999. */
const END = (Date.UTC(10_000, 0, 1) - Date.UTC(1899, 11, 30)) / DAY;

/**
 * A moment as the serial number of its cell, which is on a clock without a zone: milliseconds as if that clock were
 * UTC's. Days are counted from 1900, which is believed to have had a 29 February: serials before it are one lower.
 * @returns undefined for what a cell cannot hold: before 1900 or after 9999
 */
export function serialOf(milliseconds: number): number | undefined {
  const days = (milliseconds - Date.UTC(1899, 11, 30)) / DAY;
  const serial = days < 61 ? days - 1 : days;
  return serial >= 1 && serial < END ? serial : undefined;
}
