import { expect, it } from 'vitest';
import { type Corruption, openBooks } from '../../../../testing/fixtures/books.ts';

const { app, check, ours, invoice, idsOf, order, orderLine, more, shop } = openBooks();

const corruptions: Corruption[] = [
  [
    'a total that was changed',
    () => invoice(1n).set({ total_incl: 1n }).execute(),
    /^Sales invoice 1: .* tax are not 0\.01\.$/,
  ],
  [
    'totals that were changed together',
    () => invoice(3n).set({ total_excl: 100n, total_tax: 21n, total_incl: 121n }).execute(),
    /^Sales invoice 3: its lines are 8\.26 without tax, its total is 1\.$/,
  ],
  [
    'a line that is gone',
    (db) =>
      db
        .deleteFrom('sales_invoice_line')
        .where('product_number', '=', '0100')
        .where('sales_invoice_id', 'in', (eb) =>
          eb.selectFrom('sales_invoice').where('administration_id', '=', ours()).where('number', '=', 2n).select('id'),
        )
        .execute(),
    /^Sales invoice 2: its lines are/,
  ],
  [
    'a purchase whose total was changed',
    (db) => db.updateTable('purchase_invoice').where('administration_id', '=', ours()).set({ total_tax: 0n }).execute(),
    /^Purchase invoice 1: /,
  ],
  [
    'a purchase code on a sale',
    async (db) => {
      const { id } = await db
        .selectFrom('tax_code')
        .where('administration_id', '=', ours())
        .where('code', '=', '21% - Inkoop hoog')
        .select('id')
        .executeTakeFirstOrThrow();
      await db
        .updateTable('sales_invoice_line')
        .where('product_number', '=', '0100')
        .where('sales_invoice_id', 'in', (eb) =>
          eb.selectFrom('sales_invoice').where('administration_id', '=', ours()).where('number', '=', 1n).select('id'),
        )
        .set({ tax_code_id: id })
        .execute();
    },
    /^sales_invoice_line of sales_invoice 1: its tax_code_id is no Sales tax_code of this administration\.$/,
  ],
  [
    'a sales code on a purchase',
    async (db) => {
      const { id } = await db
        .selectFrom('tax_code')
        .where('administration_id', '=', ours())
        .where('code', '=', '21% - Hoog')
        .select('id')
        .executeTakeFirstOrThrow();
      await db
        .updateTable('purchase_invoice_line')
        .where('purchase_invoice_id', 'in', (eb) =>
          eb.selectFrom('purchase_invoice').where('administration_id', '=', ours()).select('id'),
        )
        .set({ tax_code_id: id })
        .execute();
    },
    /^purchase_invoice_line of purchase_invoice 1: its tax_code_id is no Purchase tax_code of this administration\.$/,
  ],
  [
    'a total of an order that was changed',
    (db) => order(db).set(more('total_incl')).execute(),
    /^Order 1: 20\.75 and 4\.72 tax are not 26\.47\.$/,
  ],
  [
    'the tax of an order that was changed with its total',
    (db) => order(db).set(more('total_incl')).set(more('total_tax')).execute(),
    /^Order 1: the tax on its lines is 4\.72, its total is 5\.72\.$/,
  ],
  [
    'a line of an order whose amount was changed',
    (db) => orderLine(db).set(more('subtotal_excl')).execute(),
    /^Order 1: its lines are 21\.75 without tax, its total is 20\.75\.$/,
  ],
  [
    'a line of an order whose amount with tax was changed',
    (db) => orderLine(db).set(more('subtotal_incl')).execute(),
    /^Order 1: its line 1 is 29\.74 with tax before the order's discount, and 23\.75 without tax after it\.$/,
  ],
  [
    'a missing line of an order',
    (db) => db.deleteFrom('sales_order_line').where('sales_order_id', 'in', idsOf('sales_order')).execute(),
    /^Order 1: its lines are 0 without tax, its total is 20\.75\.$/,
  ],
  [
    'more outstanding than the total',
    () => invoice(3n).set({ outstanding: 3000n }).execute(),
    /^Sales invoice 3 is 10, and 30 of it is outstanding\.$/,
  ],
  [
    'more outstanding than the total of a purchase',
    (db) =>
      db.updateTable('purchase_invoice').where('administration_id', '=', ours()).set({ outstanding: -1001n }).execute(),
    /^Purchase invoice 1 is 10, and -10\.01 of it is outstanding\.$/,
  ],
  [
    'an invoice for another customer’s order',
    async (db) => {
      const { id } = await shop().orderOf(1);
      await db.updateTable('sales_order').where('id', '=', id).set({ relation_id: shop().supplier.id }).execute();
      await invoice(1n).set({ sales_order_id: id }).execute();
    },
    /^Sales invoice 1 is for order 1, which is another relation's\.$/,
  ],
  [
    'a stored response of an invoice that was changed',
    () => invoice(1n).set({ answer: '{"InvoiceNumber":1}' }).execute(),
    /^The stored response of sales_invoice \d+ does not match its rows\.$/,
  ],
  [
    'an invoice that was changed without its stored response',
    () => invoice(1n).set({ notes: 'Anders' }).execute(),
    /^The stored response of sales_invoice \d+ does not match its rows\.$/,
  ],
  [
    'a stored response of lines that was changed',
    () => invoice(1n).set({ lines_answer: '[]' }).execute(),
    /^The stored response of sales_invoice \d+ does not match its rows\.$/,
  ],
  [
    'a relation that was changed without its stored response',
    (db) => db.updateTable('relation').where('id', '=', shop().customer.id).set({ city: 'Delft' }).execute(),
    /^The stored response of relation \d+ does not match its rows\.$/,
  ],
  ...(['relation', 'sales_invoice', 'sales_order'] as const).map(
    (name): Corruption => [
      `numbering of ${name} that is behind`,
      (db) =>
        db
          .updateTable('counter')
          .where('administration_id', '=', ours())
          .where('name', '=', name)
          .set({ value: 0n })
          .execute(),
      new RegExp(`^The numbering of ${name} is at 0, and \\d+ is taken\\.$`),
    ],
  ),
];

it.each(corruptions)('the check names %s', async (_, damage, sentence) => {
  await damage(app().db);
  expect(await check()).toContainEqual(expect.stringMatching(sentence));
});
