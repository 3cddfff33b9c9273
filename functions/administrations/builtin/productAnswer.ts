import type { ExpressionBuilder } from 'kysely';
import { decimalText, FINE_SCALE } from '../../../shared/money.ts';
import type { Product } from '../../../shared/resources/product.ts';
import { customFieldAnswer } from './customFields.ts';
import type { Fine, Row, Schema } from './schema.ts';
import type { Scope } from './scope.ts';

/** A product with what its answer needs from beside it. */
export type AnsweredProduct = Row<'product'> & { category: string | null; percentage: Fine | null };

/** What to select, or to return from a change, beside all columns of the product. */
export const besideProduct = (eb: ExpressionBuilder<Schema, 'product'>) =>
  [
    eb
      .selectFrom('product_category')
      .whereRef('product_category.id', '=', 'product.category_id')
      .select('product_category.name')
      .as('category'),
    eb
      .selectFrom('tax_code')
      .whereRef('tax_code.id', '=', 'product.sales_tax_code_id')
      .select('tax_code.percentage')
      .as('percentage'),
  ] as const;

/** A product as it is answered. */
export async function productAnswer({ db }: Scope, row: AnsweredProduct): Promise<Product> {
  const fields = await db
    .selectFrom('product_custom_field')
    .innerJoin('custom_field', 'custom_field.id', 'product_custom_field.custom_field_id')
    .where('product_id', '=', row.id)
    .orderBy('label')
    .select(['label', 'field_type', 'value'])
    .execute();
  const fine = (value: bigint) => decimalText(value, FINE_SCALE);
  return {
    Name: row.name,
    ArticleNumber: row.article_number,
    SupplierArticleNumber: row.supplier_article_number,
    Category: row.category ?? '',
    EAN: row.ean,
    Description: row.description,
    StockQty: fine(row.stock),
    PurchasePrice: fine(row.purchase_price),
    Price: fine(row.price),
    VATPercentage: row.percentage === null ? null : fine(row.percentage),
    MinimalStockQty: fine(row.minimal_stock),
    UnitsPerPackage: fine(row.units_per_package),
    Unit: row.unit,
    CreatedOn: String(row.created_on),
    ChangedOn: String(row.changed_on),
    ProductResponse_CustomField: fields.map(customFieldAnswer),
  };
}
