import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { Decimal8 } from '../sql/schema.ts';
import { decimal8, total } from './amounts.ts';
import { pagesWith } from './pages.ts';

/** Checks that stock is the sum of its mutations, and that invoices moved what they sold. */
export async function* checkStock(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const products = await db
    .selectFrom('product')
    .leftJoin('stock_mutation', 'stock_mutation.product_id', 'product.id')
    .where('administration_id', '=', administrationId)
    .groupBy(['product.id', 'article_number', 'stock'])
    .having(sql<boolean>`stock <> coalesce(sum(quantity), 0)`)
    .orderBy('product.id')
    .select(['article_number', 'stock', total('quantity').as('moved')])
    .execute();
  for (const { article_number, stock, moved } of products) {
    yield `Article ${article_number} has a stock of ${decimal8(stock)}, and its mutations add up to ${decimal8(moved)}.`;
  }
  const batches = await db
    .selectFrom('product_batch')
    .innerJoin('product', 'product.id', 'product_batch.product_id')
    .leftJoin('stock_mutation', 'stock_mutation.batch_id', 'product_batch.id')
    .where('administration_id', '=', administrationId)
    .groupBy(['product_batch.id', 'article_number', 'product_batch.description', 'product_batch.stock'])
    .having(sql<boolean>`product_batch.stock <> coalesce(sum(quantity), 0)`)
    .orderBy('product_batch.id')
    .select(['article_number', 'product_batch.description', 'product_batch.stock', total('quantity').as('moved')])
    .execute();
  for (const { article_number, description, stock, moved } of batches) {
    yield `Batch ${description} of article ${article_number} has ${decimal8(stock)}, and its mutations add up to ${decimal8(moved)}.`;
  }
  yield* checkSold(db, administrationId);
}

/** Checks that invoices took out of stock what they sold, by article; imported history took nothing. */
async function* checkSold(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const mismatched = await db
    .selectFrom('stock_mutation')
    .innerJoin('product', 'product.id', 'stock_mutation.product_id')
    .where('administration_id', '=', administrationId)
    .where(sql<boolean>`(cause = 'invoice') <> (sales_invoice_id is not null)`)
    .orderBy('stock_mutation.id')
    .select(['article_number', 'quantity'])
    .execute();
  for (const { article_number, quantity } of mismatched) {
    yield `A mutation of ${decimal8(quantity)} of article ${article_number} is not of an invoice, or not for that cause.`;
  }
  const none: ReadonlyMap<string, Decimal8> = new Map();
  for await (const invoices of pagesWith(db, administrationId, 'sales_invoice', ['number', 'moves_stock'])) {
    const ids = invoices.map(({ id }) => id);
    const movedOf = await quantitiesOf(db, 'stock_mutation', ids);
    const soldOf = await quantitiesOf(db, 'sales_invoice_line', ids);
    for (const { id, number, moves_stock } of invoices) {
      const moved = movedOf.get(id) ?? none;
      const sold = (moves_stock === 1n ? soldOf.get(id) : undefined) ?? none;
      for (const article of new Set([...sold.keys(), ...moved.keys()])) {
        const takenQuantity = -(moved.get(article) ?? 0n);
        const soldQuantity = sold.get(article) ?? 0n;
        if (takenQuantity !== soldQuantity)
          yield `Sales invoice ${number} sold ${decimal8(soldQuantity)} of article ${article}, and took ${decimal8(takenQuantity)} out of stock.`;
      }
    }
  }
}

/** Quantities of invoices in a table, by invoice and article number. */
async function quantitiesOf(
  db: Database,
  table: 'stock_mutation' | 'sales_invoice_line',
  ids: readonly bigint[],
): Promise<Map<bigint, Map<string, Decimal8>>> {
  const rows = await db
    .selectFrom(table)
    .innerJoin('product', 'product.id', `${table}.product_id`)
    .where('sales_invoice_id', 'in', ids)
    .groupBy(['sales_invoice_id', 'article_number'])
    .orderBy('article_number')
    .select(['sales_invoice_id as invoice', 'article_number', total('quantity').as('quantity')])
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ invoice }) => invoice!)].map(([invoice, ofInvoice]) => [
      invoice,
      new Map(ofInvoice.map(({ article_number, quantity }) => [article_number, quantity])),
    ]),
  );
}
