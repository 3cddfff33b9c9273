import { productUpdate } from '../../../../shared/resources/product.ts';
import { decimal, long, name, noted, percentage, required, text, type ValuesOf } from '../files/column.ts';
import { folded } from '../sql/comparedText.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import { blankRow } from '../sql/rows.ts';
import type { Decimal8, NewRow, Row } from '../sql/schema.ts';
import type { ImportRow } from './bind.ts';
import { customColumns } from './customColumns.ts';
import { differing, type ImportContext, importer, keysOnce } from './importRows.ts';
import { storedValues } from './storedValues.ts';
import { taxCodeFinder } from './taxCodeFinder.ts';
import { withPlainColumns } from './withPlainColumns.ts';

const ownColumns = withPlainColumns(
  'product',
  {
    ArticleNumber: required(name()),
    Name: required(text()),
    EAN: noted('no other product may have it', name()),
    Category: noted('made when there is none', name()),
    StockQty: noted('the stock becomes this; an empty cell leaves it', decimal()),
    VATPercentage: noted('of sales; instead of TaxCode or with it', percentage({ min: -1, max: 100 })),
    TaxCode: noted('of sales', text()),
    TaxCodePurchase: noted('of purchases', text()),
    CreatedOn: noted('seconds since 1970; left out: now', long({ min: 0n })),
    ChangedOn: noted('seconds since 1970; left out: now', long({ min: 0n })),
  },
  productUpdate,
);

type Values = ValuesOf<typeof ownColumns>;
type ProductRow = Omit<NewRow<'product'>, 'id' | 'administration_id'>;
type Product = {
  old: Row<'product'> | undefined;
  row: Partial<ProductRow> & { article_number: string };
  category: string | undefined;
  custom: Map<bigint, string>;
};

/** Products, known by article number: one that exists is changed, in the columns the file has. */
export const products = importer(ownColumns, async (context) => {
  const { db, administration, now, report, isSound, counts } = context;
  const custom = await customColumns(context, 'product');
  const taxCodes = await taxCodeFinder(context);
  const categories = await categoryMaker(context);
  const once = keysOnce(report);

  const read = (
    { line, values, bad }: ImportRow<typeof ownColumns>,
    found: Found,
    has: (column: string) => boolean,
  ): Product | undefined => {
    const { ArticleNumber: articleNumber, EAN: ean } = values;
    if (articleNumber !== undefined) {
      once(`article ${articleNumber}`, line, 'ArticleNumber', `article number ${articleNumber}`);
    }
    const old = articleNumber === undefined ? undefined : found.byNumber.get(articleNumber);
    if (ean !== undefined && once(`ean ${ean}`, line, 'EAN', `EAN ${ean}`)) {
      const other = found.byEan.get(ean);
      if (other !== undefined && other.id !== old?.id) {
        report(line, 'EAN', `expected an EAN no other product has; article ${other.article_number} has ${ean}`);
      }
    }
    const salesTax = taxCodes(line, 'Sales', { TaxCode: values.TaxCode, VATPercentage: values.VATPercentage });
    const purchaseTax = taxCodes(line, 'Purchase', { TaxCodePurchase: values.TaxCodePurchase });
    if (bad.size > 0 || !isSound()) return undefined;
    return {
      old,
      row: {
        ...(old === undefined ? { ...blankRow('product'), created_on: now, changed_on: now } : {}),
        ...rowOf(values, has),
        ...(has('TaxCode') || has('VATPercentage') ? { sales_tax_code_id: salesTax?.id ?? null } : {}),
        ...(has('TaxCodePurchase') ? { purchase_tax_code_id: purchaseTax?.id ?? null } : {}),
        article_number: articleNumber!,
      },
      category: has('Category') ? (values.Category ?? '') : undefined,
      custom: custom.values(values),
    };
  };

  /** Stock that came with the file is one mutation: what the product has more, or less, than before. */
  const changeStock = async (changes: readonly { id: bigint; quantity: Decimal8; cost: Decimal8 | null }[]) => {
    await insertRows(
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
  };

  return {
    columns: custom.columns,
    rows: async (rows, has) => {
      const found = await findProducts(context, rows);
      const read_ = rows.flatMap((row) => read(row, found, has) ?? []);
      if (!isSound()) return;
      const categoryIds = await categories(read_.flatMap(({ category }) => category ?? []));
      for (const { row, category } of read_) {
        if (category !== undefined) row.category_id = category === '' ? null : categoryIds.get(folded(category))!;
      }
      const added = read_.filter(({ old }) => old === undefined);
      const ids = await insertKeyedRows(
        db,
        'product',
        'article_number',
        added.map(({ row }) => ({ administration_id: administration.id, ...row }) as NewRow<'product'>),
      );
      await storeCustom(
        context,
        added.map(({ row, custom }) => ({ id: ids.get(row.article_number)!, custom })),
      );
      await changeStock(
        added.map(({ row }) => ({
          id: ids.get(row.article_number)!,
          quantity: row.stock ?? 0n,
          cost: has('PurchasePrice') ? (row.purchase_price ?? null) : null,
        })),
      );
      counts.added += added.length;

      const known = read_.flatMap((product) => (product.old === undefined ? [] : { ...product, old: product.old }));
      const customNow = await customOf(
        context,
        known.map(({ old }) => old.id),
      );
      for (const { old, row, custom } of known) {
        const change = differing(old as ProductRow, row);
        const now_ = customNow.get(old.id) ?? new Map<bigint, string>();
        const changedFields = [...custom].filter(([field, value]) => (now_.get(field) ?? '') !== value);
        if (change === undefined && changedFields.length === 0) {
          counts.unchanged++;
          continue;
        }
        counts.changed++;
        await db
          .updateTable('product')
          .where('id', '=', old.id)
          .set({ ...change, changed_on: row.changed_on ?? now })
          .execute();
        if (row.stock !== undefined) await changeStock([{ id: old.id, quantity: row.stock - old.stock, cost: null }]);
        for (const [field] of changedFields) {
          await db
            .deleteFrom('product_custom_field')
            .where('product_id', '=', old.id)
            .where('custom_field_id', '=', field)
            .execute();
        }
        await storeCustom(context, [{ id: old.id, custom: new Map(changedFields) }]);
      }
    },
  };
});

/** What a row says, in the columns the file has; an empty cell empties, but an empty stock leaves the stock. */
const rowOf = (values: Values, has: (column: string) => boolean): Partial<ProductRow> =>
  storedValues('product', values, has, values.StockQty === undefined ? ['stock'] : []);

type Found = { byNumber: Map<string, Row<'product'>>; byEan: Map<string, Row<'product'>> };

async function findProducts(
  { db, administration }: ImportContext,
  rows: readonly ImportRow<typeof ownColumns>[],
): Promise<Found> {
  const find = async (column: 'article_number' | 'ean', texts: string[]) => {
    const products =
      texts.length === 0
        ? []
        : await db
            .selectFrom('product')
            .where('administration_id', '=', administration.id)
            .where(column, 'in', texts)
            .selectAll()
            .execute();
    return new Map(products.map((product) => [product[column], product]));
  };
  return {
    byNumber: await find(
      'article_number',
      rows.flatMap(({ values }) => values.ArticleNumber ?? []),
    ),
    byEan: await find(
      'ean',
      rows.flatMap(({ values }) => values.EAN ?? []),
    ),
  };
}

/** Finds categories by name, whatever their case, and makes those there are not. */
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

const storeCustom = (
  { db }: ImportContext,
  products: readonly { id: bigint; custom: ReadonlyMap<bigint, string> }[],
): Promise<void> =>
  insertRows(
    db,
    'product_custom_field',
    products.flatMap(({ id, custom }) =>
      [...custom]
        .filter(([, value]) => value !== '')
        .map(([custom_field_id, value]) => ({ product_id: id, custom_field_id, value })),
    ),
  );

async function customOf({ db }: ImportContext, ids: readonly bigint[]): Promise<Map<bigint, Map<bigint, string>>> {
  if (ids.length === 0) return new Map();
  const fields = await db.selectFrom('product_custom_field').where('product_id', 'in', ids).selectAll().execute();
  return new Map(
    [...Map.groupBy(fields, ({ product_id }) => product_id)].map(([id, own]) => [
      id,
      new Map(own.map(({ custom_field_id, value }) => [custom_field_id, value])),
    ]),
  );
}
