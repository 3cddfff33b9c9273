import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { type CompiledQuery, type Expression, Kysely, type SqlBool, sql } from 'kysely';
import type { TableName } from '../declarations/tables.ts';
import { connectTo } from '../dialects/sqlite.ts';
import { inShortTransaction, openForChanges, PAUSE_MS, withoutTriggers } from './applyChanges.ts';

/** A part is as many rows as are deleted in about this time. */
const PART_MS = 30;
const FIRST_ROWS = 100;

/**
 * Deletes rows of a SQLite database in short transactions, with pauses for other writers. They are not recorded for a log,
 * and rows that refer to them are not looked for.
 * @param which the rows, by table, in the order in which they are deleted
 * @returns the number of deleted rows
 */
export async function deleteParts(file: string, which: ReadonlyMap<TableName, Expression<SqlBool>>): Promise<bigint> {
  const main = openForChanges(file);
  const db = new Kysely<Record<string, object>>({ dialect: connectTo(() => main) });
  try {
    // Found once, without the lock: a search in each part would pass by the rows of others again and again.
    await sql`create temp table deletable (number integer primary key, name text, row integer)`.execute(db);
    for (const [table, condition] of which) {
      await sql`insert into temp.deletable (name, row)
        select ${table}, rowid from ${sql.table(table)} where ${condition}`.execute(db);
    }
    return await deleteListed(main, (name, [from, to]) => {
      const table = name as TableName;
      const listed = sql`select row from temp.deletable where number > ${from} and number <= ${to} and name = ${name}`;
      // Who else deletes them sets their ids free, which others get.
      return sql`delete from ${sql.table(table)} where rowid in (${listed}) and ${which.get(table)!}`.compile(db);
    });
  } finally {
    await db.destroy();
  }
}

/** Numbers of deletable: after the first, to the last. */
type Range = readonly [number, number];

/**
 * Deletes the rows that are listed in deletable.
 * @param deletion the statement for those of a table in a range
 */
async function deleteListed(
  main: DatabaseSync,
  deletion: (name: string, range: Range) => CompiledQuery<unknown>,
): Promise<bigint> {
  const last = main.prepare('select count(*) as number from temp.deletable').get()!.number as number;
  const namesOf = main.prepare(
    'select name from temp.deletable where number > ? and number <= ? group by name order by min(number)',
  );
  let [after, rows, deleted] = [0, FIRST_ROWS, 0n];
  while (after < last) {
    const range: Range = [after, after + rows];
    const names = namesOf.all(...range).map(({ name }) => name as string);
    let lockedAt = 0;
    await inShortTransaction(main, () => {
      lockedAt = performance.now();
      withoutTriggers(main, names, () => {
        for (const name of names) {
          const { sql: statement, parameters } = deletion(name, range);
          const { changes } = main.prepare(statement).run(...(parameters as SQLInputValue[]));
          deleted += BigInt(changes);
        }
      });
    });
    const lockedMs = performance.now() - lockedAt;
    after += rows;
    rows = Math.max(1, Math.round(rows * Math.min(2, PART_MS / lockedMs)));
    await wait(Math.max(PAUSE_MS, lockedMs));
  }
  return deleted;
}
