import { columnsOf, withDerived } from '../sql/rows.ts';
import type { NewRow } from '../sql/schema.ts';
import { kinds } from '../sql/tables/column.ts';
import type { TableName } from '../sql/tables/tables.ts';

/** The kinds of columns that an empty cell empties. */
const emptied: ReadonlySet<string> = new Set(['text', 'decimal8', 'flag']);

/**
 * What a row of a file says of the columns of a table, as it is stored, with what follows from it. An empty cell empties a
 * text, an amount or a flag.
 * @param has whether the file has a column; what it lacks is left out
 * @param without columns that are not taken from their cell
 */
export function storedValues<Table extends TableName>(
  table: Table,
  values: Readonly<Record<string, unknown>>,
  has: (heading: string) => boolean,
  without: readonly (keyof NewRow<Table>)[] = [],
): Partial<NewRow<Table>> {
  const row: Record<string, unknown> = {};
  for (const [name, { heading, kind, to }] of columnsOf(table)) {
    if (heading === null || to !== null || !has(heading) || without.includes(name as keyof NewRow<Table>)) continue;
    const value = values[heading];
    if (value !== undefined) row[name] = kinds[kind].fromRequest(value as never);
    else if (emptied.has(kind)) row[name] = kinds[kind].blank;
  }
  return withDerived(table, row as Partial<NewRow<Table>>);
}
