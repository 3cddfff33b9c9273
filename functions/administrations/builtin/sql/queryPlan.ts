import type { SelectQueryBuilder } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/*
 * Among a million rows the first page must come as soon as among a thousand. The rows that match are either few: then they
 * are found by what is asked for, and sorted. Or they are many: then they are met soon by going through all rows in the
 * order asked for. A database has to choose before it knows which it will be, and SQLite then always chooses the same. So
 * they are counted first, no further than needed.
 */

type Tables = 'relation' | 'sales_invoice';
type Rows<Table extends Tables> = SelectQueryBuilder<Schema, Table, object>;

/** So few that sorting them is quicker than going through all rows until a page is full. */
const FEW = 2000;

export async function areFew<Table extends Tables>(db: Database, found: Rows<Table>): Promise<boolean> {
  const { count } = await db
    .selectFrom(
      (found as unknown as Rows<'relation'>)
        .select('id')
        .limit(FEW + 1)
        .as('found'),
    )
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return count <= FEW;
}

/** The same rows, found before anything is done with them: what has a limit of its own is not planned together with it. */
export const found = <Table extends Tables>(db: Database, table: Table, rows: Rows<Table>): Rows<Table> =>
  db.selectFrom(rows.selectAll().limit(Number.MAX_SAFE_INTEGER).as(table)) as unknown as Rows<Table>;
