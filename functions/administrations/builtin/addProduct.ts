import { refuseField } from '../../../shared/problem.ts';
import type { Product, ProductAddition } from '../../../shared/resources/product.ts';
import { blankProduct } from './blankProduct.ts';
import { changeProduct } from './changeProduct.ts';
import { productAnswer } from './productAnswer.ts';
import { type Scope, writing } from './scope.ts';

/**
 * Makes a product, with everything updateproduct can set.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export const addProduct = (scope: Scope, addition: ProductAddition): Promise<Product[]> =>
  writing(scope, async (inside) => {
    const { db, administration } = inside;
    await refuseTaken(inside, 'article_number', 'ArticleNumber', addition.ArticleNumber);
    await refuseTaken(inside, 'ean', 'EAN', addition.EAN);
    const product = await db
      .insertInto('product')
      .values({
        ...blankProduct(inside.now()),
        administration_id: administration.id,
        article_number: addition.ArticleNumber,
        ean: addition.EAN ?? '',
        name: addition.NewName,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return [await productAnswer(inside, await changeProduct(inside, product, addition))];
  });

async function refuseTaken(
  { db, administration }: Scope,
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
  if (taken !== undefined) throw refuseField(field, `expected one that no product has yet, got "${value}"`);
}
