import { type Spelling, type Token, tokensOf } from './formulaTokens.ts';

type Corner = { text: string; index: number };

/** The cells, columns or rows that a reference names, without their sheet. Both ends of columns and rows are one. */
function cornersOf({ text, index, sheet = '', first, last }: Token): Corner[] {
  const from = index + sheet.length;
  const until = index + text.length;
  if (last === undefined) return [{ text: text.slice(sheet.length), index: from }];
  const isCells = /[A-Z]\$?\d/i.test(first!);
  if (!isCells) return [{ text: text.slice(sheet.length), index: from }];
  return [
    { text: first!, index: from },
    { text: last, index: until - last.length },
  ];
}

/** Whether a column and a row have a "$" before them, in the order of F4. */
const turns = [
  { column: '', row: '' },
  { column: '$', row: '$' },
  { column: '', row: '$' },
  { column: '$', row: '' },
] as const;

const CELL = /^(\$?)([A-Z]+)(\$?)(\d+)$/i;

const nextTurn = (text: string) => {
  const [, column = '', , row = ''] = CELL.exec(text) ?? [];
  const isFixed = text.startsWith('$');
  if (!CELL.test(text)) return turns[isFixed ? 0 : 1];
  return turns[(turns.findIndex((turn) => turn.column === column && turn.row === row) + 1) % turns.length]!;
};

const turned = (text: string, { column, row }: (typeof turns)[number]): string =>
  CELL.test(text)
    ? text.replace(CELL, (_, __, letters, ___, digits) => `${column}${letters}${row}${digits}`)
    : text.replace(/\$?([A-Z]+|\d+)(?=\s*:|$)/gi, (_, end) => `${column}${end}`);

/**
 * Makes references of a formula absolute, mixed or relative, by turns.
 * @param start of what is selected in it, or where the caret is: it turns what it touches
 * @returns the formula, and what is selected then; undefined when there is no reference
 */
export function turnReferences(
  text: string,
  start: number,
  end: number,
  spelling: Spelling,
): { text: string; start: number; end: number } | undefined {
  if (!/^[=+@-]/.test(text)) return undefined;
  const touched = tokensOf(text, spelling)
    .filter(({ kind }) => kind === 'cells')
    .flatMap(cornersOf)
    .filter((corner) =>
      start === end
        ? corner.index <= start && start <= corner.index + corner.text.length
        : corner.index < end && start < corner.index + corner.text.length,
    );
  const [first] = touched;
  if (first === undefined) return undefined;
  const turn = nextTurn(first.text);
  let [written, at] = ['', 0];
  for (const corner of touched) {
    written += text.slice(at, corner.index) + turned(corner.text, turn);
    at = corner.index + corner.text.length;
  }
  return { text: written + text.slice(at), start: start === end ? written.length : first.index, end: written.length };
}
