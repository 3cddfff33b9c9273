import { DECIMAL_SCALE, decimalText } from '../../../../shared/money.ts';
import { refuseField } from '../../../../shared/problem.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertRows } from '../sql/insertRows.ts';
import { prepared } from '../sql/prepared.ts';
import type { Decimal8, Row } from '../sql/schema.ts';

/** A stock may have as many digits as a quantity; past 64 bits a database would make it a float. */
const MAX_STOCK = 10n ** 18n - 1n;

/**
 * The new stock after a mutation.
 * @param field of the request, for the error
 * @throws Problem INVALID_REQUEST when the new stock is too large
 */
export function stockAfter(stock: Decimal8, moved: Decimal8, field: string): Decimal8 {
  const after = stock + moved;
  if (after <= MAX_STOCK && after >= -MAX_STOCK) return after;
  throw refuseField(field, 'STOCK_TOO_LARGE', { max: 10, stock: decimalText(after, DECIMAL_SCALE) });
}

/** Stores a mutation of a product's or a batch's stock. The caller stores the stock itself. */
export const storeMutation = prepared((db, mutation: Omit<Row<'stock_mutation'>, 'id' | 'sales_invoice_id'>) =>
  db.insertInto('stock_mutation').values({
    product_id: mutation.product_id,
    batch_id: mutation.batch_id,
    quantity: mutation.quantity,
    cause: mutation.cause,
    comment: mutation.comment,
    purchase_price: mutation.purchase_price,
    created_on: mutation.created_on,
  }),
);

/** Takes the sold products of an invoice out of stock, also for drafts; a credit returns them. */
export async function takeStock(
  { db, now }: EndpointContext,
  salesInvoiceId: bigint,
  sold: readonly { product: Row<'product'>; quantity: Decimal8 }[],
): Promise<void> {
  const moved = sold.filter(({ quantity }) => quantity !== 0n);
  await insertRows(
    db,
    'stock_mutation',
    moved.map(({ product, quantity }) => ({
      product_id: product.id,
      quantity: -quantity,
      cause: 'invoice' as const,
      comment: '',
      purchase_price: null,
      sales_invoice_id: salesInvoiceId,
      batch_id: null,
      created_on: now(),
    })),
  );
  for (const lines of Map.groupBy(moved, ({ product }) => product.id).values()) {
    // After each line, since the database adds them up in this order.
    lines.reduce((stock, { quantity }) => stockAfter(stock, -quantity, 'Invoice_InvoiceLine'), lines[0]!.product.stock);
  }
  await addMutations(db, { salesInvoiceId });
}

/** Applies the mutations of an invoice to the stock of its products. */
const addMutations = prepared((db, { salesInvoiceId }: { salesInvoiceId: bigint }) =>
  db
    .updateTable('product')
    .from((eb) =>
      eb
        .selectFrom('stock_mutation')
        .where('sales_invoice_id', '=', salesInvoiceId)
        .groupBy('product_id')
        .select((eb) => ['product_id', eb.fn.sum<bigint>('quantity').as('quantity')])
        .as('moved'),
    )
    .whereRef('product.id', '=', 'moved.product_id')
    .set((eb) => ({ stock: eb('stock', '+', eb.ref('moved.quantity')) })),
);
