import { sql } from 'kysely';
import { groupBy } from '../../../../shared/groupBy.ts';
import { DECIMAL_SCALE, decimalText } from '../../../../shared/money.ts';
import { type Product, product } from '../../../../shared/resources/product.ts';
import { customFieldResponse } from '../customFields/customFieldResponse.ts';
import type { Database } from '../sql/database.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';
import { responding } from '../sql/rows.ts';
import type { Decimal8, Flag, Row } from '../sql/schema.ts';

/** A product with the values of other tables that its response needs. */
export type ProductRow = Row<'product'> & {
  category: string | null;
  percentage: Decimal8 | null;
  has_custom_fields: Flag;
};

/** The products of an administration, with the values of other tables that their responses need. */
export const productRows = (db: Database, administrationId: bigint) =>
  db
    .selectFrom('product')
    .leftJoin('product_category', 'product_category.id', 'product.category_id')
    .leftJoin('tax_code', 'tax_code.id', 'product.sales_tax_code_id')
    .where('product.administration_id', '=', administrationId)
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
    ]);

type Found = { administrationId: bigint; value: string };

const productBy = (column: 'article_number' | 'ean') =>
  prepared((db, { administrationId, value }: Found) =>
    productRows(db, administrationId).where(`product.${column}`, '=', value),
  );

const byColumn = { article_number: productBy('article_number'), ean: productBy('ean') };

export async function findProduct(
  { db, administration }: EndpointContext,
  column: keyof typeof byColumn,
  value: string,
): Promise<ProductRow | undefined> {
  const [product] = await byColumn[column](db, { administrationId: administration.id, value });
  return product;
}

export async function productResponse({ db }: EndpointContext, row: ProductRow): Promise<Product> {
  return responseWith(row, row.has_custom_fields === 0n ? [] : await customFieldsOf(db, { productId: row.id }));
}

/** The responses of many products, with one statement for the custom fields of them all. */
export async function productResponses(db: Database, rows: readonly ProductRow[]): Promise<Product[]> {
  const ids = rows.filter((row) => row.has_custom_fields === 1n).map(({ id }) => id);
  const fields = ids.length === 0 ? [] : await customFields(db).where('product_id', 'in', ids).execute();
  const byProduct = groupBy(fields, (one) => one.product_id);
  return rows.map((row) => responseWith(row, byProduct.get(row.id) ?? []));
}

const responseWith = (row: ProductRow, fields: readonly CustomFieldRow[]): Product => ({
  ...responseOf(row),
  Category: row.category ?? '',
  VATPercentage: row.percentage === null ? null : decimalText(row.percentage, DECIMAL_SCALE),
  ProductResponse_CustomField: fields.map(customFieldResponse),
});

const responseOf = responding(product, 'product');

const customFields = (db: Database) =>
  db
    .selectFrom('product_custom_field')
    .innerJoin('custom_field', 'custom_field.id', 'product_custom_field.custom_field_id')
    .orderBy('label')
    .select(['product_id', 'label', 'field_type', 'value']);
type CustomFieldRow = Awaited<ReturnType<ReturnType<typeof customFields>['execute']>>[number];

const customFieldsOf = prepared((db, { productId }: { productId: bigint }) =>
  customFields(db).where('product_id', '=', productId),
);
