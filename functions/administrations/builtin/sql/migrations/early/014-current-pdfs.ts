import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../../dialects/dialect.ts';
import { columns } from '../columns.ts';

/** Each PDF gets the number of the last row of the log at which it was found to be up to date. */
export const currentPdfs = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await columns(db, dialect).addTexts('sales_invoice_pdf', 'current_at');
  },
});
