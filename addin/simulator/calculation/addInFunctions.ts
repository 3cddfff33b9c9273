import type { WorkbookLike } from '@cj-tech-master/excelts/formula';
import type { CallResult, CallValue, FunctionCalls } from '../functionCalls.ts';
import { areaAddress, cellArea, quotedSheetName } from '../workbook/cells/address.ts';
import { BUSY } from '../workbook/cells/entry.ts';
import { NAME_SIGNS } from '../workbook/cells/formulas/formulaTokens.ts';
import type { FormulaCell } from './dependencies.ts';
import { error, kinds, type Value } from './engineValues.ts';

/** A function in cells that an add-in declares, as `LEDGER.BALANCE`, and the id that it associates. */
type DeclaredFunction = {
  name: string;
  id: string;
  parameters: readonly { isMatrix?: boolean; isOptional?: boolean }[];
};

/** The functions that an add-in declares, and the calls of them. */
export type AddIn = { functions: readonly DeclaredFunction[]; calls: FunctionCalls };

/** The calls of a cell by function and arguments; undefined until they have a result. */
type Calls = Map<string, CallResult | undefined>;

type UserFunctions = NonNullable<WorkbookLike['userFunctions']>;

/**
 * Functions of an add-in in formulas. Their results come later: until then a formula is busy, and then it is calculated
 * again. A formula that is calculated because something changed calls its functions again, as in Excel.
 */
export class AddInFunctions {
  readonly userFunctions: UserFunctions;
  readonly #names: RegExp;
  readonly #calls: FunctionCalls;
  readonly #onResults: () => void;
  readonly #ofCells = new Map<FormulaCell, Calls>();
  #due = new Set<FormulaCell>();
  /** The formulas that the engine calculates now: it passes their numbers. */
  #calculated: readonly FormulaCell[] = [];

  /** @param onResults called when some formulas are due to be calculated again */
  constructor({ functions, calls }: AddIn, onResults: () => void) {
    this.#calls = calls;
    this.#onResults = onResults;
    const names = functions.map(({ name }) => name.replaceAll('.', '\\.'));
    this.#names = new RegExp(
      `"(?:[^"]|"")*"|'(?:[^']|'')*'|(?<![${NAME_SIGNS}])(${names.join('|')})\\s*\\((\\s*\\))?`,
      'giu',
    );
    this.userFunctions = new Map(functions.map((one) => [one.name.toUpperCase(), this.#userFunction(one)]));
  }

  /** The engine calculates some formulas next. */
  begin(cells: readonly FormulaCell[]): void {
    this.#calculated = cells;
  }

  /** A formula as the engine calculates it: its calls pass the number of the formula first. */
  engineFormula(formula: string, number: number): string {
    return formula.replace(this.#names, (whole, name?: string, end?: string) =>
      name === undefined ? whole : `${name}(${number}${end === undefined ? ',' : ')'}`,
    );
  }

  /** The message of a cell whose function failed. */
  messageOf(cell: FormulaCell, shown: unknown): string | undefined {
    for (const result of this.#ofCells.get(cell)?.values() ?? []) {
      if (result !== undefined && 'error' in result && result.error === shown) return result.message;
    }
    return undefined;
  }

  /** Drops the calls of a formula that is no longer there. */
  forget(cell: FormulaCell): void {
    this.#ofCells.delete(cell);
    this.#due.delete(cell);
  }

  forgetAll(): void {
    this.#ofCells.clear();
    this.#due.clear();
  }

  /** The formulas whose functions have results since the last time. */
  takeDue(): FormulaCell[] {
    const due = [...this.#due];
    this.#due = new Set();
    return due;
  }

  #userFunction({
    id,
    parameters,
  }: DeclaredFunction): UserFunctions extends ReadonlyMap<string, infer One> ? One : never {
    return {
      minArity: parameters.filter(({ isOptional }) => !isOptional).length + 1,
      maxArity: parameters.length + 1,
      invoke: (given) => {
        const [number, ...values] = given as Value[];
        const cell = this.#calculated[Number(number!.value)]!;
        const args: unknown[] = [];
        for (const [index, { isMatrix }] of parameters.entries()) {
          const value = values[index];
          const failed = errorIn(value);
          if (failed !== undefined) return failed;
          const matrix = matrixOf(value);
          if (!isMatrix && (matrix.length > 1 || matrix[0]!.length > 1)) return error('#VALUE!');
          args.push(value === undefined ? null : isMatrix ? matrix : matrix[0]![0]);
        }
        return this.#resultOf(cell, id, args);
      },
    };
  }

  #resultOf(cell: FormulaCell, id: string, args: readonly unknown[]): Value {
    let calls = this.#ofCells.get(cell);
    if (calls === undefined) {
      calls = new Map();
      this.#ofCells.set(cell, calls);
    }
    const key = `${id} ${JSON.stringify(args)}`;
    if (!calls.has(key)) this.#call(cell, calls, key, id, args);
    const result = calls.get(key);
    if (result === undefined) return error(BUSY);
    return 'error' in result ? error(result.error) : resultValue(result.value);
  }

  #call(cell: FormulaCell, calls: Calls, key: string, id: string, args: readonly unknown[]): void {
    calls.set(key, undefined);
    const address = `${quotedSheetName(cell.sheet.name)}!${areaAddress(cellArea(cell))}`;
    void this.#calls.call(id, [...args, { address, isInValuePreview: false }]).then((result) => {
      // The formula was changed, or calculated anew, while this was on its way.
      if (this.#ofCells.get(cell) !== calls) return;
      calls.set(key, result);
      if (this.#due.size === 0) this.#onResults();
      this.#due.add(cell);
    });
  }
}

const scalarOf = ({ kind, value }: Value): unknown => (kind === kinds.blank ? null : value);

const matrixOf = (value: Value | undefined): unknown[][] => {
  if (value === undefined) return [[null]];
  return value.kind === kinds.array ? value.rows!.map((row) => row.map(scalarOf)) : [[scalarOf(value)]];
};

/** The first error among some values: a function is not called with one. */
const errorIn = (value: Value | undefined): Value | undefined =>
  value?.kind === kinds.array
    ? value.rows!.flat().find(({ kind }) => kind === kinds.error)
    : value?.kind === kinds.error
      ? value
      : undefined;

const resultValue = (value: CallValue | CallValue[][]): Value => {
  if (Array.isArray(value)) {
    const rows = value.map((row) => row.map(resultValue));
    return { kind: kinds.array, rows, height: rows.length, width: rows[0]!.length };
  }
  if (typeof value === 'object') return error(value.error);
  const kind = typeof value === 'number' ? kinds.number : typeof value === 'string' ? kinds.text : kinds.boolean;
  return { kind, value };
};
