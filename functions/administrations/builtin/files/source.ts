/** The kind of a cell of a workbook. A date is yyyy-MM-dd in the row, with its time if it has one. */
export type CellKind = 'text' | 'number' | 'inexact number' | 'boolean' | 'date';

/** A row of a file: the line it begins on, counted from 1, and its cells. */
export type SourceRow = {
  line: number;
  cells: readonly string[];
  /** Of a workbook; left out when all cells are text. */
  kinds?: readonly CellKind[];
};

/** Headings and rows of a file of any format. Rows are read when they are needed. */
export type RowSource = {
  /** Its name in problems. */
  file: string;
  headings: readonly string[];
  /** The line of the headings. */
  headingLine: number;
  /** Of a CSV file: the text of its heading, and its delimiter. */
  csv?: { heading: string; delimiter: string };
  /** The name of a place in problems; left out: file and line. */
  place?: (line: number, column: number | undefined) => string;
  rows: AsyncIterable<SourceRow>;
};

/** A file that does not have the expected format. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly line: number;
  /** Counted from 1; undefined when it is unknown. */
  readonly column: number | undefined;

  constructor(line: number, message: string, { column, ...options }: ErrorOptions & { column?: number } = {}) {
    super(message, options);
    this.line = line;
    this.column = column;
  }
}
