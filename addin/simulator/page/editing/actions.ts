import {
  type Area,
  areaAddress,
  cellArea,
  contains,
  intersection,
  MAX_COLUMNS,
  MAX_ROWS,
  type Position,
} from '../../workbook/cells/address.ts';
import { asPercentage } from '../../workbook/cells/entry.ts';
import { ExcelError } from '../../workbook/cells/error.ts';
import { copyCells } from '../../workbook/changes/copy.ts';
import { surroundingRegion } from '../../workbook/changes/edge.ts';
import { clearArea, clipToEnd, clipToUse } from '../../workbook/changes/enter.ts';
import { fillCells } from '../../workbook/changes/fill.ts';
import { filteredByText, shownParts } from '../../workbook/changes/filter.ts';
import { deleteCells, insertStyled } from '../../workbook/changes/shift.ts';
import { sortedTable } from '../../workbook/changes/sort.ts';
import { addTable, enterAsTyped } from '../../workbook/changes/tableShape.ts';
import { type Outcome, recordWhole, redo, undo } from '../../workbook/changes/undo.ts';
import { assertWritable, numberFormatAt, type Sheet, sourceAt } from '../../workbook/sheet.ts';
import { select } from '../../workbook/sheets.ts';
import type { Table, TableColumn } from '../../workbook/table.ts';
import type { Workbook } from '../../workbook/workbook.ts';
import type { PageMessages } from '../pageMessages.ts';
import { clipboardActions } from './clipboardActions.ts';
import { changeInParts, type Progress } from './inParts.ts';
import { isAllowed } from './validation.ts';

/** The message of a refusal for the user; any other error is thrown again. */
const explain = (error: unknown, messages: PageMessages): string => {
  if (!(error instanceof ExcelError)) throw error;
  switch (error.code) {
    case 'AccessDenied':
      return messages.protectedSheet;
    case 'InsertDeleteConflict':
      return messages.tornTable;
    case 'NonBlankCellOffSheet':
      return messages.offSheet;
    default:
      if (error.message.includes('merged cell')) return messages.tornMerge;
      return error.message.includes('overlap') ? messages.overlappingTable : messages.refused;
  }
};

/** Repeats the first row or column of an area in the others; in a single one, that before it. */
function repeatFirst(sheet: Sheet, area: Area, axis: 'row' | 'column'): void {
  const count = axis === 'row' ? 'rows' : 'columns';
  const isSingle = area[count] === 1;
  assertWritable(sheet, area);
  const parts = shownParts(sheet, area);
  for (const part of parts) {
    const first = axis === 'row' ? parts[0]! : part;
    const from = { ...first, [axis]: first[axis] - (isSingle ? 1 : 0), [count]: 1 };
    if (from[axis] >= 0) copyCells(sheet, from, sheet, part);
  }
}

const wholeRows = (area: Area): Area => ({ ...area, column: 0, columns: MAX_COLUMNS });
const wholeColumns = (area: Area): Area => ({ ...area, row: 0, rows: MAX_ROWS });

/** How many blocks of rows are deleted at once, and how often a formula may follow one: some seconds of work. */
const MAX_BLOCKS = 5000;
const MAX_FOLLOWED = 500_000;

/** Deletes the rows of an area that filters leave in sight; InvalidOperation when that takes too long. */
function deleteShownRows(sheet: Sheet, area: Area): void {
  const blocks = shownParts(sheet, area).map(wholeRows);
  const formulas = sheet.workbook.sheets.reduce((sum, each) => sum + each.formulas, 0);
  const isLong = blocks.length > MAX_BLOCKS || blocks.length * formulas > MAX_FOLLOWED;
  if (blocks.length > 1 && isLong) throw new ExcelError('InvalidOperation');
  // Before any is deleted: a later block may be refused.
  const isTorn = ({ area: table }: Table) =>
    blocks.some((block) => intersection({ ...table, rows: 1 }, block) && !contains(block, table));
  if (sheet.tables.some(isTorn)) throw new ExcelError('InsertDeleteConflict');
  for (const block of blocks.reverse()) deleteCells(sheet, block, 'Up');
}

/** Everything a user can do to the cells, and undo. Each action reports a refusal in the user's language. */
export const createActions = (
  workbook: Workbook,
  messages: PageMessages,
  report: (message: string) => void,
  onProgress: (progress: Progress | undefined) => void,
) => {
  const refuse = (error: unknown): void => report(explain(error, messages));

  /** Does something that can be undone. @returns false when it was refused */
  const attempt = (work: () => void): boolean => {
    try {
      recordWhole(workbook, work);
      report('');
      return true;
    } catch (error) {
      refuse(error);
      return false;
    }
  };

  const onSelection = (work: (sheet: Sheet, area: Area) => void) => (): void => {
    const sheet = workbook.active;
    attempt(() => work(sheet, sheet.selection));
  };

  /** Does something with all rows of a table that can be undone: see `changeInParts`. */
  const attemptInParts = async (
    work: Generator<number, () => void>,
    { title, cancelled }: PageMessages['sorting'],
  ): Promise<void> => {
    try {
      const isDone = await changeInParts(workbook, work, (progress) => {
        const text = messages.partDone(progress?.part ?? 1);
        onProgress(progress && { title, text, ...progress });
      });
      report(isDone ? '' : cancelled);
    } catch (error) {
      refuse(error);
    }
  };

  /** Says why nothing was undone or done again. */
  const reportOutcome = (outcome: Outcome, reasons: Partial<Record<Outcome, string>>): void =>
    report(reasons[outcome] ?? '');

  return {
    attempt,
    ...clipboardActions({ workbook, messages, report, refuse, attempt, onProgress }),

    /** Enters text into a cell by the rules of typing. @returns false when it was refused */
    type: (sheet: Sheet, cell: Position, text: string): boolean => {
      if (text === sourceAt(sheet, cell.row, cell.column)) return true;
      const entry = asPercentage(text, numberFormatAt(sheet, cell.row, cell.column), workbook.locale);
      if (isAllowed(sheet, cell, entry)) return attempt(() => enterAsTyped(sheet, cellArea(cell), entry));
      report(messages.invalidEntry);
      return false;
    },

    undo: (): void => reportOutcome(undo(workbook), messages.undo),
    redo: (): void => reportOutcome(redo(workbook), messages.redo),

    clear: onSelection((sheet, area) => {
      const used = clipToUse(sheet, area);
      assertWritable(sheet, used);
      for (const part of shownParts(sheet, used)) clearArea(sheet, part, 'Contents');
    }),
    /** Copies the first row of the selection into the others; into a single row the one above it. */
    fillDown: onSelection((sheet, area) => repeatFirst(sheet, clipToEnd(sheet, area), 'row')),
    /** Copies the first column of the selection into the others; into a single column the one to its left. */
    fillRight: onSelection((sheet, area) => repeatFirst(sheet, clipToEnd(sheet, area), 'column')),
    /** Continues the selection into the cells beside it. @param isOther see `fillCells` */
    fillTo: (target: Area, isOther: boolean): void => {
      const sheet = workbook.active;
      const { selection } = sheet;
      if (attempt(() => fillCells(sheet, selection, target, isOther))) select(sheet, target);
    },
    insertRows: onSelection((sheet, area) => insertStyled(sheet, wholeRows(area), 'Down')),
    deleteRows: onSelection(deleteShownRows),
    insertColumns: onSelection((sheet, area) => insertStyled(sheet, wholeColumns(area), 'Right')),
    deleteColumns: onSelection((sheet, area) => deleteCells(sheet, wholeColumns(area), 'Left')),

    /** Makes a table of the selection, or of the block around a single cell; its first row is the header. */
    formatAsTable: onSelection((sheet, area) => {
      const block = area.rows * area.columns === 1 ? surroundingRegion(sheet, area) : clipToUse(sheet, area);
      select(sheet, addTable(sheet, block, true).area);
    }),

    sort: (table: Table, column: TableColumn, ascending: boolean): void => {
      void attemptInParts(sortedTable(table, [{ key: table.columns.indexOf(column), ascending }]), messages.sorting);
    },

    /** Shows only the rows whose text in the column contains this; an empty text shows all. */
    filter: (table: Table, column: TableColumn, text: string): void => {
      void attemptInParts(filteredByText(table, column, text), messages.filtering);
    },

    /** The address of the active cell as the name box shows it; the name of a table that is selected whole. */
    selectionName: (): string => {
      const { selection, activeCell, tables } = workbook.active;
      const table = tables.find(({ area }) => contains(area, selection) && contains(selection, area));
      return table && selection.rows * selection.columns > 1 ? table.name : areaAddress(cellArea(activeCell));
    },
  };
};

export type Actions = ReturnType<typeof createActions>;
