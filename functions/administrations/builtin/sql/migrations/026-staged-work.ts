import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/** Changes of long work that are being applied. */
export const stagedWork = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { ofAdministration, texts, numbers, create } = columns(db, dialect);
    await create('staged_work', ofAdministration, (table) =>
      numbers(texts(table, 'file'), 'applied').addPrimaryKeyConstraint('staged_work_key', ['administration_id']),
    );
  },
});
