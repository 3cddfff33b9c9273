import type { Columns } from '../files/column.ts';
import { addProblem, allOrNothing, type ImportProblem } from '../files/problems.ts';
import { type Report, readRows } from '../files/readRows.ts';
import type { RowSource, SourceRow } from '../files/source.ts';
import { storeAllResponses } from '../responses/storeAllResponses.ts';
import type { Database } from '../sql/database.ts';
import type { Logging } from '../sql/logWriting/appendChanges.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import type { Row, Seconds } from '../sql/schema.ts';
import { writingIn } from '../sql/transaction.ts';
import { enteredOn } from '../vat/filedReturns.ts';
import { bind, type ImportRow, type Mapping, plainMapping } from './bind.ts';
import { type HeadedFile, ourHeadings } from './headings.ts';

export type ImportCounts = { added: number; changed: number; unchanged: number };

export type ImportResult = {
  /** With any problem, nothing was stored. */
  problems: ImportProblem[];
  warnings: string[];
  counts: ImportCounts;
  /** Rows the mapping left out. */
  leftOut: number;
};

/** The context of an importer, in the transaction of the import. */
export type ImportContext = {
  db: Database;
  administration: Row<'administration'>;
  now: Seconds;
  /** The columns of the file by our names, and those with one value for every row. */
  headings: readonly string[];
  /** The line of the headings. */
  headingLine: number;
  report: Report;
  /** Whether nothing was reported so far. After a problem nothing more is stored. */
  isSound: () => boolean;
  counts: ImportCounts;
  /** Sentences about what is imported but may be wrong. */
  warnings: string[];
  placeOf: PlaceOf;
};

/** Where a cell is, as a warning names it. */
type PlaceOf = (line: number, column: string) => string;

/** Imports the rows of one file in batches. */
export type Importer<Table extends Columns = Columns> = {
  /** Columns beside those of the resource, for the headings of this file. */
  columns?: Columns;
  rows: (rows: readonly ImportRow<Table>[], has: (column: string) => boolean) => Promise<void>;
  /** After the last row. */
  end?: () => Promise<void>;
};

/** A resource that can be imported: its columns, and how an import of it begins. */
export type Resource = { columns: Columns; start: (context: ImportContext) => Promise<Importer> };

/** Declares a resource with the types of its columns. */
export const importer = <Table extends Columns>(
  columns: Table,
  start: (context: ImportContext) => Promise<Importer<Table>>,
): Resource => ({ columns, start: start as unknown as Resource['start'] });

const BATCH_SIZE = 500;

/** Imports all rows of a file, or none. Every row is checked, and every problem is in the result. */
export async function importRows(
  db: Database,
  resource: Resource,
  source: RowSource,
  target: { administrationId: bigint; now: Seconds; mapping?: Mapping },
): Promise<ImportResult> {
  const result = noResult();
  await allOrNothing(
    result.problems,
    (work) =>
      writingIn(db, { ...target, author: byCommand('import'), grouping: 'by record', unlessArchived: true }, work),
    async (trx, logging) => {
      const now = await enteredOn(trx, target.administrationId, target.now);
      await importInto(trx, resource, source, { ...target, now, logging }, result);
      if (result.problems.length === 0) await storeAllResponses(trx, target.administrationId);
    },
  );
  if (result.problems.length > 0) result.counts = noCounts();
  return result;
}

/**
 * Imports all rows of a file inside a transaction. Afterwards the caller makes the stored responses, or rolls back when
 * there is a problem.
 * @returns the result
 */
export async function importInto(
  db: Database,
  resource: Resource,
  source: RowSource,
  { mapping = plainMapping, ...target }: ImportTarget & { mapping?: Mapping },
  result: ImportResult = noResult(),
): Promise<ImportResult> {
  const headings = ourHeadings(source, mapping, resource.columns);
  const place = (line: number, column: string) => {
    const index = headings.indexOf(column);
    return source.place?.(line, index === -1 ? undefined : index) ?? `${source.file}:${line}`;
  };
  const report: Report = (line, column, message) =>
    addProblem(result.problems, { file: source.file, line, column, message, place: place(line, column) });
  const placeOf: PlaceOf = (line, column) => `${place(line, column)} ${column}`;
  const sink = await openImport(db, resource, source, { ...target, mapping }, { result, report, placeOf });
  if (sink === undefined) return result;
  for await (const row of readRows(source, report)) await sink.add(row);
  await sink.end();
  return result;
}

export const noCounts = (): ImportCounts => ({ added: 0, changed: 0, unchanged: 0 });

/** The result before an import. */
export const noResult = (): ImportResult => ({
  problems: [],
  warnings: [],
  counts: noCounts(),
  leftOut: 0,
});

/** Accepts rows one by one, and stores them in batches. */
export type Sink = { add: (row: SourceRow) => Promise<void>; end: () => Promise<void> };

/** The administration that rows are imported into, in a transaction with a log. */
export type ImportTarget = { administrationId: bigint; now: Seconds; logging: Logging };

/**
 * Begins an import inside a transaction. Afterwards the caller makes the stored responses.
 * @returns undefined when the headings are wrong, which is reported
 */
export async function openImport(
  db: Database,
  resource: Resource,
  source: HeadedFile,
  { administrationId, now, mapping, logging }: ImportTarget & { mapping: Mapping },
  { result, report, placeOf }: { result: ImportResult; report: Report; placeOf: PlaceOf },
): Promise<Sink | undefined> {
  const administration = await db
    .selectFrom('administration')
    .where('id', '=', administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const headings = ourHeadings(source, mapping, resource.columns);
  const importer = await resource.start({
    db,
    administration,
    now,
    headings: [...headings, ...mapping.constants.keys()],
    headingLine: source.headingLine,
    report,
    isSound: () => result.problems.length === 0,
    counts: result.counts,
    warnings: result.warnings,
    placeOf,
  });
  const binding = bind(source, headings, { ...resource.columns, ...importer.columns }, mapping, report);
  if (binding === undefined) return undefined;
  const recognised = source.headings.flatMap((heading, index) =>
    heading === headings[index] || mapping.columns.get(headings[index]!) === heading
      ? []
      : `${heading} as ${headings[index]}`,
  );
  if (recognised.length > 0) result.warnings.push(`These columns were recognised: ${recognised.join(', ')}`);
  if (binding.unknown.length > 0) {
    result.warnings.push(`These columns are unknown and were not imported: ${binding.unknown.join(', ')}`);
  }
  let batch: ImportRow[] = [];
  const flush = async () => {
    if (batch.length > 0) await importer.rows(batch, binding.has);
    await logging.logSoFar();
    batch = [];
  };
  return {
    add: async (sourceRow) => {
      const row = binding.read(sourceRow);
      if (row === 'left out') result.leftOut++;
      else batch.push(row);
      if (batch.length === BATCH_SIZE) await flush();
    },
    end: async () => {
      await flush();
      await importer.end?.();
    },
  };
}

/** Returns a function that reports a key when it is in a file a second time, and names the first line. */
export function keysOnce(report: Report): (key: string, line: number, column: string, what: string) => boolean {
  const lines = new Map<string, number>();
  return (key, line, column, what) => {
    const first = lines.get(key);
    if (first !== undefined) {
      report(line, column, `expected ${what} once, but it stands on line ${first} as well`);
      return false;
    }
    lines.set(key, line);
    return true;
  };
}

/** The new values that differ from the stored ones; undefined when none does. */
export function differing<Values extends object>(stored: Partial<Values>, values: Values): Partial<Values> | undefined {
  const changed = Object.entries(values).filter(([column, value]) => stored[column as keyof Values] !== value);
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<Values>);
}
