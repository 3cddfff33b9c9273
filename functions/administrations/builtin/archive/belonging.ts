import { type Expression, type SqlBool, sql } from 'kysely';
import type { ArchiveFile } from './archive.ts';

/**
 * Whether the rows of a table, or of what it is called in a statement, belong to an administration. Asked of each row by itself: a list of all rows it may belong to
 * would be made for every page.
 */
export function belonging(
  administrationId: bigint,
  { table, belongsBy }: { table: string; belongsBy: ArchiveFile['belongsBy'] },
): Expression<SqlBool> {
  const ways = belongsBy.map(({ column, to }) => {
    const own = sql.ref(`${table}.${column}`);
    if (to === 'administration') return sql<SqlBool>`${own} = ${administrationId}`;
    return sql<SqlBool>`exists (select 1 from ${sql.table(to)} as owner
      where owner.id = ${own} and owner.administration_id = ${administrationId})`;
  });
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}
