import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';

/** The lines of some hundreds of entries, in their order, by entry. */
export async function linesOfEntries(
  db: Database,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly Row<'journal_line'>[]>> {
  const lines = await db
    .selectFrom('journal_line')
    .where('journal_entry_id', 'in', ids)
    .orderBy('id')
    .selectAll()
    .execute();
  return Map.groupBy(lines, ({ journal_entry_id }) => journal_entry_id);
}
