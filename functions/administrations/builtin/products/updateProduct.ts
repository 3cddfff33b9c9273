import { refuseField } from '../../../../shared/problem.ts';
import type { Product, ProductUpdate } from '../../../../shared/resources/product.ts';
import { type EndpointContext, writing } from '../sql/endpointContext.ts';
import { changeProduct } from './changeProduct.ts';
import { findProduct, type ProductRow, productResponse } from './productResponse.ts';

/**
 * Changes the supplied fields of a product, all or nothing.
 * @throws Problem INVALID_REQUEST naming the field
 */
export const updateProduct = (context: EndpointContext, update: ProductUpdate): Promise<Product> =>
  writing(context, (transaction) => updateProductInTransaction(transaction, update));

/** Changes a product inside `writing`, together with other writes: after a refusal the caller must roll back. */
export async function updateProductInTransaction(
  transaction: EndpointContext,
  update: ProductUpdate,
): Promise<Product> {
  const product = await selectProduct(transaction, update);
  return productResponse(transaction, await changeProduct(transaction, product, update));
}

/** The product that ArticleNumber or EAN selects; if both are supplied, both must select it. */
async function selectProduct(context: EndpointContext, { ArticleNumber, EAN }: ProductUpdate): Promise<ProductRow> {
  const byNumber =
    ArticleNumber === undefined ? undefined : await findProduct(context, 'article_number', ArticleNumber);
  if (ArticleNumber !== undefined && byNumber === undefined) {
    throw refuseField('ArticleNumber', 'NO_SUCH_ARTICLE_NUMBER', { articleNumber: ArticleNumber });
  }
  if (EAN === undefined) return byNumber!;
  const byEan = await findProduct(context, 'ean', EAN);
  if (byEan === undefined) throw refuseField('EAN', 'NO_SUCH_EAN', { ean: EAN! });
  if (byNumber !== undefined && byNumber.id !== byEan.id) {
    throw refuseField('EAN', 'EAN_OF_ANOTHER', { articleNumber: ArticleNumber!, other: byEan.article_number });
  }
  return byEan;
}
