import { areaAddress, isUnbounded, parseArea } from '../workbook/cells/address.ts';
import { type Token, tokensOf } from '../workbook/cells/formulas/formulaTokens.ts';
import { readStructured, showStructured } from '../workbook/cells/formulas/structured.ts';
import type { NamedItem } from '../workbook/names.ts';
import { error, type Value } from './engineValues.ts';

/*
 * Excel knows some spellings that the engine does not: blanks in a reference and before a parenthesis, sheets and cells
 * that were deleted, and names of columns with other signs than letters.
 */

/** Functions that take cells. The engine takes lost ones for a value; in Excel the result is the error. */
const takingCells = new Set(
  (
    'AVERAGEIF AVERAGEIFS BYCOL BYROW CHOOSECOLS CHOOSEROWS COLUMN COLUMNS COUNTBLANK COUNTIF COUNTIFS DROP ' +
    'EXPAND FILTER FORMULATEXT FREQUENCY HLOOKUP HSTACK IRR ISFORMULA LOOKUP MAP MATCH MAXIFS MINIFS MMULT REDUCE ' +
    'ROW ROWS SCAN SHEET SORT SORTBY SUBTOTAL SUMIF SUMIFS TAKE UNIQUE VLOOKUP VSTACK WRAPCOLS WRAPROWS XLOOKUP ' +
    'XMATCH XNPV'
  ).split(' '),
);

const LOST = '#REF!';

/** A function without a result: it stands in place of those that take lost cells. */
const LOSING = 'LEDGERLINE_LOST';
export const losingFunction: [string, { minArity: number; maxArity: number; invoke: () => Value }] = [
  LOSING,
  { minArity: 0, maxArity: 255, invoke: () => error(LOST) },
];

/** The names that stand for lost cells, in lower case. */
export const lostNames = (names: readonly NamedItem[]): ReadonlySet<string> =>
  new Set(
    names.flatMap(({ name, formula }) => {
      if (!formula.includes('#')) return [];
      const [token, ...more] = tokensOf(formula);
      const isLost = more.length === 0 && token?.kind === 'error' && `=${token.text}` === formula;
      return isLost && engineToken(token) === LOST ? [name.toLowerCase()] : [];
    }),
  );

/** Entire columns and rows as such: the engine ends them where the sheet does. */
function rangeText(first: string, last: string): string {
  const text = `${first}:${last}`;
  if (!/1048576|XFD/i.test(text)) return text;
  const area = parseArea(text);
  return area === undefined || !isUnbounded(area) ? text : areaAddress(area);
}

const engineToken = ({ kind, text, sheet = '', first, last, table = '', part, name }: Token): string => {
  if (kind === 'cells') return last === undefined ? text : `${sheet}${rangeText(first!, last)}`;
  if (kind === 'call') return `${sheet}${name}(`;
  if (kind === 'error') return /#[^!?]*[!?]?/.exec(text)![0];
  const structured = kind === 'structured' ? readStructured(part!) : undefined;
  return structured === undefined ? text : `${table}${showStructured(structured)}`;
};

/** A formula as the engine reads it, without its "=". @param lost see `lostNames` */
export const engineText = (formula: string, lost: ReadonlySet<string> = new Set()): string => {
  const text = formula.slice(1);
  // Most formulas have none of these.
  if (lost.size === 0 && !/[\s#']|1048576|XFD|:[^:!]+!/i.test(text)) return text;
  const written: string[] = [];
  /** The calls that are open: where their names are among the texts; undefined for a parenthesis. */
  const open: ({ at: number; name: string } | undefined)[] = [];
  let end = 0;
  let isArgument = false;
  for (const token of tokensOf(text)) {
    const between = text.slice(end, token.index);
    for (const sign of between.replace(/[^()]/g, '')) {
      if (sign === '(') open.push(undefined);
      else open.pop();
    }
    const isLostName = token.kind === 'name' && token.sheet === undefined && lost.has(token.name!.toLowerCase());
    const own = isLostName ? LOST : engineToken(token);
    end = token.index + token.text.length;
    const call = open.at(-1);
    const isWhole = isArgument && between.trim() === '' && /^\s*[,)]/.test(text.slice(end));
    if (own === LOST && isWhole && call !== undefined && takingCells.has(call.name)) written[call.at] = `${LOSING}(`;
    written.push(between, own);
    if (token.kind === 'call') open.push({ at: written.length - 1, name: token.name!.toUpperCase() });
    isArgument = token.kind === 'call' || token.kind === 'list';
  }
  return written.join('') + text.slice(end);
};
