import type { Database } from '../sql/database.ts';

/** Queries for the ids of the documents of a relation. */
export function documentsOf(db: Database, relationId: bigint) {
  const ids = (table: 'sales_invoice' | 'sales_order' | 'purchase_invoice' | 'periodic_invoice') =>
    db.selectFrom(table).where('relation_id', '=', relationId).select('id');
  const [invoices, purchases] = [ids('sales_invoice'), ids('purchase_invoice')];
  return {
    invoices,
    orders: ids('sales_order'),
    purchases,
    templates: ids('periodic_invoice'),
    projects: db.selectFrom('project').where('customer_id', '=', relationId).select('id'),
    entries: db
      .selectFrom('journal_entry')
      .where((eb) =>
        eb.or([
          eb('sales_invoice_id', 'in', invoices),
          eb('purchase_invoice_id', 'in', purchases),
          eb(
            'id',
            'in',
            db.selectFrom('journal_line').where('relation_id', '=', relationId).select('journal_entry_id'),
          ),
        ]),
      )
      .select('id'),
  };
}
