import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../../dialects/dialect.ts';
import { columns } from '../columns.ts';

/** The writes of pushes that were applied, by their keys. */
export const appliedWrites = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { ofAdministration, texts, numbers, create, index } = columns(db, dialect);
    await create('applied_write', ofAdministration, (table) =>
      numbers(texts(table, 'key', 'answer'), 'created_on').addPrimaryKeyConstraint('applied_write_key', [
        'administration_id',
        'key',
      ]),
    );
    await index('applied_write', false, 'created_on');
  },
});
