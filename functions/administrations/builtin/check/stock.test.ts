import { expect, it } from 'vitest';
import { type Corruption, openBooks } from '../../../../testing/fixtures/books.ts';

const { app, check, ours, idsOf, articleOf, stockAsMoved } = openBooks();

const corruptions: Corruption[] = [
  [
    'stock that was changed',
    (db) =>
      db
        .updateTable('product')
        .where('administration_id', '=', ours())
        .where('article_number', '=', '0200')
        .set({ stock: 150_000_000n })
        .execute(),
    /^Article 0200 has a stock of 1\.5, and its mutations add up to 102\.$/,
  ],
  [
    'stock of a batch that was changed',
    (db) =>
      db
        .updateTable('product_batch')
        .where('description', '=', 'L1')
        .where('product_id', 'in', (eb) =>
          eb.selectFrom('product').where('administration_id', '=', ours()).select('id'),
        )
        .set({ stock: 0n })
        .execute(),
    /^Batch L1 of article 0100 has 0, and its mutations add up to 2\.$/,
  ],
  [
    'a mutation of stock that differs from the sold quantity',
    (db) =>
      db
        .updateTable('stock_mutation')
        .where('sales_invoice_id', 'in', (eb) =>
          eb.selectFrom('sales_invoice').where('administration_id', '=', ours()).where('number', '=', 1n).select('id'),
        )
        .where('quantity', '<', 0n)
        .set({ quantity: -100_000_000n })
        .execute(),
    /^Sales invoice 1 sold 2 of article 0100, and took 1 out of stock\.$/,
  ],
  [
    'missing mutations of stock',
    (db) =>
      db
        .deleteFrom('stock_mutation')
        .where('sales_invoice_id', 'in', (eb) =>
          eb.selectFrom('sales_invoice').where('administration_id', '=', ours()).where('number', '=', 2n).select('id'),
        )
        .execute(),
    /^Article 0100 has a stock of/,
  ],
  [
    'stock that was taken from another article than was sold',
    async (db) => {
      await db
        .updateTable('stock_mutation')
        .where('sales_invoice_id', 'in', idsOf('sales_invoice', 1n))
        .where('quantity', '<', 0n)
        .set({ product_id: await articleOf(db, '0200') })
        .execute();
      await stockAsMoved(db);
    },
    /^Sales invoice 1 sold 2 of article 0100, and took 0 out of stock\.$/,
  ],
  [
    'an invoice without its mutations, whose stock was corrected',
    async (db) => {
      await db.deleteFrom('stock_mutation').where('sales_invoice_id', 'in', idsOf('sales_invoice', 1n)).execute();
      await stockAsMoved(db);
    },
    /^Sales invoice 1 sold 2 of article 0100, and took 0 out of stock\.$/,
  ],
  [
    'a mutation that lost its invoice',
    (db) =>
      db
        .updateTable('stock_mutation')
        .where('sales_invoice_id', 'in', idsOf('sales_invoice', 1n))
        .where('quantity', '<', 0n)
        .set({ sales_invoice_id: null })
        .execute(),
    /^A mutation of -2 of article 0100 is not of an invoice, or not for that cause\.$/,
  ],
  [
    'a mutation of another article’s batch',
    async (db) =>
      db
        .updateTable('product_batch')
        .where('product_id', '=', await articleOf(db, '0100'))
        .set({ product_id: await articleOf(db, '0200') })
        .execute(),
    /^A mutation of the stock of article 0100 is of batch L1, which is another article's\.$/,
  ],
];

it.each(corruptions)('the check names %s', async (_, damage, sentence) => {
  await damage(app().db);
  expect(await check()).toContainEqual(expect.stringMatching(sentence));
});
