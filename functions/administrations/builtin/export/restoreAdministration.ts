import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { keepAllAnswers } from '../answers.ts';
import type { Database } from '../database.ts';
import { allOrNothing, type ImportProblem, noResult } from '../import/importRows.ts';
import { readCsv } from '../import/readCsv.ts';
import { type RowSource, type SourceRow, UnreadableFile } from '../import/source.ts';
import { insertKeyedRows, insertRows } from '../insertRows.ts';
import { Refusal } from '../refusal.ts';
import { inTransaction } from '../transaction.ts';
import {
  type ArchiveFile,
  ATTACHMENT_FILE,
  ATTACHMENTS,
  archiveFiles,
  type Field,
  FORMAT,
  MANIFEST,
  placedTables,
  settings,
  type Target,
  VERSION,
} from './archive.ts';
import type { Value } from './kinds.ts';

const AT_A_TIME = 500;
/** An attachment may be ten megabytes: each is stored before the next is read. */
const ATTACHMENTS_AT_A_TIME = 1;

type Tables = Kysely<Record<string, Record<string, Value>>>;

const manifestFile = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  rows: z.record(z.string(), z.number().int().min(0)),
});

export type Restored = { problems: ImportProblem[]; administrationId: bigint; name: string; rows: number };

/**
 * Makes an administration of a folder that `exportAdministration` wrote, all of it or, when anything in it is wrong, none.
 * @param name what it is to be called; left out: what it was called
 * @throws Refusal when the folder is not one
 */
export async function restoreAdministration(db: Database, folder: string, name?: string): Promise<Restored> {
  const manifest = await readManifest(folder);
  const result = noResult();
  const restored: Restored = { problems: result.problems, administrationId: 0n, name: '', rows: 0 };
  await allOrNothing(
    result,
    (work) => inTransaction(db, work),
    async (trx) => {
      const [administration] = await readAll(folder, settings, result.problems);
      if (administration === undefined) return;
      restored.name = name ?? String(administration.name);
      const { id } = await trx
        .insertInto('administration')
        .values({ ...administration, name: restored.name } as never)
        .returning('id')
        .executeTakeFirstOrThrow();
      restored.administrationId = id;
      const places = new Map<string, bigint[]>();
      for (const file of archiveFiles) {
        const problems = result.problems.length;
        const count = await restoreFile(trx, { folder, administrationId: id, places, problems: result.problems }, file);
        if (result.problems.length === problems && count !== manifest.rows[file.file]) {
          const expected = `expected ${manifest.rows[file.file] ?? 0} rows, as ${MANIFEST} says, got ${count}`;
          result.problems.push(problemOf(file.file, count + 1, '', expected));
        }
        restored.rows += count;
      }
      if (result.problems.length === 0) await keepAllAnswers(trx, id);
    },
  );
  return restored;
}

async function readManifest(folder: string): Promise<z.output<typeof manifestFile>> {
  const file = path.join(folder, MANIFEST);
  let given: unknown;
  try {
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Refusal(`${folder} is no exported administration: ${(error as Error).message}`);
  }
  const { data, error } = manifestFile.safeParse(given);
  if (data !== undefined) return data;
  const { path: at = [], message = '' } = error.issues[0] ?? {};
  throw new Refusal(`${file} is not of this version: ${at.join('.')}: ${message}`);
}

type Restoring = {
  folder: string;
  administrationId: bigint;
  /** Of tables whose rows are named by their place: the ids they got, in that order. */
  places: Map<string, bigint[]>;
  problems: ImportProblem[];
};

async function restoreFile(db: Database, restoring: Restoring, file: ArchiveFile): Promise<number> {
  const opened = await openFile(restoring.folder, file, restoring.problems);
  if (opened === undefined) return 0;
  const { source, read } = opened;
  const size = file.table === 'attachment' ? ATTACHMENTS_AT_A_TIME : AT_A_TIME;
  let count = 0;
  let batch: SourceRow[] = [];
  const flush = async () => {
    if (batch.length > 0)
      await storeRows(
        db,
        restoring,
        file,
        batch.flatMap((row) => read(row) ?? []),
      );
    batch = [];
  };
  try {
    for await (const row of source.rows) {
      count++;
      batch.push(row);
      if (batch.length === size) await flush();
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    restoring.problems.push(problemOf(file.file, error.line, '', error.message));
  }
  await flush();
  return count;
}

/** A row as it was read: its own values, and by column what it names. */
type ReadRow = { line: number; values: Record<string, Value>; names: Map<Field, Value>; attachment: string };

type Opened = { source: RowSource; read: (row: SourceRow) => ReadRow | undefined };

async function openFile(folder: string, file: ArchiveFile, problems: ImportProblem[]): Promise<Opened | undefined> {
  const report = (line: number, column: string, message: string): undefined => {
    problems.push(problemOf(file.file, line, column, message));
  };
  let source: RowSource;
  try {
    source = await readCsv(path.join(folder, file.file), undefined, true);
  } catch (error) {
    if (error instanceof UnreadableFile) return report(error.line, '', error.message);
    if ((error as NodeJS.ErrnoException).code !== undefined) return report(1, '', (error as Error).message);
    throw error;
  }
  const expected = file.fields.map(({ heading }) => heading);
  if (file.table === 'attachment') expected.push(ATTACHMENT_FILE);
  const before = problems.length;
  for (const heading of expected) {
    if (!source.headings.includes(heading))
      report(source.headingLine, heading, 'is required: the file has no such column');
  }
  source.headings.forEach((heading, index) => {
    if (!expected.includes(heading)) report(source.headingLine, heading, 'is not known here');
    else if (source.headings.indexOf(heading) !== index) {
      report(source.headingLine, heading, 'expected this column once');
    }
  });
  if (problems.length > before) return undefined;
  const indexes = new Map(source.headings.map((heading, index) => [heading, index]));
  return {
    source,
    read: ({ line, cells }) => {
      if (cells.length !== source.headings.length) {
        return report(line, '', `expected ${source.headings.length} cells, as the heading has, got ${cells.length}`);
      }
      const cell = (heading: string) => cells[indexes.get(heading)!]!;
      const values: Record<string, Value> = {};
      const names = new Map<Field, Value>();
      for (const field of file.fields) {
        const given = cell(field.heading);
        if ('to' in field) {
          const name = given === '' ? null : 'place' in field.to ? placeIn(given) : field.to.kind.read(given);
          if (name === undefined)
            report(line, field.heading, `expected ${wanted(field.to)}, got ${JSON.stringify(given)}`);
          else names.set(field, name);
          values[field.column] = null;
          continue;
        }
        const value = field.kind.read(given);
        if (value === undefined) {
          report(line, field.heading, `expected ${field.kind.expected}, got ${JSON.stringify(given)}`);
        } else values[field.column] = value;
      }
      const attachment = file.table === 'attachment' ? cell(ATTACHMENT_FILE) : '';
      return { line, values, names, attachment };
    },
  };
}

const placeIn = (cell: string): bigint | undefined => (/^[1-9]\d{0,14}$/.test(cell) ? BigInt(cell) : undefined);
const wanted = (target: Target) => {
  const { file } = archiveFiles.find((one) => one.table === target.table)!;
  return 'place' in target ? `the place of a row of ${file}` : `one of ${file}`;
};

/** Stores rows with the ids of what they name; nothing once anything is wrong. */
async function storeRows(
  db: Database,
  restoring: Restoring,
  file: ArchiveFile,
  rows: readonly ReadRow[],
): Promise<void> {
  const { problems, administrationId, places, folder } = restoring;
  // Once anything is wrong nothing more is stored, and what rows name would seem to be missing.
  if (problems.length > 0) return;
  for (const field of file.fields) {
    if (!('to' in field)) continue;
    const idOf = await idsOf(db, restoring, field, rows);
    for (const { line, values, names } of rows) {
      const name = names.get(field) ?? null;
      if (name === null) continue;
      const id = idOf(name);
      if (id !== undefined) values[field.column] = id;
      else problems.push(problemOf(file.file, line, field.heading, `expected ${wanted(field.to)}, got ${name}`));
    }
  }
  if (problems.length > 0) return;
  const owner = file.belongsBy[0]?.to === 'administration' ? { administration_id: administrationId } : {};
  const ready = rows.map(({ values }) => ({ ...owner, ...values, ...file.derived(values) }));
  if (file.table === 'attachment') {
    for (const [index, { line, attachment }] of rows.entries()) {
      const content = await contentOf(folder, attachment);
      if (content !== undefined) Object.assign(ready[index]!, { content });
      else {
        const message = `expected the name of a file in ${ATTACHMENTS}, got "${attachment}"`;
        problems.push(problemOf(file.file, line, ATTACHMENT_FILE, message));
        return;
      }
    }
  }
  try {
    if (!placedTables.has(file.table)) {
      await insertRows(db, file.table, ready as never);
      return;
    }
    const inserted = await insertKeyedRows(db, file.table as 'journal_entry', 'id', ready as never);
    // Rows of one statement are numbered in the order they stand in it, whatever order they are answered in.
    const ids = [...inserted.keys()].sort((a, b) => (a < b ? -1 : 1));
    const known = places.get(file.table) ?? [];
    for (const id of ids) known.push(id);
    places.set(file.table, known);
  } catch (error) {
    const [first, last] = [rows[0]!.line, rows.at(-1)!.line];
    throw new Refusal(`${file.file}, lines ${first} to ${last}, cannot be stored: ${(error as Error).message}`);
  }
}

/** Finds the ids of what some rows name in a field. */
async function idsOf(
  db: Database,
  { administrationId, places }: Restoring,
  field: Field & { to: Target },
  rows: readonly ReadRow[],
): Promise<(name: Value) => bigint | undefined> {
  const { to } = field;
  if ('place' in to) return (name) => places.get(to.table)?.[Number(name) - 1];
  const names = [...new Set(rows.flatMap((row) => row.names.get(field) ?? []))];
  if (names.length === 0) return () => undefined;
  let found = (db as unknown as Tables)
    .selectFrom(to.table)
    .where('administration_id', '=', administrationId)
    .where(to.key, 'in', names)
    .select(['id', to.key]);
  if (to.where !== undefined) found = found.where(to.where[0], '=', to.where[1]);
  const ids = new Map((await found.execute()).map((row) => [row[to.key] as Value, row.id as bigint]));
  return (name) => ids.get(name);
}

/** The content of an attachment: null when it has none, undefined when its file is not there, or is outside the folder. */
async function contentOf(folder: string, name: string): Promise<Uint8Array | null | undefined> {
  if (name === '') return null;
  if (name !== path.basename(name) || name === '..') return undefined;
  try {
    return await readFile(path.join(folder, ATTACHMENTS, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  }
}

/** The values of a file of few rows that name nothing. */
async function readAll(folder: string, file: ArchiveFile, problems: ImportProblem[]): Promise<Record<string, Value>[]> {
  const opened = await openFile(folder, file, problems);
  if (opened === undefined) return [];
  const rows: Record<string, Value>[] = [];
  try {
    for await (const row of opened.source.rows) {
      const read = opened.read(row);
      if (read !== undefined) rows.push(read.values);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    problems.push(problemOf(file.file, error.line, '', error.message));
    return [];
  }
  if (rows.length !== 1 && problems.length === 0)
    problems.push(problemOf(file.file, 2, '', `expected one row, got ${rows.length}`));
  return rows;
}

const problemOf = (file: string, line: number, column: string, message: string): ImportProblem => ({
  file,
  line,
  column,
  message,
  place: `${file}:${line}`,
});
