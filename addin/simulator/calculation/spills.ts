import {
  type Area,
  cellArea,
  contains,
  eachCell,
  indexes,
  intersection,
  MAX_COLUMNS,
  MAX_ROWS,
  type Position,
} from '../workbook/cells/address.ts';
import type { CellValue } from '../workbook/cells/entry.ts';
import {
  type Cell,
  cellAt,
  emptied,
  forEachCell,
  isBlank,
  putCell,
  type Sheet,
  withoutContent,
} from '../workbook/sheet.ts';
import { type FormulaCell, numberOf } from './dependencies.ts';
import type { SheetArea } from './formulaReferences.ts';

/** The result of a formula: one value, or rows of several. Also where it is one, it may be several another time. */
export type Result = {
  cell: FormulaCell;
  values: CellValue[][];
  mayFill: boolean;
  /** What the cell says of its error. */
  message?: string | undefined;
};

/** A larger result has no room. */
export const MAX_CELLS = 2_000_000;

/** What changed when results were written. */
export type Written = {
  /** Cells with other values than the formulas that were calculated with them had. */
  changed: SheetArea[];
  /** Cells that results no longer need. */
  freed: SheetArea[];
};

/**
 * The cells that results fill beside those of their formulas. They belong to one formula each: a result that would reach
 * a cell in use, of a table or of merged cells, is #SPILL! and fills none (Microsoft's "Dynamic array formulas and
 * spilled array behavior").
 */
export class Spills {
  readonly #owners = new Map<Sheet, Map<number, FormulaCell>>();
  readonly #filled = new Map<FormulaCell, Area>();
  /** The results without room, and where they would be. */
  readonly #blocked = new Map<FormulaCell, Area>();

  /** The results that cells have already, of a file or from before their rows moved. */
  adopt(cells: Iterable<FormulaCell>): void {
    let left = MAX_CELLS;
    for (const cell of cells) {
      const present = cellAt(cell.sheet, cell.row, cell.column);
      const { rows, columns } = present?.spills ?? { rows: 1, columns: 1 };
      const area = { row: cell.row, column: cell.column, rows, columns };
      // A file may say anything, and of any number of formulas.
      if (rows * columns === 1 || rows * columns > left || !canBe(area)) continue;
      left -= rows * columns;
      this.#own(cell, area);
      eachCell(area, (row, column) => {
        // A file has nothing for an empty text.
        if (!cellAt(cell.sheet, row, column)) putCell(cell.sheet, row, column, { value: '', spilled: true });
      });
    }
  }

  /** Empties cells that say they have part of a result, of which no formula is left. */
  emptyStrays({ sheet, area }: SheetArea): void {
    const strays: Position[] = [];
    forEachCell(sheet, area, ({ spilled }, row, column) => {
      if (spilled && this.#ownerOf(sheet, row, column) === undefined) strays.push({ row, column });
    });
    for (const { row, column } of strays) putCell(sheet, row, column, emptied(cellAt(sheet, row, column)));
  }

  /** Takes back the result of a formula that is no longer there. @returns the cells that it filled */
  drop(cell: FormulaCell): SheetArea[] {
    this.#blocked.delete(cell);
    const area = this.#filled.get(cell);
    if (area === undefined) return [];
    this.#release(cell, area, cellArea(cell));
    this.#filled.delete(cell);
    return [{ sheet: cell.sheet, area }];
  }

  /** The formulas whose results are in some cells, or have no room because of these. */
  at(areas: readonly SheetArea[]): FormulaCell[] {
    return [...touching(this.#filled, areas), ...this.blockedAt(areas)];
  }

  blockedAt(areas: readonly SheetArea[]): FormulaCell[] {
    return touching(this.#blocked, areas);
  }

  /** @param messageOf the message of a cell with an error of an add-in's function */
  write(results: readonly Result[], messageOf: (cell: FormulaCell, value: CellValue) => string | undefined): Written {
    const written: Written = { changed: [], freed: [] };
    for (const result of results) this.#write(result, messageOf, written);
    return written;
  }

  #write(
    { cell, values: ofFormula, mayFill, message: ofResult }: Result,
    messageOf: (cell: FormulaCell, value: CellValue) => string | undefined,
    { changed, freed }: Written,
  ): void {
    const { sheet, row, column } = cell;
    const present = cellAt(sheet, row, column);
    if (present?.formula === undefined) return;
    const values = present.array === undefined ? ofFormula : inCellsOf(present.array, ofFormula);
    const [rows, columns] = [values.length, values[0]!.length];
    const isOne = rows === 1 && columns === 1;
    const area = { row, column, rows, columns };
    const hasRoom = isOne || this.#hasRoom(cell, area);
    const value = hasRoom ? values[0]![0]! : '#SPILL!';
    present.value = value;
    const message = ofResult ?? messageOf(cell, value);
    if (message) present.message = message;
    else if (present.message !== undefined) delete present.message;
    if (isOne && !mayFill && present.spills === undefined) return;
    const before = this.#filled.get(cell);
    const after = hasRoom && !isOne ? area : cellArea(cell);
    if (before !== undefined && this.#release(cell, before, after)) {
      changed.push({ sheet, area: before });
      freed.push({ sheet, area: before });
    }
    this.#blocked.delete(cell);
    if (!hasRoom) {
      this.#blocked.set(cell, area);
      // Others were calculated with its first value.
      changed.push({ sheet, area: cellArea(cell) });
    }
    if (after !== area) {
      this.#filled.delete(cell);
      if (mayFill) present.spills = after;
      else delete present.spills;
      return;
    }
    present.spills = area;
    const isSame = before !== undefined && before.rows === area.rows && before.columns === area.columns;
    if (!isSame) this.#own(cell, area);
    if (this.#fill(cell, area, values) || !isSame) changed.push({ sheet, area });
  }

  #ownerOf(sheet: Sheet, row: number, column: number): FormulaCell | undefined {
    return this.#owners.get(sheet)?.get(numberOf({ row, column }));
  }

  #own(cell: FormulaCell, area: Area): void {
    const owners = this.#owners.get(cell.sheet) ?? new Map<number, FormulaCell>();
    this.#owners.set(cell.sheet, owners);
    this.#filled.set(cell, area);
    eachCell(area, (row, column) => {
      if (row !== cell.row || column !== cell.column) owners.set(numberOf({ row, column }), cell);
    });
  }

  /** Empties the cells of an earlier result that a later one leaves. @returns whether there were any */
  #release(cell: FormulaCell, before: Area, after: Area): boolean {
    const owners = this.#owners.get(cell.sheet);
    let hasLeft = false;
    eachCell(before, (row, column) => {
      const at = { row, column };
      if (contains(after, cellArea(at)) || owners?.get(numberOf(at)) !== cell) return;
      hasLeft = true;
      owners.delete(numberOf(at));
      const there = cellAt(cell.sheet, row, column);
      if (there?.spilled) putCell(cell.sheet, row, column, emptied(there));
    });
    return hasLeft;
  }

  /** Writes the values of a result. @returns whether one of them is new */
  #fill(cell: FormulaCell, area: Area, values: readonly CellValue[][]): boolean {
    let isNew = false;
    eachCell(area, (row, column) => {
      if (row === cell.row && column === cell.column) return;
      const value = values[row - area.row]![column - area.column] ?? '#N/A';
      const there = cellAt(cell.sheet, row, column);
      if (there?.spilled && there.value === value) return;
      isNew = true;
      putCell(cell.sheet, row, column, { value, spilled: true, ...withoutContent(there) });
    });
    return isNew;
  }

  #hasRoom(cell: FormulaCell, area: Area): boolean {
    const { sheet } = cell;
    if (!canBe(area)) return false;
    if (sheet.tables.some((table) => intersection(table.area, area))) return false;
    if (sheet.merges.some((merged) => intersection(merged, area))) return false;
    let isFree = true;
    forEachCell(sheet, area, (there, row, column) => {
      if ((row === cell.row && column === cell.column) || isBlank(there)) return;
      const owner = this.#ownerOf(sheet, row, column);
      if (!there.spilled || (owner !== undefined && owner !== cell)) isFree = false;
    });
    return isFree;
  }
}

/** A result in the cells of an array formula: one row is in each of theirs, and one column in each of theirs. */
function inCellsOf({ rows, columns }: NonNullable<Cell['array']>, values: CellValue[][]): CellValue[][] {
  const lineOf = (row: number) => values[values.length === 1 ? 0 : row];
  return indexes(0, rows).map((row) => {
    const line = lineOf(row);
    return indexes(0, columns).map((column) => line?.[line.length === 1 ? 0 : column] ?? '#N/A');
  });
}

/** Whether a result can have these cells: they are on the sheet, and no more than there may be. */
const canBe = ({ row, column, rows, columns }: Area): boolean =>
  row + rows <= MAX_ROWS && column + columns <= MAX_COLUMNS && rows * columns <= MAX_CELLS;

function touching(cells: ReadonlyMap<FormulaCell, Area>, areas: readonly SheetArea[]): FormulaCell[] {
  return [...cells].flatMap(([cell, own]) =>
    areas.some(({ sheet, area }) => sheet === cell.sheet && intersection(own, area)) ? [cell] : [],
  );
}
