import { calculateFormulas } from '@cj-tech-master/excelts/formula';
import { type Area, boundingArea, cellArea, wholeSheet } from '../workbook/cells/address.ts';
import { BUSY, type CellValue } from '../workbook/cells/entry.ts';
import { cellAt, type Sheet, withoutTelling } from '../workbook/sheet.ts';
import type { Change, Workbook } from '../workbook/workbook.ts';
import { type AddIn, AddInFunctions } from './addInFunctions.ts';
import { calculateAlike } from './alikeFormulas.ts';
import { Dependencies, type FormulaCell } from './dependencies.ts';
import { engineWorkbook, hasEveryResult } from './engineWorkbook.ts';
import { evaluate } from './evaluate.ts';
import type { SheetArea } from './formulaReferences.ts';
import { Spent } from './limits/costs.ts';
import { refused } from './limits/refused.ts';
import { type Portion, portionsOf } from './portions.ts';
import { type Result, Spills, type Written } from './spills.ts';

/** How often formulas are calculated again that may refer to formulas of a later portion. */
const MAX_LATE_PASSES = 10;

/** How often formulas are calculated again for results that fill other cells: those that follow each other never end. */
const MAX_PASSES = 100;

/** Whether a formula was entered and has no result yet, or waits for the functions of an add-in. */
function isWithoutResult({ sheet, row, column, formula }: FormulaCell): boolean {
  const value = cellAt(sheet, row, column)?.value;
  return value === formula || value === BUSY;
}

/** Extends the area of each sheet to cells. */
function extend(places: Map<Sheet, Area>, cells: Iterable<FormulaCell>): void {
  for (const cell of cells) {
    places.set(cell.sheet, boundingArea(places.get(cell.sheet) ?? cellArea(cell), cellArea(cell)));
  }
}

/** Changes after which every formula is read and calculated again. */
const structural: readonly Change['kind'][] = ['structure', 'references', 'sorted', 'table', 'sheets', 'names'];

/**
 * Calculates the formulas of a workbook, with an engine that can be replaced: only this folder knows it. After a change
 * of some cells it calculates the formulas that depend on them; in manual mode only those that were entered, and the
 * others when that is asked for (Microsoft's "Excel Recalculation").
 * @param addIn the functions of an add-in: formulas with them have their results later
 * @param earlier changes since the workbook has its results, which these do not show yet
 */
export function attachCalculator(workbook: Workbook, addIn?: AddIn, earlier: readonly Change[] = []): void {
  let dependencies: Dependencies | undefined;
  let spills = new Spills();
  /** A file has the results of its formulas: what depends on what is found when something changes. */
  let isCalculated = hasEveryResult(workbook);
  let changed: SheetArea[] = [];
  let haveRowsChanged = false;
  let isAwaited = false;
  /** Formulas that manual mode leaves for later: these and what depends on them, or every one. */
  const due = new Set<FormulaCell>();
  let isAllDue = false;
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
        due.delete(cell);
        functions?.forget(cell);
      }
      spills.emptyStrays(place);
    }
    return emptied;
  }

  /** Formulas whose results may change with the cells that changed; undefined when they cannot be known. */
  function changedFormulas(read: Dependencies, more: Iterable<FormulaCell>): Set<FormulaCell> | undefined {
    const places = [...changed, ...readChanged(read)];
    const origins = [...spills.at(places), ...more].map((cell) => ({ sheet: cell.sheet, area: cellArea(cell) }));
    return read.affectedBy([...places, ...origins], haveRowsChanged);
  }

  /** The formulas to be calculated. @param answered those whose functions have results */
  function affected(answered: readonly FormulaCell[]): { formulas: Set<FormulaCell>; isWhole: boolean } {
    if (isCalculated) read();
    isCalculated = false;
    if (dependencies !== undefined) {
      const found = changedFormulas(dependencies, [...answered, ...due]);
      if (found !== undefined && !isAllDue) return { formulas: found, isWhole: false };
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
    const spent = new Spent();
    const calculatePortion = (portion: Portion) => {
      const { formulas, circular } = portion;
      const isOpen = formulas.some(({ references }) => references.isOpen);
      functions?.begin(formulas);
      const isAll = isOpen || (isWhole && formulas.length === all.size);
      const { like, results, isUnfinished } = engineWorkbook(workbook, portion, isAll, functions, spent);
      try {
        calculateFormulas(like);
      } catch {
        // The engine took one of them badly, and says not which.
        for (const cell of formulas) results.push({ cell, values: [['#CALC!']], mayFill: false });
      }
      const ended = new Set(results.map(({ cell }) => cell));
      const unread = formulas.filter((cell) => !ended.has(cell));
      const waiting = isUnfinished() ? circular : new Set<FormulaCell>();
      if (unread.length === 0 && waiting.size === 0) return write(results);
      write(unread.map((cell) => refused(cell, 'unread')));
      write([...waiting].map((cell) => refused(cell, 'tooManyInCircle')));
      // Others took an empty cell for their results.
      const others = formulas.filter((cell) => ended.has(cell) && !waiting.has(cell));
      const left = waiting.size > 0 ? new Set<FormulaCell>() : circular;
      if (others.length > 0) calculatePortion({ ...portion, formulas: others, circular: left });
    };
    const rest = calculateAlike(all, write);
    const open = dependencies!.dependentsOf([]);
    const { portions, tooMany } = portionsOf(rest, (cell) => open.has(cell));
    write(tooMany.map((cell) => refused(cell, 'tooManyInCircle')));
    for (const portion of portions) calculatePortion(portion);
    const last = portions.filter(({ isLast }) => isLast);
    // A formula that may refer to any cell may have read one that was calculated after it.
    if (last.length > 1) untilSettled(last, calculatePortion, write);
    return written;
  }

  /** Calculates portions again until no result is another one. */
  function untilSettled(
    portions: readonly Portion[],
    calculatePortion: (portion: Portion) => void,
    write: (results: readonly Result[]) => void,
  ): void {
    const formulas = portions.flatMap((portion) => portion.formulas);
    const values = () => formulas.map(({ sheet, row, column }) => cellAt(sheet, row, column)?.value);
    const isVolatile = formulas.some(({ references }) => references.isVolatile);
    let before = values();
    for (let pass = 0; pass < MAX_LATE_PASSES; pass++) {
      for (const portion of portions) calculatePortion(portion);
      const after = values();
      const changing = formulas.filter((_, index) => after[index] !== before[index]);
      if (changing.length === 0) return;
      if (pass === MAX_LATE_PASSES - 1 && !isVolatile) write(changing.map((cell) => refused(cell, 'circular')));
      before = after;
    }
  }

  /**
   * Calculates formulas, and then those that depend on the cells that results fill.
   * @param places gets an area around them on each sheet
   */
  function calculateAll(formulas: Set<FormulaCell>, isWhole: boolean, places: Map<Sheet, Area>): void {
    extend(places, formulas);
    let written = calculate(formulas, isWhole);
    for (let pass = 0; pass < MAX_PASSES && written.changed.length > 0; pass++) {
      const next = dependencies!.dependentsOf(spills.blockedAt(written.freed), written.changed);
      if (next.size === 0) break;
      extend(places, next);
      written = calculate(next, false);
      if (pass === MAX_PASSES - 1) endFilling(next);
    }
  }

  /** Ends formulas that need cells which their results fill, and those that depend on them. */
  const endFilling = (formulas: Iterable<FormulaCell>) =>
    spills.write(
      [...formulas].map((cell) => refused(cell, 'circular')),
      messageOf,
    );

  const isManual = () => workbook.calculationMode === 'Manual';

  /** Changes results by what `work` calculates. @param work gets what is to have an area around them on each sheet */
  function withoutHistory(work: (places: Map<Sheet, Area>) => void): void {
    const { current } = workbook.history;
    const wasDue = workbook.isCalculationDue;
    // Results follow from what is undone and redone.
    workbook.history.current = undefined;
    const places = new Map<Sheet, Area>();
    try {
      withoutTelling(workbook, () => work(places));
    } finally {
      workbook.history.current = current;
    }
    workbook.isCalculationDue = isAllDue || due.size > 0;
    if (places.size > 0 || workbook.isCalculationDue !== wasDue) workbook.emit({ kind: 'calculated', places });
  }

  /** Calculates what changed, and what is due. @param isAsked also what has another result each time */
  function calculateChanged(isAsked = false): void {
    const answered = functions?.takeDue() ?? [];
    const isSettled = dependencies !== undefined || isCalculated;
    const isNothingNew = changed.length === 0 && answered.length === 0 && !haveRowsChanged;
    if (isSettled && isNothingNew && due.size === 0 && !isAllDue && !isAsked) return;
    withoutHistory((places) => {
      const isForResults = dependencies !== undefined && changed.length === 0 && due.size === 0 && !isAsked;
      const { formulas, isWhole } = affected(answered);
      [changed, haveRowsChanged, isAllDue] = [[], false, false];
      due.clear();
      // After a change functions are called again, also those that wait for an earlier result.
      if (!isForResults) {
        const kept = new Set(answered);
        for (const cell of formulas) if (!kept.has(cell)) functions?.forget(cell);
      }
      if (formulas.size > 0) calculateAll(formulas, isWhole, places);
    });
  }

  /** Calculates some formulas and leaves those that depend on them for later. */
  function calculateOnly(formulas: Set<FormulaCell>, places: Map<Sheet, Area>): void {
    extend(places, formulas);
    for (const cell of formulas) due.delete(cell);
    leave(dependencies!.dependentsOf([...formulas]), formulas);
    let next = formulas;
    for (let pass = 0; pass < MAX_PASSES && next.size > 0; pass++) {
      const { changed: filled, freed } = calculate(next, false);
      const following = dependencies!.dependentsOf(spills.blockedAt(freed), filled);
      leave(following, formulas);
      next = new Set([...following].filter((cell) => formulas.has(cell)));
      if (pass === MAX_PASSES - 1) endFilling(next);
    }
  }

  function leave(formulas: Iterable<FormulaCell>, calculated: ReadonlySet<FormulaCell>): void {
    for (const cell of formulas) if (!calculated.has(cell)) due.add(cell);
  }

  /** In manual mode: gives formulas that were entered their results, and leaves others that changed for later. */
  function calculateEntered(): void {
    const answered = functions?.takeDue() ?? [];
    const isSettled = dependencies !== undefined || isCalculated;
    const hasChanged = changed.length > 0 || haveRowsChanged || answered.length > 0;
    if (isSettled && !hasChanged) return;
    withoutHistory((places) => {
      const isUnread = dependencies === undefined;
      if (isUnread) functions?.forgetAll();
      const all = dependencies ?? read();
      isCalculated = false;
      const affected = hasChanged && !isAllDue ? changedFormulas(all, answered) : [];
      const entered = isUnread ? [...all.all()] : changed.flatMap((place) => all.within(place));
      const formulas = new Set([...(isUnread ? [] : answered), ...entered.filter(isWithoutResult)]);
      leave(isAllDue || affected === undefined ? all.all() : affected, formulas);
      [changed, haveRowsChanged, isAllDue] = [[], false, false];
      calculateOnly(formulas, places);
    });
  }

  const settle = () => (isManual() ? calculateEntered() : calculateChanged());

  /** Calculates the formulas in some cells, and in manual mode no others. */
  function calculatePlace(place: SheetArea): void {
    if (isManual()) {
      calculateEntered();
      withoutHistory((places) => calculateOnly(new Set(dependencies!.within(place)), places));
    } else {
      changed.push(place);
      calculateChanged();
    }
  }

  function forget(): void {
    dependencies = undefined;
    isCalculated = false;
    isAllDue = true;
    due.clear();
  }

  function note(change: Change): void {
    if (change.kind === 'content') changed.push({ sheet: change.sheet, area: change.area });
    else if (change.kind === 'filtered' || change.kind === 'layout') haveRowsChanged = true;
    else if (structural.includes(change.kind)) forget();
    else return;
    // Merged cells may have been in the way of results.
    if (change.kind === 'layout' && !isManual()) {
      const blocked = spills.blockedAt([{ sheet: change.sheet, area: wholeSheet }]);
      changed.push(...blocked.map((cell) => ({ sheet: cell.sheet, area: cellArea(cell) })));
    }
    if (isAwaited || workbook.sheets.every(({ formulas }) => formulas === 0)) return;
    isAwaited = true;
    queueMicrotask(() => {
      isAwaited = false;
      settle();
    });
  }

  workbook.subscribe(note);
  workbook.settle = settle;
  workbook.evaluate = (formula, sheet) => {
    settle();
    return evaluate(formula, sheet);
  };
  workbook.recalculate = (place) => {
    if (place !== undefined) return calculatePlace(place);
    forget();
    calculateChanged();
  };
  workbook.calculateDue = () => calculateChanged(true);
  for (const change of earlier) note(change);
  settle();
}
