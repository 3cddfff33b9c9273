import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../../dialects/dialect.ts';
import { columns } from '../columns.ts';

/** Keys have an end, a scope and a last use, and are found by their hash: the keys there were may do everything. */
export const keyLimits = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { addTexts, addOptional, index } = columns(db, dialect);
    await addTexts('api_key', 'scope');
    await sql`update api_key set scope = 'all'`.execute(db);
    await addOptional('api_key', 'ends_on', dialect.types.text);
    await addOptional('api_key', 'last_used_on', sql`bigint`);
    await db.schema.dropIndex('api_key_username').execute();
    await index('api_key', false, 'key_hash');
  },
});
