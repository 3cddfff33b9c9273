import { z } from 'zod';
import type { Field } from '../../../../shared/wire/field.ts';
import { type Column, type Columns, decimal, flag, like, text, type ValuesOf } from '../files/column.ts';
import { columnsOf } from '../sql/rows.ts';
import type { NewRow } from '../sql/schema.ts';
import { kinds, type Stored } from '../sql/tables/column.ts';
import type { TableName } from '../sql/tables/tables.ts';

/** How the cells of a plain column are read. */
const readers: Partial<Record<keyof typeof kinds, () => Column>> = { text, decimal8: decimal, flag };

/**
 * The columns of a file that are columns of a table as they stand, beside those that ask for more.
 * @param own the columns the importer reads, checks or stores in its own way
 * @param request what changes rows of the table: text has the same limits in a file
 */
export function plainColumns<Table extends TableName, Own extends Columns>(
  table: Table,
  own: Own,
  request?: z.ZodObject,
) {
  const plain = columnsOf(table).flatMap(([name, { heading, kind, to, isOptional, request: member }]) => {
    if (heading === null || heading in own || to !== null) return [];
    const reader = readers[kind];
    if (reader === undefined || isOptional)
      throw new TypeError(`${table}.${name} is no plain column: say how it is read.`);
    const field = kind === 'text' && member !== null ? request?.shape[member] : undefined;
    const column = field instanceof z.ZodOptional ? like(field.unwrap() as Field<string>) : reader();
    const fromRequest = kinds[kind].fromRequest as (given: unknown) => Stored;
    return {
      name,
      heading,
      column,
      stored: (value: unknown) => (value === undefined ? kinds[kind].blank : fromRequest(value)),
    };
  });
  return {
    columns: { ...Object.fromEntries(plain.map(({ heading, column }) => [heading, column])), ...own } as Own,
    /** What a row of the file says of the plain columns it has; an empty cell empties. */
    rowOf: (values: ValuesOf<Own>, has: (heading: string) => boolean = () => true): Partial<NewRow<Table>> => {
      const row: Record<string, Stored> = {};
      for (const { name, heading, stored } of plain) {
        if (has(heading)) row[name] = stored((values as Readonly<Record<string, unknown>>)[heading]);
      }
      return row as Partial<NewRow<Table>>;
    },
  };
}
