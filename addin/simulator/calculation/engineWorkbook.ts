import type { CellLike, FormulaResultLike, WorkbookLike, WorksheetLike } from '@cj-tech-master/excelts/formula';
import { type Area, contains, fixedAddress } from '../workbook/cells/address.ts';
import { type CellValue, isErrorValue } from '../workbook/cells/entry.ts';
import type { NamedItem } from '../workbook/names.ts';
import { type Cell, cellAt, forEachCell, isBlank, isHiddenRow, type Sheet } from '../workbook/sheet.ts';
import { allTables, bodyArea } from '../workbook/table.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { AddInFunctions } from './addInFunctions.ts';
import { calls } from './argumentKinds.ts';
import { type EngineFormula, engineFormula, engineMeaning } from './arrayFormulas.ts';
import type { FormulaCell } from './dependencies.ts';
import { engineName, withEngineNames } from './engineNames.ts';
import { lostNames } from './engineText.ts';
import { cellValues, error, filled, kinds, type Value } from './engineValues.ts';
import { criteriaFunctions } from './excelFunctions/criteria.ts';
import { arrayFunctions, ownFunctions } from './excelFunctions/ownFunctions.ts';
import { patternFunctions } from './excelFunctions/patternLookups.ts';
import { sortFunctions } from './excelFunctions/sortFunctions.ts';
import { numberIn } from './excelFunctions/valueFunctions.ts';
import { referencesOf, type SheetArea } from './formulaReferences.ts';
import { CircularFormulas } from './limits/circularFormulas.ts';
import { costs, type Spent } from './limits/costs.ts';
import { type Reason, refused } from './limits/refused.ts';
import type { Portion } from './portions.ts';
import { SharedAreas } from './sharedAreas.ts';
import type { Result } from './spills.ts';

/** What the engine knows of cells: an empty one, and one with a formula. Any other number is a value. */
const types = { empty: 0, value: 2, formula: 6 } as const;

const noModel = {};

const typeOf = (cell: Cell | undefined): number => (isBlank(cell) ? types.empty : types.value);

/** A result without characters is a text; an empty cell is not. */
const engineValueOf = (cell: Cell | undefined): unknown =>
  !isBlank(cell) && (cell?.value === '' || cell?.quoted) ? cell!.value : toEngine(cell?.value ?? '');

/** The values of a formula that was calculated, and what its cell says of an error. */
type Given = Pick<Result, 'values' | 'message'>;

/** A formula that is calculated. */
class FormulaLike implements CellLike {
  readonly row: number;
  readonly col: number;
  readonly type = types.formula;
  readonly formula: string;
  readonly model: { formula: string };
  readonly value = null;
  readonly #cell: FormulaCell;
  readonly #results: Result[];
  readonly #mayFill: boolean;
  readonly #given: () => Given | undefined;

  /**
   * @param formula as the engine gets it
   * @param given what the formula gave: the engine returns its first value only
   */
  constructor(cell: FormulaCell, { text, mayFill }: EngineFormula, results: Result[], given: () => Given | undefined) {
    this.row = cell.row + 1;
    this.col = cell.column + 1;
    this.formula = text;
    this.#mayFill = mayFill;
    this.model = { formula: this.formula };
    this.#cell = cell;
    this.#results = results;
    this.#given = given;
  }

  get result(): FormulaResultLike {
    return undefined;
  }

  set result(result: FormulaResultLike) {
    const { values, message } = this.#given() ?? { values: [[fromEngine(result)]] };
    this.#results.push({ cell: this.#cell, mayFill: this.#mayFill, values, message });
  }
}

/**
 * A workbook as the formula engine reads it: the formulas to be calculated, and the cells that they refer to.
 * @param portion the formulas that are calculated; all others are values
 * @param isWhole whether every cell is read; left out: those that the formulas refer to
 * @param addIn the functions of an add-in, which has begun with the formulas
 * @param spent what formulas of this calculation took
 * @returns also whether formulas that wait for each other were too many, once they were calculated
 */
export function engineWorkbook(
  workbook: Workbook,
  { formulas: calculated, circular: maybeCircular }: Portion,
  isWhole: boolean,
  addIn: AddInFunctions | undefined,
  spent: Spent,
): { like: WorkbookLike; results: Result[]; isUnfinished: () => boolean } {
  const results: Result[] = [];
  const formulas = new Map<Cell, FormulaCell>();
  for (const one of calculated) formulas.set(cellAt(one.sheet, one.row, one.column)!, one);
  const shared = new SharedAreas(formulas);
  const names = [...workbook.names, ...workbook.sheets.flatMap(({ names }) => names)];
  const lost = lostNames(names);
  const written = new Map<FormulaCell, EngineFormula & { number: number }>();
  /** What formulas gave, by their numbers. */
  const given = new Map<number, Given>();
  const circular = new CircularFormulas();
  const keep = ({ value }: Value, result: Value): Value => {
    const number = value as number;
    const values = cellValues(result);
    const isCircular = circular.end(number);
    const reason = isCircular ? 'circular' : spent.reasonOf(calculated[number]!);
    given.set(number, reason === undefined ? { values } : refused(calculated[number]!, reason));
    const first = result.kind === kinds.array ? (result.rows?.[0]?.[0] ?? error('#CALC!')) : result;
    const read = reason === undefined ? filled(first) : error('#CALC!');
    return maybeCircular.has(calculated[number]!) ? circular.watched(number, read) : read;
  };
  const maySpend = (steps: number): Value =>
    spent.spend(calculated[circular.current ?? 0]!, steps) ? { kind: kinds.boolean, value: true } : error('#CALC!');
  const refuse = (reason: Reason): Value => {
    spent.refuse(calculated[circular.current ?? 0]!, reason);
    return error('#CALC!');
  };
  const areas = new Map<Sheet, SheetArea[]>();
  for (const [number, one] of calculated.entries()) {
    const { text, mayFill } = engineFormula(one, lost);
    const formula = shared.rewrite(text, one.sheet);
    const called = addIn === undefined ? formula : addIn.engineFormula(formula, number);
    const known = `${calls.result}(${calls.begin}(${number}),${withEngineNames(called)})`;
    written.set(one, { text: known, mayFill, number });
    if (isWhole) continue;
    const isSame = formula === one.formula.slice(1);
    const references = isSame ? one.references : referencesOf(formula, one.sheet, one);
    // INDEX and XLOOKUP have the address of their cells in a text, where no reference is found.
    const isByAddress = text.includes(`INDIRECT(${calls.index}(`);
    for (const reference of [
      ...references.areas,
      ...(isByAddress ? one.references.areas : []),
      { sheet: one.sheet, area: { row: one.row, column: one.column, rows: 1, columns: 1 } },
    ]) {
      const known = areas.get(reference.sheet);
      if (known === undefined) areas.set(reference.sheet, [reference]);
      else known.push(reference);
    }
  }

  const cellLike = (cell: Cell | undefined, row: number, column: number): CellLike => {
    const own = cell && formulas.get(cell);
    if (own !== undefined) {
      const one = written.get(own)!;
      return new FormulaLike(own, one, results, () => given.get(one.number));
    }
    return {
      row: row + 1,
      col: column + 1,
      type: typeOf(cell),
      model: noModel,
      value: engineValueOf(cell),
      result: undefined,
    };
  };

  const worksheetLike = (sheet: Sheet, id: number): WorksheetLike => {
    const columns = sheet.rows.reduce((most, row) => Math.max(most, row?.cells.length ?? 0), 0);
    return {
      id,
      name: sheet.name,
      dimensions: columns > 0 ? { top: 1, left: 1, bottom: sheet.rows.length, right: columns } : null,
      eachRow: (...args: unknown[]) => {
        const visit = args.at(-1) as (
          row: { hidden?: boolean; eachCell: WorksheetLike['eachRow'] },
          number: number,
        ) => void;
        const needed = isWhole ? undefined : unionOf((areas.get(sheet) ?? []).map(({ area }) => area));
        for (const [row, columns] of rowsOf(sheet, needed)) {
          visit(
            {
              hidden: isHiddenRow(sheet, row),
              eachCell: ((...more: unknown[]) => {
                const each = more.at(-1) as (cell: CellLike, column: number) => void;
                for (const column of columns) each(cellLike(cellAt(sheet, row, column), row, column), column + 1);
              }) as never,
            },
            row + 1,
          );
        }
      },
      findCell: (row, column) => cellLike(cellAt(sheet, row - 1, column - 1), row - 1, column - 1),
      getCell: (row, column) => cellLike(undefined, row - 1, column - 1),
      getTables: () =>
        sheet.tables.map(({ name, area, columns }) => ({
          table: {
            name: engineName(name),
            displayName: engineName(name),
            tl: { row: area.row + 1, col: area.column + 1 },
            columns,
            rows: { length: area.rows - 1 } as unknown[],
            headerRow: true,
            totalsRow: false,
          },
        })),
      mergedRegions: sheet.merges.map(({ row, column, rows, columns }) => ({
        top: row + 1,
        left: column + 1,
        bottom: row + rows,
        right: column + columns,
      })),
    };
  };

  const worksheets = workbook.sheets.map((sheet, index) => worksheetLike(sheet, index + 1));
  const byName = new Map(worksheets.map((worksheet) => [worksheet.name.toLowerCase(), worksheet]));
  // The engine knows a table by its columns only: by its name alone it is the cells of its rows.
  const tables = allTables(workbook).map((table) => ({
    name: engineName(table.name),
    ranges: [fixedAddress(table.sheet.name, bodyArea(table))],
  }));
  const entries = [...names.map((item) => nameLike(workbook, item)), ...tables];
  return {
    like: {
      worksheets,
      getWorksheet: (id) => (typeof id === 'number' ? worksheets[id - 1] : byName.get(String(id).toLowerCase())),
      userFunctions: new Map([
        ...ownFunctions(workbook.locale),
        ...arrayFunctions(workbook),
        [
          calls.begin,
          {
            minArity: 1,
            maxArity: 1,
            invoke: ([number]) => {
              circular.begin((number as Value).value as number);
              return number as Value;
            },
          },
        ],
        [
          calls.result,
          { minArity: 2, maxArity: 2, invoke: ([number, value]) => keep(number as Value, value as Value) },
        ],
        [calls.step, { minArity: 1, maxArity: 1, invoke: ([steps]) => maySpend(Number((steps as Value).value)) }],
        [
          calls.calendar,
          {
            minArity: 1,
            maxArity: 1,
            invoke: ([given]) => {
              const date = numberIn(given as Value, workbook.locale);
              return date.kind === kinds.number && Number(date.value) < 61 ? refuse('tooEarly') : date;
            },
          },
        ],
        [calls.refuse, { minArity: 1, maxArity: 1, invoke: ([reason]) => refuse((reason as Value).value as Reason) }],
        [
          calls.spend,
          {
            minArity: 1,
            maxArity: 255,
            invoke: ([name, ...args]) => maySpend(costs[String((name as Value).value)]!(args as Value[])),
          },
        ],
        ...criteriaFunctions(workbook.locale),
        ...patternFunctions(maySpend),
        ...sortFunctions,
        ...shared.functions,
        ...(addIn?.userFunctions ?? []),
      ]),
      definedNames: { getAllEntries: () => entries, getAllNames: () => entries },
      // See `CircularFormulas`.
      calcProperties: { iterate: maybeCircular.size > 0, iterateCount: 1 },
    },
    results,
    isUnfinished: () => circular.isUnfinished,
  };
}

function nameLike(workbook: Workbook, item: NamedItem) {
  const { name, scope } = item;
  return {
    name: engineName(name),
    // The engine reads a formula there too, and leaves out a name without any.
    ranges: [withEngineNames(engineMeaning(item, workbook))],
    ...(scope === undefined ? {} : { localSheetId: workbook.sheets.indexOf(scope) }),
  };
}

/** The rows of a sheet that have cells in some areas, with the columns of these; all rows without areas. */
function* rowsOf(sheet: Sheet, areas: readonly Area[] | undefined): Generator<[number, number[]]> {
  if (areas === undefined) {
    for (const [row, line] of sheet.rows.entries()) {
      const columns = line?.cells.flatMap((cell, column) => (isBlank(cell) ? [] : [column])) ?? [];
      if (columns.length > 0) yield [row, columns];
    }
    return;
  }
  const found = new Map<number, Set<number>>();
  for (const area of areas) {
    forEachCell(sheet, area, (cell, row, column) => {
      if (isBlank(cell)) return;
      const columns = found.get(row);
      if (columns === undefined) found.set(row, new Set([column]));
      else columns.add(column);
    });
  }
  for (const row of [...found.keys()].sort((a, b) => a - b)) yield [row, [...found.get(row)!].sort((a, b) => a - b)];
}

/** Areas without those that lie in another one. */
function unionOf(areas: readonly Area[]): Area[] {
  const distinct = [...new Map(areas.map((area) => [fixedAddress('', area), area])).values()];
  const blocks = distinct.filter(({ rows, columns }) => rows > 1 || columns > 1);
  // Comparing each with each costs more than it saves when there are many.
  const outer =
    blocks.length > 200
      ? blocks
      : blocks.filter((one) => !blocks.some((other) => other !== one && contains(other, one)));
  return [...outer, ...distinct.filter(({ rows, columns }) => rows === 1 && columns === 1)];
}

const toEngine = (value: CellValue): unknown => (value === '' ? null : isErrorValue(value) ? { error: value } : value);

function fromEngine(result: FormulaResultLike | null): CellValue {
  if (result === undefined || result === null) return 0;
  if (typeof result === 'object') return 'error' in result ? result.error : 0;
  return result;
}

/** Whether every formula has its result. */
export const hasEveryResult = ({ sheets }: Workbook): boolean =>
  sheets.every(({ rows }) =>
    rows.every((row) => row?.cells.every((cell) => cell?.formula === undefined || cell.formula !== cell.value) ?? true),
  );
