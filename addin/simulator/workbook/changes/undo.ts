import { type Area, boundingArea, cellArea } from '../cells/address.ts';
import { type HistoryEnd, MAX_CHANGES, MAX_STEPS, type SheetState, type Step } from '../history.ts';
import type { NamedItem } from '../names.ts';
import { putCell, type Sheet } from '../sheet.ts';
import { activateSheet, select } from '../sheets.ts';
import { snapshotOf, type Table } from '../table.ts';
import type { Workbook } from '../workbook.ts';

const formulasOf = (names: NamedItem[]) => names.map((item) => ({ item, formula: item.formula }));

const stateOf = (sheet: Sheet): SheetState => ({
  sheet,
  tables: sheet.tables.map((table) => ({ table, before: snapshotOf(table) })),
  charts: sheet.charts.map((chart) => ({ ...chart })),
  names: formulasOf(sheet.names),
  validations: [...sheet.validations],
  conditionalFormats: [...sheet.conditionalFormats],
  merges: [...sheet.merges],
  filter: sheet.filter && { ...sheet.filter, criteria: new Map(sheet.filter.criteria) },
});

const beginStep = (workbook: Workbook, isLong = false): Step => ({
  changes: [],
  size: 0,
  sheets: workbook.sheets.map(stateOf),
  names: formulasOf(workbook.names),
  end: undefined,
  isLong,
});

const isSameTable = (table: Table, before: Table): boolean =>
  (Object.keys(before) as (keyof Table)[]).every(
    (key) => key === 'columns' || key === 'filters' || table[key] === before[key],
  ) &&
  table.columns.length === before.columns.length &&
  table.filters.size === before.filters.size &&
  [...before.filters].every(([column, criteria]) => table.filters.get(column) === criteria);

const hasOtherTables = ({ sheet, tables }: SheetState): boolean =>
  sheet.tables.length !== tables.length ||
  tables.some(({ table, before }, index) => sheet.tables[index] !== table || !isSameTable(table, before));

/** Whether validation, conditional formats or merged cells are others than before. */
const hasOtherRules = ({ sheet, validations, conditionalFormats, merges }: SheetState): boolean =>
  (
    [
      [sheet.validations, validations],
      [sheet.conditionalFormats, conditionalFormats],
      [sheet.merges, merges],
    ] as const
  ).some(
    ([now, before]) =>
      now.length !== before.length ||
      now.some((one, index) => one !== before[index] && JSON.stringify(one) !== JSON.stringify(before[index])),
  );

const isOther = (state: SheetState): boolean => hasOtherTables(state) || hasOtherRules(state);

/** Adds a step to the history. The oldest steps are dropped when there are too many steps or changes. */
const store = ({ history }: Workbook, step: Step): void => {
  const end = step.end ?? (step.size > MAX_CHANGES ? 'size' : undefined);
  if (end) {
    Object.assign(history, { done: [], undone: [], end });
    return;
  }
  if (step.changes.length === 0 && !step.sheets.some(isOther)) return;
  history.done.push(step);
  history.undone = [];
  let size = history.done.reduce((sum, each) => sum + each.size, 0);
  while (history.done.length > MAX_STEPS || size > MAX_CHANGES) {
    size -= history.done.shift()!.size;
    history.end = 'steps';
  }
};

/**
 * Records a step that can be undone: an action of the user, or a request of an add-in (learn.microsoft.com, "Undo and
 * redo in Office Add-ins"). Adding or deleting a sheet cannot be undone, nor anything before it, as in Excel.
 */
export const recordStep = <Result>(workbook: Workbook, work: () => Result): Result => {
  const { history } = workbook;
  if (history.current) return work();
  const step = beginStep(workbook);
  history.current = step;
  try {
    return work();
  } finally {
    history.current = undefined;
    store(workbook, step);
  }
};

/** Records a step of which nothing stays when it fails: what a user does is done as a whole or not at all. */
export const recordWhole = (workbook: Workbook, work: () => void): void => {
  const { history } = workbook;
  const step = beginStep(workbook);
  history.current = step;
  try {
    work();
  } catch (error) {
    history.current = undefined;
    // Of a step that is too large there is nothing to restore from.
    if (step.end) store(workbook, step);
    else restore(workbook, step);
    throw error;
  }
  history.current = undefined;
  store(workbook, step);
};

/** A step in parts, between which the browser draws the page. Nothing else may change the workbook meanwhile. */
export const beginLongStep = (workbook: Workbook) => {
  const { history } = workbook;
  const step = beginStep(workbook, true);
  return {
    part: <Result>(work: () => Result): Result => {
      history.current = step;
      try {
        return work();
      } finally {
        history.current = undefined;
      }
    },
    /** Ends the step, which can then be undone as a whole. */
    end: (): void => store(workbook, step),
    /** Restores the workbook as it was before the first part. */
    cancel: (): void => void restore(workbook, step),
  };
};

/** The result of undo or redo: done, or why it was not possible. */
export type Outcome = 'done' | 'nothing' | HistoryEnd;

/** Undoes the last step, of the user or of an add-in. */
export const undo = (workbook: Workbook): Outcome => {
  const { history } = workbook;
  const step = history.done.pop();
  if (!step) return history.end ?? 'nothing';
  history.undone.push(restore(workbook, step));
  return 'done';
};

/** Repeats the step that was undone last. */
export const redo = (workbook: Workbook): Outcome => {
  const { history } = workbook;
  const step = history.undone.pop();
  if (!step) return 'nothing';
  history.done.push(restore(workbook, step));
  return 'done';
};

/** Takes back the changes of a step. @returns the step that would repeat them */
const restore = (workbook: Workbook, { changes, sheets, names }: Step): Step => {
  const inverse = beginStep(workbook);
  workbook.history.current = inverse;
  for (const change of changes.toReversed()) {
    if ('restore' in change) change.restore();
    else putCell(change.sheet, change.row, change.column, change.cell);
  }
  workbook.history.current = undefined;
  const others = sheets.filter(isOther).map(({ sheet }) => sheet);
  const allNames = [...names, ...sheets.flatMap((state) => state.names)];
  const haveNamesMoved = allNames.some(({ item, formula }) => item.formula !== formula);
  for (const { item, formula } of allNames) item.formula = formula;
  for (const state of sheets) restoreState(state);
  if (haveNamesMoved) workbook.emit({ kind: 'references' });
  show(workbook, changes, others);
  return inverse;
};

const restoreState = ({ sheet, tables, charts, names: _names, ...rest }: SheetState): void => {
  sheet.tables = tables.map(({ table, before }) => Object.assign(table, snapshotOf(before)));
  for (const { id, source } of charts) {
    const chart = sheet.charts.find((each) => each.id === id);
    if (chart) chart.source = source;
  }
  Object.assign(sheet, rest);
};

/** Emits the changes of a restored step, and selects its cells on a sheet that is not hidden. */
const show = (workbook: Workbook, changes: Step['changes'], others: Sheet[]): void => {
  const areas = new Map<Sheet, Area>();
  for (const change of changes) {
    const area = 'restore' in change ? change.area : cellArea(change);
    if (area === undefined) continue;
    areas.set(change.sheet, boundingArea(areas.get(change.sheet) ?? area, area));
  }
  for (const sheet of others) {
    for (const table of sheet.tables) workbook.emit({ kind: 'table', sheet, table, change: 'changed' });
    workbook.emit({ kind: 'layout', sheet });
  }
  for (const [sheet, area] of areas) {
    const isShown = sheet.visibility === 'Visible';
    if (isShown) activateSheet(workbook, sheet);
    workbook.contentChanged(sheet, area);
    if (isShown) select(sheet, area);
  }
};
