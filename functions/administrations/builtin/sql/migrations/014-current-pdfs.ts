import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/** Where the log was when a PDF was last seen to be of its invoice as it is. */
export const currentPdfs = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await columns(db, dialect).addTexts('sales_invoice_pdf', 'current_at');
  },
});
