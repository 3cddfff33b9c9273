/*
 * Text that a spreadsheet would take for a formula is written with an apostrophe before it, as OWASP advises against CSV
 * injection. A text that has such an apostrophe of its own gets one more, so that each is read back as it was.
 */

/** What spreadsheets take for the beginning of a formula, the wide characters of East Asian keyboards among it. */
const FORMULA = '[=+\\-@\\t\\r\\n＝＋－＠]';
const number = /^[+-]?\d+(?:\.\d+)?$/;
const startsFormula = new RegExp(`^'*${FORMULA}`);
const escaped = new RegExp(`^'+${FORMULA}`);

/** A text as a cell that no spreadsheet evaluates. Numbers stay as they are. */
export const forSpreadsheet = (text: string): string =>
  startsFormula.test(text) && !number.test(text) ? `'${text}` : text;

/** A text as it is written where formulas may stand: with an apostrophe more only when it would lose one. */
export const asPlainCell = (text: string): string => (escaped.test(text) ? `'${text}` : text);

/** The text of a cell that was written either way. */
export const fromCell = (cell: string): string => (cell.startsWith("'") && escaped.test(cell) ? cell.slice(1) : cell);
