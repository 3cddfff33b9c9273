import {
  type Area,
  areaAddress,
  cellArea,
  contains,
  fixedAddress,
  intersection,
  isUnbounded,
  type Position,
  splitAddress,
} from '../workbook/cells/address.ts';
import { isErrorValue } from '../workbook/cells/entry.ts';
import { NAME_SIGNS, tokensOf } from '../workbook/cells/formulas/formulaTokens.ts';
import { formulaTree, type Part, spliced, within } from '../workbook/cells/formulas/formulaTree.ts';
import { isOfThisRow, readStructured } from '../workbook/cells/formulas/structured.ts';
import { findName, type NamedItem } from '../workbook/names.ts';
import { resolveReference, structuredArea } from '../workbook/reference.ts';
import { cellAt, type Sheet, usedArea } from '../workbook/sheet.ts';
import { findSheet } from '../workbook/sheets.ts';
import { allTables, bodyArea, findTable, tableAt } from '../workbook/table.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { calls, dated, ignored, ofArrays, ofCalendar, ofChoices, oneValue, zeroWhenEmpty } from './argumentKinds.ts';
import type { FormulaCell } from './dependencies.ts';
import { isPlain, withOwnNames } from './engineNames.ts';
import { engineText } from './engineText.ts';
import { lookups, withFoundText } from './excelFunctions/patternLookups.ts';
import { alikeAreas, referencesOf, type SheetArea } from './formulaReferences.ts';
import { costs, isCheap, MAX_AREA, STEPS_OF_CALL } from './limits/costs.ts';
import type { Reason } from './limits/refused.ts';
import {
  cellArgument,
  hasArithmetic,
  hasComparison,
  leavesOut,
  mayTakeText,
  splicedOperators,
  takesTexts,
  textArgument,
} from './operators.ts';

/*
 * Formulas with several values where a function takes one. Excel calls the function for each of them, and the result
 * fills as many cells. The engine does so for operators and a few functions, and takes the first value for the others:
 * those are rewritten with MAP.
 */

/** A formula and where it stands: what its names and references mean. */
type Place = Position & { sheet: Sheet };

/** How often names are written as what they mean: each in the other, and in all. */
const MAX_NAMES = { depth: 10, count: 200 };

/** Functions that may count cells without a value. */
const ofBlanks = new Set(['COUNTBLANK', 'COUNTIF', 'COUNTIFS']);

const lastOf = ({ row, column, rows, columns }: Area): Position => ({
  row: row + rows - 1,
  column: column + columns - 1,
});

/** Functions that return cells. */
const ofCells = new Set(['INDEX', 'OFFSET', 'INDIRECT']);

const textOf = (formula: string, { start, end }: Part): string => formula.slice(start, end);

/** Whether the result of a part may be several values. */
export function isSeveral(part: Part, formula: string, home: Sheet, depth = 0): boolean {
  switch (part.kind) {
    case 'cells':
    case 'array':
    case 'spill':
      return true;
    case 'name':
      return isNameOfSeveral(part.name, home, depth);
    case 'group':
      return part.isRange || part.parts.some((one) => isSeveral(one, formula, home, depth));
    case 'call':
      return isCallOfSeveral(part, formula, home, depth);
    default:
      return false;
  }
}

const isSubtotal = (name: string): boolean => name === 'SUBTOTAL' || name === 'AGGREGATE';
const isOffset = (part: Part): part is Part & { kind: 'call' } => part.kind === 'call' && part.name === 'OFFSET';

/** What a name stands for on a sheet; another sheet may stand in front of it. */
function itemOf(name: string, home: Sheet): NamedItem | undefined {
  const { sheet: other, local } = splitAddress(name);
  const sheet = other === undefined ? home : findSheet(home.workbook, other);
  return sheet && (findName(sheet.names, local) ?? findName(home.workbook.names, local));
}

function isNameOfSeveral(name: string, home: Sheet, depth: number): boolean {
  if (findTable(allTables(home.workbook), name) !== undefined) return true;
  const item = itemOf(name, home);
  // What LET and LAMBDA name may be anything.
  if (item === undefined) return true;
  const meaning = item.formula.slice(1);
  const tree = depth < 10 ? formulaTree(meaning) : undefined;
  return tree !== undefined && isSeveral(tree, meaning, item.scope ?? home, depth + 1);
}

function isCallOfSeveral(
  { name, args }: Part & { kind: 'call' },
  formula: string,
  home: Sheet,
  depth: number,
): boolean {
  const several = (part: Part | undefined) => part !== undefined && isSeveral(part, formula, home, depth);
  if (ofArrays.has(name)) return true;
  if (ofChoices.has(name)) return args.some(several);
  if (name === 'ROW' || name === 'COLUMN' || name === 'FORMULATEXT') return several(args[0]);
  if (isSubtotal(name)) return args.some((arg) => isOffset(arg) && arg.args.slice(1).some(several));
  if (name === 'INDEX' && args.slice(1).some((arg) => /^0?$/.test(textOf(formula, arg).trim()))) return true;
  if (name === 'XLOOKUP' && args[2] !== undefined) {
    const area = resolveReference(home.workbook, textOf(formula, args[2]), home)?.area;
    if (area !== undefined && area.rows > 1 && area.columns > 1) return true;
  }
  return oneValue[name] !== undefined && args.some((arg, index) => oneValue[name]!(index) && several(arg));
}

/** What is rewritten, apart from names: areas, columns, constants, and calls. */
const rewrittenSign = new RegExp(
  String.raw`[:[{#@]|(?<![${NAME_SIGNS}])(?:${[
    ...ofArrays,
    'SUBTOTAL',
    'AGGREGATE',
    'FORMULATEXT',
    'LET',
    'LAMBDA',
    ...Object.keys(costs),
    ...Object.keys(zeroWhenEmpty),
    ...Object.keys(dated),
    ...Object.keys(ignored),
    ...Object.keys(lookups),
  ]
    .map((name) => name.replaceAll('.', '\\.'))
    .join('|')})\s*\(`,
  'iu',
);

/** A formula without its "=", as the engine computes it, and whether its result may fill several cells. */
export type EngineFormula = { text: string; mayFill: boolean };

/** A formula for the engine: as Excel understands several values, `@` and `#`. @param lost see `lostNames` */
export function engineFormula(
  { formula, references, ...place }: FormulaCell,
  lost: ReadonlySet<string>,
): EngineFormula {
  const written = engineText(formula, lost);
  const plain = written.replaceAll(/\[@[^[\]]*\]/g, '');
  const takesText = mayTakeText(plain, references, place.sheet.workbook.locale);
  // Most formulas refer to single cells only.
  if (
    references.shape !== undefined &&
    !references.hasNames &&
    isPlain(plain) &&
    !takesText &&
    !hasComparison(plain) &&
    !takesTexts(plain) &&
    !leavesOut(plain) &&
    !rewrittenSign.test(plain)
  ) {
    return { text: written, mayFill: false };
  }
  const text = withOwnNames(written);
  const tree = formulaTree(text);
  if (tree === undefined) return { text: unread, mayFill: false };
  return { text: new Writer(text, place, takesText).write(tree), mayFill: isSeveral(tree, text, place.sheet) };
}

/** What a name means, for the engine: by this it calls a LAMBDA, and counts its steps. */
export function engineMeaning({ formula, scope }: NamedItem, { sheets }: Workbook): string {
  const text = withOwnNames(engineText(formula));
  if (isPlain(text) && !/[(&]/.test(text) && !hasArithmetic(text)) return text;
  const tree = formulaTree(text);
  return tree === undefined
    ? unread
    : new Writer(text, { sheet: scope ?? sheets[0]!, row: 0, column: 0 }, true).write(tree);
}

const refusal = (reason: Reason): string => `${calls.refuse}("${reason}")`;
const unread = refusal('unread');

class Writer {
  readonly #text: string;
  readonly #place: Place;
  readonly #takesText: boolean;
  /** How many names led here, and how many were written in all: one that refers to itself ends. */
  readonly #depth: number;
  readonly #meanings: { count: number };
  #names = 0;

  /** @param takesText whether it may calculate with texts */
  constructor(text: string, place: Place, takesText: boolean, depth = 0, meanings = { count: 0 }) {
    this.#text = text;
    this.#place = place;
    this.#takesText = takesText;
    this.#depth = depth;
    this.#meanings = meanings;
  }

  write(part: Part): string {
    if (part.kind === 'spill') return spillAddress(part.anchor, this.#place.sheet);
    if (part.kind === 'single') return this.#single(part.operand);
    if (part.kind === 'call') return this.#call(part);
    if (part.kind === 'cell' || part.kind === 'cells') {
      const ofRow = this.#cellsOfRow(part);
      if (ofRow !== undefined) return ofRow;
    }
    if (part.kind === 'cells') return this.#area(part);
    if (part.kind === 'name') return this.#name(part);
    if (part.kind === 'group' && part.isRange) {
      return splicedOperators(
        this.#text,
        part,
        part.parts.map((one) => this.#endOfRange(one)),
        this.#takesText,
      );
    }
    return splicedOperators(
      this.#text,
      part,
      within(part).map((one) => this.write(one)),
      this.#takesText,
    );
  }

  /** Cells of a table in the row of the formula; the engine also takes those above and below it. */
  #cellsOfRow(part: Part): string | undefined {
    const text = textOf(this.#text, part);
    if (!text.endsWith(']')) return undefined;
    const { sheet, row, column } = this.#place;
    const [token] = tokensOf(text);
    const structured = token?.part === undefined ? undefined : readStructured(token.part);
    if (structured === undefined || !isOfThisRow(structured)) return undefined;
    const { table: name } = token!;
    const table = name === undefined ? tableAt(sheet, row, column) : findTable(allTables(sheet.workbook), name);
    if (table === undefined) return undefined;
    const body = bodyArea(table);
    if (row < body.row || row >= body.row + body.rows) return '#VALUE!';
    const area = structuredArea(table, structured, row);
    if (area === undefined) return undefined;
    return table.sheet === sheet ? areaAddress(area) : fixedAddress(table.sheet.name, area);
  }

  /** Whether an area has the cell of the formula, of which INDEX takes another one. */
  #isWithin(part: Part | undefined): boolean {
    if (part?.kind !== 'cells') return false;
    const { sheet, row, column } = this.#place;
    const found = resolveReference(sheet.workbook, textOf(this.#text, part), sheet);
    return found?.sheet === sheet && contains(found.area, cellArea({ row, column }));
  }

  /** One value of several: of cells the one in the row or column of the formula, else the first. */
  #single(operand: Part): string {
    const { sheet, row, column } = this.#place;
    const written = operand.kind === 'call' ? this.#rowOfIndex(operand) : this.write(operand);
    const found =
      operand.kind === 'cells' || operand.kind === 'spill' || operand.kind === 'name'
        ? resolveReference(sheet.workbook, written, sheet)
        : undefined;
    if (found === undefined) {
      const isOfCells = operand.kind === 'call' && ofCells.has(operand.name);
      return `${calls.single}(${written},${row + 1},${column + 1},${isOfCells ? 'TRUE' : 'FALSE'})`;
    }
    const { area } = found;
    const at = {
      row: area.rows === 1 ? area.row : row,
      column: area.columns === 1 ? area.column : column,
    };
    return contains(area, cellArea(at)) ? fixedAddress(found.sheet.name, cellArea(at)) : '#VALUE!';
  }

  /** INDEX of an entire column or row of cells, which the engine returns as values: in the row or column of the formula. */
  #rowOfIndex(part: Part & { kind: 'call' }): string {
    const [cells, ...numbers] = part.args;
    const { sheet, row, column } = this.#place;
    const area = cells && resolveReference(sheet.workbook, textOf(this.#text, cells), sheet)?.area;
    if (part.name !== 'INDEX' || area === undefined || numbers.length === 0) return this.write(part);
    const isWhole = (arg: Part | undefined) => arg !== undefined && /^0?$/.test(textOf(this.#text, arg).trim());
    const written = [this.write(cells!), ...numbers.map((arg) => this.write(arg))];
    const places = [
      { at: row - area.row + 1, count: area.rows },
      { at: column - area.column + 1, count: area.columns },
    ];
    for (const [index, { at, count }] of places.entries()) {
      if (!isWhole(numbers[index]) || count === 1) continue;
      if (at < 1 || at > count) return '#VALUE!';
      written[index + 1] = String(at);
    }
    return `INDEX(${written.join(',')})`;
  }

  /** An area; one that is too large ends where the sheet does. */
  #area(part: Part): string {
    const text = textOf(this.#text, part);
    const found = resolveReference(this.#place.sheet.workbook, text, this.#place.sheet);
    if (found === undefined || found.area.rows * found.area.columns <= MAX_AREA) return text;
    const used = usedArea(found.sheet, true);
    const rows = isUnbounded(found.area) ? Math.min(found.area.rows, found.sheet.rows.length) : found.area.rows;
    if (rows * found.area.columns <= MAX_AREA) return text;
    const filled = isUnbounded(found.area) && used ? intersection(found.area, used) : undefined;
    if (filled === undefined || filled.rows * filled.columns > MAX_AREA) return refusal('tooMuch');
    return fixedAddress(found.sheet.name, filled);
  }

  /** A name whose meaning the engine does not read: of cells that a formula fills, of a range operator, of two areas. */
  #name(part: Part & { kind: 'name' }): string {
    const { name } = part;
    const text = textOf(this.#text, part);
    const { sheet } = this.#place;
    const item = itemOf(name, sheet);
    const meaning = item?.formula.slice(1) ?? '';
    // The engine knows no name behind a sheet.
    const isOnSheet = name.includes('!');
    if (item === undefined || (!isOnSheet && !/[#:,]/.test(meaning))) return text;
    const found = resolveReference(sheet.workbook, text, sheet);
    if (found !== undefined) return isOnSheet ? fixedAddress(found.sheet.name, found.area) : text;
    if (/LAMBDA\s*\(/i.test(meaning)) return isOnSheet ? unread : text;
    if (this.#depth > MAX_NAMES.depth || ++this.#meanings.count > MAX_NAMES.count) return unread;
    const inner = withOwnNames(`(${engineText(`=${meaning}`)})`);
    const tree = formulaTree(inner);
    if (tree === undefined) return unread;
    const home = { ...this.#place, sheet: item.scope ?? sheet };
    return new Writer(inner, home, true, this.#depth + 1, this.#meanings).write(tree);
  }

  /** An end of a range, as in `A2:INDEX(A:A,9)`. The engine takes cells, and functions that return cells as such. */
  #endOfRange(part: Part): string {
    const { sheet } = this.#place;
    if (part.kind === 'name') {
      const found = resolveReference(sheet.workbook, part.name, sheet);
      // The engine does not take an end with the name of a sheet.
      if (found !== undefined)
        return found.sheet === sheet ? areaAddress(found.area) : fixedAddress(found.sheet.name, found.area);
    }
    const written = part.kind === 'call' ? this.#cellsOfCall(part) : undefined;
    if (written !== undefined) return written;
    const isEnd = /:\s*$/.test(this.#text.slice(0, part.start)) || /^\s*:/.test(this.#text.slice(part.end));
    const isUnknown = part.kind === 'call' && ['INDEX', 'OFFSET', 'XLOOKUP'].includes(part.name);
    return isEnd && isUnknown ? unread : this.write(part);
  }

  /** A call that returns cells of an area, by their address; undefined when it is not known of which. */
  #cellsOfCall(part: Part & { kind: 'call' }): string | undefined {
    const address = this.#addressOfCall(part);
    return address && `INDIRECT(${address})`;
  }

  /** The address of the cells of an area that a call returns. @param given other texts for its arguments */
  #addressOfCall({ name, args }: Part & { kind: 'call' }, given?: readonly string[]): string | undefined {
    const { sheet } = this.#place;
    const areaOf = (arg: Part | undefined) =>
      arg && resolveReference(sheet.workbook, textOf(this.#text, arg).trim(), sheet);
    const [first, second, third, notFound, ...modes] = args;
    if (name === 'INDEX' || name === 'OFFSET') {
      const area = areaOf(first);
      if (area === undefined || args.length < 2) return undefined;
      const numbers = given?.slice(1) ?? args.slice(1).map((arg) => this.write(arg));
      return `${name === 'INDEX' ? calls.index : calls.offset}(${[quotedAddress(area), ...numbers].join(',')})`;
    }
    const [keys, area] = [areaOf(second), areaOf(third)];
    if (name !== 'XLOOKUP' || keys === undefined || area === undefined) return undefined;
    if (notFound !== undefined && notFound.kind !== 'nothing') return undefined;
    const texts = [first!, second!, ...modes].map((arg) => this.write(arg));
    const match = `XMATCH(${withFoundText('XMATCH', texts).join(',')})`;
    const at = keys.area.columns === 1 ? [match, '0'] : ['0', match];
    return `${calls.index}(${[quotedAddress(area), ...at].join(',')})`;
  }

  #call(part: Part & { kind: 'call' }): string {
    const { name, args } = part;
    if (name === 'INDEX' && this.#isWithin(args[0])) {
      const written = this.#cellsOfCall(part);
      if (written !== undefined) return written;
    }
    const several = args.map((arg) => isSeveral(arg, this.#text, this.#place.sheet));
    const [only] = args;
    if ((name === 'ROWS' || name === 'COLUMNS') && only?.kind === 'cells' && !textOf(this.#text, only).includes('[')) {
      const found = resolveReference(this.#place.sheet.workbook, textOf(this.#text, only), this.#place.sheet);
      // The engine ends entire columns and rows where the sheet does.
      if (found !== undefined) return String(name === 'ROWS' ? found.area.rows : found.area.columns);
    }
    if (name === 'FORMULATEXT' && only !== undefined) {
      const found = resolveReference(this.#place.sheet.workbook, textOf(this.#text, only), this.#place.sheet);
      // The engine has only what it was given for a formula.
      if (found !== undefined) {
        const isLarge = !isUnbounded(found.area) && found.area.rows * found.area.columns > MAX_AREA;
        return isLarge ? refusal('tooMuch') : `${calls.formulas}(${quotedAddress(found)})`;
      }
    }
    const areas = alikeAreas(part, this.#text, this.#place.sheet);
    const written = args.map((arg, index) => {
      const found = areas.get(index);
      return found === undefined ? this.write(arg) : fixedAddress(found.sheet.name, found.area);
    });
    if (name === 'LAMBDA' && written.length > 0) {
      written.push(`IF(${calls.step}(${STEPS_OF_CALL}),${written.pop()})`);
      return spliced(this.#text, part, written);
    }
    if (isSubtotal(name)) return this.#subtotal(part, written);
    if ((name === 'ROW' || name === 'COLUMN') && only?.kind === 'call') {
      // The engine does not say where a single cell is that a function returns.
      const address = this.#addressOfCall(only);
      if (address !== undefined) return `${calls.numbers}("${name}",${address})`;
      if (only.name === 'INDIRECT' && only.args.length === 1) {
        return `${calls.numbers}("${name}",${this.write(only.args[0]!)},${written[0]})`;
      }
    }
    if ((name === 'ROW' || name === 'COLUMN') && several[0]) return `${calls.numbers}("${name}",${written[0]})`;
    if (name === 'CHOOSE' && several[0]) return `${calls.choose}(${written.join(',')})`;
    const each = args.flatMap((_, index) => (several[index] && oneValue[name]?.(index) ? [index] : []));
    if (each.length === 0) return this.#spending(part, written);
    return this.#mapped(part, written, each);
  }

  /** A call that begins only when it does not take too long. */
  #spending(part: Part & { kind: 'call' }, args: readonly string[]): string {
    const unused = ignored[part.name];
    if (unused !== undefined && !/^\s*(?:TRUE|1)?\s*$/i.test(args[unused] ?? '')) return unread;
    const given = args.map((text, index) => this.#converted(part, index, text));
    const written = withFoundText(part.name, given);
    if (ofBlanks.has(part.name)) return this.#countingBlanks(part, written);
    if (costs[part.name] === undefined || written.length === 0 || isCheap(part, this.#text)) {
      return spliced(this.#text, part, written);
    }
    const isGiven = (index: number) => part.args[index]!.kind !== 'nothing';
    const names = written.map((text, index) => (isGiven(index) ? `LL_SPENT${this.#names++}` : text));
    const bound = names.flatMap((name, index) => (isGiven(index) ? [`${name},${written[index]}`] : []));
    const call = `IF(${calls.spend}("${part.name}",${names.join(',')}),${spliced(this.#text, part, names)})`;
    return bound.length === 0 ? call : `LET(${bound.join(',')},${call})`;
  }

  /** An argument as a function of the engine takes it: an empty cell as 0, a text as the date that it is, a number as a text. */
  #converted(part: Part & { kind: 'call' }, index: number, text: string): string {
    const { name, args } = part;
    const { kind } = args[index]!;
    if (kind === 'nothing') return text;
    // The engine counts neither truth values nor texts of numbers that stand in the formula.
    if (name === 'COUNT' && kind === 'value') return `${calls.counted}(${text})`;
    if (dated[name]?.includes(index)) return `${ofCalendar.has(name) ? calls.calendar : calls.date}(${text})`;
    return zeroWhenEmpty[name]?.includes(index) && kind !== 'value'
      ? `${calls.zero}(${text})`
      : textArgument(part, index, this.#isOfCells(args[index]!) ? cellArgument(name, text) : text);
  }

  /** Whether a part means cells: those that it names, or that a function returns. */
  #isOfCells(part: Part): boolean {
    if (part.kind === 'cell') return true;
    const { sheet } = this.#place;
    if (part.kind === 'name') return resolveReference(sheet.workbook, part.name, sheet) !== undefined;
    return part.kind === 'call' && (part.name === 'INDIRECT' || this.#addressOfCall(part) !== undefined);
  }

  /** A count of entire columns or rows, which may count the cells that are not in use: the engine leaves those out. */
  #countingBlanks(part: Part & { kind: 'call' }, written: readonly string[]): string {
    const { sheet: home } = this.#place;
    const isRange = (index: number) => index % 2 === 0;
    const ranges = part.args.map((arg, index) =>
      isRange(index) && arg.kind === 'cells'
        ? resolveReference(home.workbook, textOf(this.#text, arg), home)
        : undefined,
    );
    const all = ranges.filter((_, index) => isRange(index));
    const [first] = all;
    if (first === undefined || !all.every((one) => one !== undefined && isUnbounded(one.area))) {
      return spliced(this.#text, part, written);
    }
    const size = { rows: 1, columns: 1 };
    for (const { sheet, area } of all as SheetArea[]) {
      const used = usedArea(sheet, true) ?? cellArea(area);
      size.rows = Math.max(size.rows, Math.min(area.rows, used.row + used.rows - area.row));
      size.columns = Math.max(size.columns, Math.min(area.columns, used.column + used.columns - area.column));
    }
    const withRanges = (text: (range: SheetArea) => string) =>
      spliced(
        this.#text,
        part,
        written.map((one, index) => (ranges[index] ? text(ranges[index]) : one)),
      );
    const counted = withRanges(({ sheet, area }) => fixedAddress(sheet.name, { ...area, ...size }));
    const others = first.area.rows * first.area.columns - size.rows * size.columns;
    // A cell that is not in use stands for the others.
    const isCounted = withRanges(({ sheet, area }) => fixedAddress(sheet.name, cellArea(lastOf(area))));
    return `(${counted}+${others}*${isCounted})`;
  }

  /** The steps of a function that looks something up in areas, each time that it is called. */
  #stepsOf(part: Part & { kind: 'call' }, each: readonly number[]): number {
    const { sheet } = this.#place;
    const sizes = part.args.map((arg, index) => {
      if (each.includes(index)) return 0;
      const area = resolveReference(sheet.workbook, textOf(this.#text, arg), sheet)?.area;
      return area === undefined ? 0 : Math.min(area.rows, sheet.rows.length) * Math.min(area.columns, 100);
    });
    return Math.round(Math.max(...sizes) / 200);
  }

  /** A call for each value of some arguments. */
  #mapped(part: Part & { kind: 'call' }, written: readonly string[], each: readonly number[]): string {
    return this.#forEach(written, each, this.#stepsOf(part, each), (texts) => this.#spending(part, texts));
  }

  /**
   * A call for each value of some of its arguments. Where there are several of those, they are spread to one size first.
   * @param written the arguments
   * @param each the places of those whose values are taken one by one
   */
  #forEach(
    written: readonly string[],
    each: readonly number[],
    steps: number,
    callOf: (texts: readonly string[]) => string,
  ): string {
    const names = each.map(() => `LL_EACH${this.#names++}`);
    const call = callOf(written.map((text, index) => names[each.indexOf(index)] ?? text));
    const body = steps === 0 ? call : `IF(${calls.step}(${steps}),${call})`;
    if (each.length === 1) return `MAP(${written[each[0]!]},LAMBDA(${names[0]},${body}))`;
    const given = each.map(() => `LL_GIVEN${this.#names++}`);
    const bound = given.map((one, index) => `${one},${written[each[index]!]}`);
    const spread = given.map((_, index) => `${calls.spread}(${index},${given.join(',')})`);
    return `LET(${bound.join(',')},MAP(${spread.join(',')},LAMBDA(${names.join(',')},${body})))`;
  }

  /** A call of SUBTOTAL or AGGREGATE; of OFFSET with several numbers it gets the cells for one after the other. */
  #subtotal(part: Part & { kind: 'call' }, written: readonly string[]): string {
    const call = (offset?: readonly string[]) => spliced(this.#text, part, this.#shown(part, written, offset));
    const offset = part.args.find(isOffset);
    if (offset === undefined) return call();
    const { sheet } = this.#place;
    const each = offset.args.flatMap((arg, index) => (index > 0 && isSeveral(arg, this.#text, sheet) ? [index] : []));
    const numbers = offset.args.map((arg) => this.write(arg));
    return each.length === 0 ? call() : this.#forEach(numbers, each, STEPS_OF_CALL, call);
  }

  /**
   * The arguments of SUBTOTAL and AGGREGATE without what these leave out. Arrays that are computed have no rows, and of a
   * single cell the engine does not say where it is.
   * @param offset other texts for the arguments of OFFSET
   */
  #shown({ name, args }: Part & { kind: 'call' }, written: readonly string[], offset?: readonly string[]): string[] {
    const first = name === 'SUBTOTAL' ? 1 : 2;
    return written.map((text, index) => {
      const arg = args[index]!;
      const isReference =
        ['cell', 'cells', 'spill', 'name'].includes(arg.kind) ||
        (arg.kind === 'call' && ['OFFSET', 'INDIRECT'].includes(arg.name));
      if (index < first || !isReference) return text;
      const { sheet } = this.#place;
      const of = referencesOf(`=${textOf(this.#text, arg)}`, sheet, this.#place).areas[0]?.sheet ?? sheet;
      const isCall = arg.kind === 'call';
      const found = isCall ? undefined : resolveReference(sheet.workbook, text, sheet);
      const address = isCall ? this.#addressOfCall(arg, offset) : found && quotedAddress(found);
      const cells = isCall && address !== undefined ? `INDIRECT(${address})` : text;
      return `${calls.shown}(${[`"${name}"`, written[first - 1], `"${of.id}"`, cells, address ?? '""'].join(',')})`;
    });
  }
}

/** The address of cells as a text in a formula. */
const quotedAddress = ({ sheet, area }: SheetArea): string =>
  `"${fixedAddress(sheet.name, area).replaceAll('"', '""')}"`;

/** The cells that the formula in a cell fills; #REF! when it has none, or they have no room. */
function spillAddress(anchor: string, home: Sheet): string {
  const found = resolveReference(home.workbook, anchor, home);
  const cell = found && cellAt(found.sheet, found.area.row, found.area.column);
  if (found === undefined || cell?.formula === undefined || cell.value === '#SPILL!') return '#REF!';
  if (cell.spills !== undefined && cell.spills.rows * cell.spills.columns > 1)
    return fixedAddress(found.sheet.name, cell.spills);
  return isErrorValue(cell.value) || anchor.includes('!') ? anchor : areaAddress(found.area);
}
