import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/**
 * The tax that a purchaser owes, and what may be deducted, on each line of a purchase. Earlier lines stay without: their
 * entries have what the invoice says, and are not changed.
 */
export const assessedTax = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { addOptional } = columns(db, dialect);
    await addOptional('purchase_invoice_line', 'assessed_tax', sql`bigint`);
    await addOptional('purchase_invoice_line', 'deductible_tax', sql`bigint`);
  },
});
