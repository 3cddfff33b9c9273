import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import type { ProductUpdate } from '../../../../shared/resources/product.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Decimal8, Row } from '../sql/schema.ts';
import { stockAfter, storeMutation } from './stock.ts';

type BatchChange = Pick<ProductUpdate, 'Product_Batch' | 'BatchMatchMode' | 'BatchStockUpdateMode'>;
type BatchInput = NonNullable<BatchChange['Product_Batch']>[number];

/**
 * Adds or updates batches. A batch matches by its description, or by description and expiry date; the first match is
 * used. The product's stock changes with its batches. Without a quantity no stock changes. Returns the product's new
 * stock, which the caller stores.
 */
export async function changeBatches(
  context: EndpointContext,
  product: { id: bigint; stock: Decimal8 },
  update: BatchChange,
): Promise<Decimal8> {
  const { db } = context;
  let { stock } = product;
  for (const [index, input] of (update.Product_Batch ?? []).entries()) {
    const batch =
      (await matching(context, product.id, input, update.BatchMatchMode)) ?? (await added(context, product.id, input));
    const set = (changes: Partial<Row<'product_batch'>>) =>
      db.updateTable('product_batch').where('id', '=', batch.id).set(changes).execute();
    const { BatchExpiryDate: expiry_date = batch.expiry_date } = input;
    if (expiry_date !== batch.expiry_date) await set({ expiry_date });
    if (input.BatchStockQty === undefined) continue;
    const quantity = units(input.BatchStockQty, DECIMAL_SCALE);
    const moved = update.BatchStockUpdateMode === 'Absolute' ? quantity - batch.stock : quantity;
    if (moved === 0n) continue;
    const field = `Product_Batch[${index}].BatchStockQty`;
    stock = stockAfter(stock, moved, field);
    await storeMutation(db, {
      product_id: product.id,
      batch_id: batch.id,
      quantity: moved,
      cause: 'batch',
      comment: input.Description,
      purchase_price: null,
      created_on: context.now(),
    });
    await set({ stock: stockAfter(batch.stock, moved, field) });
  }
  return stock;
}

function matching(
  { db }: EndpointContext,
  productId: bigint,
  input: BatchInput,
  mode: BatchChange['BatchMatchMode'],
): Promise<Row<'product_batch'> | undefined> {
  let found = db
    .selectFrom('product_batch')
    .where('product_id', '=', productId)
    .where('description', '=', input.Description)
    .orderBy('id')
    .selectAll();
  if (mode === 'Description_and_date') {
    const date = input.BatchExpiryDate;
    found = date === undefined ? found.where('expiry_date', 'is', null) : found.where('expiry_date', '=', date);
  }
  return found.executeTakeFirst();
}

const added = ({ db }: EndpointContext, productId: bigint, input: BatchInput): Promise<Row<'product_batch'>> =>
  db
    .insertInto('product_batch')
    .values({
      product_id: productId,
      description: input.Description,
      expiry_date: input.BatchExpiryDate ?? null,
      stock: 0n,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
