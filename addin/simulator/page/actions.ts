import { type Area, areaAddress, contains, MAX_COLUMNS, MAX_ROWS, onSheet } from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { copyCells, cutCells } from '../workbook/copy.ts';
import { surroundingRegion } from '../workbook/edge.ts';
import { clearArea, enterValues } from '../workbook/enter.ts';
import { filterTable } from '../workbook/filter.ts';
import {
  assertWritable,
  type Cell,
  forEachCell,
  putCell,
  type Sheet,
  sourceAt,
  textAt,
  usedArea,
} from '../workbook/sheet.ts';
import { select } from '../workbook/sheets.ts';
import { deleteCells, insertCells } from '../workbook/shift.ts';
import { sortTable } from '../workbook/sort.ts';
import type { Table, TableColumn } from '../workbook/table.ts';
import { addTable, growByTyping } from '../workbook/tableShape.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { fromClipboard, toClipboard } from './clipboard.ts';
import { isAllowed } from './validation.ts';
import type { Words } from './words.ts';

type Place = { sheet: Sheet; area: Area };

/** A place as it was. */
type Snapshot = Place & {
  cells: Map<string, { row: number; column: number; cell: Cell }>;
  tables: { table: Table; area: Area; columns: TableColumn[]; awaitsFirstRow: boolean }[];
};

const MOST_UNDO_STEPS = 100;

/** What a refusal means to the person at the keyboard. */
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

/**
 * What a user can do to the cells. Each action reports a refusal in the user's language. What changes contents can be
 * undone; inserting, deleting and sorting cannot, and end what could be undone before them.
 */
export const createActions = (workbook: Workbook, words: Words, report: (message: string) => void) => {
  let undoSteps: Snapshot[][] = [];
  let redoSteps: Snapshot[][] = [];
  let copied: { sheet: Sheet; area: Area; text: string; cut: boolean } | undefined;

  // What an add-in changed meanwhile must not be overwritten by what was there before.
  workbook.subscribe(() => {
    if (workbook.actor === 'add-in') {
      undoSteps = [];
      redoSteps = [];
    }
  });

  const attempt = (work: () => void): boolean => {
    try {
      work();
      report('');
      return true;
    } catch (error) {
      report(explain(error, words));
      return false;
    }
  };

  const snapshot = ({ sheet, area }: Place): Snapshot => {
    const cells: Snapshot['cells'] = new Map();
    forEachCell(sheet, area, (cell, row, column) => cells.set(`${row},${column}`, { row, column, cell }));
    const tables = sheet.tables.map((table) => ({
      table,
      area: table.area,
      columns: table.columns.map((column) => ({ ...column })),
      awaitsFirstRow: table.awaitsFirstRow,
    }));
    return { sheet, area, cells, tables };
  };

  const restore = ({ sheet, area, cells, tables }: Snapshot): void => {
    for (const { table, ...before } of tables) Object.assign(table, before);
    const now: [number, number][] = [];
    forEachCell(sheet, area, (_, row, column) => now.push([row, column]));
    for (const [row, column] of now) putCell(sheet, row, column, undefined);
    for (const { row, column, cell } of cells.values()) putCell(sheet, row, column, cell);
    workbook.active = sheet;
    sheet.workbook.contentChanged(sheet, area);
    select(sheet, area);
  };

  const step = (from: Snapshot[][], to: Snapshot[][]): void => {
    const last = from.pop();
    if (!last?.every(({ sheet }) => workbook.sheets.includes(sheet))) return;
    to.push(last.map(snapshot));
    for (const place of [...last].reverse()) restore(place);
  };

  /** Does something to these places that can be undone; the first is where the user looks. */
  const changing = (places: Place[], work: () => void): boolean => {
    const before = places.map(snapshot);
    if (!attempt(work)) return false;
    undoSteps = [...undoSteps, before].slice(-MOST_UNDO_STEPS);
    redoSteps = [];
    return true;
  };

  /** Does something that cannot be undone. */
  const restructuring = (work: () => void): void => {
    if (!attempt(work)) return;
    undoSteps = [];
    redoSteps = [];
  };

  const selected = (): Place => ({ sheet: workbook.active, area: workbook.active.selection });

  /** The selection without the emptiness that selecting whole rows and columns brings along. */
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

  return {
    /** Enters text into a cell by the rules of typing. False when it was refused. */
    type: (sheet: Sheet, row: number, column: number, text: string): boolean => {
      if (text === sourceAt(sheet, row, column)) return true;
      if (!isAllowed(sheet, row, column, text)) {
        report(words.invalidEntry);
        return false;
      }
      const area = { row, column, rows: 1, columns: 1 };
      return changing([{ sheet, area }], () => {
        assertWritable(sheet, area);
        if (text !== '') growByTyping(sheet, area);
        enterValues(sheet, area, text, workbook.locale);
      });
    },

    clear: (): void => {
      const { sheet, area } = selected();
      const used = inUse(sheet, area);
      changing([{ sheet, area: used }], () => clearArea(sheet, used, 'Contents'));
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
      const width = own ? own.area.columns : Math.max(...rows.map((row) => row.length));
      const fill = (size: number, selection: number) =>
        selection % size === 0 && selection < MAX_ROWS ? selection : size;
      const target = { ...area, rows: fill(height, area.rows), columns: fill(width, area.columns) };
      const places = own?.cut ? [{ sheet, area: target }, own] : [{ sheet, area: target }];
      const pasted = changing(places, () => {
        onSheet(target);
        assertWritable(sheet, target);
        growByTyping(sheet, target);
        if (own?.cut) {
          cutCells(own.sheet, own.area, sheet, target);
          copied = undefined;
        } else if (own) copyCells(own.sheet, own.area, sheet, target);
        else {
          const matrix = Array.from({ length: target.rows }, (_, row) =>
            Array.from({ length: target.columns }, (_unused, column) => rows[row % height]![column % width] ?? null),
          );
          enterValues(sheet, target, matrix, workbook.locale);
        }
      });
      if (pasted) select(sheet, target);
    },

    undo: (): void => step(undoSteps, redoSteps),
    redo: (): void => step(redoSteps, undoSteps),

    insertRows: (): void => {
      const { sheet, area } = selected();
      restructuring(() => insertCells(sheet, { ...area, column: 0, columns: MAX_COLUMNS }, 'Down'));
    },
    deleteRows: (): void => {
      const { sheet, area } = selected();
      restructuring(() => deleteCells(sheet, { ...area, column: 0, columns: MAX_COLUMNS }, 'Up'));
    },
    insertColumns: (): void => {
      const { sheet, area } = selected();
      restructuring(() => insertCells(sheet, { ...area, row: 0, rows: MAX_ROWS }, 'Right'));
    },
    deleteColumns: (): void => {
      const { sheet, area } = selected();
      restructuring(() => deleteCells(sheet, { ...area, row: 0, rows: MAX_ROWS }, 'Left'));
    },

    /** Makes a table of the selection, or of the block around a single cell; its first row is the header. */
    formatAsTable: (): void => {
      const { sheet, area } = selected();
      const block = area.rows * area.columns === 1 ? surroundingRegion(sheet, area) : inUse(sheet, area);
      restructuring(() => {
        const table = addTable(sheet, block, true);
        select(sheet, table.area);
      });
    },

    sort: (table: Table, column: TableColumn, ascending: boolean): void =>
      restructuring(() => sortTable(table, [{ key: table.columns.indexOf(column), ascending }])),

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
