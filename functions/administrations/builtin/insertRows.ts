import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { NewRow, Schema } from './schema.ts';

/** Values one statement may bind; SQLite allows 32,766. */
const MOST_VALUES = 30_000;
const MOST_ROWS = 500;

/**
 * Inserts many rows, several to a statement. Every row names the same columns, in the same order. The statement is built
 * once for many rows, which is most of what inserting through a query builder costs.
 */
export async function insertRows<Table extends keyof Schema & string>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<void> {
  for await (const _ of statements(db, table, rows, [])) {
    // What is inserted is all that is wanted.
  }
}

/**
 * Inserts many rows and tells the id each got, by a column that differs in every one of them: no database promises to
 * answer in the order of the rows.
 */
export async function insertKeyedRows<Table extends keyof Schema & string, Key extends keyof Schema[Table] & string>(
  db: Database,
  table: Table,
  key: Key,
  rows: readonly NewRow<Table>[],
): Promise<Map<Extract<Schema[Table][Key], string | bigint>, bigint>> {
  const ids = new Map<Extract<Schema[Table][Key], string | bigint>, bigint>();
  for await (const inserted of statements(db, table, rows, ['id', key])) {
    for (const row of inserted) ids.set(row[key] as never, row.id as bigint);
  }
  return ids;
}

async function* statements<Table extends keyof Schema & string>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
  returning: string[],
): AsyncGenerator<Record<string, unknown>[]> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first) as (keyof NewRow<Table>)[];
  const atOnce = Math.min(MOST_ROWS, Math.floor(MOST_VALUES / columns.length));
  const full = rows.length >= atOnce ? fullInsertion(db, table, columns, rows.slice(0, atOnce), returning) : '';
  for (let start = 0; start < rows.length; start += atOnce) {
    const part = rows.slice(start, start + atOnce);
    const sql = part.length === atOnce ? full : insertion(db, table, part, returning);
    const values = part.flatMap((row) => columns.map((column) => row[column]));
    const { rows: answer } = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, values));
    yield answer;
  }
}

/** Statements with as many rows as fit, by database: they are long, and always the same. */
const fullInsertions = new WeakMap<object, Map<string, string>>();

function fullInsertion(
  db: Database,
  table: string,
  columns: readonly PropertyKey[],
  rows: readonly object[],
  returning: string[],
): string {
  const { adapter } = db.getExecutor();
  const ready = fullInsertions.get(adapter) ?? new Map<string, string>();
  fullInsertions.set(adapter, ready);
  const key = [table, ...columns, '>', ...returning].join(' ');
  const sql = ready.get(key) ?? insertion(db, table, rows, returning);
  ready.set(key, sql);
  return sql;
}

function insertion(db: Database, table: string, rows: readonly object[], returning: string[]): string {
  const insert = (db as unknown as Kysely<Record<string, Record<string, unknown>>>)
    .insertInto(table)
    .values(rows as Record<string, unknown>[]);
  return (returning.length > 0 ? insert.returning(returning) : insert).compile().sql;
}
