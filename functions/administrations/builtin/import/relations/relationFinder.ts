import type { Row } from '../../sql/schema.ts';
import type { ImportRow } from '../bind.ts';
import type { ImportContext } from '../importRows.ts';

/** How a row may name a relation. */
type By = 'guid' | 'customer_number' | 'supplier_number';

/**
 * Finds the relations that rows name by number or by RelationGUID; given both, both must name the same. One there is not
 * is reported, and a row that names none has none.
 * @param columns column of the file -> what it names a relation by
 */
export async function relationFinder(
  { db, administration, report }: ImportContext,
  rows: readonly ImportRow[],
  columns: Readonly<Record<string, By>>,
): Promise<(row: ImportRow) => Row<'relation'> | undefined> {
  const given = ({ values }: ImportRow, column: string): bigint | undefined => {
    const value = values[column] as string | number | undefined;
    return value === undefined || value === '0' ? undefined : BigInt(value);
  };
  const found = new Map<string, Row<'relation'>>();
  for (const [column, by] of Object.entries(columns)) {
    const numbers = [...new Set(rows.flatMap((row) => given(row, column) ?? []))];
    if (numbers.length === 0) continue;
    const relations = await db
      .selectFrom('relation')
      .where('administration_id', '=', administration.id)
      .where(by, 'in', numbers)
      .selectAll()
      .execute();
    for (const relation of relations) found.set(`${column} ${relation[by]}`, relation);
  }
  return (row) => {
    let relation: Row<'relation'> | undefined;
    for (const column of Object.keys(columns)) {
      const number = given(row, column);
      if (number === undefined) continue;
      const named = found.get(`${column} ${number}`);
      if (named === undefined) report(row.line, column, `expected the ${column} of a relation, got ${number}`);
      else if (relation !== undefined && named.id !== relation.id) {
        report(row.line, column, `expected the relation ${relation.name}, as the row names it, got ${number}`);
      }
      relation ??= named;
    }
    return relation;
  };
}
