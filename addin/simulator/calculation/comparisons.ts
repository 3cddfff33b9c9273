import { type Part, spliced } from '../workbook/cells/formulas/formulaTree.ts';
import { calls } from './argumentKinds.ts';
import { kinds, type Value } from './engineValues.ts';

/*
 * Excel compares the fifteen digits of numbers that it shows: 0.1+0.2 equals 0.3. The engine compares all digits, so its
 * sums of amounts would seldom equal a total.
 */

const operators = /(<=|>=|<>|[<>=])/;

/** A formula with comparisons. */
export const hasComparison = (text: string): boolean => /[<>=]/.test(text);

/** The text of a part, with other texts for the parts directly within it; what it compares has fifteen digits. */
export function splicedCompared(formula: string, part: Part, texts: readonly string[]): string {
  if (part.kind !== 'group') return spliced(formula, part, texts);
  /** What is compared, and the operators between. */
  const pieces: string[] = [''];
  let at = part.start;
  const between = (end: number) => {
    for (const [index, piece] of formula.slice(at, end).split(operators).entries()) {
      if (index % 2 === 1) pieces.push(piece, '');
      else pieces[pieces.length - 1] += piece;
    }
  };
  for (const [index, { start, end }] of part.parts.entries()) {
    between(start);
    pieces[pieces.length - 1] += texts[index]!;
    at = end;
  }
  between(part.end);
  const isText = (piece: string) => /^\s*"(?:[^"]|"")*"\s*$/.test(piece);
  if (pieces.length === 1 || pieces.some(isText)) return pieces.join('');
  return pieces
    .map((piece, index) => (index % 2 === 1 || /^\s*-?[\d.]*\s*$/.test(piece) ? piece : `${calls.digits}(${piece})`))
    .join('');
}

const isLong = ({ kind, value }: Value): boolean =>
  kind === kinds.number && Number((value as number).toPrecision(15)) !== value;

const shownDigits = (value: Value): Value =>
  isLong(value) ? { ...value, value: Number((value.value as number).toPrecision(15)) } : value;

/** The function in rewritten formulas: numbers as they are shown. */
export const digitsFunction = {
  minArity: 1,
  maxArity: 1,
  invoke: ([given]: readonly unknown[]): Value => {
    const value = given as Value;
    if (value.kind !== kinds.array) return shownDigits(value);
    if (!value.rows!.some((row) => row.some(isLong))) return value;
    return { ...value, rows: value.rows!.map((row) => row.map(shownDigits)) };
  },
};
