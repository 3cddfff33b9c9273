import { writeFile } from 'node:fs/promises';
import type { PushRow } from '../../../../shared/resources/push.ts';
import { csvLine } from '../files/csvLine.ts';
import type { RowSource } from '../files/source.ts';
import { forSpreadsheet } from '../files/spreadsheetText.ts';
import type { ReadFile } from './readPushFile.ts';

/** What became of a row, as columns beside those of its file. */
const resultColumns: Readonly<Record<string, (row: PushRow) => string | null | undefined>> = {
  Result: ({ state }) => state,
  ResultNumber: ({ document, product }) => document?.number ?? product?.ArticleNumber,
  ResultTotalExclTax: ({ document }) => document?.totalExclTax,
  ResultTaxAmount: ({ document }) => document?.taxAmount,
  ResultTotalInclTax: ({ document }) => document?.totalInclTax,
  ResultDueDate: ({ document }) => document?.dueDate,
  ResultStatus: ({ document }) => document?.status,
  ResultPdf: ({ document }) => document?.pdf,
  ResultMessage: ({ errorMessage }) => errorMessage,
};

/** Writes a copy of a file with what became of its rows beside them: a document's result is in its first row. */
export async function writeResultFile(
  file: string,
  { headings, csv }: RowSource,
  { rows, requests }: ReadFile,
  outcomes: ReadonlyMap<number, PushRow>,
): Promise<void> {
  const results = new Map(requests.map((request, index) => [request.rows[0]!.line, outcomes.get(index)]));
  const lines = rows.map(({ line, cells }) => {
    const outcome = results.get(line);
    const result = Object.values(resultColumns).map((of) => (outcome === undefined ? '' : (of(outcome) ?? '')));
    return [...cells, ...result.map(forSpreadsheet)];
  });
  const delimiter = csv?.delimiter ?? ',';
  const all = [[...headings, ...Object.keys(resultColumns)], ...lines];
  // Excel takes a file for UTF-8 when it begins with a byte order mark.
  await writeFile(file, `\ufeff${all.map((cells) => csvLine(cells, delimiter)).join('')}`);
}
