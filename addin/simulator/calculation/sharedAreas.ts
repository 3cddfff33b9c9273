import type { WorkbookLike } from '@cj-tech-master/excelts/formula';
import { type Area, fixedAddress, intersection, isUnbounded, matrixOf, parseArea } from '../workbook/cells/address.ts';
import { type CellValue, isError } from '../workbook/cells/entry.ts';
import { resolveReference } from '../workbook/reference.ts';
import { type Cell, cellAt, isBlank, type Sheet, usedArea } from '../workbook/sheet.ts';
import type { FormulaCell } from './dependencies.ts';
import { losingFunction } from './engineText.ts';
import { blank, error, kinds, type Value } from './engineValues.ts';
import type { SheetArea } from './formulaReferences.ts';

/*
 * The engine makes the values of a range anew for each formula that refers to it: ten sums over a column read it ten
 * times. Here a range without formulas that are being calculated is made once, and those formulas call a function that
 * returns it.
 */

/** Functions that use the values of a range, and nothing else of it. */
const aggregates = new Set([
  ...['SUM', 'SUMIF', 'SUMIFS', 'AVERAGE', 'AVERAGEIF', 'AVERAGEIFS', 'COUNT', 'COUNTA', 'COUNTIF', 'COUNTIFS'],
  ...['MIN', 'MAX', 'MINIFS', 'MAXIFS', 'SUMPRODUCT', 'VLOOKUP'],
]);

/** The function in rewritten formulas. Typed into a cell it returns the cells of an address, or an error. */
const NAME = 'LEDGERLINE_AREA';

/** Smaller areas cost less than they would save. */
const MIN_CELLS = 50;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

type UserFunctions = NonNullable<WorkbookLike['userFunctions']>;
type UserFunction = UserFunctions extends ReadonlyMap<string, infer One> ? One : never;

/** The areas that formulas of one calculation share. */
export class SharedAreas {
  readonly #calculated: ReadonlyMap<Cell, FormulaCell>;
  readonly #values = new Map<string, Value | undefined>();
  readonly #used = new Map<Sheet, Area | undefined>();

  /** @param calculated the formulas that are calculated, by their cells */
  constructor(calculated: ReadonlyMap<Cell, FormulaCell>) {
    this.#calculated = calculated;
  }

  /** The function that rewritten formulas call. */
  get functions(): UserFunctions {
    const invoke = ([address]: readonly unknown[]) =>
      this.#values.get(String((address as Value).value)) ?? error('#NAME?');
    return new Map<string, UserFunction>([[NAME, { minArity: 1, maxArity: 1, invoke }], losingFunction]);
  }

  /** A formula on a sheet, without its "=", in which calls stand for the areas that are shared. */
  rewrite(text: string, sheet: Sheet): string {
    // Most formulas have neither an area nor a column of a table.
    if (!/[:[]/.test(text)) return text;
    let rewritten = '';
    let end = 0;
    for (const [start, length] of argumentsOf(text)) {
      const area = areaIn(text.slice(start, start + length).trim(), sheet);
      const key = area && this.#share(area);
      if (key === undefined) continue;
      rewritten += `${text.slice(end, start)}${NAME}(${quoted(key)})`;
      end = start + length;
    }
    return rewritten + text.slice(end);
  }

  /** @returns the key of an area; undefined when it is not shared */
  #share({ sheet, area }: SheetArea): string | undefined {
    const filled = isUnbounded(area) ? this.#within(sheet, area) : area;
    if (filled === undefined || filled.rows * filled.columns < MIN_CELLS) return undefined;
    const key = fixedAddress(sheet.name, area);
    if (!this.#values.has(key)) this.#values.set(key, this.#valuesOf(sheet, filled));
    return this.#values.get(key) && key;
  }

  /** Entire columns and rows end where the sheet does. */
  #within(sheet: Sheet, area: Area): Area | undefined {
    if (!this.#used.has(sheet)) this.#used.set(sheet, usedArea(sheet, true));
    const used = this.#used.get(sheet);
    return used && intersection(used, area);
  }

  /** The values of an area; undefined when one of them is being calculated. */
  #valuesOf(sheet: Sheet, area: Area): Value | undefined {
    let isConstant = true;
    const rows = matrixOf(area, (row, column) => {
      const cell = cellAt(sheet, row, column);
      if (cell?.formula !== undefined && this.#calculated.has(cell)) isConstant = false;
      return engineValue(cell);
    });
    if (!isConstant) return undefined;
    const origin = { originRow: area.row + 1, originCol: area.column + 1 };
    return { kind: kinds.array, rows, height: area.rows, width: area.columns, ...origin };
  }
}

const kindOf = { number: kinds.number, string: kinds.text, boolean: kinds.boolean } as const;

/** The value of a cell for functions of the engine. */
export function engineValue(cell: Cell | undefined): Value {
  if (cell === undefined || isBlank(cell)) return blank;
  const value: CellValue = cell.value;
  if (isError(cell)) return error(String(value));
  return { kind: kindOf[typeof value as keyof typeof kindOf], value };
}

/** The area that a text refers to: an address, or a column of a table. */
function areaIn(text: string, home: Sheet): SheetArea | undefined {
  const isAddress = parseArea(text.slice(text.lastIndexOf('!') + 1)) !== undefined;
  if (!isAddress && !/^[\p{L}_][\p{L}\p{N}_.]*\[[^[\]#@']+\]$/u.test(text)) return undefined;
  return resolveReference(home.workbook, text, home);
}

/** Texts, names of sheets, columns of tables, constant arrays; names before a parenthesis; and what divides arguments. */
const tokens =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|\[(?:[^[\]]|\[[^[\]]*\])*\]|\{[^}]*\}|([\p{L}_][\p{L}\p{N}_.]*)?(\()|[,)]/giu;

/** Where the arguments of aggregates stand in a formula: from which character, and how many. */
function* argumentsOf(text: string): Generator<[number, number]> {
  const open: { name: string; start: number }[] = [];
  for (const { 0: token, 1: name = '', 2: paren, index } of text.matchAll(tokens)) {
    if (paren !== undefined) {
      const plain = name.toUpperCase().replace(/^_XLFN\./, '');
      open.push({ name: plain, start: index + token.length });
    } else if (token === ',' || token === ')') {
      const call = open.at(-1);
      if (call !== undefined && aggregates.has(call.name)) yield [call.start, index - call.start];
      if (call !== undefined) call.start = index + 1;
      if (token === ')') open.pop();
    }
  }
}
