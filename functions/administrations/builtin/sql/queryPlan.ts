import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/*
 * Among a million rows the first page must come as soon as among a thousand. If few rows match, a search by what is asked
 * for finds them, and they are sorted. If many match, a scan of all rows in the order asked for meets them soon. A database
 * has to choose before it knows, and SQLite then always chooses the same. So the rows are counted first, no further than
 * needed.
 */

export type QueryPlan = 'search' | 'scan';

type Tables = 'relation' | 'sales_invoice';
type Rows<Table extends Tables> = SelectQueryBuilder<Schema, Table, object>;

/** Up to so many rows are sorted sooner than a scan fills a page. */
const MAX_SORTED = 2000;

/** The plan that reads some rows sooner. */
export async function choosePlan<Table extends Tables>(db: Database, matching: Rows<Table>): Promise<QueryPlan> {
  const { count } = await db
    .selectFrom(
      (matching as unknown as Rows<'relation'>)
        .select('id')
        .limit(MAX_SORTED + 1)
        .as('matching'),
    )
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return count <= MAX_SORTED ? 'search' : 'scan';
}

/** The same rows, searched before anything else is done: a query with a limit of its own is planned by itself. */
export const searchedFirst = <Table extends Tables>(db: Database, table: Table, rows: Rows<Table>): Rows<Table> =>
  db.selectFrom(rows.selectAll().limit(Number.MAX_SAFE_INTEGER).as(table)) as unknown as Rows<Table>;

/** A column of numbers, or of text, whose indexes the plan is not to use. */
export const unindexedNumber = (column: string): RawBuilder<bigint> => sql`+${sql.ref(column)}`;
export const unindexedText = (column: string): RawBuilder<string> => sql`${sql.ref(column)} || ''`;
