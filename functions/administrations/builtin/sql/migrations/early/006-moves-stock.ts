import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../../dialects/dialect.ts';
import { columns } from '../columns.ts';

/** Which sales invoices take what they sell out of stock, and which are history. */
export const movesStock = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await columns(db, dialect).addNumbers('sales_invoice', 'moves_stock');
    await sql`update sales_invoice set moves_stock = 1
      where exists (select 1 from stock_mutation where stock_mutation.sales_invoice_id = sales_invoice.id)`.execute(db);
  },
});
