import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../database.ts';
import { columns } from './columns.ts';

/** The writes of pushes that were applied, by their keys. */
export const appliedWrites = (kind: DatabaseKind): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { ofAdministration, texts, numbers, create, index } = columns(db, kind);
    await create('applied_write', ofAdministration, (table) =>
      numbers(texts(table, 'key', 'answer'), 'created_on').addPrimaryKeyConstraint('applied_write_key', [
        'administration_id',
        'key',
      ]),
    );
    await index('applied_write', false, 'created_on');
  },
});
