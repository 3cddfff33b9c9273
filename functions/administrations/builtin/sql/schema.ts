import type { Insertable, Selectable } from 'kysely';
import { kinds, type TableOf } from './declarations/column.ts';
import type { TableName, tables } from './declarations/tables.ts';

export type { Cents, Decimal8 } from '../../../../shared/money.ts';
/** 0 or 1. */
export type Flag = bigint;
/** Seconds since 1970. */
export type Seconds = bigint;

export const flag: (set: boolean) => Flag = kinds.flag.fromRequest;

/** The tables as Kysely knows them. */
export type Schema = { [Name in TableName]: TableOf<(typeof tables)[Name]> };

export type Row<Table extends TableName> = Selectable<Schema[Table]>;
/** A row to be inserted: what the database fills in may be left out. */
export type NewRow<Table extends TableName> = Insertable<Schema[Table]>;
