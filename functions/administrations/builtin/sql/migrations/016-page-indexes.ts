import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/** What finds a page of material bookings, and of invoices by date, without reading or sorting all of them. */
export const pageIndexes = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { index } = columns(db, dialect);
    await db.schema.dropIndex('material_booking_administration_id_entry_date').execute();
    await index('material_booking', false, 'administration_id', 'id');
    await index('material_booking', false, 'administration_id', 'warehouse', 'id');
    await index('material_booking', false, 'project_id', 'id');
    await index('material_booking', false, 'product_id', 'id');
    await index('sales_invoice', false, 'administration_id', 'number', 'date', 'id');
  },
});
