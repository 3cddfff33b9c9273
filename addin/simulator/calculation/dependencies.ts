import {
  type Area,
  areaAddress,
  cellArea,
  intersection,
  isUnbounded,
  type Position,
} from '../workbook/cells/address.ts';
import { forEachCell, type Sheet } from '../workbook/sheet.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { type FormulaReferences, referencesOf, type SheetArea } from './formulaReferences.ts';

/** A cell with a formula, and what it depends on. */
export type FormulaCell = Position & {
  sheet: Sheet;
  formula: string;
  references: FormulaReferences;
};

/** The formulas that refer to cells of a sheet: to single cells by their keys, to blocks one by one. */
type Referring = { cells: Map<number, Set<FormulaCell>>; blocks: Map<string, { area: Area; by: Set<FormulaCell> }> };

/** How often cells are compared with blocks to find what depends on them: more would cost more than all formulas. */
const MAX_COMPARISONS = 10_000_000;

/** The number of a cell on its sheet. */
export const numberOf = ({ row, column }: Position): number => row * 16_384 + column;

/** Which formulas of a workbook depend on which cells. */
export class Dependencies {
  readonly #formulas = new Map<Sheet, Map<number, FormulaCell>>();
  readonly #referring = new Map<Sheet, Referring>();
  /** Formulas that may refer to any cell, and formulas that have another result at another time. */
  readonly #open = new Set<FormulaCell>();
  readonly #volatile = new Set<FormulaCell>();
  readonly #ofShownRows = new Set<FormulaCell>();

  constructor(workbook: Workbook) {
    for (const sheet of workbook.sheets) {
      if (sheet.formulas > 0) this.read(sheet, { row: 0, column: 0, rows: sheet.rows.length, columns: 16_384 });
    }
  }

  /** Reads the formulas of cells anew. @returns those that were there before */
  read(sheet: Sheet, area: Area): FormulaCell[] {
    const before = [...within(this.#formulas.get(sheet), area)];
    for (const cell of before) this.#remove(cell);
    if (sheet.formulas === 0) return before;
    forEachCell(sheet, area, ({ formula }, row, column) => {
      if (formula !== undefined)
        this.#add({ sheet, row, column, formula, references: referencesOf(formula, sheet, { row, column }) });
    });
    return before;
  }

  /** All cells with a formula. */
  *all(): Generator<FormulaCell> {
    for (const cells of this.#formulas.values()) yield* cells.values();
  }

  /**
   * The formulas whose results may change with these cells, those of the cells among them; undefined when they cannot be
   * known, or not at a reasonable cost.
   * @param haveRowsChanged whether rows were hidden or shown
   */
  affectedBy(changed: readonly SheetArea[], haveRowsChanged: boolean): Set<FormulaCell> | undefined {
    if (this.#open.size > 0) return undefined;
    const own = changed.flatMap((one) => this.within(one));
    const ofRows = haveRowsChanged ? this.#ofShownRows : [];
    return this.#closure([...this.#volatile, ...ofRows, ...own], changed, MAX_COMPARISONS);
  }

  /** Formulas, and those that depend on them or on some cells. */
  dependentsOf(formulas: readonly FormulaCell[], areas: readonly SheetArea[] = []): Set<FormulaCell> {
    return this.#closure([...formulas, ...this.#open], areas, Number.POSITIVE_INFINITY)!;
  }

  /** The formulas in some cells. */
  within({ sheet, area }: SheetArea): FormulaCell[] {
    return [...within(this.#formulas.get(sheet), area)];
  }

  #closure(first: readonly FormulaCell[], changed: readonly SheetArea[], max: number): Set<FormulaCell> | undefined {
    let comparisons = 0;
    const found = new Set<FormulaCell>();
    const queue = [...changed];
    const add = (cell: FormulaCell) => {
      if (found.has(cell)) return;
      found.add(cell);
      queue.push({ sheet: cell.sheet, area: cellArea(cell) });
    };
    for (const cell of first) add(cell);
    for (const { sheet, area } of queue) {
      const referring = this.#referring.get(sheet);
      if (referring === undefined) continue;
      comparisons += referring.blocks.size;
      if (comparisons > max) return undefined;
      for (const set of within(referring.cells, area)) for (const cell of set) add(cell);
      for (const block of referring.blocks.values()) {
        if (intersection(block.area, area)) for (const cell of block.by) add(cell);
      }
    }
    return found;
  }

  #add(cell: FormulaCell): void {
    if (cell.references.isOpen) this.#open.add(cell);
    if (cell.references.isVolatile) this.#volatile.add(cell);
    if (cell.references.isOfShownRows) this.#ofShownRows.add(cell);
    mapOf(this.#formulas, cell.sheet, () => new Map<number, FormulaCell>()).set(numberOf(cell), cell);
    for (const { sheet, area } of cell.references.areas) {
      const { cells, blocks } = mapOf(
        this.#referring,
        sheet,
        (): Referring => ({ cells: new Map(), blocks: new Map() }),
      );
      if (area.rows === 1 && area.columns === 1) mapOf(cells, numberOf(area), () => new Set<FormulaCell>()).add(cell);
      else mapOf(blocks, areaAddress(area), () => ({ area, by: new Set<FormulaCell>() })).by.add(cell);
    }
  }

  #remove(cell: FormulaCell): void {
    this.#open.delete(cell);
    this.#volatile.delete(cell);
    this.#ofShownRows.delete(cell);
    this.#formulas.get(cell.sheet)?.delete(numberOf(cell));
    for (const { sheet, area } of cell.references.areas) {
      const referring = this.#referring.get(sheet)!;
      referring.cells.get(numberOf(area))?.delete(cell);
      referring.blocks.get(areaAddress(area))?.by.delete(cell);
    }
  }
}

/** The value of a key in a map, which is made when it is not there yet. */
export function mapOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The items whose cells are in an area. It reads the cells of the area or those of the map, whichever are fewer. */
function* within<Item>(map: Map<number, Item> | undefined, area: Area): Generator<Item> {
  if (map === undefined) return;
  if (!isUnbounded(area) && area.rows * area.columns <= map.size) {
    for (let row = area.row; row < area.row + area.rows; row++) {
      for (let column = area.column; column < area.column + area.columns; column++) {
        const item = map.get(numberOf({ row, column }));
        if (item !== undefined) yield item;
      }
    }
    return;
  }
  for (const [number, item] of [...map]) {
    const at = { row: Math.floor(number / 16_384), column: number % 16_384 };
    if (intersection(area, cellArea(at))) yield item;
  }
}
