import { z } from 'zod';
import type { Field } from '../../../../shared/wire/field.ts';
import { type Column, type Columns, decimal, flag, like, text } from '../files/column.ts';
import { columnsOf } from '../sql/rows.ts';
import type { KindName } from '../sql/tables/column.ts';
import type { TableName } from '../sql/tables/tables.ts';

/** How the cells of a plain column are read. */
const readers: Partial<Record<KindName, () => Column>> = { text, decimal8: decimal, flag };

/**
 * The columns of a file that are columns of a table as they stand, and those that ask for more.
 * @param own the columns that are read, checked or stored in a way of their own
 * @param request what changes rows of the table: text has the same limits in a file
 */
export function withPlainColumns<Own extends Columns>(table: TableName, own: Own, request?: z.ZodObject): Own {
  // In the order of the table: problems of a row are reported in it.
  const ordered = columnsOf(table).flatMap(([name, { heading, kind, to, isOptional, request: member }]) => {
    if (heading !== null && Object.hasOwn(own, heading)) return [[heading, own[heading]]];
    if (heading === null || to !== null) return [];
    const reader = readers[kind];
    if (reader === undefined || isOptional)
      throw new TypeError(`${table}.${name} is no plain column: say how it is read.`);
    const field = kind === 'text' && member !== null ? request?.shape[member] : undefined;
    return [[heading, field instanceof z.ZodOptional ? like(field.unwrap() as Field<string>) : reader()]];
  });
  return { ...Object.fromEntries(ordered), ...own };
}
