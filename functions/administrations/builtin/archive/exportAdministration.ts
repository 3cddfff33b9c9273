import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { CommandError, writingTo } from '../files/commandError.ts';
import { csvLine } from '../files/csvLine.ts';
import { headingOfField } from '../files/customHeadings.ts';
import { asPlainCell, forSpreadsheet } from '../files/spreadsheetText.ts';
import { belonging } from '../sql/belonging.ts';
import type { Database } from '../sql/database.ts';
import { pagesOf } from '../sql/pages.ts';
import { writingBack } from '../sql/staging/writeBack.ts';
import { atOneMoment } from '../sql/transaction.ts';
import {
  type ArchiveFile,
  ATTACHMENT_FILE,
  ATTACHMENTS,
  archiveFiles,
  type CustomFieldsPart,
  type Field,
  LINE_NUMBER,
  type PositionedPart,
  settings,
  type Target,
} from './archive.ts';
import type { Tables, Value } from './filedColumn.ts';
import { incompleteName, removeLeft } from './incomplete.ts';
import { type Contents, MANIFEST, manifestText, sha256Of } from './manifest.ts';

type Row = Readonly<Record<string, Value>>;
type ExportOptions = {
  key?: Buffer | undefined;
  forSpreadsheets?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Writes a whole administration into a folder that does not exist yet: CSV files that import reads, the files of its
 * attachments, and a manifest with the rows and the SHA-256 of each. It is a snapshot, and the folder appears when it is
 * complete. API keys are left out.
 * @param options.key signs the manifest; left out: it is not signed
 * @param options.forSpreadsheets writes no cell that a spreadsheet would evaluate
 * @param options.signal ends the work when it is aborted: its reason is thrown, and there is no folder
 * @returns how many rows each file has
 * @throws CommandError when the folder cannot be made or written, or the administration names rows it does not have
 */
export async function exportAdministration(
  db: Database,
  administrationId: bigint,
  folder: string,
  { key, forSpreadsheets = false, signal }: ExportOptions = {},
): Promise<Record<string, number>> {
  requireNewFolder(folder);
  const begun = incompleteName(folder);
  try {
    await mkdir(path.join(begun, ATTACHMENTS), { recursive: true });
    await removeLeft(folder);
  } catch (error) {
    throw new CommandError(`${folder} cannot be made: ${(error as Error).message}`);
  }
  try {
    const contents: Contents = { rows: {}, files: {} };
    const textOf = forSpreadsheets ? forSpreadsheet : asPlainCell;
    const written: Output['written'] = (work) => writingTo(folder, work);
    const output: Output = { folder: begun, written, contents, textOf, signal };
    await atOneMoment(db, (snapshot) => writeAll(snapshot, administrationId, output));
    await written(writeFile(path.join(begun, MANIFEST), manifestText(contents, key)));
    signal?.throwIfAborted();
    await rename(begun, folder).catch((error) => {
      requireNewFolder(folder);
      throw error;
    });
    return contents.rows;
  } catch (error) {
    await rm(begun, { recursive: true, force: true });
    throw error;
  }
}

/** @throws CommandError when a folder is there already */
export function requireNewFolder(folder: string): void {
  if (existsSync(folder)) throw new CommandError(`${folder} cannot be made: it is there already.`);
}

/** Where an archive is written, what it has so far, how texts become cells, and what ends it. */
type Output = {
  folder: string;
  /** Waits for work that writes into the folder, whose failure then names it. */
  written: <Result>(work: Promise<Result>) => Promise<Result>;
  contents: Contents;
  textOf: (text: string) => string;
  signal: AbortSignal | undefined;
};
/** An administration that is read. */
type Source = { db: Tables; administrationId: bigint; places: Places };

async function writeAll(db: Database, administrationId: bigint, output: Output): Promise<void> {
  const tables = db as unknown as Tables;
  const source = { db: tables, administrationId, places: placesIn(tables, administrationId) };
  for (const file of [settings, ...archiveFiles]) {
    const handle = await output.written(open(path.join(output.folder, file.file), 'w'));
    try {
      await writeRows(source, file, handle, output);
    } finally {
      await handle.close();
    }
  }
}

async function writeRows(source: Source, file: ArchiveFile, handle: FileHandle, output: Output): Promise<void> {
  const { contents, textOf, signal, written } = output;
  const { db, administrationId } = source;
  const onWritten = writingBack(handle);
  const hash = createHash('sha256');
  const write = async (lines: string) => {
    hash.update(lines);
    // Of a stream the failure would come while rows are read, and nobody would wait for it.
    await written(handle.writeFile(lines));
    onWritten(lines.length);
  };
  const lineOf = (cells: readonly string[]) => csvLine(cells.map(textOf));
  const isAttachments = file.table === 'attachment';
  const parts: OpenPart[] = [];
  for (const part of file.parts) {
    if (part.as === 'custom fields') parts.push(await openCustomFields(source, part));
    else if ('lines' in part.as) parts.push(openLines(source, part));
    else parts.push(await openColumns(source, file, part, part.as.columns));
  }
  const headings = [
    ...file.fields.map(({ heading }) => heading),
    ...(isAttachments ? [ATTACHMENT_FILE] : []),
    ...parts.flatMap((part) => part.headings),
  ];
  // Excel takes a file for UTF-8 when it begins with a byte order mark.
  await write(`\ufeff${lineOf(headings)}`);
  let count = 0;
  let before = 0;
  for await (const page of rowsOf(db, administrationId, file)) {
    signal?.throwIfAborted();
    const cells = await cellsOf(source, file.table, file.fields, page);
    if (isAttachments) {
      const names = await writeAttachments(db, page, before, output);
      for (const [index, name] of names.entries()) cells[index]!.push(name);
    }
    before += page.length;
    const ids = page.map(({ id }) => id as bigint);
    const partCells: CellsOfOwner[] = [];
    for (const part of parts) partCells.push(await part.cells(ids));
    const lines = ids.flatMap((id, index) => {
      const header = cells[index]!;
      const others = partCells.map((cellsOfOwner) => cellsOfOwner(id));
      const rows = Math.max(1, ...others.map((ofPart) => ofPart.length));
      return Array.from({ length: rows }, (_, row) =>
        lineOf([
          // The header values are in the first row of a document; the others repeat only its number.
          ...(row === 0 ? header : header.map((cell, column) => (column === 0 ? cell : ''))),
          ...others.flatMap((ofPart, part) => ofPart[row] ?? parts[part]!.headings.map(() => '')),
        ]),
      );
    });
    await write(lines.join(''));
    count += lines.length;
  }
  contents.rows[file.file] = count;
  contents.files[file.file] = hash.digest('hex');
}

/** The cells of a part for one row of the file: a list for each row they take. */
type CellsOfOwner = (owner: bigint) => readonly (readonly string[])[];
type OpenPart = { headings: readonly string[]; cells: (owners: readonly bigint[]) => Promise<CellsOfOwner> };

function openLines(source: Source, part: PositionedPart): OpenPart {
  return {
    headings: [LINE_NUMBER, ...part.fields.map(({ heading }) => heading)],
    cells: async (owners) => {
      const byOwner = await positioned(source, part, owners);
      return (owner) => (byOwner.get(owner) ?? []).map((cells, index) => [String(index + 1), ...cells]);
    },
  };
}

async function openColumns(source: Source, file: ArchiveFile, part: PositionedPart, prefix: string): Promise<OpenPart> {
  const { db, administrationId } = source;
  const { count } = await db
    .selectFrom(file.table)
    .innerJoin(part.table, `${part.table}.${part.owner}`, `${file.table}.id`)
    .where(belonging(administrationId, file.table))
    .select(sql<bigint | null>`max(${sql.ref(`${part.table}.position`)}) + 1`.as('count'))
    .executeTakeFirstOrThrow();
  const prefixes = Array.from(
    { length: Number(count ?? 0) },
    (_, index) => `${prefix}${index === 0 ? '' : index + 1}_`,
  );
  return {
    headings: prefixes.flatMap((prefix) => part.fields.map(({ heading }) => prefix + heading)),
    cells: async (owners) => {
      const byOwner = await positioned(source, part, owners);
      return (owner) => {
        const rows = byOwner.get(owner) ?? [];
        return [prefixes.flatMap((_, index) => rows[index] ?? part.fields.map(() => ''))];
      };
    },
  };
}

/** The rows of a part as cells, by the row they belong to, in their order. */
async function positioned(
  source: Source,
  part: PositionedPart,
  owners: readonly bigint[],
): Promise<Map<bigint, string[][]>> {
  const rows = (await source.db
    .selectFrom(part.table)
    .where(part.owner, 'in', owners)
    .orderBy(part.owner)
    .orderBy('position')
    .select(['id', part.owner, 'position', ...part.fields.map(({ column }) => column)])
    .execute()) as Row[];
  const cells = await cellsOf(source, part.table, part.fields, rows);
  const byOwner = new Map<bigint, string[][]>();
  rows.forEach((row, index) => {
    const owner = row[part.owner] as bigint;
    const known = byOwner.get(owner) ?? [];
    if (row.position !== BigInt(known.length)) {
      const problem = `has position ${row.position}, expected ${known.length}: it cannot be exported.`;
      throw new CommandError(`${part.table} ${row.id} ${problem}`);
    }
    known.push(cells[index]!);
    byOwner.set(owner, known);
  });
  return byOwner;
}

async function openCustomFields({ db, administrationId }: Source, part: CustomFieldsPart): Promise<OpenPart> {
  const fields = await (db as unknown as Database)
    .selectFrom('custom_field')
    .where('administration_id', '=', administrationId)
    .where('owner', '=', part.of)
    .orderBy('id')
    .selectAll()
    .execute();
  return {
    headings: fields.map(headingOfField),
    cells: async (owners) => {
      const rows = await db
        .selectFrom(part.table)
        .where(part.owner, 'in', owners)
        .select([part.owner, 'custom_field_id', 'value'])
        .execute();
      const values = new Map(rows.map((row) => [`${row[part.owner]} ${row.custom_field_id}`, String(row.value)]));
      return (owner) => [fields.map(({ id }) => values.get(`${owner} ${id}`) ?? '')];
    },
  };
}

/** The rows of a file, in its order. */
function rowsOf(db: Tables, administrationId: bigint, file: ArchiveFile): AsyncGenerator<Row[]> {
  const columns = [...new Set([...file.order, ...file.fields.map(({ column }) => column)])];
  const rows = db
    .selectFrom(file.table as string)
    .where(belonging(administrationId, file.table))
    .select(columns);
  return pagesOf(file.only === undefined ? rows : rows.where(file.only[0], '=', file.only[1]), file.order);
}

/** The cells of each row of a page. */
async function cellsOf(
  source: Source,
  table: string,
  fields: readonly Field[],
  page: readonly Row[],
): Promise<string[][]> {
  const cells: string[][] = page.map(() => []);
  for (const field of fields) {
    const { column } = field;
    const ids = new Set('to' in field ? page.flatMap((row) => (row[column] as bigint | null) ?? []) : []);
    const names = 'to' in field ? await namesOf(source, field.to, [...ids]) : undefined;
    for (const [index, row] of page.entries()) {
      const value = row[column] ?? null;
      if ('filed' in field) cells[index]!.push(field.filed.write(value));
      else if (value === null) cells[index]!.push('');
      else {
        const name = names!.get(value as bigint);
        if (name === undefined) {
          const reference = `a ${field.to.table} as its ${column} that the administration does not have`;
          throw new CommandError(`${table} ${row.id ?? ''} names ${reference}: it cannot be exported.`);
        }
        cells[index]!.push(name);
      }
    }
  }
  return cells;
}

/** How rows of a table are referred to in files, by id. */
async function namesOf(
  { db, administrationId, places }: Source,
  target: Target,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (ids.length === 0) return new Map();
  if ('place' in target) return places(target.table, ids);
  const { table, key, filed, where } = target;
  let rows = db
    .selectFrom(table)
    .where('administration_id', '=', administrationId)
    .where('id', 'in', ids)
    .select(['id', key]);
  if (where !== undefined) rows = rows.where(where[0], '=', where[1]);
  return new Map((await rows.execute()).map((row) => [row.id as bigint, filed.write(row[key] as Value)]));
}

type Places = (table: string, ids: readonly bigint[]) => Promise<ReadonlyMap<bigint, string>>;

/** Finds the places of rows in their files. The ids of a table are read once, and take 8 bytes each. */
function placesIn(db: Tables, administrationId: bigint): Places {
  const known = new Map<string, BigInt64Array>();
  const read = async (table: string): Promise<BigInt64Array> => {
    const file = archiveFiles.find((one) => one.table === table)!;
    const query = db.selectFrom(table).where(belonging(administrationId, file.table));
    const { size } = await query.select((eb) => eb.fn.countAll<bigint>().as('size')).executeTakeFirstOrThrow();
    const ids = new BigInt64Array(Number(size));
    let index = 0;
    for await (const page of rowsOf(db, administrationId, { ...file, fields: [] })) {
      for (const row of page) ids[index++] = row.id as bigint;
    }
    return ids;
  };
  return async (table, rowIds) => {
    const ids = known.get(table) ?? (await read(table));
    known.set(table, ids);
    const places = rowIds.map((id) => [id, placeOf(ids, id)] as const);
    return new Map(places.flatMap(([id, place]) => (place === undefined ? [] : [[id, String(place + 1)]])));
  };
}

function placeOf(ids: BigInt64Array, id: bigint): number | undefined {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : undefined;
}

/** Writes the contents of attachments to files. @returns the name of each, "" without content */
async function writeAttachments(
  db: Tables,
  page: readonly Row[],
  before: number,
  { folder, contents: { files }, written }: Output,
): Promise<string[]> {
  const names: string[] = [];
  for (const [index, row] of page.entries()) {
    const found = await db.selectFrom('attachment').where('id', '=', row.id!).select('content').executeTakeFirst();
    const content = found?.content as unknown as Uint8Array | null;
    if (content === null) {
      names.push('');
      continue;
    }
    // The original name may be anything, of any length: only its ending is used.
    const extension = /\.[A-Za-z0-9]{1,8}$/.exec(String(row.file_name))?.[0] ?? '';
    const name = `${String(before + index + 1).padStart(6, '0')}${extension}`;
    await written(writeFile(path.join(folder, ATTACHMENTS, name), content));
    files[`${ATTACHMENTS}/${name}`] = sha256Of(content);
    names.push(name);
  }
  return names;
}
