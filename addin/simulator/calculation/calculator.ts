import { calculateFormulas } from '@cj-tech-master/excelts/formula';
import { valueAt } from '../workbook/sheet.ts';
import type { Change, Workbook } from '../workbook/workbook.ts';
import { Dependencies, type FormulaCell } from './dependencies.ts';
import {
  clearSpill,
  clearSpills,
  engineWorkbook,
  hasEveryResult,
  spillOf,
  touches,
  writeResults,
} from './engineWorkbook.ts';
import type { SheetArea } from './formulaReferences.ts';
import { portionsOf } from './portions.ts';

/** How often formulas are calculated again: for results in other cells, and for results that come later. */
const MAX_PASSES = 10;

/** Whether the result of a formula has no room. */
const isBlocked = ({ sheet, row, column }: FormulaCell): boolean => valueAt(sheet, row, column) === '#SPILL!';

/** Changes after which every formula is read and calculated again. */
const structural: readonly Change['kind'][] = ['structure', 'sorted', 'filtered', 'table', 'sheets'];

/**
 * Calculates the formulas of a workbook, with an engine that can be replaced: only this folder knows it. After a change
 * of some cells it calculates the formulas that depend on them.
 */
export function attachCalculator(workbook: Workbook): void {
  let dependencies: Dependencies | undefined;
  let changed: SheetArea[] = [];
  /** Formulas whose results are in several cells. */
  const spilling = new Set<FormulaCell>();
  let isAwaited = false;

  function affected(): { formulas: Set<FormulaCell>; isWhole: boolean } {
    if (dependencies !== undefined) {
      for (const { sheet, area } of changed) {
        for (const cell of dependencies.read(sheet, area)) if (spilling.delete(cell)) clearSpill(cell);
      }
      // One that is blocked does not say by which cells.
      const spilled = [...spilling].filter(
        (cell) => cell.spill === undefined || spillOf(cell).some((one) => changed.some((other) => touches(one, other))),
      );
      const origins = spilled.map(({ sheet, row, column }) => ({ sheet, area: { row, column, rows: 1, columns: 1 } }));
      const found = dependencies.affectedBy([...changed, ...origins]);
      if (found !== undefined) return { formulas: found, isWhole: false };
    }
    if (dependencies === undefined) {
      clearSpills(workbook);
      spilling.clear();
      dependencies = new Dependencies(workbook);
    }
    return { formulas: new Set(dependencies.all()), isWhole: true };
  }

  /** Calculates formulas. @returns the cells beside them that changed */
  function calculate(all: Set<FormulaCell>, isWhole: boolean): SheetArea[] {
    const beside: SheetArea[] = [];
    let formulas: Iterable<FormulaCell> = all;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const { portions, late } = portionsOf(workbook, formulas);
      for (const portion of portions) {
        const isOpen = portion.some(({ references }) => references.isOpen);
        const { like, results } = engineWorkbook(
          workbook,
          new Set(portion),
          isOpen || (isWhole && portions.length === 1),
        );
        try {
          calculateFormulas(like);
        } catch {
          // The engine took one of them badly, and says not which.
          for (const cell of portion) results.push({ cell, value: '#CALC!', spill: [] });
        }
        beside.push(...writeResults(results));
        for (const { cell } of results) if (cell.spill !== undefined || isBlocked(cell)) spilling.add(cell);
      }
      if (late.length === 0) break;
      formulas = dependencies!.dependentsOf(late);
    }
    return beside;
  }

  function settle(): void {
    if (dependencies !== undefined && changed.length === 0) return;
    const { current } = workbook.history;
    // Results follow from what is undone and redone.
    workbook.history.current = undefined;
    let hasChanged = false;
    try {
      for (let pass = 0; pass < MAX_PASSES && (dependencies === undefined || changed.length > 0); pass++) {
        const { formulas, isWhole } = affected();
        changed = [];
        if (formulas.size === 0) break;
        hasChanged = true;
        for (const cell of formulas) if (spilling.delete(cell)) clearSpill(cell);
        changed = calculate(formulas, isWhole);
      }
    } finally {
      changed = [];
      workbook.history.current = current;
    }
    if (hasChanged) workbook.emit({ kind: 'calculated' });
  }

  function note(change: Change): void {
    if (change.kind === 'content') changed.push({ sheet: change.sheet, area: change.area });
    else if (structural.includes(change.kind)) dependencies = undefined;
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
  // A file has the results of its formulas: they are calculated when something changes.
  if (hasEveryResult(workbook)) dependencies = new Dependencies(workbook);
  else settle();
}
