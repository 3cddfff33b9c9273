/** What a cell of a workbook holds; a date stands in the row as yyyy-MM-dd, with a time when it has one. */
export type CellKind = 'text' | 'number' | 'inexact number' | 'boolean' | 'date';

/** A row of a file: the line it begins on, counted from 1, and its cells. */
export type SourceRow = {
  line: number;
  cells: readonly string[];
  /** Of a workbook; left out where all cells are text. */
  kinds?: readonly CellKind[];
};

/** Rows under headings, from whatever kind of file. Both are read as far as they are asked for. */
export type RowSource = {
  /** As problems name it. */
  file: string;
  headings: readonly string[];
  /** The line the headings stand on. */
  headingLine: number;
  /** Of a CSV file: its heading as it stands there, and what is taken to part the cells. */
  csv?: { heading: string; delimiter: string };
  /** How problems name a place, when that is not file and line. */
  place?: (line: number, column: number | undefined) => string;
  rows: AsyncIterable<SourceRow>;
};

/** A file that cannot be read as what it should be. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly line: number;
  /** Counted from 1, where it is known. */
  readonly column: number | undefined;

  constructor(line: number, message: string, { column, ...options }: ErrorOptions & { column?: number } = {}) {
    super(message, options);
    this.line = line;
    this.column = column;
  }
}
