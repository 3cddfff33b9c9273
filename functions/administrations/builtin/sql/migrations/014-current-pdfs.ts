import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columns } from '../dialects/columns.ts';
import type { SqlDialect } from '../dialects/dialect.ts';

/** Where the log was when a PDF was last seen to be of its invoice as it is. */
export const currentPdfs = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await columns(db, dialect).addTexts('sales_invoice_pdf', 'current_at');
  },
});
