/*
 * What a formula consists of. Whatever reads or rewrites formulas reads them here, so that all agree on what is a
 * reference. Blanks and operators are no tokens: they are what stands between them.
 */

/** How a language writes formulas; the workbook keeps them in the English spelling. */
export type Spelling = {
  decimal: string;
  /** Between arguments. */
  list: string;
};

export const english: Spelling = { decimal: '.', list: ',' };

export type Token = {
  kind: 'text' | 'array' | 'cells' | 'error' | 'structured' | 'call' | 'name' | 'number' | 'list';
  /** Of the formula, from its character `index` on. */
  text: string;
  index: number;
  /** Of cells, a name or an error: the sheet in front of it, with its quotes and its "!". */
  sheet?: string | undefined;
  /** Of cells: the first and the last one, as `$A1`, or the first and last column or row, as `$A` or `1`. */
  first?: string;
  last?: string | undefined;
  /** Of a structured reference: its table, and what stands behind it, in brackets. */
  table?: string | undefined;
  part?: string;
  /** Of a call or a name, without its sheet. */
  name?: string;
};

const WORD = String.raw`[\p{L}_\\][\p{L}\p{N}_.\\?]*`;
const CELL = String.raw`\$?[A-Z]{1,3}\$?\d{1,7}`;
const COLUMN = String.raw`\$?[A-Z]{1,3}`;
const ROW = String.raw`\$?\d{1,7}`;
/** With a workbook in brackets, or as several sheets. `A1:Sheet2!B1` are two references. */
const SHEET = String.raw`'(?:[^']|'')+'!|(?!${CELL}:)(?:\[[^[\]]*\])?[\p{L}\p{N}_.\\]+(?::[\p{L}\p{N}_.\\]+)?!|\[[^[\]]*\]!`;
const END = String.raw`(?![\p{L}\p{N}_.\\(!\[])`;
const BRACKETS = String.raw`\[(?:[^[\]']|'.|\[(?:[^[\]']|'.)*\])*\]`;
const TEXT = `"(?:[^"]|"")*"`;

/** The range operator, behind which the sheet may stand again. */
const to = (corner: string): string => String.raw`\s*:\s*\1?(${corner})${END}`;

const patternOf = ({ decimal, list }: Spelling): RegExp =>
  new RegExp(
    [
      String.raw`(${SHEET})?(?:(?!LOG10\s*\()(${CELL})(?:${to(CELL)}|${END})|(${COLUMN})${to(COLUMN)}|(${ROW})${to(ROW)})`,
      `(${TEXT})`,
      String.raw`(\{(?:[^{}"]|${TEXT})*\})`,
      // What was deleted, with the rest of the reference to it: #REF!A1.
      String.raw`(${SHEET})?(#[\p{L}][\p{L}\p{N}_/]*[!?]?(?:(?<=!)[$\p{L}\p{N}_.\\]+(?::(?:${COLUMN})?(?:${ROW})?(?![\p{L}\p{N}(]))?)?)`,
      // Not the brackets of a workbook, as in [Prices.xlsx]Sheet1!Rate.
      String.raw`(${WORD})?(${BRACKETS})(?![\p{L}\p{N}_.\\]*!)`,
      String.raw`(${SHEET})?(${WORD})(\s*\()?`,
      String.raw`((?:\d+(?:[${decimal}]\d*)?|[${decimal}]\d+)(?:E[+-]?\d+)?)`,
      `(${list})`,
    ].join('|'),
    'giu',
  );

const patterns = new Map<Spelling, RegExp>();

/** The tokens of a formula, one after the other. */
export function* tokensOf(formula: string, spelling: Spelling = english): Generator<Token> {
  let pattern = patterns.get(spelling);
  if (pattern === undefined) {
    pattern = patternOf(spelling);
    patterns.set(spelling, pattern);
  }
  for (const match of formula.matchAll(pattern)) yield tokenOf(match);
}

function tokenOf(match: RegExpExecArray): Token {
  const [text, sheet, cell, lastCell, column, lastColumn, row, lastRow] = match;
  const { index } = match;
  const first = cell ?? column ?? row;
  if (first !== undefined) {
    const last = lastCell ?? lastColumn ?? lastRow;
    // XFE1 is behind the last column, and so it is a name.
    if (last === undefined && !isOnSheet(first)) return { kind: 'name', text, index, sheet, name: first };
    return { kind: 'cells', text, index, sheet, first, last };
  }
  const [written, array, errorSheet, error, table, part, nameSheet, name, call, number] = match.slice(8);
  if (written !== undefined) return { kind: 'text', text, index };
  if (array !== undefined) return { kind: 'array', text, index };
  if (error !== undefined) return { kind: 'error', text, index, sheet: errorSheet, name: error };
  if (part !== undefined) return { kind: 'structured', text, index, table, part };
  if (name !== undefined) {
    return call === undefined
      ? { kind: 'name', text, index, sheet: nameSheet, name }
      : { kind: 'call', text, index, sheet: nameSheet, name };
  }
  return { kind: number === undefined ? 'list' : 'number', text, index };
}

const isOnSheet = (cell: string): boolean => {
  const [, letters, digits] = /^\$?([A-Z]+)\$?(\d+)$/i.exec(cell)!;
  const row = Number(digits);
  return row >= 1 && row <= 1_048_576 && (letters!.length < 3 || letters!.toUpperCase() <= 'XFD');
};

/** The formula with other texts for some of its tokens; undefined keeps one as it is. */
export function rewriteTokens(
  formula: string,
  change: (token: Token) => string | undefined,
  spelling: Spelling = english,
): string {
  let rewritten = '';
  let end = 0;
  for (const token of tokensOf(formula, spelling)) {
    const text = change(token);
    if (text === undefined || text === token.text) continue;
    rewritten += formula.slice(end, token.index) + text;
    end = token.index + token.text.length;
  }
  return end === 0 ? formula : rewritten + formula.slice(end);
}

/** The sheet in front of a reference, or the first and the last one; undefined for those of another workbook. */
export function namedSheets(prefix: string): { name: string; last?: string } | undefined {
  const plain = prefix
    .slice(0, -1)
    .replace(/^'(.*)'$/s, '$1')
    .replaceAll("''", "'");
  if (/[[\]]/.test(plain)) return undefined;
  const [name = '', last] = plain.split(':');
  return last === undefined ? { name } : { name, last };
}
