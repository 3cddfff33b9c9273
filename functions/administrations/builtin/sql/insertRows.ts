import { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import type { SqlDialect } from './dialects/dialect.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import type { NewRow, Schema } from './schema.ts';

/** The most values in one statement; SQLite allows 32,766. */
const MAX_VALUES = 30_000;
const MAX_ROWS = 500;

/**
 * Inserts many rows, several in one statement. Every row has the same columns, in the same order. The statement is
 * built here: with so many values, a query builder takes several times as long as the database.
 */
export async function insertRows<Table extends keyof Schema & string>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<void> {
  for await (const _ of statements(db, table, rows, [])) {
    // No ids are needed.
  }
}

/**
 * Inserts many rows and returns their ids by a unique column, since databases do not guarantee
 * the order of returned rows.
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

/** Inserts many rows. @returns their ids in the same order, since a statement numbers its rows in order */
export async function insertRowsInOrder<Table extends keyof Schema & string>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<bigint[]> {
  const ids: bigint[] = [];
  for await (const inserted of statements(db, table, rows, ['id'])) {
    for (const row of inserted) ids.push(row.id as bigint);
  }
  // The rows may be returned in any order.
  return ids.sort((a, b) => (a < b ? -1 : 1));
}

async function* statements<Table extends keyof Schema & string>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
  returning: string[],
): AsyncGenerator<Record<string, unknown>[]> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first) as (keyof NewRow<Table> & string)[];
  const atOnce = Math.min(MAX_ROWS, Math.floor(MAX_VALUES / columns.length));
  for (let start = 0; start < rows.length; start += atOnce) {
    const part = rows.slice(start, start + atOnce);
    const sql = insertion(dialectOf(db), table, columns, part.length, returning);
    const values = part.flatMap((row) => columns.map((column) => row[column]));
    const { rows: answer } = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, values));
    yield answer;
  }
}

function insertion(
  { placeholder }: SqlDialect,
  table: string,
  columns: readonly string[],
  count: number,
  returning: readonly string[],
): string {
  let place = 0;
  const row = () => `(${columns.map(() => placeholder(++place)).join(', ')})`;
  const names = (list: readonly string[]) => list.map((name) => `"${name}"`).join(', ');
  const answer = returning.length === 0 ? '' : ` returning ${names(returning)}`;
  return `insert into "${table}" (${names(columns)}) values ${Array.from({ length: count }, row).join(', ')}${answer}`;
}
