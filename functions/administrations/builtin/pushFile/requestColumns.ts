import * as z from 'zod/mini';
import { operationOf, type PushedName, pushRulesOf } from '../../../../shared/api.ts';
import { writeDate } from '../../../../shared/wire/calendarDate.ts';
import { type Field, kindOf } from '../../../../shared/wire/field.ts';
import type { ValueKind, Values } from '../../../../shared/wire/valueKind.ts';
import { type Column, type Columns, day, decimal, flag, like, percentage } from '../files/column.ts';

/** The columns of a file with requests of an endpoint: the names of its fields. */
export type RequestColumns = {
  columns: Columns;
  /** The list that has a line for each row of a document; undefined for requests without lines. */
  lines: { member: string; names: ReadonlySet<string> } | undefined;
};

const columnOf: Readonly<Record<ValueKind, (name: string, field: Field<unknown>) => Column>> = {
  text: (_, field) => like(field),
  long: (_, field) => like(field),
  integer: (_, field) => like(field),
  date: day,
  decimal: (name) => (/Pc$|Percentage$/.test(name) ? percentage({}) : decimal()),
  boolean: flag,
  choice: (_, field) => ({ ...like(field), words: kindOf(field)!.schema.enum as string[] }),
};

const inRequest: { readonly [Kind in ValueKind]: (value: Values[Kind]) => unknown } = {
  text: String,
  long: String,
  integer: Number,
  date: writeDate,
  decimal: String,
  boolean: Boolean,
  choice: String,
};

/** A value that a column has read, as a request has it. */
export const requestValue = ({ kind }: Column, value: unknown): unknown => inRequest[kind](value as never);

export function requestColumns(name: PushedName): RequestColumns {
  const { shape } = operationOf(name).request;
  const member = pushRulesOf(name).lines;
  if (member === undefined) return { columns: columnsOf(shape), lines: undefined };
  const ofLines = columnsOf(objectIn(shape[member]!).shape);
  return {
    columns: { ...columnsOf(shape), ...ofLines },
    lines: { member, names: new Set(Object.keys(ofLines)) },
  };
}

/** The columns of fields with one value; lists of other things have none. */
function columnsOf(shape: Readonly<Record<string, z.core.$ZodType>>): Columns {
  const columns: Record<string, Column> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const field =
      schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault ? schema.def.innerType : schema;
    const kind = kindOf(field);
    if (kind !== undefined) columns[name] = columnOf[kind.of](name, field as Field<unknown>);
  }
  return columns;
}

/** The object that a list is of. */
function objectIn(schema: z.core.$ZodType): z.ZodMiniObject {
  if (schema instanceof z.ZodMiniPipe) return objectIn(schema.def.out);
  return schema instanceof z.ZodMiniArray ? objectIn(schema.def.element) : (schema as z.ZodMiniObject);
}
