import { columnIndex, MAX_COLUMNS, MAX_ROWS } from '../address.ts';

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

/** The signs of a name, for a class of a pattern; it begins with a letter, `_` or `\`. */
export const NAME_SIGNS = String.raw`\p{L}\p{M}\p{N}_.\\?`;
const WORD = String.raw`[\p{L}_\\][${NAME_SIGNS}]*`;
const wholeName = new RegExp(`^${WORD}$`, 'u');
/** Whether a text may be a name, apart from what is a reference. */
export const isNameText = (text: string): boolean => wholeName.test(text) && text.length <= 255;

const CELL = String.raw`\$?[A-Z]{1,3}\$?\d{1,7}`;
const COLUMN = String.raw`\$?[A-Z]{1,3}`;
const ROW = String.raw`\$?\d{1,7}`;
/** With a workbook in brackets, or as several sheets. `A1:Sheet2!B1` are two references. */
const SHEET = String.raw`'(?:[^']|'')+'!|(?!${CELL}:)(?:\[[^[\]]*\])?[\p{L}\p{N}_.\\]+(?::[\p{L}\p{N}_.\\]+)?!|\[[^[\]]*\]!`;
const END = String.raw`(?![${NAME_SIGNS}(!\[])`;
const BRACKETS = String.raw`\[(?:[^[\]']|'.|\[(?:[^[\]']|'.)*\])*\]`;
const TEXT = `"(?:[^"]|"")*"`;

/** The range operator, behind which the sheet may stand again. */
const to = (corner: string): string => String.raw`\s*:\s*\1?(${corner})${END}`;

/** @param sheet what stands in front of a reference */
const patternOf = ({ decimal, list }: Spelling, sheet: string): RegExp =>
  new RegExp(
    [
      `(${sheet})?(?:${[
        String.raw`(?!LOG10\s*\()(${CELL})(?:${to(CELL)}|${END})|(${COLUMN})${to(COLUMN)}|(${ROW})${to(ROW)}`,
        // What was deleted, with the rest of the reference to it: #REF!A1.
        String.raw`(#[\p{L}][\p{L}\p{N}_/]*[!?]?(?:(?<=!)[$\p{L}\p{N}_.\\]+(?::(?:${COLUMN})?(?:${ROW})?(?![\p{L}\p{N}(]))?)?)`,
        String.raw`(${WORD})(?:(${BRACKETS})|(\s*\())?`,
      ].join('|')})`,
      `(${BRACKETS})`,
      `(${TEXT})`,
      String.raw`(\{(?:[^{}"]|${TEXT})*\})`,
      String.raw`((?:\d+(?:[${decimal}]\d*)?|[${decimal}]\d+)(?:E[+-]?\d+)?)`,
      `(${list})`,
    ].join('|'),
    'giu',
  );

/** By the spelling: for formulas that name no sheet, which most do not, and for the others. */
const patterns = new Map<Spelling, { plain: RegExp; full: RegExp }>();

/** The tokens of a formula, one after the other. */
export function tokensOf(formula: string, spelling: Spelling = english): Token[] {
  let both = patterns.get(spelling);
  if (both === undefined) {
    both = { plain: patternOf(spelling, '(?!)'), full: patternOf(spelling, SHEET) };
    patterns.set(spelling, both);
  }
  const pattern = formula.includes('!') ? both.full : both.plain;
  pattern.lastIndex = 0;
  const tokens: Token[] = [];
  for (let match = pattern.exec(formula); match !== null; match = pattern.exec(formula)) tokens.push(tokenOf(match));
  return tokens;
}

function tokenOf(match: RegExpExecArray): Token {
  const { 0: text, 1: sheet, index } = match;
  const first = match[2] ?? match[4] ?? match[6];
  if (first !== undefined) {
    const last = match[3] ?? match[5] ?? match[7];
    // XFE1 is behind the last column, and so it is a name.
    if (last === undefined && !isOnSheet(first)) return { kind: 'name', text, index, sheet, name: first };
    return { kind: 'cells', text, index, sheet, first, last };
  }
  const { 8: error, 9: name, 10: part, 11: call, 12: ownPart } = match;
  if (error !== undefined) return { kind: 'error', text, index, sheet, name: error };
  if (part !== undefined) return { kind: 'structured', text, index, sheet, table: name, part };
  if (name !== undefined) return { kind: call === undefined ? 'name' : 'call', text, index, sheet, name };
  if (ownPart !== undefined) return { kind: 'structured', text, index, table: undefined, part: ownPart };
  const kind =
    match[13] !== undefined ? 'text' : match[14] !== undefined ? 'array' : match[15] !== undefined ? 'number' : 'list';
  return { kind, text, index };
}

const isOnSheet = (cell: string): boolean => {
  const [, letters, digits] = /^\$?([A-Z]+)\$?(\d+)$/i.exec(cell)!;
  const row = Number(digits);
  return row >= 1 && row <= MAX_ROWS && columnIndex(letters!) < MAX_COLUMNS;
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
