import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** The tables of the built-in administrations, and the connection to them. */
export type Database = Kysely<Schema>;
