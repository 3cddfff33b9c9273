import { decimalText, FINE_SCALE } from '../../../shared/money.ts';
import type { Product } from '../../../shared/resources/product.ts';
import { customFieldAnswer } from './customFields.ts';
import type { Scope } from './scope.ts';

/** A product as it is answered. */
export async function productAnswer({ db }: Scope, productId: bigint): Promise<Product> {
  const row = await db
    .selectFrom('product')
    .leftJoin('product_category', 'product_category.id', 'product.category_id')
    .leftJoin('tax_code', 'tax_code.id', 'product.sales_tax_code_id')
    .where('product.id', '=', productId)
    .selectAll('product')
    .select(['product_category.name as category', 'tax_code.percentage'])
    .executeTakeFirstOrThrow();
  const fields = await db
    .selectFrom('product_custom_field')
    .innerJoin('custom_field', 'custom_field.id', 'product_custom_field.custom_field_id')
    .where('product_id', '=', productId)
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
