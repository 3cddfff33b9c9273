import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../testing/app.ts';
import { openShop, type Shop } from '../../testing/shop.ts';
import { keepAllAnswers } from './answers.ts';
import { checkAdministration } from './check.ts';
import type { Database } from './database.ts';
import { makeDemo } from './demo/demo.ts';

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const check = (administrationId = shop.administrationId): Promise<string[]> =>
  Array.fromAsync(checkAdministration(app.db, administrationId));

it('finds nothing wrong with the demo', async () => {
  await makeDemo(app.db);
  const administrations = await app.db
    .selectFrom('administration')
    .where('name', 'like', '%B%V%')
    .select('id')
    .execute();
  expect(administrations).toHaveLength(2);
  for (const { id } of administrations) expect(await check(id)).toEqual([]);
}, 120_000);

describe('in an administration with a little of everything', () => {
  beforeEach(async () => {
    shop = await openShop(app);
    const lines = [
      { ProductNumber: '0100', Quantity: 2, UnitPriceExclTax: '12.50', DiscountPc: 5 },
      { ProductNumber: '0200', Quantity: '-1', UseArticlePrice: true },
      { IsTextLine: true, Description: 'Dank' },
    ];
    const customer = { CustomerNumber: 7 };
    // Sales invoices 1 (final), 2 (draft), 3 (bookkeeping); order 1; purchase invoice 1.
    await shop.accepted('addsalesinvoice', { ...customer, Invoice_InvoiceLine: lines });
    await shop.accepted('addsalesinvoice', { ...customer, AddAsDraft: true, Invoice_InvoiceLine: lines });
    await shop.accepted('addsalestransaction', {
      ...customer,
      Invoice_InvoiceLine: [{ SubTotalInclTax: 10, TaxPc: 21 }],
    });
    await shop.accepted('addorder', { ...customer, Order_Orderline: lines });
    await shop.accepted('addpurchasetransaction', {
      SupplierNumber: 3,
      Invoice_InvoiceLine: [{ SubTotalInclTax: 10, TaxPc: 21 }],
    });
    await shop.accepted('updateproduct', {
      ArticleNumber: '0100',
      NewStockQty: 3,
      Product_Batch: [{ Description: 'L1', BatchStockQty: 2 }],
    });
    await keepAllAnswers(app.db, shop.administrationId);
  });

  const ours = () => shop.administrationId;
  const entryOf = async (db: Database, number: bigint) => {
    const { id } = await db
      .selectFrom('journal_entry')
      .innerJoin('sales_invoice', 'sales_invoice.id', 'journal_entry.sales_invoice_id')
      .where('journal_entry.administration_id', '=', ours())
      .where('number', '=', number)
      .select('journal_entry.id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const invoice = (number: bigint) =>
    app.db.updateTable('sales_invoice').where('administration_id', '=', ours()).where('number', '=', number);

  it('finds nothing wrong', async () => {
    expect(await check()).toEqual([]);
  });

  it('changes nothing itself', async () => {
    const lists = async () => (await shop.get('/rest/listsalesinvoices')).text;
    const before = await lists();
    await check();
    expect(await lists()).toBe(before);
  });

  const damages: [string, (db: Database) => Promise<unknown>, RegExp][] = [
    [
      'a line of the journal that was changed',
      async (db) =>
        db
          .updateTable('journal_line')
          .where('journal_entry_id', '=', await entryOf(db, 1n))
          .where('ledger_account_number', '=', '8000')
          .set({ credit: 1n })
          .execute(),
      /^The journal entry of 1 Bakkerij Jansen has .* debit and .* credit\.$/,
    ],
    [
      'a line of the journal with two sides',
      async (db) =>
        db
          .updateTable('journal_line')
          .where('journal_entry_id', '=', await entryOf(db, 1n))
          .where('ledger_account_number', '=', '1300')
          .set((eb) => ({ debit: eb('debit', '+', 5n), credit: 5n }))
          .execute(),
      /^A line of the journal entry of 1 Bakkerij Jansen has not one side above zero\.$/,
    ],
    [
      'an entry on an account that does not exist',
      async (db) =>
        db
          .updateTable('journal_line')
          .where('journal_entry_id', '=', await entryOf(db, 1n))
          .where('ledger_account_number', '=', '8000')
          .set({ ledger_account_number: '8099x' })
          .execute(),
      /ledger account 8099x, which does not exist/,
    ],
    [
      'an entry that is missing',
      async (db) => {
        const id = await entryOf(db, 1n);
        await db.deleteFrom('journal_line').where('journal_entry_id', '=', id).execute();
        await db.deleteFrom('journal_entry').where('id', '=', id).execute();
      },
      /^Sales invoice 1 is final, and is not in the journal\.$/,
    ],
    [
      'an entry of a draft',
      () => invoice(1n).set({ is_draft: 1n }).execute(),
      /^Sales invoice 1 is a draft, and is in the journal\.$/,
    ],
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
            eb
              .selectFrom('sales_invoice')
              .where('administration_id', '=', ours())
              .where('number', '=', 2n)
              .select('id'),
          )
          .execute(),
      /^Sales invoice 2: its lines are/,
    ],
    [
      'an amount in the journal that is not the invoice’s',
      async (db) => {
        const id = await entryOf(db, 3n);
        const lines = db.updateTable('journal_line').where('journal_entry_id', '=', id);
        await lines.where('ledger_account_number', '=', '1300').set({ debit: 2000n }).execute();
        await lines.where('ledger_account_number', '=', '8000').set({ credit: 1826n }).execute();
      },
      /^Sales invoice 3 is 10, and the journal has 20 for it\.$/,
    ],
    [
      'a purchase without its entry',
      (db) =>
        db
          .updateTable('journal_entry')
          .where('administration_id', '=', ours())
          .where('purchase_invoice_id', 'is not', null)
          .set({ purchase_invoice_id: null })
          .execute(),
      /^Purchase invoice 1 is not in the journal\.$/,
    ],
    [
      'a purchase whose total was changed',
      (db) =>
        db.updateTable('purchase_invoice').where('administration_id', '=', ours()).set({ total_tax: 0n }).execute(),
      /^Purchase invoice 1: /,
    ],
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
      'a mutation of stock that is not what was sold',
      (db) =>
        db
          .updateTable('stock_mutation')
          .where('sales_invoice_id', 'in', (eb) =>
            eb
              .selectFrom('sales_invoice')
              .where('administration_id', '=', ours())
              .where('number', '=', 1n)
              .select('id'),
          )
          .where('quantity', '<', 0n)
          .set({ quantity: -100_000_000n })
          .execute(),
      /^Sales invoice 1 sold 1, and took 0 out of stock\.$/,
    ],
    [
      'mutations of stock that are gone',
      (db) =>
        db
          .deleteFrom('stock_mutation')
          .where('sales_invoice_id', 'in', (eb) =>
            eb
              .selectFrom('sales_invoice')
              .where('administration_id', '=', ours())
              .where('number', '=', 2n)
              .select('id'),
          )
          .execute(),
      /^Article 0100 has a stock of/,
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
            eb
              .selectFrom('sales_invoice')
              .where('administration_id', '=', ours())
              .where('number', '=', 1n)
              .select('id'),
          )
          .set({ tax_code_id: id })
          .execute();
      },
      /^Sales invoice 1 has tax code 21% - Inkoop hoog, which is not one of its own sales codes\.$/,
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
      /^Purchase invoice 1 has tax code 21% - Hoog, which is not one of its own purchase codes\.$/,
    ],
    [
      'an order of another administration’s customer',
      async (db) => {
        const other = await openShop(app);
        await db
          .updateTable('sales_order')
          .where('administration_id', '=', ours())
          .set({ relation_id: other.customer.id })
          .execute();
      },
      /sales_order 1 is of a relation of another administration/,
    ],
    [
      'a kept answer of an invoice that was changed',
      () => invoice(1n).set({ answer: '{"InvoiceNumber":1}' }).execute(),
      /^What is kept as the answer of sales_invoice \d+ is not what its rows say\.$/,
    ],
    [
      'an invoice that was changed without its kept answer',
      () => invoice(1n).set({ notes: 'Anders' }).execute(),
      /^What is kept as the answer of sales_invoice \d+ is not what its rows say\.$/,
    ],
    [
      'kept lines that were changed',
      () => invoice(1n).set({ lines_answer: '[]' }).execute(),
      /^What is kept as the answer of sales_invoice \d+ is not what its rows say\.$/,
    ],
    [
      'a relation that was changed without its kept answer',
      (db) => db.updateTable('relation').where('id', '=', shop.customer.id).set({ city: 'Delft' }).execute(),
      /^What is kept as the answer of relation \d+ is not what its rows say\.$/,
    ],
    ...(['relation', 'sales_invoice', 'sales_order'] as const).map(
      (name): [string, (db: Database) => Promise<unknown>, RegExp] => [
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
  it.each(damages)('names %s', async (_, damage, sentence) => {
    await damage(app.db);
    expect(await check()).toContainEqual(expect.stringMatching(sentence));
  });

  it('does not blame one administration for another', async () => {
    const damaged = shop;
    await invoice(1n).set({ total_incl: 1n }).execute();
    const other = await openShop(app);
    expect(await check(other.administrationId)).toEqual([]);
    expect(await check(damaged.administrationId)).not.toEqual([]);
  });
});
