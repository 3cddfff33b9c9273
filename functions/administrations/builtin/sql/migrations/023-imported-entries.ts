import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/** Which entries and opening balances came from an audit file. */
export const importedEntries = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { addNumbers } = columns(db, dialect);
    await addNumbers('journal_entry', 'is_imported');
    await addNumbers('fiscal_year', 'is_imported');
  },
});
