import { expect, it } from 'vitest';
import { unordered } from '../../../../testing/database.ts';
import { openBooks } from '../../../../testing/fixtures/books.ts';
import { openShop } from '../../../../testing/shop.ts';
import { checkAdministration } from './check.ts';

const { app, shop, ours, entryOf, idsOf, articleOf } = openBooks();

/** The sentences of a check. The damage below is done backwards too: PostgreSQL reads what was changed last at the end. */
const sentencesOf = (): Promise<string[]> =>
  unordered(app().db, (db) => Array.fromAsync(checkAdministration(db, ours())));

/** What sentences of one kind name, in their order. */
const named = (sentences: readonly string[], pattern: RegExp): string[] =>
  sentences.flatMap((sentence) => pattern.exec(sentence)?.slice(1).join(' ') ?? []);

it('the sentences about entries are in the order of the entries', async () => {
  const { db } = app();
  for (const [number, account] of [
    [3n, '8099x'],
    [1n, '8098x'],
  ] as const) {
    const id = await entryOf(db, number);
    const lines = db.updateTable('journal_line').where('journal_entry_id', '=', id);
    await lines.where('ledger_account_number', '=', '8000').set({ ledger_account_number: account }).execute();
    await lines.where('ledger_account_number', '=', '1300').set({ credit: 5n, date: '2001-01-01' }).execute();
    await db.updateTable('journal_entry').where('id', '=', id).set({ journal: 'purchases' }).execute();
  }
  const sentences = await sentencesOf();
  expect(named(sentences, /^The journal entry of (\d) .* debit and .* credit\.$/)).toEqual(['1', '3']);
  expect(named(sentences, /^A line of the journal entry of (\d) .* not one side/)).toEqual(['1', '3']);
  expect(named(sentences, /^The journal entry of (\d) .* not of one document/)).toEqual(['1', '3']);
  expect(named(sentences, /^A line of the journal entry of (\d) .* unlike its entry/)).toEqual(['1', '3']);
  expect(named(sentences, /^The journal has lines on ledger account (\w+),/)).toEqual(['8098x', '8099x']);
});

it('what an entry has and its invoice does not is in the order of the lines', async () => {
  const { db } = app();
  const lines = db.updateTable('journal_line').where('journal_entry_id', '=', await entryOf(db, 3n));
  // Revenue and tax, from the last line to the first.
  await lines.where('ledger_account_number', '=', '1500').set({ ledger_account_number: '1501' }).execute();
  await lines.where('ledger_account_number', '=', '8000').set({ ledger_account_number: '8001' }).execute();
  const booked = await db
    .selectFrom('journal_line')
    .where('journal_entry_id', '=', await entryOf(db, 3n))
    .where('ledger_account_number', 'in', ['1501', '8001'])
    .orderBy('id')
    .select('ledger_account_number as account')
    .execute();
  expect(named(await sentencesOf(), /^Sales invoice 3: the journal has .* on account (1501|8001)/)).toEqual(
    booked.map(({ account }) => account),
  );
});

it('the sentences about stock are in the order of articles, batches and mutations', async () => {
  const { db } = app();
  await shop().accepted('updateproduct', {
    ArticleNumber: '0200',
    Product_Batch: [{ Description: 'L2', BatchStockQty: 2 }],
  });
  for (const article of ['0200', '0100']) {
    const id = await articleOf(db, article);
    await db.updateTable('product').where('id', '=', id).set({ stock: 0n }).execute();
    await db.updateTable('product_batch').where('product_id', '=', id).set({ stock: 0n }).execute();
    await db
      .updateTable('stock_mutation')
      .where('product_id', '=', id)
      .where('sales_invoice_id', 'in', idsOf('sales_invoice', 1n))
      .set({ cause: 'import' })
      .execute();
  }
  const sentences = await sentencesOf();
  expect(named(sentences, /^Article (\d+) has a stock of/)).toEqual(['0100', '0200']);
  expect(named(sentences, /^Batch (L\d) of article/)).toEqual(['L1', 'L2']);
  expect(named(sentences, /^A mutation of (\S+) of article (\d+) is not of an invoice/)).toEqual(['-2 0100', '1 0200']);
});

it('the sentences about references are in the order of the names of what refers', async () => {
  const { db } = app();
  const article = { ProductNumber: '0100', Quantity: 1, UseArticlePrice: true };
  await shop().accepted('addorder', { CustomerNumber: 7, Order_Orderline: [article] });
  const other = await openShop(app());
  const [first, second] = await db
    .selectFrom('sales_order')
    .where('administration_id', '=', ours())
    .orderBy('number')
    .select('id')
    .execute();
  for (const [invoice, order] of [
    [3n, second!.id],
    [1n, first!.id],
  ] as const) {
    await db.updateTable('sales_order').where('id', '=', order).set({ relation_id: other.customer.id }).execute();
    await db
      .updateTable('sales_invoice')
      .where('id', 'in', idsOf('sales_invoice', invoice))
      .set({ sales_order_id: order })
      .execute();
  }
  const sentences = await sentencesOf();
  expect(named(sentences, /^Sales invoice (\d) is for order (\d), which is another/)).toEqual(['1 1', '3 2']);
  expect(named(sentences, /^sales_order (\d): its relation_id is no relation/)).toEqual(['1', '2']);
});
