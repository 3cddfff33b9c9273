import { sql } from 'kysely';
import { DECIMAL_SCALE, ONE, units } from '../../../../../shared/money.ts';
import type { Database } from '../../sql/database.ts';
import { insertRows } from '../../sql/insertRows.ts';
import type { Decimal8, NewRow, Row, Seconds } from '../../sql/schema.ts';
import type { Seeded } from './seeded.ts';

/** A product of the demo, and the name of its category. */
export type Article = { row: Row<'product'>; category: string };

/** The products of a demo administration. */
export async function articlesOf(db: Database, administrationId: bigint): Promise<Article[]> {
  const rows = await db
    .selectFrom('product')
    .innerJoin('product_category', 'product_category.id', 'category_id')
    .where('product.administration_id', '=', administrationId)
    .orderBy('product.id')
    .selectAll('product')
    .select('product_category.name as category')
    .execute();
  return rows.map(({ category, ...row }) => ({ row, category }));
}

/** A sold quantity of an invoice line. */
export type Sold = { productId: bigint; quantity: Decimal8; invoiceId: bigint; invoiceNumber: bigint; on: Seconds };

/** Makes the stock mutations of products, and sets each stock to their sum. */
export async function makeStock(
  db: Database,
  articles: readonly Article[],
  sold: readonly Sold[],
  from: Seconds,
  random: Seeded,
): Promise<void> {
  const soldOf = Map.groupBy(sold, ({ productId }) => productId);
  const mutations: NewRow<'stock_mutation'>[] = [];
  for (const { row, category } of articles) {
    const { id: product_id, purchase_price } = row;
    // Hours have a stock too: the available hours less the sold ones.
    const isService = category === 'Diensten';
    const add = (
      mutation: Pick<NewRow<'stock_mutation'>, 'quantity' | 'cause' | 'comment' | 'created_on'>,
      more: { purchase_price?: Decimal8; sales_invoice_id?: bigint } = {},
    ) => mutations.push({ product_id, purchase_price: null, sales_invoice_id: null, ...mutation, ...more });
    add(
      {
        quantity: BigInt(isService ? 1500 : random.from(20, 180)) * ONE,
        cause: 'import',
        comment: isService ? 'Beschikbare uren' : 'Beginvoorraad',
        created_on: from,
      },
      { purchase_price },
    );
    for (const { quantity, invoiceId, invoiceNumber, on } of soldOf.get(product_id) ?? []) {
      add(
        { quantity: -quantity, cause: 'invoice', comment: `Factuur ${invoiceNumber}`, created_on: on },
        { sales_invoice_id: invoiceId },
      );
    }
    if (isService) continue;
    for (const week of [26, 52, 78]) {
      if (!random.chance(55)) continue;
      const created_on = from + BigInt(week * 7 * 86_400);
      add(
        { quantity: BigInt(random.from(2, 12) * 10) * ONE, cause: 'update', comment: 'Levering', created_on },
        { purchase_price },
      );
    }
    if (random.chance(20)) {
      const created_on = from + BigInt(365 * 86_400);
      add({
        quantity: units(random.pick(['-1', '-2.5', '3']), DECIMAL_SCALE),
        cause: 'update',
        comment: 'Telling',
        created_on,
      });
    }
  }
  mutations.sort((a, b) => Number((a.created_on ?? 0n) - (b.created_on ?? 0n)));
  await insertRows(db, 'stock_mutation', mutations);
  const total = sql<Decimal8>`(select cast(sum(quantity) as bigint) from stock_mutation where product_id = product.id)`;
  const ids = articles.map(({ row }) => row.id);
  await db.updateTable('product').where('id', 'in', ids).set({ stock: total }).execute();
}
