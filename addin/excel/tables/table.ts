import { cutText, MAX_CELL_LENGTH } from '../../../shared/spreadsheet.ts';
import { type Cell, type ColumnKind, cellOf, type FieldValue } from '../cell.ts';
import type { Overview } from './overview.ts';
import type { Source } from './tableMemory.ts';

/** A column of a table: its heading, its format and the source of its cells. */
export type Column<Row> = {
  /** Its identifier, the same in every language. */
  key: string;
  heading: string;
  kind: ColumnKind;
  /** In characters. */
  width: number;
  value: (row: Row) => FieldValue;
  /** The formula with that value: a refresh writes it again and does not count it as a change. */
  formula?: Formula<Row>;
  /** The code that a cell stands for, for words that other languages have too: keys are compared by it. */
  codeOf?: (cell: Cell) => Cell;
  /** The words that a cell may contain, offered as a list. */
  choices?: readonly string[];
  /** The source of a longer list to choose from; other values are allowed too. */
  listedAt?: string;
  /** What a selected cell says of itself: a title of at most 32 characters, and a message of at most 255. */
  prompt?: { title: string; message: string };
  /** Whether the pane fills it in, not the user. */
  isFilledByPane?: boolean;
};

/** The cells of a column of a table, as a reference; undefined when the user deleted or renamed it so that it has none. */
export type ColumnReference = (key: string) => string | undefined;

/**
 * The formula of a cell, over columns of its own table and of the one that its table is made of; undefined where the cell
 * has none, or has to be its value.
 */
export type Formula<Row> = (row: Row, own: ColumnReference, over: ColumnReference) => string | undefined;

/** A table to create or refresh. */
export type TableSpec<Row> = {
  source: Source;
  /** The moment of its rows, ISO, if it is not that of the pull. */
  dataAt?: string;
  /** The name of its sheet, if it is free. */
  sheetName: string;
  columns: readonly Column<Row>[];
  /** Whether the user chose the columns: a refresh then adds and removes some. */
  hasChosenColumns?: boolean;
  /** The key columns. Empty for a table that the user fills in. */
  keys: readonly string[];
  /** Rows without a number, or with 0, by the key column of numbers: the further columns that tell them apart. */
  unnumbered?: { column: string; furtherKeys: readonly string[] };
  /** Columns at the left that stay visible while the others scroll. */
  frozen?: number;
  /** The heading, chart and totals above it. */
  overview?: Overview;
  /** The table that its formulas are over. */
  formulasOver?: Source;
  /** Whether a sheet is made for it without rows too. */
  isMadeWithoutRows?: boolean;
};

/** The result of writing a table. */
export type Written = {
  /** What happened to its sheet. `none`: there were no rows, so no sheet was made. */
  work: 'made' | 'refreshed' | 'none';
  sheetName: string;
  /** Missing when no sheet was made. */
  sheetId?: string;
  /** The moment of its rows, ISO, if it is not that of the pull. */
  dataAt?: string;
  rows: number;
  added: number;
  changed: number;
  removed: number;
  /** The keys of rows that are no longer received but have values of the user. */
  retained: string[];
  /** The number of rows with marked cells, if changes were marked. */
  marked?: number;
  /** The number of texts that were cut because they were too long for a cell. */
  cut: number;
};

/** Takes the rows of a table as they arrive. */
export type TableWriter<Row> = {
  write: (rows: readonly Row[]) => Promise<void>;
  finish: () => Promise<Written>;
  /** Restores the workbook. */
  discard: () => Promise<void>;
};

/** The cells of a row; `onCut` is called for each text that is too long for a cell. */
export function cellsOf<Row>(columns: readonly Column<Row>[], row: Row, onCut: () => void): Cell[] {
  return columns.map(({ kind, value }) => {
    const cell = cellOf(kind, value(row));
    if (typeof cell !== 'string' || cell.length <= MAX_CELL_LENGTH) return cell;
    onCut();
    return cutText(cell);
  });
}

/** The text of a row's key, from the cells of its key columns. */
export const keyText = (cells: readonly Cell[]): string => cells.map((cell) => String(cell).trim()).join(' ');

/** In a cell that has no text of a service. */
export const isFormula = (cell: Cell | null): boolean => typeof cell === 'string' && cell.startsWith('=');

/** A value typed by the user; a formula is repeated in every row. */
export const isNote = (cell: Cell): boolean => cell !== '' && !isFormula(cell);

/** Widths in pixels: of a character of Excel's usual font, of a bold one, and of a filter button with its margins. */
export const CHARACTER = 7;
export const BOLD_CHARACTER = 8;
const FILTER_BUTTON = 34;

/**
 * The width of a column in points, as `columnWidth` counts (OfficeDev/office-js#187): a cell has 5 pixels more than its
 * text, and a point is 4/3 pixels. The whole heading is visible.
 */
export const columnPoints = (characters: number, heading: string): number =>
  (Math.max(characters * CHARACTER, heading.length * BOLD_CHARACTER + FILTER_BUTTON) + 5) * 0.75;
