import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../../dialects/dialect.ts';
import { columns } from '../columns.ts';

/** An administration can be archived: then it answers no writes. */
export const archived = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await columns(db, dialect).addOptional('administration', 'archived_on', sql`bigint`);
  },
});
