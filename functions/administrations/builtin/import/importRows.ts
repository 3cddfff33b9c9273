import { keepAllAnswers } from '../answers.ts';
import type { Database } from '../database.ts';
import type { Row, Seconds } from '../schema.ts';
import { bind, type ImportRow, type Mapping, ourHeadings, plainMapping, type Report } from './bind.ts';
import type { Columns } from './column.ts';
import { type RowSource, UnreadableFile } from './source.ts';

/** Something wrong in a file. */
export type ImportProblem = {
  file: string;
  line: number;
  /** "" when it is the whole row. */
  column: string;
  message: string;
};

export type ImportCounts = { added: number; changed: number; unchanged: number };

export type ImportResult = {
  /** With any problem at all, nothing was stored. */
  problems: ImportProblem[];
  warnings: string[];
  counts: ImportCounts;
  /** Rows the mapping left out. */
  leftOut: number;
};

/** What an importer works with: the administration, inside the one transaction of the import. */
export type ImportContext = {
  db: Database;
  administration: Row<'administration'>;
  now: Seconds;
  /** The columns there are, by our names: the headings of the file, and what is set for every row. */
  headings: readonly string[];
  /** The line the headings stand on. */
  headingLine: number;
  report: Report;
  /** Whether nothing was reported yet; once something was, nothing more needs storing. */
  isSound: () => boolean;
  counts: ImportCounts;
};

/** How one resource is imported: its columns, and what happens with its rows, some at a time. */
export type Importer<Table extends Columns = Columns> = {
  columns: Table;
  rows: (rows: readonly ImportRow<Table>[], has: (column: string) => boolean) => Promise<void>;
  /** After the last row. */
  end?: () => Promise<void>;
};

export type StartImport = (context: ImportContext) => Promise<Importer>;

/** Lets each resource keep its own type of columns. */
export const importer =
  <Table extends Columns>(start: (context: ImportContext) => Promise<Importer<Table>>): StartImport =>
  async (context) =>
    (await start(context)) as unknown as Importer;

/** Rows checked and stored together. */
const AT_A_TIME = 500;

/** Undoes the transaction; what was found stands in the result. */
class NothingStored extends Error {}

/**
 * Imports all rows of a file, or none: every row is checked, and everything wrong is in the result.
 */
export async function importRows(
  db: Database,
  start: StartImport,
  source: RowSource,
  given: { administrationId: bigint; now: Seconds; mapping?: Mapping },
): Promise<ImportResult> {
  const result: ImportResult = {
    problems: [],
    warnings: [],
    counts: { added: 0, changed: 0, unchanged: 0 },
    leftOut: 0,
  };
  const report: Report = (line, column, message) => {
    result.problems.push({ file: source.file, line, column, message });
  };
  try {
    await db.transaction().execute(async (trx) => {
      await importInside(trx, start, source, { mapping: plainMapping, ...given }, result, report);
      if (result.problems.length > 0) throw new NothingStored();
    });
  } catch (error) {
    if (!(error instanceof NothingStored)) throw error;
    result.problems.sort((a, b) => a.line - b.line);
    result.counts = { added: 0, changed: 0, unchanged: 0 };
  }
  return result;
}

async function importInside(
  db: Database,
  start: StartImport,
  source: RowSource,
  { administrationId, now, mapping }: { administrationId: bigint; now: Seconds; mapping: Mapping },
  result: ImportResult,
  report: Report,
): Promise<void> {
  const administration = await db
    .selectFrom('administration')
    .where('id', '=', administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const importer = await start({
    db,
    administration,
    now,
    headings: [...ourHeadings(source, mapping), ...mapping.constants.keys()],
    headingLine: source.headingLine,
    report,
    isSound: () => result.problems.length === 0,
    counts: result.counts,
  });
  const binding = bind(source, importer.columns, mapping, report);
  if (binding === undefined) return;
  if (binding.unknown.length > 0) {
    result.warnings.push(`These columns are not known here and were not imported: ${binding.unknown.join(', ')}`);
  }
  let batch: ImportRow[] = [];
  const flush = async () => {
    if (batch.length > 0) await importer.rows(batch, binding.has);
    batch = [];
  };
  try {
    for await (const sourceRow of source.rows) {
      const row = binding.read(sourceRow);
      if (row === 'left out') result.leftOut++;
      if (typeof row === 'string') continue;
      batch.push(row);
      if (batch.length === AT_A_TIME) await flush();
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    report(error.line, '', error.message);
  }
  await flush();
  await importer.end?.();
  if (result.problems.length === 0) await keepAllAnswers(db, administrationId);
}

/** Sees to it that a key stands in a file once; a second time is reported, naming the first. */
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

/** What of the new values differs from the old; undefined when nothing does. */
export function differing<Values extends object>(old: Partial<Values>, values: Values): Partial<Values> | undefined {
  const changed = Object.entries(values).filter(([column, value]) => old[column as keyof Values] !== value);
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<Values>);
}
