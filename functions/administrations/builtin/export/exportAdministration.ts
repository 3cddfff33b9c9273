import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import { type Database, kindOf } from '../database.ts';
import { Refusal } from '../refusal.ts';
import {
  type ArchiveFile,
  ATTACHMENT_FILE,
  ATTACHMENTS,
  archiveFiles,
  type Field,
  FORMAT,
  MANIFEST,
  type Manifest,
  settings,
  type Target,
  VERSION,
} from './archive.ts';
import type { Value } from './kinds.ts';

const AT_A_TIME = 500;

type Row = Readonly<Record<string, Value>>;
/** The tables without what is known of their columns: the archive says which it means. */
type Tables = Kysely<Record<string, Record<string, Value>>>;

/**
 * Writes a whole administration into a folder that does not exist yet: a CSV file for each table, the files of its
 * attachments, and what there is of each. It is as it was at one moment, whatever is written meanwhile; and the folder is
 * there when it is complete. API keys are left out.
 * @returns how many rows each file has
 * @throws Refusal when the folder cannot be made, or the administration names rows it does not have
 */
export async function exportAdministration(
  db: Database,
  administrationId: bigint,
  folder: string,
): Promise<Record<string, number>> {
  if (existsSync(folder)) throw new Refusal(`${folder} cannot be made: it is there already.`);
  const begun = `${path.resolve(folder)}.incomplete`;
  try {
    await rm(begun, { recursive: true, force: true });
    await mkdir(path.join(begun, ATTACHMENTS), { recursive: true });
  } catch (error) {
    throw new Refusal(`${folder} cannot be made: ${(error as Error).message}`);
  }
  try {
    const rows = await asOfNow(db, (snapshot) => writeAll(snapshot, administrationId, begun));
    await rename(begun, folder);
    return rows;
  } catch (error) {
    await rm(begun, { recursive: true, force: true });
    throw error;
  }
}

async function writeAll(db: Database, administrationId: bigint, folder: string): Promise<Record<string, number>> {
  const tables = db as unknown as Tables;
  const places = placesIn(tables, administrationId);
  const rows: Record<string, number> = {};
  for (const file of [settings, ...archiveFiles]) {
    rows[file.file] = await writeRows(tables, administrationId, file, places, folder);
  }
  const manifest: Manifest = { format: FORMAT, version: VERSION, rows };
  await writeFile(path.join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return rows;
}

/** Reads in one transaction that sees one moment and, unlike other transactions, holds no writer up. */
function asOfNow<T>(db: Database, work: (snapshot: Database) => Promise<T>): Promise<T> {
  const begin = kindOf(db) === 'sqlite' ? sql`begin` : sql`begin isolation level repeatable read, read only`;
  return db.connection().execute(async (connection) => {
    await begin.execute(connection);
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
  folder: string,
): Promise<number> {
  const stream = createWriteStream(path.join(folder, file.file));
  const write = async (lines: string) => {
    if (!stream.write(lines)) await once(stream, 'drain');
  };
  const isAttachments = file.table === 'attachment';
  // Excel takes a file for UTF-8 when it begins with a byte order mark.
  const headings = [...file.fields.map(({ heading }) => heading), ...(isAttachments ? [ATTACHMENT_FILE] : [])];
  await write(`\ufeff${csvLine(headings)}`);
  let count = 0;
  for await (const page of pagesOf(db, administrationId, file)) {
    const columns: string[][] = [];
    for (const field of file.fields) columns.push(await cellsOf(db, administrationId, file, field, page, places));
    if (isAttachments) columns.push(await writeAttachments(db, page, count, folder));
    await write(page.map((_, row) => csvLine(columns.map((cells) => cells[row]!))).join(''));
    count += page.length;
  }
  stream.end();
  await finished(stream);
  return count;
}

/** The rows of a file, in its order, some at a time. */
async function* pagesOf(db: Tables, administrationId: bigint, file: ArchiveFile): AsyncGenerator<Row[]> {
  const columns = [...new Set([...file.order, ...file.fields.map(({ column }) => column)])];
  const order = sql.join(file.order.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ; ) {
    let rows = db.selectFrom(file.table).where(belonging(administrationId, file)).select(columns);
    if (last !== undefined) {
      const after = sql.join(file.order.map((column) => sql.val(last![column])));
      rows = rows.where(sql<SqlBool>`(${order}) > (${after})`);
    }
    for (const column of file.order) rows = rows.orderBy(column);
    const page = (await rows.limit(AT_A_TIME).execute()) as Row[];
    if (page.length === 0) return;
    last = page.at(-1);
    yield page;
  }
}

/** Asked of each row by itself: a list of all rows it may belong to would be made for every page. */
function belonging(administrationId: bigint, { table, belongsBy }: ArchiveFile): Expression<SqlBool> {
  const ways = belongsBy.map(({ column, to }) => {
    const own = sql.ref(`${table}.${column}`);
    if (to === 'administration') return sql<SqlBool>`${own} = ${administrationId}`;
    return sql<SqlBool>`exists (select 1 from ${sql.table(to)} as owner
      where owner.id = ${own} and owner.administration_id = ${administrationId})`;
  });
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}

/** What a page has in one column, as it is written. */
async function cellsOf(
  db: Tables,
  administrationId: bigint,
  file: ArchiveFile,
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
    throw new Refusal(
      `${file.table} ${row.id ?? ''} names a ${field.to.table} as its ${field.column} that the administration does not have: it cannot be exported.`,
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

/** Finds the place of rows in their file. The ids of each table asked for are read once, and kept in 8 bytes each. */
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

/** Writes the contents of attachments to files of their own, and tells the name of each; "" for one without. */
async function writeAttachments(db: Tables, page: readonly Row[], before: number, folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const [index, row] of page.entries()) {
    const found = await db.selectFrom('attachment').where('id', '=', row.id!).select('content').executeTakeFirst();
    const content = found?.content as unknown as Uint8Array | null;
    if (content === null) {
      names.push('');
      continue;
    }
    // The name it was given may be anything, of any length; what kind of file it is may as well be seen.
    const extension = /\.[A-Za-z0-9]{1,8}$/.exec(String(row.file_name))?.[0] ?? '';
    const name = `${String(before + index + 1).padStart(6, '0')}${extension}`;
    await writeFile(path.join(folder, ATTACHMENTS, name), content);
    names.push(name);
  }
  return names;
}

/** A line of a CSV file. */
const csvLine = (cells: readonly string[]): string => {
  // A line without anything in it would be none.
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  return `${cells.map(quoted).join(',')}\r\n`;
};

const quoted = (cell: string): string => (/[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
