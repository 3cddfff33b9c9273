import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { storeAllAnswers } from '../answers/storeAllAnswers.ts';
import { makeDemo } from '../setup/demo/demo.ts';
import type { Database } from '../sql/database.ts';
import { checkAdministration } from './check.ts';

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
    await storeAllAnswers(app.db, shop.administrationId);
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

  /** The ids of our rows of a table, or of the one with a number. */
  const idsOf = (table: 'sales_invoice' | 'sales_order' | 'purchase_invoice' | 'product', number?: bigint) => {
    const ids = app.db
      .selectFrom(table as 'sales_invoice')
      .where('administration_id', '=', ours())
      .select('id');
    return number === undefined ? ids : ids.where('number', '=', number);
  };
  const order = (db: Database) => db.updateTable('sales_order').where('administration_id', '=', ours());
  const orderLine = (db: Database) =>
    db.updateTable('sales_order_line').where('sales_order_id', 'in', idsOf('sales_order')).where('position', '=', 0n);
  /** One euro more in a column. */
  const more =
    <Column extends string>(column: Column) =>
    // biome-ignore lint/suspicious/noExplicitAny: of whichever table has it
    (eb: any) =>
      ({ [column]: eb(column, '+', 100n) }) as Record<Column, bigint>;
  /** The line of the journal that invoice 3 has on an account. */
  const bookedOn = (db: Database, account: string) =>
    db
      .updateTable('journal_line')
      .where('journal_entry_id', 'in', (eb) =>
        eb.selectFrom('journal_entry').where('sales_invoice_id', 'in', idsOf('sales_invoice', 3n)).select('id'),
      )
      .where('ledger_account_number', '=', account);
  const articleOf = async (db: Database, number: string, administrationId = ours()) => {
    const { id } = await db
      .selectFrom('product')
      .where('administration_id', '=', administrationId)
      .where('article_number', '=', number)
      .select('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  /** Makes the stock of our articles what their mutations add up to. */
  const stockAsMoved = async (db: Database) => {
    for (const number of ['0100', '0200']) {
      const id = await articleOf(db, number);
      const moved = await db.selectFrom('stock_mutation').where('product_id', '=', id).select('quantity').execute();
      const stock = moved.reduce((sum, { quantity }) => sum + quantity, 0n);
      await db.updateTable('product').where('id', '=', id).set({ stock }).execute();
    }
  };

  const corruptions: [string, (db: Database) => Promise<unknown>, RegExp][] = [
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
      /^Sales invoice 3: the journal has 20 debit on account 1300, its lines make 10 debit\.$/,
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
      /^Sales invoice 1 sold 2 of article 0100, and took 1 out of stock\.$/,
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
      'a line of an order that is gone',
      (db) => db.deleteFrom('sales_order_line').where('sales_order_id', 'in', idsOf('sales_order')).execute(),
      /^Order 1: its lines are 0 without tax, its total is 20\.75\.$/,
    ],
    [
      'revenue that was booked as tax',
      async (db) => {
        await bookedOn(db, '8000').set({ credit: 726n }).execute();
        await bookedOn(db, '1500').set({ credit: 274n }).execute();
      },
      /^Sales invoice 3: the journal has 2\.74 credit on account 1500 for tax code 21% - Hoog, its lines make 1\.74 credit\.$/,
    ],
    [
      'tax that was booked under another code',
      (db) => bookedOn(db, '1500').set({ tax_code: 'X' }).execute(),
      /^Sales invoice 3: the journal has 1\.74 credit on account 1500 for tax code X, its lines make 0 debit\.$/,
    ],
    [
      'revenue that was booked on another account than the line has',
      (db) => bookedOn(db, '8000').set({ ledger_account_number: '8010' }).execute(),
      /^Sales invoice 3: the journal has 8\.26 credit on account 8010, its lines make 0 debit\.$/,
    ],
    [
      'a line that has another account than it was booked on',
      (db) =>
        db
          .updateTable('purchase_invoice_line')
          .where('purchase_invoice_id', 'in', idsOf('purchase_invoice'))
          .set({ ledger_account_number: '4100' })
          .execute(),
      /^Purchase invoice 1: the journal has 0 debit on account 4100, its lines make 8\.26 debit\.$/,
    ],
    [
      'an account of a draft that does not exist',
      (db) =>
        db
          .updateTable('sales_invoice_line')
          .where('sales_invoice_id', 'in', idsOf('sales_invoice', 2n))
          .where('product_number', '=', '0100')
          .set({ ledger_account_number: 'nope' })
          .execute(),
      /^Sales invoices have lines on ledger account nope, which does not exist\.$/,
    ],
    [
      'lines in the journal that are of nothing, for as much debit as credit',
      async (db) => {
        const line = { journal_entry_id: await entryOf(db, 3n), tax_code: '', description: '', debit: 0n, credit: 0n };
        await db
          .insertInto('journal_line')
          .values([
            { ...line, ledger_account_number: '8000', debit: 500n },
            { ...line, ledger_account_number: '8000', credit: 500n },
          ])
          .execute();
      },
      /^Sales invoice 3: the journal has 5 debit and 13\.26 credit on account 8000, its lines make 8\.26 credit\.$/,
    ],
    [
      'a sale that was booked on another day',
      async (db) =>
        db
          .updateTable('journal_entry')
          .where('id', '=', await entryOf(db, 1n))
          .set({ date: '2001-01-01' })
          .execute(),
      /^Sales invoice 1 is of \d{4}-\d\d-\d\d, and in the journal on 2001-01-01\.$/,
    ],
    [
      'a purchase that was booked on another day',
      (db) =>
        db
          .updateTable('journal_entry')
          .where('purchase_invoice_id', 'in', idsOf('purchase_invoice'))
          .set({ date: '2001-01-01' })
          .execute(),
      /^Purchase invoice 1 is of \d{4}-\d\d-\d\d, and in the journal on 2001-01-01\.$/,
    ],
    [
      'an entry of no document',
      (db) =>
        db
          .insertInto('journal_entry')
          .values({
            administration_id: ours(),
            journal: 'sales',
            date: '2026-01-01',
            description: 'Memo',
            created_on: 0n,
          })
          .execute(),
      /^The journal entry of Memo is not of one document, in the journal of its kind\.$/,
    ],
    [
      'a sale in the journal of purchases',
      async (db) =>
        db
          .updateTable('journal_entry')
          .where('id', '=', await entryOf(db, 1n))
          .set({ journal: 'purchases' })
          .execute(),
      /^The journal entry of 1 Bakkerij Jansen is not of one document, in the journal of its kind\.$/,
    ],
    [
      'more outstanding than the total',
      () => invoice(3n).set({ outstanding: 3000n }).execute(),
      /^Sales invoice 3 is 10, and 30 of it is outstanding\.$/,
    ],
    [
      'more outstanding than the total of a purchase',
      (db) =>
        db
          .updateTable('purchase_invoice')
          .where('administration_id', '=', ours())
          .set({ outstanding: -1001n })
          .execute(),
      /^Purchase invoice 1 is 10, and -10\.01 of it is outstanding\.$/,
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
      'an invoice all of whose mutations are gone, with the stock put back',
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
    [
      'an invoice for another customer’s order',
      async (db) => {
        const { id } = await shop.orderOf(1);
        await db.updateTable('sales_order').where('id', '=', id).set({ relation_id: shop.supplier.id }).execute();
        await invoice(1n).set({ sales_order_id: id }).execute();
      },
      /^Sales invoice 1 is for order 1, which is another relation's\.$/,
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
  it.each(corruptions)('names %s', async (_, damage, sentence) => {
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
