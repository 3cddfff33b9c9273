import { calculateFormulas } from '@cj-tech-master/excelts/formula';
import { type Area, boundingArea, cellArea, wholeSheet } from '../workbook/cells/address.ts';
import type { CellValue } from '../workbook/cells/entry.ts';
import type { Sheet } from '../workbook/sheet.ts';
import type { Change, Workbook } from '../workbook/workbook.ts';
import { type AddIn, AddInFunctions } from './addInFunctions.ts';
import { calculateAlike } from './alikeFormulas.ts';
import { Dependencies, type FormulaCell } from './dependencies.ts';
import { engineWorkbook, hasEveryResult } from './engineWorkbook.ts';
import type { SheetArea } from './formulaReferences.ts';
import { portionsOf } from './portions.ts';
import { type Result, Spills, type Written } from './spills.ts';

/** How often formulas are calculated again that refer to formulas of a later portion. */
const MAX_LATE_PASSES = 10;

/** How often formulas are calculated again for results that fill other cells: those that follow each other never end. */
const MAX_PASSES = 100;

/** Changes after which every formula is read and calculated again. */
const structural: readonly Change['kind'][] = ['structure', 'references', 'sorted', 'table', 'sheets', 'names'];

/**
 * Calculates the formulas of a workbook, with an engine that can be replaced: only this folder knows it. After a change
 * of some cells it calculates the formulas that depend on them.
 * @param addIn the functions of an add-in: formulas with them have their results later
 */
export function attachCalculator(workbook: Workbook, addIn?: AddIn): void {
  let dependencies: Dependencies | undefined;
  let spills = new Spills();
  /** A file has the results of its formulas: what depends on what is found when something changes. */
  let isCalculated = hasEveryResult(workbook);
  let changed: SheetArea[] = [];
  let haveRowsChanged = false;
  let isAwaited = false;
  const functions = addIn && new AddInFunctions(addIn, () => setTimeout(settle));
  const messageOf = (cell: FormulaCell, value: CellValue) => functions?.messageOf(cell, value);

  /** Reads which formulas there are, and which cells their results fill. */
  function read(): Dependencies {
    dependencies = new Dependencies(workbook);
    spills = new Spills();
    spills.adopt(dependencies.all());
    for (const sheet of workbook.sheets) spills.emptyStrays({ sheet, area: wholeSheet });
    return dependencies;
  }

  /** Reads the formulas of cells that changed. @returns the cells that the results of earlier ones filled */
  function readChanged(read: Dependencies): SheetArea[] {
    const emptied: SheetArea[] = [];
    for (const place of changed) {
      for (const cell of read.read(place.sheet, place.area)) {
        emptied.push(...spills.drop(cell));
        functions?.forget(cell);
      }
      spills.emptyStrays(place);
    }
    return emptied;
  }

  /** The formulas to be calculated. @param due those whose functions have results */
  function affected(due: readonly FormulaCell[]): { formulas: Set<FormulaCell>; isWhole: boolean } {
    if (isCalculated) read();
    isCalculated = false;
    if (dependencies !== undefined) {
      const places = [...changed, ...readChanged(dependencies)];
      const origins = [...spills.at(places), ...due].map((cell) => ({ sheet: cell.sheet, area: cellArea(cell) }));
      const found = dependencies.affectedBy([...places, ...origins], haveRowsChanged);
      if (found !== undefined) return { formulas: found, isWhole: false };
    } else functions?.forgetAll();
    return { formulas: new Set((dependencies ?? read()).all()), isWhole: true };
  }

  /** Calculates formulas. @returns what changed beside them */
  function calculate(all: Set<FormulaCell>, isWhole: boolean): Written {
    const written: Written = { changed: [], freed: [] };
    const write = (results: readonly Result[]) => {
      const { changed, freed } = spills.write(results, messageOf);
      written.changed.push(...changed);
      written.freed.push(...freed);
    };
    let formulas: Iterable<FormulaCell> = calculateAlike(all, write);
    for (let pass = 0; pass < MAX_LATE_PASSES; pass++) {
      const { portions, late } = portionsOf(workbook, formulas);
      for (const portion of portions) {
        const isOpen = portion.some(({ references }) => references.isOpen);
        functions?.begin(portion);
        const isAll = isOpen || (isWhole && portion.length === all.size);
        const { like, results } = engineWorkbook(workbook, portion, isAll, functions);
        try {
          calculateFormulas(like);
        } catch {
          // The engine took one of them badly, and says not which.
          for (const cell of portion) results.push({ cell, values: [['#CALC!']], mayFill: false });
        }
        write(results);
      }
      if (late.length === 0) break;
      formulas = dependencies!.dependentsOf(late);
    }
    return written;
  }

  /**
   * Calculates formulas, and then those that depend on the cells that results fill.
   * @param places gets an area around them on each sheet
   */
  function calculateAll(formulas: Set<FormulaCell>, isWhole: boolean, places: Map<Sheet, Area>): void {
    const note = (cells: Iterable<FormulaCell>) => {
      for (const cell of cells) {
        places.set(cell.sheet, boundingArea(places.get(cell.sheet) ?? cellArea(cell), cellArea(cell)));
      }
    };
    note(formulas);
    let written = calculate(formulas, isWhole);
    for (let pass = 0; pass < MAX_PASSES && written.changed.length > 0; pass++) {
      const next = dependencies!.dependentsOf(spills.blockedAt(written.freed), written.changed);
      if (next.size === 0) break;
      note(next);
      written = calculate(next, false);
    }
  }

  function settle(): void {
    const due = functions?.takeDue() ?? [];
    const isSettled = dependencies !== undefined || isCalculated;
    if (isSettled && changed.length === 0 && due.length === 0 && !haveRowsChanged) return;
    const { current } = workbook.history;
    // Results follow from what is undone and redone.
    workbook.history.current = undefined;
    const places = new Map<Sheet, Area>();
    try {
      const isForResults = dependencies !== undefined && changed.length === 0;
      const { formulas, isWhole } = affected(due);
      [changed, haveRowsChanged] = [[], false];
      // After a change functions are called again, also those that wait for an earlier result.
      if (!isForResults) {
        const answered = new Set(due);
        for (const cell of formulas) if (!answered.has(cell)) functions?.forget(cell);
      }
      if (formulas.size === 0) return;
      calculateAll(formulas, isWhole, places);
    } finally {
      workbook.history.current = current;
    }
    if (places.size > 0) workbook.emit({ kind: 'calculated', places });
  }

  function forget(): void {
    dependencies = undefined;
    isCalculated = false;
  }

  function note(change: Change): void {
    if (change.kind === 'content') changed.push({ sheet: change.sheet, area: change.area });
    else if (change.kind === 'filtered' || change.kind === 'layout') haveRowsChanged = true;
    else if (structural.includes(change.kind)) forget();
    else return;
    if (isAwaited || workbook.sheets.every(({ formulas }) => formulas === 0)) return;
    isAwaited = true;
    queueMicrotask(() => {
      isAwaited = false;
      settle();
    });
  }

  workbook.subscribe(note);
  workbook.settle = settle;
  workbook.recalculate = (place) => {
    if (place === undefined) forget();
    else changed.push(place);
    settle();
  };
  settle();
}
