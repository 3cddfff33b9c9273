import { refuseField } from '../../../../shared/problem.ts';
import type { Product, ProductAddition } from '../../../../shared/resources/product.ts';
import { type EndpointContext, writing } from '../sql/endpointContext.ts';
import { newRow } from '../sql/rows.ts';
import { changeProduct } from './changeProduct.ts';
import { productResponse } from './productResponse.ts';

/**
 * Adds a product, with everything updateproduct can set.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export const addProduct = (context: EndpointContext, addition: ProductAddition): Promise<Product[]> =>
  writing(context, async (transaction) => [await addProductInTransaction(transaction, addition)]);

/** Adds a product inside `writing`, together with other writes: after a refusal the caller must roll back. */
export async function addProductInTransaction(
  transaction: EndpointContext,
  addition: ProductAddition,
): Promise<Product> {
  const { db, administration } = transaction;
  await refuseTaken(transaction, 'article_number', 'ArticleNumber', addition.ArticleNumber);
  await refuseTaken(transaction, 'ean', 'EAN', addition.EAN);
  const made = await db
    .insertInto('product')
    .values(
      newRow('product', {
        administration_id: administration.id,
        article_number: addition.ArticleNumber,
        ean: addition.EAN ?? '',
        created_on: transaction.now(),
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  const product = { ...made, category: null, percentage: null, has_custom_fields: 0n };
  return productResponse(transaction, await changeProduct(transaction, product, addition));
}

async function refuseTaken(
  { db, administration }: EndpointContext,
  column: 'article_number' | 'ean',
  field: string,
  value: string | undefined,
): Promise<void> {
  if (value === undefined) return;
  const taken = await db
    .selectFrom('product')
    .where('administration_id', '=', administration.id)
    .where(column, '=', value)
    .select('id')
    .executeTakeFirst();
  if (taken !== undefined) throw refuseField(field, 'PRODUCT_TAKEN', { value });
}
