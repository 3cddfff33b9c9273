import { type Kysely, PostgresAdapter } from 'kysely';
import type { Database } from '../database.ts';
import type { SqlDialect } from './dialect.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

/** The dialect of a database. */
export const dialectOf = (db: Database | Kysely<never>): SqlDialect =>
  db.getExecutor().adapter instanceof PostgresAdapter ? postgres : sqlite;
