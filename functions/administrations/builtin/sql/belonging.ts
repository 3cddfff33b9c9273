import { type Expression, type SqlBool, sql } from 'kysely';
import type { TableName } from './declarations/tables.ts';
import { columnsOf } from './rows.ts';

/** The columns that lead from a row to its administration, directly or through another row. One of them has a value. */
export const ownersOf = (table: TableName): { column: string; to: TableName }[] =>
  columnsOf(table).flatMap(([column, { isOwner, to }]) => (isOwner ? { column, to: to!.table as TableName } : []));

/**
 * A condition that rows of a table belong to an administration. It is checked for each row: a list of all possible owners
 * would be made again for every page. Rows of a table without owners belong to none.
 * @param alias the name of the table in the statement
 */
export function belonging(administrationId: bigint, table: TableName, alias: string = table): Expression<SqlBool> {
  if (table === 'administration') return sql<SqlBool>`${sql.ref(`${alias}.id`)} = ${administrationId}`;
  const ways = ownersOf(table).map(({ column, to }) => {
    const reference = sql.ref(`${alias}.${column}`);
    if (to === 'administration') return sql<SqlBool>`${reference} = ${administrationId}`;
    return sql<SqlBool>`exists (select 1 from ${sql.table(to)} as owner
      where owner.id = ${reference} and owner.administration_id = ${administrationId})`;
  });
  return ways.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}
