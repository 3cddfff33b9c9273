import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { computeTotals } from '../balances/totals.ts';
import { CommandError } from '../files/commandError.ts';
import type { NewField } from '../files/customHeadings.ts';
import { addProblem, allOrNothing, type ImportProblem } from '../files/problems.ts';
import { storeAllResponses } from '../responses/storeAllResponses.ts';
import { ownersOf } from '../sql/belonging.ts';
import type { Database } from '../sql/database.ts';
import { insertAdministration, insertKeyedRows, insertRows, insertRowsInOrder } from '../sql/insertRows.ts';
import { type Logging, logged } from '../sql/logWriting/appendChanges.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import { withDerived } from '../sql/rows.ts';
import type { Seconds } from '../sql/schema.ts';
import { staged } from '../sql/staging/staged.ts';
import { inTransaction } from '../sql/transaction.ts';
import {
  type ArchiveFile,
  ATTACHMENT_FILE,
  ATTACHMENTS,
  archiveFiles,
  type Field,
  type FilePart,
  placedTables,
  settings,
  type Target,
} from './archive.ts';
import { type ArchiveRow, openArchiveFile, problemOf, referenceExpected, type TableRow } from './archiveRows.ts';
import type { Tables, Value } from './filedColumn.ts';
import { type Contents, MANIFEST, problemsOfFiles, readManifest } from './manifest.ts';

/** This many invoices refer to at most 30,000 products, and SQLite allows 32,766 values in a statement. */
const BATCH_SIZE = 400;
/** An attachment may have ten megabytes: each is stored before the next is read. */
const ATTACHMENT_BATCH_SIZE = 1;

type ImportedAdministration = {
  problems: ImportProblem[];
  administrationId: bigint;
  name: string;
  rows: number;
};

type ImportOptions = {
  name?: string | undefined;
  key?: Buffer | undefined;
  now?: Seconds;
  finish?: ((trx: Database, administrationId: bigint) => Promise<void>) | undefined;
};

/** Bytes of a row of a file, about. */
const ROW_BYTES = 100;

/**
 * Creates an administration from a folder that `exportAdministration` wrote: all of it or, with any error, nothing.
 * Every file is compared with the manifest before anything is written.
 * @param options.name its new name; left out: the exported name
 * @param options.key the key that must have signed the manifest; left out: none
 * @param options.now the time for its log
 * @param options.finish further work in the same transaction; nothing is imported when it throws
 * @throws CommandError when the folder is not one, or its manifest was changed
 */
export async function importAdministration(
  db: Database,
  folder: string,
  { name, key, now = BigInt(Math.floor(Date.now() / 1000)), finish }: ImportOptions = {},
): Promise<ImportedAdministration> {
  const manifest = await readManifest(folder, key);
  const problems = await problemsOfFiles(folder, manifest);
  if (problems.length > 0) return { problems, administrationId: 0n, name: '', rows: 0 };
  const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0);
  return staged(db, { administrationId: undefined, bytes: rows * ROW_BYTES }, (copy) =>
    importFolder(copy, folder, manifest, { name, now, finish }),
  );
}

async function importFolder(
  db: Database,
  folder: string,
  manifest: Contents,
  { name, now, finish }: Pick<ImportOptions, 'name' | 'finish'> & { now: Seconds },
): Promise<ImportedAdministration> {
  const problems: ImportProblem[] = [];
  const imported: ImportedAdministration = { problems, administrationId: 0n, name: '', rows: 0 };
  const log = { author: byCommand('import all'), now, grouping: 'counted' } as const;
  await allOrNothing(
    problems,
    (work) => inTransaction(db, (trx) => logged(trx, log, (logging) => work(trx, logging))),
    async (trx, logging) => {
      const administration = await readSettings(folder, problems);
      if (administration === undefined) return;
      imported.name = name ?? String(administration.name);
      const id = await insertAdministration(trx, { ...administration, name: imported.name } as never);
      imported.administrationId = id;
      logging.created(id);
      const places = new Map<string, bigint[]>();
      const target = { db: trx, folder, administrationId: id, places, problems, logging };
      for (const file of archiveFiles) {
        const before = problems.length;
        const count = await importFile(target, file);
        if (problems.length === before && count !== manifest.rows[file.file]) {
          const expected = `expected ${manifest.rows[file.file] ?? 0} rows, as ${MANIFEST} says, got ${count}`;
          addProblem(problems, problemOf(file.file, count + 1, '', expected));
        }
        imported.rows += count;
      }
      await logging.continueAfterLast();
      if (problems.length > 0) return;
      await finish?.(trx, id);
      await computeTotals(trx, id);
      await storeAllResponses(trx, id);
    },
  );
  return imported;
}

/** The administration that is made of a folder. */
type ImportTarget = {
  db: Database;
  folder: string;
  administrationId: bigint;
  /** The new ids of the rows of tables that are referred to by position, in that order. */
  places: Map<string, bigint[]>;
  problems: ImportProblem[];
  logging: Logging;
};

/** @returns how many lines the file has */
async function importFile(target: ImportTarget, file: ArchiveFile): Promise<number> {
  const opened = await openArchiveFile(target.folder, file, target.problems);
  if (opened === undefined) return 0;
  const customFields = await makeCustomFields(target, opened.customFields);
  const size = file.table === 'attachment' ? ATTACHMENT_BATCH_SIZE : BATCH_SIZE;
  let batch: ArchiveRow[] = [];
  const flush = async () => {
    if (batch.length > 0) await storeRows(target, file, batch, customFields);
    batch = [];
    // Before the changes of a large file fill the memory.
    await target.logging.logSoFar();
  };
  for await (const row of opened.rows) {
    batch.push(row);
    if (batch.length === size) await flush();
  }
  await flush();
  return opened.count();
}

async function makeCustomFields(
  { db, administrationId, problems }: ImportTarget,
  fields: readonly NewField[],
): Promise<bigint[]> {
  if (problems.length > 0) return [];
  const rows = fields.map((field) => ({ administration_id: administrationId, ...field }));
  const ids = await insertKeyedRows(db, 'custom_field', 'label', rows);
  return fields.map(({ label }) => ids.get(label)!);
}

/** Stores rows and the rows that belong to them, with the ids of the rows they refer to; nothing after the first error. */
async function storeRows(
  target: ImportTarget,
  file: ArchiveFile,
  rows: readonly ArchiveRow[],
  customFields: readonly bigint[],
): Promise<void> {
  const { db, problems, administrationId, places, folder } = target;
  // After an error nothing more is stored, so references would seem to be missing.
  if (problems.length > 0) return;
  await resolveReferences(target, file, file.fields, rows);
  for (const part of file.parts) {
    if (part.as === 'custom fields') continue;
    const partRows = rows.flatMap((row) => row.parts.get(part) ?? []);
    await resolveReferences(target, file, part.fields, partRows);
  }
  if (problems.length > 0) return;
  const owner = ownersOf(file.table)[0]?.to === 'administration' ? { administration_id: administrationId } : {};
  // Where a file has rows with one value of a column only, the column is not in it.
  const only = file.only === undefined ? {} : { [file.only[0]]: file.only[1] };
  const ready = rows.map(({ values }) => withDerived(file.table, { ...owner, ...only, ...values } as never));
  if (file.table === 'attachment') {
    for (const [index, { line, attachment }] of rows.entries()) {
      const content = await contentOf(folder, attachment);
      if (content !== undefined) Object.assign(ready[index]!, { content });
      else {
        const message = `expected the name of a file in ${ATTACHMENTS}, got "${attachment}"`;
        addProblem(problems, problemOf(file.file, line, ATTACHMENT_FILE, message));
        return;
      }
    }
  }
  try {
    if (!placedTables.has(file.table) && file.parts.length === 0) {
      await insertRows(db, file.table, ready as never);
      return;
    }
    const ids = await insertRowsInOrder(db, file.table, ready as never);
    if (placedTables.has(file.table)) {
      const placed = places.get(file.table) ?? [];
      placed.push(...ids);
      places.set(file.table, placed);
    }
    for (const part of file.parts) await insertRows(db, part.table, partRows(part, rows, ids, customFields) as never);
  } catch (error) {
    const [first, last] = [rows[0]!.line, rows.at(-1)!.line];
    throw new CommandError(`${file.file}, lines ${first} to ${last}, cannot be stored: ${(error as Error).message}`);
  }
}

/** The rows of a part, with the ids of the rows they belong to. */
const partRows = (
  part: FilePart,
  rows: readonly ArchiveRow[],
  ids: readonly bigint[],
  customFields: readonly bigint[],
): Record<string, Value>[] =>
  rows.flatMap((row, index) => {
    const owner = { [part.owner]: ids[index]! };
    return part.as === 'custom fields'
      ? row.custom.map(({ field, value }) => ({ ...owner, custom_field_id: customFields[field]!, value }))
      : (row.parts.get(part) ?? []).map(({ values }) => ({ ...owner, ...values }));
  });

/** Fills in the ids of referenced rows; missing ones are reported. */
async function resolveReferences(
  target: ImportTarget,
  file: ArchiveFile,
  fields: readonly Field[],
  rows: readonly TableRow[],
): Promise<void> {
  for (const field of fields) {
    if (!('to' in field)) continue;
    const idOf = await idsOf(target, field, rows);
    for (const { line, values, names } of rows) {
      const name = names.get(field) ?? null;
      if (name === null) continue;
      const id = idOf(name);
      if (id !== undefined) {
        values[field.column] = id;
        continue;
      }
      const expected = `expected ${referenceExpected(field.to)}, got ${name}`;
      addProblem(target.problems, problemOf(file.file, line, field.heading, expected));
    }
  }
}

/** Finds the ids of the rows that a field refers to. */
async function idsOf(
  { db, administrationId, places }: ImportTarget,
  field: Field & { to: Target },
  rows: readonly TableRow[],
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

/** The content of an attachment: null without a file, undefined when its file is missing or outside the folder. */
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

/** The one row of the settings. */
async function readSettings(folder: string, problems: ImportProblem[]): Promise<Record<string, Value> | undefined> {
  const opened = await openArchiveFile(folder, settings, problems);
  if (opened === undefined) return undefined;
  const rows = await Array.fromAsync(opened.rows);
  if (rows.length !== 1 && problems.length === 0) {
    addProblem(problems, problemOf(settings.file, 2, '', `expected one row, got ${rows.length}`));
  }
  return problems.length === 0 ? rows[0]!.values : undefined;
}
