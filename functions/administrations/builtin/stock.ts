import { insertRows } from './insertRows.ts';
import type { Fine, NewRow } from './schema.ts';
import type { Scope } from './scope.ts';

/** Stores a stock mutation and brings the stock of its product, and of its batch, up to date with it. */
export async function moveStock({ db }: Scope, mutation: NewRow<'stock_mutation'>): Promise<void> {
  await db.insertInto('stock_mutation').values(mutation).execute();
  await db
    .updateTable('product')
    .where('id', '=', mutation.product_id)
    .set((eb) => ({ stock: eb('stock', '+', mutation.quantity) }))
    .execute();
  if (mutation.batch_id == null) return;
  await db
    .updateTable('product_batch')
    .where('id', '=', mutation.batch_id)
    .set((eb) => ({ stock: eb('stock', '+', mutation.quantity) }))
    .execute();
}

/** Takes what an invoice sells out of stock, drafts too; a credit puts it back. */
export async function takeStock(
  { db, now }: Scope,
  salesInvoiceId: bigint,
  sold: readonly { productId: bigint; quantity: Fine }[],
): Promise<void> {
  const moved = sold.filter(({ quantity }) => quantity !== 0n);
  await insertRows(
    db,
    'stock_mutation',
    moved.map(({ productId, quantity }) => ({
      product_id: productId,
      quantity: -quantity,
      cause: 'invoice' as const,
      comment: '',
      purchase_price: null,
      sales_invoice_id: salesInvoiceId,
      batch_id: null,
      created_on: now(),
    })),
  );
  const perProduct = Map.groupBy(moved, ({ productId }) => productId);
  for (const [productId, lines] of perProduct) {
    const quantity = lines.reduce((sum, line) => sum + line.quantity, 0n);
    await db
      .updateTable('product')
      .where('id', '=', productId)
      .set((eb) => ({ stock: eb('stock', '-', quantity) }))
      .execute();
  }
}
