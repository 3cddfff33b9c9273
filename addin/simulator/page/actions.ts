import { type Area, areaAddress, contains, MAX_COLUMNS, MAX_ROWS } from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { copyCells, cutCells } from '../workbook/changes/copy.ts';
import { surroundingRegion } from '../workbook/changes/edge.ts';
import { clearArea, enterValues } from '../workbook/changes/enter.ts';
import { filterTable } from '../workbook/changes/filter.ts';
import { deleteCells, insertCells } from '../workbook/changes/shift.ts';
import { sortTable } from '../workbook/changes/sort.ts';
import { addTable, growByTyping } from '../workbook/changes/tableShape.ts';
import { type Outcome, recordStep, redo, undo } from '../workbook/changes/undo.ts';
import { assertWritable, type Sheet, sourceAt, textAt, usedArea } from '../workbook/sheet.ts';
import { select } from '../workbook/sheets.ts';
import type { Table, TableColumn } from '../workbook/table.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { fromClipboard, toClipboard } from './editing/clipboard.ts';
import { PART_CELLS, type PasteProgress, pasteInParts } from './editing/pasteInParts.ts';
import { isAllowed } from './editing/validation.ts';
import type { Words } from './words.ts';

type Place = { sheet: Sheet; area: Area };

/** The message of a refusal for the user. */
const explain = (error: unknown, words: Words): string => {
  if (!(error instanceof ExcelError)) throw error;
  switch (error.code) {
    case 'AccessDenied':
      return words.protectedSheet;
    case 'InsertDeleteConflict':
      return words.tornTable;
    case 'NonBlankCellOffSheet':
      return words.offSheet;
    default:
      return error.message.includes('overlap') ? words.overlappingTable : words.refused;
  }
};

/** Why nothing was undone or done again; empty when something was. */
const explainOutcome = (outcome: Outcome, reasons: Partial<Record<Outcome, string>>): string => reasons[outcome] ?? '';

/** What a user can do to the cells, and undo. Each action reports a refusal in the user's language. */
export const createActions = (
  workbook: Workbook,
  words: Words,
  report: (message: string) => void,
  onPasting: (progress: PasteProgress | undefined) => void,
) => {
  let copied: { sheet: Sheet; area: Area; text: string; cut: boolean } | undefined;

  const attempt = (work: () => void): boolean => {
    try {
      recordStep(workbook, work);
      report('');
      return true;
    } catch (error) {
      report(explain(error, words));
      return false;
    }
  };

  const selected = (): Place => ({ sheet: workbook.active, area: workbook.active.selection });

  /** The selection, without the empty part of entire rows and columns. */
  const inUse = (sheet: Sheet, area: Area): Area =>
    area.rows === MAX_ROWS || area.columns === MAX_COLUMNS
      ? (usedArea(sheet, false, area) ?? { ...area, rows: 1, columns: 1 })
      : area;

  const copyText = ({ sheet, area }: Place): string =>
    toClipboard(
      Array.from({ length: area.rows }, (_, row) =>
        Array.from({ length: area.columns }, (_unused, column) => textAt(sheet, area.row + row, area.column + column)),
      ),
    );

  const pasteLarge = async (sheet: Sheet, target: Area, textAt: Parameters<typeof pasteInParts>[2]): Promise<void> => {
    try {
      const isPasted = await pasteInParts(sheet, target, textAt, onPasting);
      if (isPasted) select(sheet, target);
      report(isPasted ? '' : words.pasteCancelled);
    } catch (error) {
      report(explain(error, words));
    }
  };

  return {
    /** Enters text into a cell by the rules of typing. False when it was refused. */
    type: (sheet: Sheet, row: number, column: number, text: string): boolean => {
      if (text === sourceAt(sheet, row, column)) return true;
      if (!isAllowed(sheet, row, column, text)) {
        report(words.invalidEntry);
        return false;
      }
      const area = { row, column, rows: 1, columns: 1 };
      return attempt(() => {
        assertWritable(sheet, area);
        if (text !== '') growByTyping(sheet, area);
        enterValues(sheet, area, text, workbook.locale);
      });
    },

    clear: (): void => {
      const { sheet, area } = selected();
      const used = inUse(sheet, area);
      attempt(() => clearArea(sheet, used, 'Contents'));
    },

    /** Puts the selection on the clipboard. */
    copy: (clipboard: DataTransfer, cut = false): void => {
      const { sheet, area } = selected();
      const used = inUse(sheet, area);
      const text = copyText({ sheet, area: used });
      clipboard.setData('text/plain', text);
      copied = { sheet, area: used, text, cut };
    },

    /** Pastes what this page copied with formulas and formats, and text from elsewhere as if it were typed. */
    paste: (clipboard: DataTransfer): void => {
      const { sheet, area } = selected();
      const text = clipboard.getData('text/plain');
      if (text === '') return;
      const normalised = text.replaceAll('\r\n', '\n').replace(/\n$/, '');
      const own = copied && copied.text.replaceAll('\r\n', '\n') === normalised ? copied : undefined;
      const rows = own ? [] : fromClipboard(text);
      const height = own ? own.area.rows : rows.length;
      const width = own ? own.area.columns : rows.reduce((most, row) => Math.max(most, row.length), 0);
      const fill = (size: number, selection: number) =>
        selection % size === 0 && selection < MAX_ROWS ? selection : size;
      const target = { ...area, rows: fill(height, area.rows), columns: fill(width, area.columns) };
      if (target.row + target.rows > MAX_ROWS || target.column + target.columns > MAX_COLUMNS) {
        report(words.blockOffSheet);
        return;
      }
      const textAt = (row: number, column: number) => rows[row % height]![column % width] ?? null;
      if (!own && target.rows * target.columns > PART_CELLS) {
        void pasteLarge(sheet, target, textAt);
        return;
      }
      const pasted = attempt(() => {
        assertWritable(sheet, target);
        growByTyping(sheet, target);
        if (own?.cut) {
          cutCells(own.sheet, own.area, sheet, target);
          copied = undefined;
        } else if (own) copyCells(own.sheet, own.area, sheet, target);
        else {
          const matrix = Array.from({ length: target.rows }, (_, row) =>
            Array.from({ length: target.columns }, (_unused, column) => textAt(row, column)),
          );
          enterValues(sheet, target, matrix, workbook.locale);
        }
      });
      if (pasted) select(sheet, target);
    },

    undo: (): void => report(explainOutcome(undo(workbook), words.undo)),
    redo: (): void => report(explainOutcome(redo(workbook), words.redo)),

    insertRows: (): void => {
      const { sheet, area } = selected();
      attempt(() => insertCells(sheet, { ...area, column: 0, columns: MAX_COLUMNS }, 'Down'));
    },
    deleteRows: (): void => {
      const { sheet, area } = selected();
      attempt(() => deleteCells(sheet, { ...area, column: 0, columns: MAX_COLUMNS }, 'Up'));
    },
    insertColumns: (): void => {
      const { sheet, area } = selected();
      attempt(() => insertCells(sheet, { ...area, row: 0, rows: MAX_ROWS }, 'Right'));
    },
    deleteColumns: (): void => {
      const { sheet, area } = selected();
      attempt(() => deleteCells(sheet, { ...area, row: 0, rows: MAX_ROWS }, 'Left'));
    },

    /** Makes a table of the selection, or of the block around a single cell; its first row is the header. */
    formatAsTable: (): void => {
      const { sheet, area } = selected();
      const block = area.rows * area.columns === 1 ? surroundingRegion(sheet, area) : inUse(sheet, area);
      attempt(() => {
        const table = addTable(sheet, block, true);
        select(sheet, table.area);
      });
    },

    sort: (table: Table, column: TableColumn, ascending: boolean): void => {
      attempt(() => sortTable(table, [{ key: table.columns.indexOf(column), ascending }]));
    },

    /** Shows only the rows whose text in the column contains this; an empty text shows all. */
    filter: (table: Table, column: TableColumn, text: string): void => {
      attempt(() => {
        const literal = text.replace(/[~*?]/g, '~$&');
        filterTable(table, column, text === '' ? undefined : { filterOn: 'Custom', criterion1: `=*${literal}*` });
      });
    },

    /** Does something which Excel may refuse, and reports it if so. */
    attempt,

    /** The address of the selection as the name box shows it: the name of a table that is selected whole. */
    selectionName: (): string => {
      const { sheet, area } = selected();
      const table = sheet.tables.find((each) => contains(each.area, area) && contains(area, each.area));
      return table && area.rows * area.columns > 1
        ? table.name
        : areaAddress({ ...sheet.activeCell, rows: 1, columns: 1 });
    },
  };
};

export type Actions = ReturnType<typeof createActions>;
