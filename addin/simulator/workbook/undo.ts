import { type Area, boundingArea } from './cells/address.ts';
import { putCell, type Sheet } from './sheet.ts';
import { select } from './sheets.ts';
import type { Table } from './table.ts';
import type { Step, Workbook } from './workbook.ts';

const MAX_UNDO_STEPS = 100;
/** Cells of one step; what changes more cannot be undone, as in Excel, nor what came before it. */
const MAX_STEP_CELLS = 200_000;

const beginStep = (workbook: Workbook): Step => ({
  cells: [],
  tables: workbook.sheets.map(({ tables }) =>
    tables.map((table) => ({
      table,
      area: table.area,
      columns: [...table.columns],
      awaitsFirstRow: table.awaitsFirstRow,
    })),
  ),
  sheets: workbook.sheets,
  isFinal: false,
});

/**
 * Does something that can be undone. What an add-in changes can be undone as what the person changes: each of its
 * requests is a step (learn.microsoft.com, "Undo and redo in Office Add-ins"). Inserting and deleting cells, rows,
 * columns and sheets cannot, and ends what could be undone before.
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
    if (step.isFinal || step.cells.length > MAX_STEP_CELLS) history.done = [];
    else if (step.cells.length > 0) history.done = [...history.done, step].slice(-MAX_UNDO_STEPS);
    if (step.isFinal || step.cells.length > 0) history.undone = [];
  }
};

/** Undoes the latest step that is left, whoever did it. */
export const undo = (workbook: Workbook): void => {
  const step = workbook.history.done.pop();
  if (step) workbook.history.undone.push(restore(workbook, step));
};

/** Does again what was undone last. */
export const redo = (workbook: Workbook): void => {
  const step = workbook.history.undone.pop();
  if (step) workbook.history.done.push(restore(workbook, step));
};

/** Brings back what a step changed. @returns the step back to what stood before this */
const restore = (workbook: Workbook, { cells, tables, sheets }: Step): Step => {
  const inverse = beginStep(workbook);
  workbook.history.current = inverse;
  for (const { sheet, row, column, cell } of cells.toReversed()) putCell(sheet, row, column, cell);
  workbook.history.current = undefined;
  sheets.forEach((sheet, index) => {
    sheet.tables = tables[index]!.map(({ table, ...before }): Table => Object.assign(table, before));
  });
  const areas = new Map<Sheet, Area>();
  for (const { sheet, row, column } of cells) {
    const cell = { row, column, rows: 1, columns: 1 };
    areas.set(sheet, boundingArea(areas.get(sheet) ?? cell, cell));
  }
  for (const [sheet, area] of areas) {
    workbook.active = sheet;
    workbook.contentChanged(sheet, area);
    select(sheet, area);
  }
  return inverse;
};
