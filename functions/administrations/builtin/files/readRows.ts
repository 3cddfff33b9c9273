import { type Column, isRefused, type ReadOptions } from './column.ts';
import { type RowSource, type SourceRow, UnreadableFile } from './source.ts';

/* What all strict readers of files have in common: imports, pushed files, and archives of administrations. */

/** Reports something wrong in a file. @param column its heading; "" for the whole row */
export type Report = (line: number, column: string, message: string) => void;

/**
 * The rows of a file with a cell for each heading. Other rows are reported, and so is what makes the rest of the file
 * unreadable.
 */
export async function* readRows({ headings, rows }: RowSource, report: Report): AsyncGenerator<SourceRow, void> {
  try {
    for await (const row of rows) {
      const { length } = row.cells;
      if (length === headings.length) yield row;
      else report(row.line, '', `expected ${headings.length} cells, as the heading has, got ${length}`);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    report(error.line, '', error.message);
  }
}

/** Refuses each repetition of a heading. Several columns without one are none of ours. */
export function refuseRepeated(headings: readonly string[], refuse: (heading: string, message: string) => void): void {
  headings.forEach((heading, index) => {
    if (heading !== '' && headings.indexOf(heading) !== index) refuse(heading, 'expected this column once');
  });
}

/** Reads a cell by its column. @returns undefined when the column refuses it, which is reported */
export function readCell<T>(
  { read }: Pick<Column<T>, 'read'>,
  text: string,
  options: ReadOptions,
  refuse: (message: string) => void,
): T | undefined {
  const value = read(text, options);
  if (!isRefused(value)) return value;
  refuse(value.refused);
  return undefined;
}
