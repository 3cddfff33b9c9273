/*
 * An apostrophe is written before text that a spreadsheet would take for a formula, as OWASP advises against CSV injection.
 * Text that begins with such an apostrophe gets one more, so that it is read back unchanged.
 */

/** Characters that begin a formula in a spreadsheet, with the wide ones of East Asian keyboards. */
const FORMULA = '[=+\\-@\\t\\r\\n＝＋－＠]';
const number = /^[+-]?\d+(?:\.\d+)?$/;
const startsFormula = new RegExp(`^'*${FORMULA}`);
const escaped = new RegExp(`^'+${FORMULA}`);

/** A text as a cell that no spreadsheet evaluates. Numbers stay as they are. */
export const forSpreadsheet = (text: string): string =>
  startsFormula.test(text) && !number.test(text) ? `'${text}` : text;

/** A text as a cell that may be a formula; it gets an apostrophe only if it would lose one. */
export const asPlainCell = (text: string): string => (escaped.test(text) ? `'${text}` : text);

/** The text of a cell that one of these functions wrote. */
export const fromCell = (cell: string): string => (cell.startsWith("'") && escaped.test(cell) ? cell.slice(1) : cell);
