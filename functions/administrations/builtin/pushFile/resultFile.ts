import { existsSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import type { PushRow } from '../../../../shared/resources/push.ts';
import { writingTo } from '../files/commandError.ts';
import { csvLine } from '../files/csvLine.ts';
import type { RowSource } from '../files/source.ts';
import { forSpreadsheet } from '../files/spreadsheetText.ts';
import { RESULT, type ReadFile } from './readPushFile.ts';

/** What became of a row, as columns beside those of its file. */
const resultColumns: Readonly<Record<string, (row: PushRow) => string | null | undefined>> = {
  [RESULT]: ({ state }) => state,
  ResultNumber: ({ document, product }) => document?.number ?? product?.ArticleNumber,
  ResultTotalExclTax: ({ document }) => document?.totalExclTax,
  ResultTaxAmount: ({ document }) => document?.taxAmount,
  ResultTotalInclTax: ({ document }) => document?.totalInclTax,
  ResultDueDate: ({ document }) => document?.dueDate,
  ResultStatus: ({ document }) => document?.status,
  ResultPdf: ({ document }) => document?.pdf,
  ResultMessage: ({ errorMessage }) => errorMessage,
};

/**
 * Begins a result file before its rows are sent: afterwards it would be too late to say that it cannot be written.
 * @returns removes it again, unless it was there before
 * @throws CommandError
 */
export async function beginResultFile(file: string): Promise<() => Promise<void>> {
  const isNew = !existsSync(file);
  await writingTo(
    file,
    open(file, 'a').then((handle) => handle.close()),
  );
  return async () => {
    if (isNew) await rm(file, { force: true });
  };
}

/** Writes a copy of a file with what became of its rows beside them: a document's result is in its first row. @throws CommandError */
export async function writeResultFile(
  file: string,
  { headings, csv }: RowSource,
  { rows, requests }: ReadFile,
  outcomes: ReadonlyMap<number, PushRow>,
): Promise<void> {
  const results = new Map(requests.map((request, index) => [request.rows[0]!.line, outcomes.get(index)]));
  // The copy of an earlier push has such columns already.
  const own = headings.map((heading) => !Object.hasOwn(resultColumns, heading));
  const lines = rows.map(({ line, cells }) => {
    const outcome = results.get(line);
    const result = Object.entries(resultColumns).map(([heading, of]) =>
      outcome === undefined ? (cells[headings.indexOf(heading)] ?? '') : (of(outcome) ?? ''),
    );
    return [...cells.filter((_, index) => own[index]), ...result];
  });
  const delimiter = csv?.delimiter ?? ',';
  const all = [[...headings.filter((_, index) => own[index]), ...Object.keys(resultColumns)], ...lines];
  // What was read lacks the apostrophes of its file.
  const written = all.map((cells) => csvLine(cells.map(forSpreadsheet), delimiter));
  // Excel takes a file for UTF-8 when it begins with a byte order mark.
  await writingTo(file, writeFile(file, `\ufeff${written.join('')}`));
}
