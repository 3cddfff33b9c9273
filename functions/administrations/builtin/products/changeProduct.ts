import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import { refuseField } from '../../../../shared/problem.ts';
import { type ProductUpdate, productUpdate } from '../../../../shared/resources/product.ts';
import { setCustomField } from '../customFields/setCustomField.ts';
import { findTaxCode } from '../ledger/taxCodes.ts';
import { folded } from '../sql/comparedText.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';
import { changeable, changing, withDerived } from '../sql/rows.ts';
import type { Decimal8, Row } from '../sql/schema.ts';
import { changeBatches } from './changeBatches.ts';
import type { ProductRow } from './productResponse.ts';
import { stockAfter, storeMutation } from './stock.ts';

/** The fields that updateproduct and addproduct share. */
type ProductChange = Omit<ProductUpdate, 'ArticleNumber' | 'EAN'>;

/** Fields that are looked up, added up or stored elsewhere. Any other field of a request is a column of the product. */
type OtherField =
  | 'CategoryName'
  | 'CategoryCreateIfMissing'
  | 'TaxCode'
  | 'NewVATPercentage'
  | 'TaxCodePurchase'
  | 'NewPurchasePriceVATPercentage'
  | 'NewStockQty'
  | 'StockUpdateMode'
  | 'NewStockMutationComment'
  | 'NewStockMutationPurchasePrice'
  | 'Product_CustomField'
  | 'Product_Batch'
  | 'BatchStockUpdateMode'
  | 'BatchMatchMode';

/**
 * Changes the supplied fields of a product, with stock and batches, and returns the new product. Call it inside
 * `writing`: all columns are written, changed or not, so that one statement serves every change.
 * @throws Problem INVALID_REQUEST naming the field
 */
export async function changeProduct(
  context: EndpointContext,
  product: ProductRow,
  update: ProductChange,
): Promise<ProductRow> {
  const { db } = context;
  const now = context.now();
  const salesFields = { code: 'TaxCode', percentage: 'NewVATPercentage' } as const;
  const salesTax = await findTaxCode(context, 'Sales', update, salesFields, product.sales_tax_code_id);
  const purchaseFields = { code: 'TaxCodePurchase', percentage: 'NewPurchasePriceVATPercentage' } as const;
  const purchaseTax = await findTaxCode(context, 'Purchase', update, purchaseFields, product.purchase_tax_code_id);
  const category = await findCategory(context, update);
  const moved = stockMoved(product, update);
  const stock = moved === 0n ? product.stock : stockAfter(product.stock, moved, 'NewStockQty');
  const fields = update.Product_CustomField ?? [];
  for (const [index, field] of fields.entries()) {
    await setCustomField(context, product.id, field, `Product_CustomField[${index}]`);
  }
  if (moved !== 0n) {
    const cost = update.NewStockMutationPurchasePrice;
    const isAdded = units(update.NewStockQty ?? '0', DECIMAL_SCALE) > 0n;
    await storeMutation(db, {
      product_id: product.id,
      batch_id: null,
      quantity: moved,
      cause: 'update',
      comment: update.NewStockMutationComment ?? '',
      purchase_price: cost !== undefined && isAdded ? units(cost, DECIMAL_SCALE) : null,
      created_on: now,
    });
  }
  const columns: Omit<ProductChange, OtherField> = update;
  const changed: ProductRow = {
    ...product,
    ...withDerived('product', changesOf(columns)),
    category_id: category?.id ?? product.category_id,
    category: category?.name ?? product.category,
    sales_tax_code_id: salesTax?.id ?? product.sales_tax_code_id,
    percentage: salesTax?.percentage ?? product.percentage,
    purchase_tax_code_id: purchaseTax?.id ?? product.purchase_tax_code_id,
    stock: await changeBatches(context, { id: product.id, stock }, update),
    has_custom_fields: fields.length > 0 ? 1n : product.has_custom_fields,
    changed_on: now,
  };
  await storeProduct(db, changed);
  return changed;
}

const changesOf = changing(productUpdate, 'product');

const storeProduct = prepared((db, product: Row<'product'>) =>
  db.updateTable('product').where('id', '=', product.id).set(changeable('product', product)),
);

/** The category of a request, created if the request says so. */
async function findCategory(
  { db, administration }: EndpointContext,
  update: ProductChange,
): Promise<Pick<Row<'product_category'>, 'id' | 'name'> | undefined> {
  const name = update.CategoryName;
  if (name === undefined) return undefined;
  const category = await db
    .selectFrom('product_category')
    .where('administration_id', '=', administration.id)
    .where('name_folded', '=', folded(name))
    .select(['id', 'name'])
    .executeTakeFirst();
  if (category !== undefined) return category;
  if (!update.CategoryCreateIfMissing) throw refuseField('CategoryName', 'NO_SUCH_CATEGORY', { name });
  return db
    .insertInto('product_category')
    .values({ administration_id: administration.id, name, name_folded: folded(name) })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow();
}

/** The quantity by which an update changes the stock. */
function stockMoved(product: Row<'product'>, { NewStockQty, StockUpdateMode }: ProductChange): Decimal8 {
  if (NewStockQty === undefined) return 0n;
  const quantity = units(NewStockQty, DECIMAL_SCALE);
  return StockUpdateMode === 'Absolute' ? quantity - product.stock : quantity;
}
