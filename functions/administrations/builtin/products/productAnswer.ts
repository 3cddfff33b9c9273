import { sql } from 'kysely';
import { DECIMAL_SCALE, decimalText } from '../../../../shared/money.ts';
import { type Product, product } from '../../../../shared/resources/product.ts';
import { customFieldAnswer } from '../customFields/customFieldAnswer.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';
import { answering } from '../sql/rows.ts';
import type { Decimal8, Flag, Row } from '../sql/schema.ts';

/** A product with the values of other tables that its answer needs. */
export type AnsweredProduct = Row<'product'> & {
  category: string | null;
  percentage: Decimal8 | null;
  has_custom_fields: Flag;
};

type Found = { administrationId: bigint; value: string };

const productBy = (column: 'article_number' | 'ean') =>
  prepared((db, { administrationId, value }: Found) =>
    db
      .selectFrom('product')
      .leftJoin('product_category', 'product_category.id', 'product.category_id')
      .leftJoin('tax_code', 'tax_code.id', 'product.sales_tax_code_id')
      .where('product.administration_id', '=', administrationId)
      .where(`product.${column}`, '=', value)
      .selectAll('product')
      .select((eb) => [
        'product_category.name as category',
        'tax_code.percentage',
        eb
          .case()
          .when(
            eb.exists(
              eb
                .selectFrom('product_custom_field')
                .whereRef('product_custom_field.product_id', '=', 'product.id')
                .select('product_custom_field.custom_field_id'),
            ),
          )
          // Literals, not parameters: PostgreSQL would treat parameters as text.
          .then(sql<Flag>`1`)
          .else(sql<Flag>`0`)
          .end()
          .as('has_custom_fields'),
      ]),
  );

const byColumn = { article_number: productBy('article_number'), ean: productBy('ean') };

export async function findProduct(
  { db, administration }: EndpointContext,
  column: keyof typeof byColumn,
  value: string,
): Promise<AnsweredProduct | undefined> {
  const [product] = await byColumn[column](db, { administrationId: administration.id, value });
  return product;
}

export async function productAnswer({ db }: EndpointContext, row: AnsweredProduct): Promise<Product> {
  const fields = row.has_custom_fields === 0n ? [] : await customFieldsOf(db, { productId: row.id });
  return {
    ...answerOf(row),
    Category: row.category ?? '',
    VATPercentage: row.percentage === null ? null : decimalText(row.percentage, DECIMAL_SCALE),
    ProductResponse_CustomField: fields.map(customFieldAnswer),
  };
}

const answerOf = answering(product, 'product');

const customFieldsOf = prepared((db, { productId }: { productId: bigint }) =>
  db
    .selectFrom('product_custom_field')
    .innerJoin('custom_field', 'custom_field.id', 'product_custom_field.custom_field_id')
    .where('product_id', '=', productId)
    .orderBy('label')
    .select(['label', 'field_type', 'value']),
);
