/*
 * An apostrophe is written before text that a spreadsheet would take for a formula, as OWASP advises against CSV injection.
 * Text that begins with such an apostrophe gets one more, so that it is read back unchanged. The same is done behind a
 * semicolon or line end: where a spreadsheet divides lines at semicolons, as in Dutch and French, a quote that does not
 * begin a cell there hides neither, and a cell begins behind them.
 */

/** Characters that begin a formula in a spreadsheet, with the wide ones of East Asian keyboards. */
const SIGNS = '=+\\-@\\t＝＋－＠';
const FORMULA = `[${SIGNS}\\r\\n]`;
const number = /^[+-]?\d+(?:[.,]\d+)?$/;
const startsFormula = new RegExp(`^'*${FORMULA}`);
const escaped = new RegExp(`^'+${FORMULA}`);

/** What comes before a cell that begins within a text; the quotes may be left out. */
const DIVIDED = '[;\\r\\n]"*';
const startsWithin = new RegExp(`(${DIVIDED})(?='*[${SIGNS}])`, 'g');
const escapedWithin = new RegExp(`(${DIVIDED})'(?='*[${SIGNS}])`, 'g');

/** A text as a cell that no spreadsheet evaluates. Numbers stay as they are. */
export function forSpreadsheet(text: string): string {
  const within = text.replace(startsWithin, "$1'");
  return startsFormula.test(text) && !number.test(text) ? `'${within}` : within;
}

/** A text as a cell that may be a formula; it gets an apostrophe only where it would lose one. */
export function asPlainCell(text: string): string {
  if (!text.includes("'")) return text;
  const within = text.replace(escapedWithin, "$1''");
  return escaped.test(text) ? `'${within}` : within;
}

/** The text of a cell that one of these functions wrote. */
export function fromCell(cell: string): string {
  if (!cell.includes("'")) return cell;
  const text = cell.replace(escapedWithin, '$1');
  return escaped.test(cell) ? text.slice(1) : text;
}
