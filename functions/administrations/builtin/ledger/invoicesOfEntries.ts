import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';

type Entry = Pick<Row<'journal_entry'>, 'id' | 'sales_invoice_id' | 'purchase_invoice_id'>;

/** The invoice of an entry, as its lines name it. */
export type EntryInvoice = Pick<Row<'journal_line'>, 'relation_id' | 'document'>;

/** The invoices of some hundreds of entries, by entry: lines name them, and an entry that comes to nothing has none. */
export async function invoicesOfEntries(
  db: Database,
  entries: readonly Entry[],
): Promise<ReadonlyMap<bigint, EntryInvoice>> {
  const found = new Map<bigint, EntryInvoice>();
  for (const document of ['sales_invoice', 'purchase_invoice'] as const) {
    const entryOf = new Map(
      entries.flatMap((entry) => (entry[`${document}_id`] === null ? [] : [[entry[`${document}_id`]!, entry.id]])),
    );
    if (entryOf.size === 0) continue;
    const rows = await db
      .selectFrom(document as 'sales_invoice')
      .where('id', 'in', [...entryOf.keys()])
      .select(['id', 'number', 'relation_id'])
      .execute();
    for (const { id, number, relation_id } of rows)
      found.set(entryOf.get(id)!, { relation_id, document: String(number) });
  }
  return found;
}
