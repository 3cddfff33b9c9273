import type { Row } from '../../sql/schema.ts';
import type { ImportRow } from '../bind.ts';
import { rowsWith } from '../existingRows.ts';
import type { ImportContext } from '../importRows.ts';
import { type Identity, numberIn } from './relationNumbers.ts';

/**
 * Finds the relations that rows name. Two numbers of one row must be of the same relation. An unknown number is reported.
 * @param columns column of the file -> what it names a relation by
 */
export async function relationFinder(
  context: ImportContext,
  rows: readonly ImportRow[],
  columns: Readonly<Record<string, Identity>>,
): Promise<(row: ImportRow) => Row<'relation'> | undefined> {
  const { report } = context;
  const found = new Map<string, Row<'relation'>>();
  for (const [column, identity] of Object.entries(columns)) {
    const numbers = rows.flatMap((row) => numberIn(row.values, column) ?? []);
    const relations = await rowsWith(context, 'relation', identity, numbers);
    for (const relation of relations) found.set(`${column} ${relation[identity]}`, relation);
  }
  return (row) => {
    let relation: Row<'relation'> | undefined;
    for (const column of Object.keys(columns)) {
      const number = numberIn(row.values, column);
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
