import { NAME_SIGNS } from '../workbook/cells/formulas/formulaTokens.ts';
import { type Part, spliced } from '../workbook/cells/formulas/formulaTree.ts';
import type { Locale } from '../workbook/cells/locale.ts';
import { cellAt } from '../workbook/sheet.ts';
import { calls, leftOut, texts as textArguments } from './argumentKinds.ts';
import { blank, kinds, type Value } from './engineValues.ts';
import { numberIn, writtenText } from './excelFunctions/valueFunctions.ts';
import type { FormulaReferences } from './formulaReferences.ts';

/*
 * What operators take otherwise than the engine's. Excel compares the fifteen digits of numbers that it shows: 0.1+0.2
 * equals 0.3. The engine compares all digits, so its sums of amounts would seldom equal a total. And Excel calculates with
 * texts as if they were typed: "1-2-2026"+1 is a day. Where it takes a text, a number has these digits too, with the
 * separator of the language.
 */

const comparingOrJoining = /(<=|>=|<>|[<>=&])/;

/** A formula with comparisons. */
export const hasComparison = (text: string): boolean => /[<>=]/.test(text);

const takingTexts = new RegExp(
  String.raw`&|(?<![${NAME_SIGNS}])(?:${Object.keys(textArguments).join('|')})\s*\(`,
  'iu',
);

/** A formula that may take the text of a number or of a truth value. */
export const takesTexts = (formula: string): boolean => takingTexts.test(formula);

const isLiteralText = (text: string): boolean => /^\s*"(?:[^"]|"")*"\s*$/.test(text);

/** What is taken as a text, unless it is one, or a number whose digits are its text. */
const asText = (text: string): string =>
  isLiteralText(text) || /^\s*\d{1,15}\s*$/.test(text) ? text : `${calls.text}(${text})`;

/** An argument of a function, which may take it as a text. */
export const textArgument = ({ name, args }: Part & { kind: 'call' }, index: number, text: string): string =>
  textArguments[name]?.(index) && args[index]!.kind !== 'nothing' ? asText(text) : text;

const leavingOut = new RegExp(
  String.raw`(?<![${NAME_SIGNS}.])(?:${Object.keys(leftOut).join('|').replaceAll('.', '\\.')})\s*\(`,
  'iu',
);

/** A formula with functions that leave out texts in cells. */
export const leavesOut = (formula: string): boolean => leavingOut.test(formula);

/** An argument of a function, which is a single cell: without what the function leaves out of cells. */
export function cellArgument(name: string, text: string): string {
  const kept = leftOut[name];
  if (kept === undefined) return text;
  return `${kept === 'numbers' ? calls.numbersOfCell : calls.truthsOfCell}(${text})`;
}

/** Operators of numbers before and behind what they take. */
const calculatesBefore = /[-+*/^]\s*$/;
const calculatesBehind = /^\s*[-+*/^%]/;

/** A formula with operators of numbers. */
export const hasArithmetic = (text: string): boolean => /[-+*/^%]/.test(text.replaceAll(/"(?:[^"]|"")*"/g, '""'));

/** A formula that may make a text. */
export const makesText = /["&]|TEXT|LEFT|RIGHT|MID|TRIM|SUBSTITUTE|REPLACE|CONCAT|CLEAN|LOWER|UPPER|REPT|CHAR/i;

const isTyped = (text: string, locale: Locale): boolean =>
  numberIn({ kind: kinds.text, value: text }, locale).kind === kinds.number;

/** Whether a formula may calculate with a text, which is then taken as if it were typed. */
export function mayTakeText(text: string, { areas, shape, hasNames }: FormulaReferences, locale: Locale): boolean {
  if (!hasArithmetic(text)) return false;
  if (shape === undefined || hasNames || makesText.test(text)) return true;
  return areas.some(({ sheet, area }) => {
    const cell = cellAt(sheet, area.row, area.column);
    if (cell?.formula !== undefined && makesText.test(cell.formula)) return true;
    return typeof cell?.value === 'string' && cell.value !== '' && isTyped(cell.value, locale);
  });
}

/** Whether a part between operators may be a text. */
const mayBeText = ({ kind, start }: Part, formula: string): boolean =>
  kind !== 'nothing' && (kind !== 'value' || formula[start] === '"');

/** The texts of the parts of a group; those that operators of numbers take are read as if they were typed. */
function typedOperands(formula: string, { parts, end }: Part & { kind: 'group' }, texts: readonly string[]): string[] {
  return parts.map((part, index) => {
    const before = formula.slice(parts[index - 1]?.end ?? 0, part.start);
    const behind = formula.slice(part.end, parts[index + 1]?.start ?? end);
    const isOperand = calculatesBefore.test(before) || calculatesBehind.test(behind);
    return isOperand && mayBeText(part, formula) ? `${calls.typed}(${texts[index]})` : texts[index]!;
  });
}

/**
 * The text of a part, with other texts for the parts directly within it; what it compares has fifteen digits.
 * @param takesText whether operators of numbers may get texts
 */
export function splicedOperators(formula: string, part: Part, given: readonly string[], takesText: boolean): string {
  if (part.kind !== 'group') return spliced(formula, part, given);
  const texts = takesText && !part.isRange ? typedOperands(formula, part, given) : given;
  /** What is compared or joined, and the operators between. */
  const pieces: string[] = [''];
  let at = part.start;
  const between = (end: number) => {
    for (const [index, piece] of formula.slice(at, end).split(comparingOrJoining).entries()) {
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
  const compared = joined(pieces);
  if (compared.length === 1 || compared.some(isLiteralText)) return compared.join('');
  return compared
    .map((piece, index) => (index % 2 === 1 || /^\s*-?[\d.]*\s*$/.test(piece) ? piece : `${calls.digits}(${piece})`))
    .join('');
}

/** The pieces of a comparison after `&`, which comes first, has joined some of them as texts. */
function joined(pieces: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const isJoined = pieces[at - 1] === '&' || pieces[at + 1] === '&';
    const piece = isJoined ? asText(pieces[at]!) : pieces[at]!;
    if (pieces[at - 1] === '&') found[found.length - 1] += `&${piece}`;
    else found.push(...pieces.slice(at && at - 1, at), piece);
  }
  return found;
}

/** A function of one value, called for each of several that it changes. */
const forChanged = (changes: (value: Value) => boolean, changed: (value: Value) => Value) => ({
  minArity: 1,
  maxArity: 1,
  invoke: ([given]: readonly unknown[]): Value => {
    const value = given as Value;
    const one = (single: Value) => (changes(single) ? changed(single) : single);
    if (value.kind !== kinds.array) return one(value);
    if (!value.rows!.some((row) => row.some(changes))) return value;
    return { ...value, rows: value.rows!.map((row) => row.map(one)) };
  },
});

/** The functions in rewritten formulas: numbers as they are shown, texts as if they were typed, and the texts of numbers. */
export const operatorFunctions = (locale: Locale) =>
  new Map([
    [
      calls.digits,
      forChanged(
        ({ kind, value }) => kind === kinds.number && Number((value as number).toPrecision(15)) !== value,
        (long) => ({ ...long, value: Number((long.value as number).toPrecision(15)) }),
      ),
    ],
    [
      calls.typed,
      forChanged(
        ({ kind, value }) => kind === kinds.text && isTyped(String(value), locale),
        (text) => numberIn(text, locale),
      ),
    ],
    [
      calls.counted,
      forChanged(
        (given) => given.kind === kinds.boolean || (given.kind === kinds.text && isTyped(String(given.value), locale)),
        (given) => numberIn(given, locale),
      ),
    ],
    [
      calls.numbersOfCell,
      forChanged(
        ({ kind }) => kind === kinds.text || kind === kinds.boolean,
        () => blank,
      ),
    ],
    [
      calls.truthsOfCell,
      forChanged(
        ({ kind }) => kind === kinds.text,
        () => blank,
      ),
    ],
    [
      calls.text,
      forChanged(
        ({ kind }) => kind === kinds.number || kind === kinds.boolean,
        (value) => writtenText(value, locale),
      ),
    ],
  ]);
