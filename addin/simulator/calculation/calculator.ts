import { calculateFormulas } from '@cj-tech-master/excelts/formula';
import { type Area, boundingArea, cellArea } from '../workbook/cells/address.ts';
import { type Sheet, valueAt } from '../workbook/sheet.ts';
import type { Change, Workbook } from '../workbook/workbook.ts';
import { type AddIn, AddInFunctions } from './addInFunctions.ts';
import { calculateAlike } from './alikeFormulas.ts';
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
const structural: readonly Change['kind'][] = [
  ...(['structure', 'references', 'sorted', 'filtered', 'table', 'sheets', 'names'] as const),
];

/**
 * Calculates the formulas of a workbook, with an engine that can be replaced: only this folder knows it. After a change
 * of some cells it calculates the formulas that depend on them.
 * @param addIn the functions of an add-in: formulas with them have their results later
 */
export function attachCalculator(workbook: Workbook, addIn?: AddIn): void {
  let dependencies: Dependencies | undefined;
  /** A file has the results of its formulas: what depends on what is found when something changes. */
  let isCalculated = hasEveryResult(workbook);
  let changed: SheetArea[] = [];
  /** Formulas whose results are in several cells. */
  const spilling = new Set<FormulaCell>();
  let isAwaited = false;
  const functions = addIn && new AddInFunctions(addIn, () => setTimeout(settle));

  /** The formulas to be calculated. @param due those whose functions have results */
  function affected(due: readonly FormulaCell[]): { formulas: Set<FormulaCell>; isWhole: boolean } {
    if (isCalculated) dependencies = new Dependencies(workbook);
    isCalculated = false;
    if (dependencies !== undefined) {
      for (const { sheet, area } of changed) {
        for (const cell of dependencies.read(sheet, area)) {
          if (spilling.delete(cell)) clearSpill(cell);
          functions?.forget(cell);
        }
      }
      // One that is blocked does not say by which cells.
      const spilled = [...spilling].filter(
        (cell) => cell.spill === undefined || spillOf(cell).some((one) => changed.some((other) => touches(one, other))),
      );
      const origins = [...spilled, ...due].map((cell) => ({ sheet: cell.sheet, area: cellArea(cell) }));
      const found = dependencies.affectedBy([...changed, ...origins]);
      if (found !== undefined) return { formulas: found, isWhole: false };
    }
    if (dependencies === undefined) {
      clearSpills(workbook);
      spilling.clear();
      functions?.forgetAll();
      dependencies = new Dependencies(workbook);
    }
    return { formulas: new Set(dependencies.all()), isWhole: true };
  }

  /** Calculates formulas. @returns the cells beside them that changed */
  function calculate(all: Set<FormulaCell>, isWhole: boolean): SheetArea[] {
    const beside: SheetArea[] = [];
    let formulas: Iterable<FormulaCell> = calculateAlike(all, (results) => writeResults(results, functions));
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const { portions, late } = portionsOf(workbook, formulas);
      for (const portion of portions) {
        const isOpen = portion.some(({ references }) => references.isOpen);
        functions?.begin(portion);
        const { like, results } = engineWorkbook(
          workbook,
          portion,
          isOpen || (isWhole && portion.length === all.size),
          functions,
        );
        try {
          calculateFormulas(like);
        } catch {
          // The engine took one of them badly, and says not which.
          for (const cell of portion) results.push({ cell, value: '#CALC!', spill: [] });
        }
        beside.push(...writeResults(results, functions));
        for (const { cell } of results) if (cell.spill !== undefined || isBlocked(cell)) spilling.add(cell);
      }
      if (late.length === 0) break;
      formulas = dependencies!.dependentsOf(late);
    }
    return beside;
  }

  const isUnsettled = (due: readonly FormulaCell[]): boolean =>
    (dependencies === undefined && !isCalculated) || changed.length > 0 || due.length > 0;

  function settle(): void {
    let due = functions?.takeDue() ?? [];
    if (!isUnsettled(due)) return;
    const { current } = workbook.history;
    // Results follow from what is undone and redone.
    workbook.history.current = undefined;
    const places = new Map<Sheet, Area>();
    try {
      for (let pass = 0; pass < MAX_PASSES && isUnsettled(due); pass++) {
        const answered = new Set(due);
        const isForResults = dependencies !== undefined && changed.length === 0;
        const { formulas, isWhole } = affected(due);
        [changed, due] = [[], []];
        // After a change functions are called again, also those that wait for an earlier result.
        if (!isForResults) for (const cell of formulas) if (!answered.has(cell)) functions?.forget(cell);
        if (formulas.size === 0) break;
        for (const cell of formulas) {
          places.set(cell.sheet, boundingArea(places.get(cell.sheet) ?? cellArea(cell), cellArea(cell)));
          if (spilling.delete(cell)) clearSpill(cell);
        }
        changed = calculate(formulas, isWhole);
      }
    } finally {
      changed = [];
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
