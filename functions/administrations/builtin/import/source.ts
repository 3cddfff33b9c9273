/** A row of a file: the line it begins on, counted from 1, and its cells. */
export type SourceRow = { line: number; cells: readonly string[] };

/** Rows under headings, from whatever kind of file. Both are read as far as they are asked for. */
export type RowSource = {
  /** As problems name it. */
  file: string;
  headings: readonly string[];
  /** The line the headings stand on. */
  headingLine: number;
  rows: AsyncIterable<SourceRow>;
};

/** A file that cannot be read as what it should be. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly line: number;

  constructor(line: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.line = line;
  }
}
