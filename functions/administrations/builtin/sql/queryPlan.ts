import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/*
 * The first page of a million rows must be as fast as that of a thousand. If few rows match, a search finds and sorts them.
 * If many match, a scan in the requested order finds the first ones soon. A database chooses without knowing the number,
 * so the rows are counted first, no further than needed.
 */

export type QueryPlan = 'search' | 'scan';

type Tables = 'relation' | 'sales_invoice';
type Rows<Table extends Tables> = SelectQueryBuilder<Schema, Table, object>;

/** Up to this many rows, sorting is faster than a scan. */
const MAX_SORTED = 2000;

/** Chooses the faster plan for a page. */
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

/** Has rows searched before they are sorted: a subquery with a limit is planned separately. */
export const searchedFirst = <Table extends Tables>(db: Database, table: Table, rows: Rows<Table>): Rows<Table> =>
  db.selectFrom(rows.selectAll().limit(Number.MAX_SAFE_INTEGER).as(table)) as unknown as Rows<Table>;

/** A column without its indexes, so that the plan cannot use them. */
export const unindexedNumber = (column: string): RawBuilder<bigint> => sql`+${sql.ref(column)}`;
export const unindexedText = (column: string): RawBuilder<string> => sql`${sql.ref(column)} || ''`;
