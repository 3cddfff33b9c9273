import { productUpdate } from '../../../../shared/resources/product.ts';
import { decimal, long, name, percentage, required, text, withNote } from '../files/column.ts';
import { folded } from '../sql/comparedText.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import { blankRow } from '../sql/rows.ts';
import type { Decimal8, NewRow, Row } from '../sql/schema.ts';
import type { ImportRow } from './bind.ts';
import {
  addCustomFields,
  type CustomColumns,
  customColumns,
  customFieldsOf,
  replaceCustomFields,
} from './customColumns.ts';
import { rowsWith } from './existingRows.ts';
import { differing, type ImportContext, importer, keysOnce } from './importRows.ts';
import { storedValues, withPlainColumns } from './plainColumns.ts';
import { taxCodeFinder } from './taxCodeFinder.ts';

const columns = withPlainColumns(
  'product',
  {
    ArticleNumber: required(name()),
    Name: required(text()),
    EAN: withNote('no other product may have it', name()),
    Category: withNote('made when there is none', name()),
    StockQty: withNote('the stock becomes this; an empty cell leaves it', decimal()),
    VATPercentage: withNote('of sales; instead of TaxCode or with it', percentage({ min: -1, max: 100 })),
    TaxCode: withNote('of sales', text()),
    TaxCodePurchase: withNote('of purchases', text()),
    CreatedOn: withNote('seconds since 1970; left out: now', long({ min: 0n })),
    ChangedOn: withNote('seconds since 1970; left out: now', long({ min: 0n })),
  },
  productUpdate,
);

type ProductRow = Omit<NewRow<'product'>, 'id' | 'administration_id'>;
type Product = {
  existing: Row<'product'> | undefined;
  row: Partial<ProductRow> & { article_number: string };
  custom: Map<bigint, string>;
};
type ChangedProduct = Product & { existing: Row<'product'> };

/** Products, known by article number. */
export const products = importer(columns, async (context) => {
  const custom = await customColumns(context, 'product');
  const read = await productReader(context, custom);
  return {
    columns: custom.columns,
    rows: async (rows, has) => {
      const products = await read(rows, has);
      if (!context.isSound()) return;
      const added = products.filter(({ existing }) => existing === undefined);
      await addProducts(context, added, has('PurchasePrice'));
      const changed = products.filter((product) => product.existing !== undefined) as ChangedProduct[];
      await changeProducts(context, changed);
    },
  };
});

/** Reads and checks rows. Categories that do not exist are made. */
async function productReader(context: ImportContext, custom: CustomColumns) {
  const { now, report, isSound } = context;
  const taxCodes = await taxCodeFinder(context);
  const categoryIds = await categoryMaker(context);
  const once = keysOnce(report);
  return async (rows: readonly ImportRow<typeof columns>[], has: (column: string) => boolean): Promise<Product[]> => {
    const numbers = rows.flatMap(({ values }) => values.ArticleNumber ?? []);
    const eans = rows.flatMap(({ values }) => values.EAN ?? []);
    const byNumber = Map.groupBy(
      await rowsWith(context, 'product', 'article_number', numbers),
      (row) => row.article_number,
    );
    const byEan = Map.groupBy(await rowsWith(context, 'product', 'ean', eans), (row) => row.ean);
    const products = rows.flatMap(({ line, values, bad }) => {
      const { ArticleNumber: articleNumber = '', EAN: ean } = values;
      if (articleNumber !== '')
        once(`article ${articleNumber}`, line, 'ArticleNumber', `article number ${articleNumber}`);
      const [existing] = byNumber.get(articleNumber) ?? [];
      if (ean !== undefined && once(`ean ${ean}`, line, 'EAN', `EAN ${ean}`)) {
        const [other] = byEan.get(ean) ?? [];
        if (other !== undefined && other.id !== existing?.id) {
          report(line, 'EAN', `expected an EAN no other product has; article ${other.article_number} has ${ean}`);
        }
      }
      const { TaxCode, VATPercentage } = values;
      const salesTax = taxCodes(line, 'Sales', { TaxCode, VATPercentage }, existing?.sales_tax_code_id);
      const purchaseTax = taxCodes(line, 'Purchase', { TaxCodePurchase: values.TaxCodePurchase });
      if (bad.size > 0 || !isSound()) return [];
      const row = {
        ...(existing === undefined ? { ...blankRow('product'), created_on: now, changed_on: now } : {}),
        // An empty cell empties the column, except the stock.
        ...storedValues('product', values, has, values.StockQty === undefined ? ['stock'] : []),
        ...(has('TaxCode') || has('VATPercentage') ? { sales_tax_code_id: salesTax?.id ?? null } : {}),
        ...(has('TaxCodePurchase') ? { purchase_tax_code_id: purchaseTax?.id ?? null } : {}),
        article_number: articleNumber,
      };
      return { existing, row, category: values.Category ?? '', custom: custom.values(values) };
    });
    if (!isSound() || !has('Category')) return products;
    const ids = await categoryIds(products.map(({ category }) => category));
    return products.map(({ category, row, ...product }) => ({
      ...product,
      row: { ...row, category_id: ids.get(folded(category)) ?? null },
    }));
  };
}

async function addProducts(context: ImportContext, products: readonly Product[], hasCost: boolean): Promise<void> {
  const { db, administration, counts } = context;
  const rows = products.map(({ row }) => ({ administration_id: administration.id, ...row }) as NewRow<'product'>);
  const ids = await insertKeyedRows(db, 'product', 'article_number', rows);
  const added = products.map(({ row, custom }) => ({ id: ids.get(row.article_number)!, row, custom }));
  await addCustomFields(db, 'product', added);
  const costOf = ({ purchase_price }: Product['row']) => (hasCost ? (purchase_price ?? null) : null);
  await changeStock(
    context,
    added.map(({ id, row }) => ({ id, quantity: row.stock ?? 0n, cost: costOf(row) })),
  );
  counts.added += added.length;
}

async function changeProducts(context: ImportContext, products: readonly ChangedProduct[]): Promise<void> {
  const { db, now, counts } = context;
  const ids = products.map(({ existing }) => existing.id);
  const storedFields = await customFieldsOf(db, 'product', ids);
  for (const { existing, row, custom } of products) {
    const { id } = existing;
    const change = differing(existing as ProductRow, row);
    const changedFields = [...custom].filter(([field, value]) => (storedFields.get(id)?.get(field) ?? '') !== value);
    if (change === undefined && changedFields.length === 0) {
      counts.unchanged++;
      continue;
    }
    counts.changed++;
    await db
      .updateTable('product')
      .where('id', '=', id)
      .set({ ...change, changed_on: row.changed_on ?? now })
      .execute();
    if (row.stock !== undefined) await changeStock(context, [{ id, quantity: row.stock - existing.stock, cost: null }]);
    await replaceCustomFields(db, 'product', { id, custom: new Map(changedFields) });
  }
}

/** Records the difference between new and old stock as one mutation of each product. */
const changeStock = (
  { db, now }: ImportContext,
  changes: readonly { id: bigint; quantity: Decimal8; cost: Decimal8 | null }[],
): Promise<void> =>
  insertRows(
    db,
    'stock_mutation',
    changes
      .filter(({ quantity }) => quantity !== 0n)
      .map(({ id, quantity, cost }) => ({
        product_id: id,
        quantity,
        cause: 'import',
        comment: '',
        purchase_price: quantity > 0n ? cost : null,
        sales_invoice_id: null,
        created_on: now,
      })),
  );

/** Finds categories by name, in any case, and makes missing ones. */
async function categoryMaker({ db, administration }: ImportContext) {
  const rows = await db
    .selectFrom('product_category')
    .where('administration_id', '=', administration.id)
    .select(['id', 'name_folded'])
    .execute();
  const ids = new Map(rows.map(({ id, name_folded }) => [name_folded, id]));
  return async (names: readonly string[]): Promise<ReadonlyMap<string, bigint>> => {
    const missing = new Map<string, string>();
    for (const name of names) {
      const key = folded(name);
      if (key !== '' && !ids.has(key) && !missing.has(key)) missing.set(key, name);
    }
    const made = await insertKeyedRows(
      db,
      'product_category',
      'name_folded',
      [...missing].map(([name_folded, name]) => ({ administration_id: administration.id, name, name_folded })),
    );
    for (const [name, id] of made) ids.set(name, id);
    return ids;
  };
}
