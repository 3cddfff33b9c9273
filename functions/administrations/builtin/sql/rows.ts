import type * as z from 'zod/mini';
import { memoized } from '../../../../shared/memoized.ts';
import { type Column, kinds, type RespondedOf, type Stored, type ValueOf } from './declarations/column.ts';
import { type TableName, tables } from './declarations/tables.ts';
import type { NewRow, Row } from './schema.ts';

/*
 * Derived from the columns of a table (tables/): new rows, and the conversion between rows, responses and requests.
 */

type ColumnsOf<Table extends TableName> = (typeof tables)[Table];
/** The columns of a table that meet a condition. */
type Those<Table extends TableName, What> = {
  [Name in keyof ColumnsOf<Table>]: ColumnsOf<Table>[Name] extends What ? Name : never;
}[keyof ColumnsOf<Table>] &
  string;

type Values<Table extends TableName, Names extends keyof ColumnsOf<Table>> = {
  [Name in Names]: ValueOf<ColumnsOf<Table>[Name]>;
};

type Inserted<Table extends TableName, Insertion> = Those<Table, { insertion: Insertion }>;
type ResponseColumns<Table extends TableName> = Those<Table, { response: string }>;

type NamedColumns = readonly (readonly [name: string, column: Column])[];
const entries = new Map<string, NamedColumns>(
  Object.entries(tables).map(([table, columns]) => [table, Object.entries(columns)]),
);

/** The columns of a table, as they are declared. */
export const columnsOf = (table: TableName): NamedColumns => entries.get(table)!;

/** The required values of a new row: other columns have a default, or are derived. */
export type RowInput<Table extends TableName> = Values<Table, Inserted<Table, 'required'>> & Partial<NewRow<Table>>;

/** The default values of columns: "", 0 or null. */
export const blankRow = <Table extends TableName>(table: Table): Values<Table, Inserted<Table, 'blank'>> =>
  ({ ...blanks(table) }) as Values<Table, Inserted<Table, 'blank'>>;

const blanks = memoized((table: TableName): Readonly<Record<string, Stored>> => {
  const blank = columnsOf(table).filter(([, { insertion }]) => insertion === 'blank');
  return Object.fromEntries(blank.map(([name, { isOptional, kind }]) => [name, isOptional ? null : kinds[kind].blank]));
});

/** A new row: missing values get their defaults, and derived columns are computed. */
export function newRow<Table extends TableName>(table: Table, input: RowInput<Table>): NewRow<Table> {
  const row: Record<string, unknown> = { ...blanks(table), ...input };
  for (const [name, { columns, derive }] of derivations(table)) {
    if (!Object.hasOwn(input, name)) row[name] = derive(...(columns.map((column) => row[column]) as never[]));
  }
  return row as NewRow<Table>;
}

/**
 * Adds the derived values, such as a name in lower case.
 * @throws Error when there are some of the values that one follows from, but not all
 */
export function withDerived<Table extends TableName, Some extends Partial<NewRow<Table>>>(
  table: Table,
  values: Some,
): Some & Values<Table, Inserted<Table, 'derived'>> {
  const row: Record<string, unknown> = { ...values };
  for (const [name, { columns, derive }] of derivations(table)) {
    const sources = columns.map((column) => row[column]);
    if (sources.every((source) => source === undefined)) continue;
    if (sources.includes(undefined)) throw new Error(`${table}.${name} follows from ${columns.join(', ')} together.`);
    row[name] = derive(...(sources as never[]));
  }
  return row as Some & Values<Table, Inserted<Table, 'derived'>>;
}

const derivations = memoized((table: TableName) =>
  columnsOf(table).flatMap(([name, { derivedFrom }]) => (derivedFrom === null ? [] : [[name, derivedFrom] as const])),
);

/** The members of a response that come from a row. */
export type ResponseOf<Table extends TableName> = {
  [Name in ResponseColumns<Table> as ColumnsOf<Table>[Name] extends { response: infer Response extends string }
    ? Response
    : never]: RespondedOf<ColumnsOf<Table>[Name]>;
};

/** A type that no value has: the compiler refuses one, and shows the reason. */
type Refused<Reason extends string> = { readonly refused: Reason };

/** Any schema that has all members; for another, the compiler names one that it lacks. */
type Knowing<Members extends string, Schema extends z.ZodMiniObject> = [
  Exclude<Members, keyof Schema['shape']>,
] extends [never]
  ? Schema
  : Schema & Refused<`the schema has no member ${Exclude<Members, keyof Schema['shape']>}, which a column declares`>;

/**
 * Returns a function that makes the response of a row.
 * @param _schema the response's: a column that it does not know does not compile
 */
export function responding<Schema extends z.ZodMiniObject, Table extends TableName>(
  _schema: Knowing<keyof ResponseOf<Table> & string, Schema>,
  table: Table,
): (row: Values<Table, ResponseColumns<Table>>) => ResponseOf<Table> {
  const members = columnsOf(table).flatMap(([name, { response, kind, words }]) => {
    const toResponse = kinds[kind].toResponse as (stored: unknown, words: readonly string[]) => unknown;
    return response === null ? [] : { name, member: response, toResponse, words };
  });
  return (row) => {
    const response: Record<string, unknown> = {};
    for (const { name, member, toResponse, words } of members) {
      const value = (row as Record<string, Stored>)[name]!;
      response[member] = value === null ? null : toResponse(value, words);
    }
    return response as ResponseOf<Table>;
  };
}

type RequestColumns<Table extends TableName> = Those<Table, { request: string }>;
/** The members of a request that set columns of a table directly. */
export type RequestOf<Table extends TableName> = {
  [Name in RequestColumns<Table> as ColumnsOf<Table>[Name] extends { request: infer Request extends string }
    ? Request
    : never]?: RespondedOf<ColumnsOf<Table>[Name]> | undefined;
};

/**
 * Returns a function for the columns that a request changes.
 * @param _schema the requests': a column that it does not know does not compile
 * @returns a function; a request with a member that is no column of the table does not compile
 */
export function changing<Schema extends z.ZodMiniObject, Table extends TableName>(
  _schema: Knowing<keyof RequestOf<Table> & string, Schema>,
  table: Table,
): <Request extends RequestOf<Table>>(
  request: Request & {
    [Name in Exclude<
      keyof Request & string,
      keyof RequestOf<Table>
    >]: Refused<`no column of ${Table} is set by ${Name}`>;
  },
) => Partial<Values<Table, RequestColumns<Table>>> {
  const members = columnsOf(table).flatMap(([name, { request, kind }]) => {
    const fromRequest = kinds[kind].fromRequest as (value: unknown) => Stored;
    return request === null ? [] : { name, member: request, fromRequest };
  });
  return (request) => {
    const changes: Record<string, Stored> = {};
    for (const { name, member, fromRequest } of members) {
      const value = (request as Record<string, unknown>)[member];
      if (value !== undefined) changes[name] = fromRequest(value);
    }
    return changes as Partial<Values<Table, RequestColumns<Table>>>;
  };
}

/** The columns of a row that may change. */
type Changeable<Table extends TableName> = Omit<Row<Table>, Those<Table, { isIdentity: true }>>;

/** All values of a row that may change, for `update`. */
export function changeable<Table extends TableName>(table: Table, row: Row<Table>): Changeable<Table> {
  const values: Record<string, unknown> = {};
  for (const [name, { isIdentity }] of columnsOf(table)) {
    if (!isIdentity) values[name] = (row as Record<string, unknown>)[name];
  }
  return values as Changeable<Table>;
}
