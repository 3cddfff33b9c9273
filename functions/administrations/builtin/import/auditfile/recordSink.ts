import type { Report } from '../../files/readRows.ts';
import type { Database } from '../../sql/database.ts';
import { plainMapping } from '../bind.ts';
import {
  type ImportCounts,
  type ImportResult,
  type ImportTarget,
  noResult,
  openImport,
  type Resource,
  type Sink,
} from '../importRows.ts';
import { lineOf, type XmlRecord } from './records.ts';

/** Records that are kept to locate problems. */
const MAX_RECORDS = 1000;

/** Imports rows of a resource, each made of a record. */
export type RecordSink = {
  add: (from: XmlRecord, cells: readonly string[]) => Promise<void>;
  end: () => Promise<void>;
};

/** @param elements column -> its element, which problems name with its line */
export type OpenSink = (
  resource: Resource,
  headings: readonly string[],
  elements: Readonly<Record<string, string>>,
) => Promise<RecordSink>;

/** Returns a function that opens sinks, all with one list of problems and one of warnings. */
export const recordSinks =
  (
    db: Database,
    target: ImportTarget,
    { problems, warnings }: ImportResult,
    report: Report,
    countsOf: (resource: Resource) => ImportCounts,
  ): OpenSink =>
  async (resource, headings, elements) => {
    const records = new Map<number, XmlRecord>();
    const inFile = (line: number, column: string): [line: number, element: string] => {
      const element = elements[column.replace(/\d+_/, '_')] ?? column;
      const record = records.get(line);
      return [record === undefined ? line : lineOf(record, element), element];
    };
    const sink = (await openImport(
      db,
      resource,
      { headings, headingLine: 1 },
      { ...target, mapping: plainMapping },
      {
        result: { ...noResult(), problems, warnings, counts: countsOf(resource) },
        report: (line, column, message) => report(...inFile(line, column), message),
        placeOf: (line, column) => `line ${inFile(line, column).join(' ')}`,
      },
    )) as Sink;
    return {
      add: async (from, cells) => {
        records.set(from.line, from);
        if (records.size > MAX_RECORDS) records.delete(records.keys().next().value!);
        await sink.add({ line: from.line, cells });
      },
      end: sink.end,
    };
  };
