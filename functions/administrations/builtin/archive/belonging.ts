import { type Expression, type SqlBool, sql } from 'kysely';
import type { ArchiveFile } from './archive.ts';

/**
 * A condition that rows of a table, or of its alias in a statement, belong to an administration. It is checked for each
 * row: a list of all possible owners would be made again for every page.
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
