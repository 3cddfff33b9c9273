import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import type { Schema } from '../schema.ts';
import { columns } from './columns.ts';

/** Every administration has a random id for others than the database, and no two have the same. */
export const identifiers = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<Schema>): Promise<void> {
    const { addTexts, index } = columns(db as unknown as Kysely<unknown>, dialect);
    await addTexts('administration', 'identifier');
    for (const { id } of await db.selectFrom('administration').select('id').execute()) {
      await db.updateTable('administration').where('id', '=', id).set({ identifier: randomUUID() }).execute();
    }
    await index('administration', true, 'identifier');
  },
});
