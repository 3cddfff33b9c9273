import { cutText, MAX_CELL_LENGTH } from '../../../shared/spreadsheet.ts';
import type { Retry } from '../batch.ts';
import type { Cell, ColumnKind, FieldValue } from '../cell.ts';
import { cellOf } from '../cell.ts';
import type { Overview } from './overview.ts';
import type { Source } from './tableMemory.ts';

/** A column of a table: what it is called, how it is shown and where its cells come from. */
export type Column<Row> = {
  /** Its name for the program; stays the same in every language. */
  key: string;
  heading: string;
  kind: ColumnKind;
  /** In characters. */
  width: number;
  value: (row: Row) => FieldValue;
  /** The words a cell may hold, offered as a list. */
  choices?: readonly string[];
  /** Shown as filled by us, not by the person. */
  answer?: boolean;
};

/** A table to be made or refreshed. */
export type TableSpec<Row> = {
  source: Source;
  /** What its sheet is called, if that name is still free. */
  sheetName: string;
  columns: readonly Column<Row>[];
  /** Columns that together tell one row from another. Empty for a table the person fills in. */
  keys: readonly string[];
  /** Columns at the left that stay in sight while the others scroll. */
  frozen?: number;
  /** What stands above it, on a sheet that is to be looked at. */
  overview?: Overview;
};

export type WriteOptions = {
  /** Rows that stand in the sheet by now. */
  onProgress?: (rows: number) => void;
  signal?: AbortSignal | undefined;
  retry?: Retry;
};

/** What came of writing a table. */
export type Written = {
  sheetName: string;
  rows: number;
  added: number;
  changed: number;
  removed: number;
  /** Rows that are no longer answered but hold something of the person's own: their keys. */
  kept: string[];
  /** Texts that were longer than a cell can be, and end in an ellipsis now. */
  cut: number;
};

/** Takes the rows of a table as they come in. */
export type TableWriter<Row> = {
  write: (rows: readonly Row[]) => Promise<void>;
  finish: () => Promise<Written>;
  /** Leaves the workbook as it was before. */
  discard: () => Promise<void>;
};

/** The cells of a row; `onCut` is told of each text too long for a cell. */
export function cellsOf<Row>(columns: readonly Column<Row>[], row: Row, onCut: () => void): Cell[] {
  return columns.map(({ kind, value }) => {
    const cell = cellOf(kind, value(row));
    if (typeof cell !== 'string' || cell.length <= MAX_CELL_LENGTH) return cell;
    onCut();
    return cutText(cell);
  });
}

/** How the key of a row reads, from the cells of its key columns. */
export const keyText = (cells: readonly Cell[]): string => cells.map((cell) => String(cell).trim()).join(' ');

/** Characters that the button of a filter takes beside a heading. */
const FILTER_BUTTON = 3;

/**
 * The width of a column in points, as `columnWidth` counts (OfficeDev/office-js#187): a character of Excel's usual font is
 * 7 pixels wide, a cell has 5 more, and a point is 4/3 pixels. The whole heading is in sight.
 */
export const columnPoints = (characters: number, heading: string): number =>
  (Math.max(characters, heading.length + FILTER_BUTTON) * 7 + 5) * 0.75;
