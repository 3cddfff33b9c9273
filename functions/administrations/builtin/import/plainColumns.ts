import * as z from 'zod/mini';
import type { Field } from '../../../../shared/wire/field.ts';
import { type Column, type Columns, decimal, flag, like, text } from '../files/column.ts';
import { type KindName, kinds } from '../sql/declarations/column.ts';
import type { TableName } from '../sql/declarations/tables.ts';
import { columnsOf, withDerived } from '../sql/rows.ts';
import type { NewRow } from '../sql/schema.ts';

/** How the cells of a plain column are read; null: columns of this kind are not plain. An empty cell makes "", 0 or false. */
const readers: Readonly<Record<KindName, (() => Column) | null>> = {
  text,
  decimal8: decimal,
  flag,
  choice: null,
  date: null,
  either: null,
  cents: null,
  long: null,
  integer: null,
  bytes: null,
  reference: null,
};

/**
 * The columns of a file for the columns of a table.
 * @param special the columns that are not plain
 * @param request the schema of requests that change such rows: text has the same limits in a file
 */
export function withPlainColumns<Special extends Columns>(
  table: TableName,
  special: Special,
  request?: z.ZodMiniObject,
): Special {
  // In the order of the table: problems of a row are reported in it.
  const ordered = columnsOf(table).flatMap(([name, { heading, kind, to, isOptional, request: member }]) => {
    if (heading !== null && Object.hasOwn(special, heading)) return [[heading, special[heading]]];
    if (heading === null || to !== null) return [];
    const reader = readers[kind];
    if (reader === null || isOptional) throw new TypeError(`${table}.${name} needs a column of its own.`);
    const field = kind === 'text' && member !== null ? request?.shape[member] : undefined;
    return [[heading, field instanceof z.ZodMiniOptional ? like(field.def.innerType as Field<string>) : reader()]];
  });
  return { ...Object.fromEntries(ordered), ...special };
}

/**
 * The values of a row of a file as they are stored, with derived ones. An empty cell of a plain column is its blank value.
 * @param has whether the file has a column; others are left out
 * @param without columns whose cells are not stored as they are
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
    else if (readers[kind] !== null) row[name] = kinds[kind].blank;
  }
  return withDerived(table, row as Partial<NewRow<Table>>);
}
