import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/**
 * What finds some accounts by their numbers, for the names in lines of entries and for the accounts of a document that is
 * booked, without reading all accounts of all years.
 */
export const accountsByNumber = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await columns(db, dialect).index('ledger_account', false, 'administration_id', 'number', 'fiscal_year');
  },
});
