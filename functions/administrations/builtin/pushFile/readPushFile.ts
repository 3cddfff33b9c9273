import type { PushedName } from '../../../../shared/api.ts';
import { addProblem, type ImportProblem } from '../files/problems.ts';
import { readRows } from '../files/readRows.ts';
import type { RowSource, SourceRow } from '../files/source.ts';
import { bind, type ImportRow, type Mapping } from '../import/bind.ts';
import { ourHeadings } from '../import/headings.ts';
import { type RequestColumns, requestColumns, requestValue } from './requestColumns.ts';

/** A request of a file, with the rows that it is made of. */
type FileRequest = { request: Record<string, unknown>; rows: ImportRow[] };

export type ReadFile = {
  requests: FileRequest[];
  /** Every row of the file, also those that are not sent. */
  rows: SourceRow[];
  /** How many were sent before, as the copy of an earlier push says: they are not sent again. */
  sentBefore: Record<SentBefore, number>;
  problems: ImportProblem[];
  /** Headings that are no column of the endpoint. */
  unknown: string[];
  /** The line of an error from the app. */
  placeOf: (request: FileRequest, path: string) => { line: number; column: string };
  report: (line: number, column: string, message: string) => void;
};

/** The column that the copy of a file has with the state of each row. */
export const RESULT = 'Result';

/** Results with which a row is not sent again: of an unknown one, a person finds out whether it is in the books. */
const sentBefore = ['applied', 'unknown'] as const;
type SentBefore = (typeof sentBefore)[number];
const isSentBefore = (result: string): result is SentBefore => (sentBefore as readonly string[]).includes(result);

/** The column that says which rows are lines of one document, unless the caller names another. */
const DOCUMENT = 'Document';

/**
 * Reads the requests of an endpoint from a file. Consecutive rows with the same document are its lines, and so are
 * rows below them without a document. A field of the document is in its first row, and repeated or empty in the others.
 * @param document the heading of the column with the document; left out: `Document`, if the file has that
 */
export async function readPushFile(
  name: PushedName,
  source: RowSource,
  mapping: Mapping,
  document: string | undefined,
): Promise<ReadFile> {
  const problems: ImportProblem[] = [];
  const { columns, lines } = requestColumns(name);
  const headings = ourHeadings(source, mapping, columns);
  const report = (line: number, column: string, message: string) => {
    const index = headings.indexOf(column);
    const place = source.place?.(line, index === -1 ? undefined : index) ?? `${source.file}:${line}`;
    addProblem(problems, { file: source.file, line, column, message, place });
  };
  const heading = document ?? DOCUMENT;
  const documentIndex = source.headings.indexOf(heading);
  if (document !== undefined && documentIndex === -1) {
    report(source.headingLine, document, 'expected a column with this heading');
  }
  const binding = bind(source, headings, columns, mapping, report);
  const requests: FileRequest[] = [];
  const rows: SourceRow[] = [];
  const seen = new Set<string>();
  const resultIndex = source.headings.indexOf(RESULT);
  const sent = { applied: 0, unknown: 0 };
  let current: string | undefined;
  /** Whether the document that the rows belong to was sent before. */
  let isSent = false;
  const add = (row: ImportRow, named: string, result: string) => {
    const continues = lines !== undefined && documentIndex !== -1 && (named === '' || named === current);
    if (continues && isSent) return;
    if (continues && requests.length > 0) return addLine(requests.at(-1)!, row, { columns, lines }, report);
    if (documentIndex !== -1 && named !== '') {
      if (seen.has(named)) report(row.line, heading, `expected the rows of ${named} below each other`);
      seen.add(named);
    }
    current = named;
    isSent = isSentBefore(result);
    if (isSentBefore(result)) sent[result]++;
    else requests.push(newRequest(row, { columns, lines }));
  };
  for await (const row of readRows(source, report)) {
    rows.push(row);
    const read = binding?.read(row);
    if (typeof read === 'object') add(read, cellOf(row, documentIndex), cellOf(row, resultIndex));
  }
  return {
    requests,
    rows,
    sentBefore: sent,
    problems,
    unknown: binding?.unknown.filter((one) => one !== heading && !one.startsWith(RESULT)) ?? [],
    placeOf: ({ rows: [first, ...others] }, path) => {
      const [, line, member] = /\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
      if (line === undefined) return { line: first!.line, column: path };
      return { line: (others[Number(line) - 1] ?? first!).line, column: member ?? '' };
    },
    report,
  };
}

const cellOf = ({ cells }: SourceRow, index: number): string => (cells[index] ?? '').trim();

function newRequest(row: ImportRow, { columns, lines }: RequestColumns): FileRequest {
  const isLine = (name: string) => lines?.names.has(name) === true;
  const request = valuesOf(row, columns, (name) => !isLine(name));
  if (lines !== undefined) request[lines.member] = [valuesOf(row, columns, isLine)];
  return { request, rows: [row] };
}

/** Adds a row to a document, as a line. */
function addLine(
  { request, rows }: FileRequest,
  row: ImportRow,
  { columns, lines }: RequestColumns,
  report: ReadFile['report'],
): void {
  rows.push(row);
  const isLine = (name: string) => lines!.names.has(name);
  for (const [name, value] of Object.entries(valuesOf(row, columns, (one) => !isLine(one)))) {
    if (value !== request[name])
      report(row.line, name, 'expected the same as in the first row of the document, or nothing');
  }
  (request[lines!.member] as object[]).push(valuesOf(row, columns, isLine));
}

const valuesOf = ({ values }: ImportRow, columns: RequestColumns['columns'], isWanted: (name: string) => boolean) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || !isWanted(name) ? [] : [[name, requestValue(columns[name]!, value)]],
    ),
  );
