import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { CommandError } from '../files/commandError.ts';
import { headingOfField } from '../files/customHeadings.ts';
import { asPlainCell, forSpreadsheet } from '../files/spreadsheetText.ts';
import type { Database } from '../sql/database.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
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
import { belonging } from './belonging.ts';
import type { Value } from './kinds.ts';
import { type Contents, MANIFEST, manifestText, sha256Of } from './manifest.ts';

/** This many invoices have at most 30,000 lines, and SQLite allows 32,766 values in a statement. */
const BATCH_SIZE = 400;

type Row = Readonly<Record<string, Value>>;
/** The tables without what is known of their columns: the archive says which it means. */
type Tables = Kysely<Record<string, Record<string, Value>>>;

/**
 * Writes a whole administration into a folder that does not exist yet: CSV files that import reads, the files of its
 * attachments, and a manifest with the rows and the SHA-256 of each. It shows one moment, whatever is written meanwhile; and
 * the folder appears when it is complete. API keys are left out.
 * @param options.key signs the manifest; left out: it is not signed
 * @param options.forSpreadsheets writes no cell that a spreadsheet would evaluate
 * @returns how many rows each file has
 * @throws CommandError when the folder cannot be made, or the administration names rows it does not have
 */
export async function exportAdministration(
  db: Database,
  administrationId: bigint,
  folder: string,
  { key, forSpreadsheets = false }: { key?: Buffer | undefined; forSpreadsheets?: boolean | undefined } = {},
): Promise<Record<string, number>> {
  if (existsSync(folder)) throw new CommandError(`${folder} cannot be made: it is there already.`);
  const begun = `${path.resolve(folder)}.incomplete`;
  try {
    await rm(begun, { recursive: true, force: true });
    await mkdir(path.join(begun, ATTACHMENTS), { recursive: true });
  } catch (error) {
    throw new CommandError(`${folder} cannot be made: ${(error as Error).message}`);
  }
  try {
    const contents: Contents = { rows: {}, files: {} };
    const output: Output = { folder: begun, contents, textOf: forSpreadsheets ? forSpreadsheet : asPlainCell };
    await asOfNow(db, (snapshot) => writeAll(snapshot, administrationId, output));
    await writeFile(path.join(begun, MANIFEST), manifestText(contents, key));
    await rename(begun, folder);
    return contents.rows;
  } catch (error) {
    await rm(begun, { recursive: true, force: true });
    throw error;
  }
}

/** Where an archive is written, what it has so far, and how texts become cells. */
type Output = { folder: string; contents: Contents; textOf: (text: string) => string };

async function writeAll(db: Database, administrationId: bigint, output: Output): Promise<void> {
  const tables = db as unknown as Tables;
  const places = placesIn(tables, administrationId);
  for (const file of [settings, ...archiveFiles]) await writeRows(tables, administrationId, file, places, output);
}

/** Reads in one transaction that sees one moment and, unlike other transactions, blocks no writer. */
function asOfNow<T>(db: Database, work: (snapshot: Database) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql.raw(dialectOf(db).beginSnapshot).execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}

async function writeRows(
  db: Tables,
  administrationId: bigint,
  file: ArchiveFile,
  places: Places,
  { folder, contents, textOf }: Output,
): Promise<void> {
  const stream = createWriteStream(path.join(folder, file.file));
  const hash = createHash('sha256');
  const write = async (lines: string) => {
    hash.update(lines);
    if (!stream.write(lines)) await once(stream, 'drain');
  };
  const csvLine = (cells: readonly string[]) => lineOf(cells.map(textOf));
  const isAttachments = file.table === 'attachment';
  const cellsOf = (table: string, fields: readonly Field[], page: readonly Row[]) =>
    columnsOf(db, administrationId, table, fields, page, places);
  const parts: OpenPart[] = [];
  for (const part of file.parts) {
    if (part.as === 'custom fields') parts.push(await openCustomFields(db, administrationId, part));
    else if ('lines' in part.as) parts.push(openLines(db, part, cellsOf));
    else parts.push(await openColumns(db, administrationId, file, part, part.as.columns, cellsOf));
  }
  const headings = [
    ...file.fields.map(({ heading }) => heading),
    ...(isAttachments ? [ATTACHMENT_FILE] : []),
    ...parts.flatMap((part) => part.headings),
  ];
  // Excel takes a file for UTF-8 when it begins with a byte order mark.
  await write(`\ufeff${csvLine(headings)}`);
  let count = 0;
  let before = 0;
  for await (const page of pagesOf(db, administrationId, file)) {
    const own = await cellsOf(file.table, file.fields, page);
    if (isAttachments) {
      const names = await writeAttachments(db, page, before, folder, contents);
      own.forEach((cells, index) => {
        cells.push(names[index]!);
      });
    }
    before += page.length;
    const ids = page.map(({ id }) => id as bigint);
    const found: CellsOfOwner[] = [];
    for (const part of parts) found.push(await part.cells(ids));
    const lines = page.flatMap((_, index) => {
      const cells = own[index]!;
      const id = ids[index]!;
      const others = found.map((cellsOfOwner) => cellsOfOwner(id));
      const rows = Math.max(1, ...others.map((ofPart) => ofPart.length));
      return Array.from({ length: rows }, (_, row) =>
        csvLine([
          // The header values are in the first row of a document; the others repeat only its number.
          ...(row === 0 ? cells : cells.map((cell, column) => (column === 0 ? cell : ''))),
          ...others.flatMap((ofPart, part) => ofPart[row] ?? parts[part]!.headings.map(() => '')),
        ]),
      );
    });
    await write(lines.join(''));
    count += lines.length;
  }
  stream.end();
  await finished(stream);
  contents.rows[file.file] = count;
  contents.files[file.file] = hash.digest('hex');
}

/** The cells of a part for one row of the file: a list for each row they take. */
type CellsOfOwner = (owner: bigint) => readonly (readonly string[])[];
type OpenPart = { headings: readonly string[]; cells: (owners: readonly bigint[]) => Promise<CellsOfOwner> };
type CellsOf = (table: string, fields: readonly Field[], page: readonly Row[]) => Promise<string[][]>;

function openLines(db: Tables, part: PositionedPart, cellsOf: CellsOf): OpenPart {
  return {
    headings: [LINE_NUMBER, ...part.fields.map(({ heading }) => heading)],
    cells: async (owners) => {
      const byOwner = await positioned(db, part, owners, cellsOf);
      return (owner) => (byOwner.get(owner) ?? []).map((cells, index) => [String(index + 1), ...cells]);
    },
  };
}

async function openColumns(
  db: Tables,
  administrationId: bigint,
  file: ArchiveFile,
  part: PositionedPart,
  prefix: string,
  cellsOf: CellsOf,
): Promise<OpenPart> {
  const { most } = await db
    .selectFrom(file.table)
    .innerJoin(part.table, `${part.table}.${part.owner}`, `${file.table}.id`)
    .where(belonging(administrationId, file))
    .select(sql<bigint | null>`max(${sql.ref(`${part.table}.position`)}) + 1`.as('most'))
    .executeTakeFirstOrThrow();
  const places = Array.from({ length: Number(most ?? 0) }, (_, index) => `${prefix}${index === 0 ? '' : index + 1}_`);
  return {
    headings: places.flatMap((place) => part.fields.map(({ heading }) => place + heading)),
    cells: async (owners) => {
      const byOwner = await positioned(db, part, owners, cellsOf);
      return (owner) => {
        const rows = byOwner.get(owner) ?? [];
        return [places.flatMap((_, index) => rows[index] ?? part.fields.map(() => ''))];
      };
    },
  };
}

/** The rows of a part as cells, by the row they belong to, in their order. */
async function positioned(
  db: Tables,
  part: PositionedPart,
  owners: readonly bigint[],
  cellsOf: CellsOf,
): Promise<Map<bigint, string[][]>> {
  const rows = (await db
    .selectFrom(part.table)
    .where(part.owner, 'in', owners)
    .orderBy(part.owner)
    .orderBy('position')
    .select(['id', part.owner, 'position', ...part.fields.map(({ column }) => column)])
    .execute()) as Row[];
  const cells = await cellsOf(part.table, part.fields, rows);
  const byOwner = new Map<bigint, string[][]>();
  rows.forEach((row, index) => {
    const owner = row[part.owner] as bigint;
    const known = byOwner.get(owner) ?? [];
    if (row.position !== BigInt(known.length)) {
      throw new CommandError(
        `${part.table} ${row.id} has position ${row.position}, expected ${known.length}: it cannot be exported.`,
      );
    }
    known.push(cells[index]!);
    byOwner.set(owner, known);
  });
  return byOwner;
}

async function openCustomFields(db: Tables, administrationId: bigint, part: CustomFieldsPart): Promise<OpenPart> {
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

/** The rows of a file, in its order, in batches. */
async function* pagesOf(db: Tables, administrationId: bigint, file: ArchiveFile): AsyncGenerator<Row[]> {
  const columns = [...new Set([...file.order, ...file.fields.map(({ column }) => column)])];
  const order = sql.join(file.order.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ; ) {
    let rows = db.selectFrom(file.table).where(belonging(administrationId, file)).select(columns);
    if (file.only !== undefined) rows = rows.where(file.only[0], '=', file.only[1]);
    if (last !== undefined) {
      const after = sql.join(file.order.map((column) => sql.val(last![column])));
      rows = rows.where(sql<SqlBool>`(${order}) > (${after})`);
    }
    for (const column of file.order) rows = rows.orderBy(column);
    const page = (await rows.limit(BATCH_SIZE).execute()) as Row[];
    if (page.length === 0) return;
    last = page.at(-1);
    yield page;
  }
}

/** The cells of each row of a page. */
async function columnsOf(
  db: Tables,
  administrationId: bigint,
  table: string,
  fields: readonly Field[],
  page: readonly Row[],
  places: Places,
): Promise<string[][]> {
  const columns: string[][] = [];
  for (const field of fields) columns.push(await columnOf(db, administrationId, table, field, page, places));
  return page.map((_, row) => columns.map((cells) => cells[row]!));
}

/** What a page has in one column, as it is written. */
async function columnOf(
  db: Tables,
  administrationId: bigint,
  table: string,
  field: Field,
  page: readonly Row[],
  places: Places,
): Promise<string[]> {
  if ('kind' in field) return page.map((row) => field.kind.write(row[field.column] as Value));
  const ids = [...new Set(page.flatMap((row) => (row[field.column] as bigint | null) ?? []))];
  const known = await namesOf(db, administrationId, field.to, ids, places);
  return page.map((row) => {
    const id = row[field.column] as bigint | null;
    if (id === null) return '';
    const name = known.get(id);
    if (name !== undefined) return name;
    throw new CommandError(
      `${table} ${row.id ?? ''} names a ${field.to.table} as its ${field.column} that the administration does not have: it cannot be exported.`,
    );
  });
}

async function namesOf(
  db: Tables,
  administrationId: bigint,
  target: Target,
  ids: readonly bigint[],
  places: Places,
): Promise<ReadonlyMap<bigint, string>> {
  if (ids.length === 0) return new Map();
  if ('place' in target) return places(target.table, ids);
  let rows = db
    .selectFrom(target.table)
    .where('administration_id', '=', administrationId)
    .where('id', 'in', ids)
    .select(['id', target.key]);
  if (target.where !== undefined) rows = rows.where(target.where[0], '=', target.where[1]);
  const { key, kind } = target;
  return new Map((await rows.execute()).map((row) => [row.id as bigint, kind.write(row[key] as Value)]));
}

type Places = (table: string, ids: readonly bigint[]) => Promise<ReadonlyMap<bigint, string>>;

/** Finds the place of rows in their file. The ids of each table asked for are read once, and take 8 bytes each. */
function placesIn(db: Tables, administrationId: bigint): Places {
  const known = new Map<string, BigInt64Array>();
  const read = async (table: string): Promise<BigInt64Array> => {
    const file = archiveFiles.find((one) => one.table === table)!;
    const query = db.selectFrom(table).where(belonging(administrationId, file));
    const { size } = await query.select((eb) => eb.fn.countAll<bigint>().as('size')).executeTakeFirstOrThrow();
    const ids = new BigInt64Array(Number(size));
    let index = 0;
    for await (const page of pagesOf(db, administrationId, { ...file, fields: [] })) {
      for (const row of page) ids[index++] = row.id as bigint;
    }
    return ids;
  };
  return async (table, asked) => {
    const ids = known.get(table) ?? (await read(table));
    known.set(table, ids);
    return new Map(
      asked.flatMap((id) => {
        const index = placeOf(ids, id);
        return index === undefined ? [] : [[id, String(index + 1)] as const];
      }),
    );
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

/** Writes the contents of attachments to files of their own. @returns the name of each, "" for one without */
async function writeAttachments(
  db: Tables,
  page: readonly Row[],
  before: number,
  folder: string,
  { files }: Contents,
): Promise<string[]> {
  const names: string[] = [];
  for (const [index, row] of page.entries()) {
    const found = await db.selectFrom('attachment').where('id', '=', row.id!).select('content').executeTakeFirst();
    const content = found?.content as unknown as Uint8Array | null;
    if (content === null) {
      names.push('');
      continue;
    }
    // Its original name may be anything, of any length; only its ending is used.
    const extension = /\.[A-Za-z0-9]{1,8}$/.exec(String(row.file_name))?.[0] ?? '';
    const name = `${String(before + index + 1).padStart(6, '0')}${extension}`;
    await writeFile(path.join(folder, ATTACHMENTS, name), content);
    files[`${ATTACHMENTS}/${name}`] = sha256Of(content);
    names.push(name);
  }
  return names;
}

/** A line of a CSV file. */
const lineOf = (cells: readonly string[]): string => {
  // An empty line would be no row.
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  return `${cells.map(quoted).join(',')}\r\n`;
};

const quoted = (cell: string): string => (/[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
