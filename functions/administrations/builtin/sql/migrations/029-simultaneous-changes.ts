import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/**
 * What finds the changes of a transaction for the log, where others write at the same time: one that deletes an
 * administration has a million of its own, which every other writer would look through.
 */
export const simultaneousChanges = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    if (!dialect.expressions.isTransactionIdUnique) return;
    await columns(db, dialect).index('log_change', false, 'transaction_id', 'id');
  },
});
