import { randomUUID } from 'node:crypto';
import { CompiledQuery, type Insertable } from 'kysely';
import type { Database } from './database.ts';
import type { SqlDialect } from './dialects/dialect.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import type { NewRow, Schema } from './schema.ts';

/** Values in one statement; SQLite allows 32,766. */
const MAX_VALUES = 30_000;
const MAX_ROWS = 500;
/** Characters and bytes of the values in one statement, about: staged changes are cut between statements. */
const MAX_LENGTH = 1_000_000;

type TableName = keyof Schema & string;

/** Inserts many rows, several in one statement. Every row has the same columns, in the same order. */
export async function insertRows<Table extends TableName>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<void> {
  await insert(db, table, rows, []);
}

/** Inserts many rows. @returns their ids by a unique column: a database may return rows in any order */
export async function insertKeyedRows<Table extends TableName, Key extends keyof Schema[Table] & string>(
  db: Database,
  table: Table,
  key: Key,
  rows: readonly NewRow<Table>[],
): Promise<Map<Extract<Schema[Table][Key], string | bigint>, bigint>> {
  const inserted = await insert(db, table, rows, ['id', key]);
  return new Map(inserted.map((row) => [row[key] as never, row.id as bigint]));
}

/** Inserts many rows. @returns their ids in the same order, since a statement numbers its rows in order */
export async function insertRowsInOrder<Table extends TableName>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<bigint[]> {
  const inserted = await insert(db, table, rows, ['id']);
  return inserted.map((row) => row.id as bigint).sort((a, b) => (a < b ? -1 : 1));
}

/** Inserts rows, or adds their numbers to those of rows that are there with the same key. */
export async function addToRows<Table extends TableName>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
  {
    key,
    numbers,
  }: { key: readonly (keyof Schema[Table] & string)[]; numbers: readonly (keyof Schema[Table] & string)[] },
): Promise<void> {
  const added = numbers.map((name) => `"${name}" = "${table}"."${name}" + excluded."${name}"`);
  await insert(db, table, rows, [], ` on conflict (${namesOf(key)}) do update set ${added.join(', ')}`);
}

/** Builds the statements here: with so many values, a query builder takes several times as long as the database. */
async function insert<Table extends TableName>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
  returning: readonly string[],
  onConflict = '',
): Promise<Record<string, unknown>[]> {
  const dialect = dialectOf(db);
  const inserted: Record<string, unknown>[] = [];
  const columns = Object.keys(rows[0] ?? {}) as (keyof NewRow<Table> & string)[];
  const size = Math.min(MAX_ROWS, Math.floor(MAX_VALUES / columns.length));
  const lengthOf = (row: NewRow<Table>) => {
    let length = 0;
    for (const column of columns) length += lengthOfValue(row[column]);
    return length;
  };
  for (const batch of forStatements(rows, size, lengthOf)) {
    let start = 0;
    while (start < batch.length) {
      const end = start + dialect.rowsTogether(batch.length - start);
      const sql = insertion(dialect, table, columns, end - start, returning, onConflict);
      const values: unknown[] = [];
      for (; start < end; start++) for (const column of columns) values.push(batch[start]![column]);
      const result = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, values));
      inserted.push(...result.rows);
    }
  }
  return inserted;
}

/** Characters of a text or bytes of a file; 0 for other values. */
export const lengthOfValue = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;

/** Divides rows over statements, by their number and by the length of their texts and files. */
export function* forStatements<Row>(
  rows: readonly Row[],
  maxRows: number,
  lengthOf: (row: Row) => number,
): Generator<Row[]> {
  let [start, length] = [0, 0];
  for (const [index, row] of rows.entries()) {
    length += lengthOf(row);
    const end = index + 1;
    if (end - start < maxRows && length < MAX_LENGTH && end < rows.length) continue;
    yield rows.slice(start, end);
    [start, length] = [end, 0];
  }
}

const namesOf = (columns: readonly string[]): string => columns.map((name) => `"${name}"`).join(', ');

/** Texts of statements: a new text of so many letters takes as long to make and to look up as some rows. */
const insertions = new Map<string, string>();
const MAX_INSERTIONS = 200;

function insertion(
  { name, expressions: { placeholder } }: SqlDialect,
  table: string,
  columns: readonly string[],
  count: number,
  returning: readonly string[],
  onConflict: string,
): string {
  const key = `${name} ${table} ${columns} ${count} ${returning}${onConflict}`;
  const known = insertions.get(key);
  if (known !== undefined) return known;
  let number = 0;
  const row = () => `(${columns.map(() => placeholder(++number)).join(', ')})`;
  const rows = Array.from({ length: count }, row).join(', ');
  const result = returning.length === 0 ? '' : ` returning ${namesOf(returning)}`;
  const sql = `insert into "${table}" (${namesOf(columns)}) values ${rows}${onConflict}${result}`;
  if (insertions.size === MAX_INSERTIONS) insertions.clear();
  insertions.set(key, sql);
  return sql;
}

/** Inserts an administration with an identifier of its own. @returns its id, which no administration had before */
export async function insertAdministration(
  trx: Database,
  values: Omit<Insertable<Schema['administration']>, 'id' | 'identifier'>,
): Promise<bigint> {
  const id = await dialectOf(trx).ids.unused(trx, 'administration');
  const row = trx.insertInto('administration').values({ ...values, id, identifier: randomUUID() });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}
