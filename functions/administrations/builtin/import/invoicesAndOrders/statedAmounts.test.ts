import { describe, expect, test } from 'vitest';
import { importIntoShop, problemsOf } from '../../../../../testing/builtin/imports.ts';
import { checkAdministration } from '../../check/check.ts';

describe('an import of sales and purchase invoices', () => {
  test('accepts an outstanding amount up to the total, of either sign, and refuses more', async () => {
    const { db, administrationId, load } = await importIntoShop();
    const invoices = (rows: string) =>
      load(
        'invoices',
        `InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax | InvoiceOutstandingAmount\n${rows}`,
      );
    const purchases = (rows: string) =>
      load(
        'purchase-invoices',
        `PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | SubTotalInclTax | TaxPc | InvoiceOutstandingAmount\n${rows}`,
      );
    const outstanding = ['12.10', '-12.10', '0', '3.33'];
    const ofEach = (row: (amount: string, index: number) => string) => outstanding.map(row).join('\n');
    const sound = [
      await invoices(ofEach((amount, index) => `${index + 1} | 01-03-2026 | 7 | 0100 | -1 | 10 | ${amount}`)),
      await purchases(ofEach((amount, index) => `${index + 1} | 01-03-2026 | 3 | 12.10 | 21 | ${amount}`)),
    ];
    expect(sound.map(problemsOf)).toEqual([[], []]);
    expect(await Array.fromAsync(checkAdministration(db, administrationId))).toEqual([]);
    expect(problemsOf(await invoices('11 | 01-03-2026 | 7 | 0100 | -1 | 10 | 12.11'))).toEqual([
      '2 InvoiceOutstandingAmount: expected no more than the total, -12.10, got 12.11',
    ]);
    expect(problemsOf(await purchases('11 | 01-03-2026 | 3 | 12.10 | 21 | 36.30'))).toEqual([
      '2 InvoiceOutstandingAmount: expected no more than the total, 12.10, got 36.30',
    ]);
    for (const table of ['sales_invoice', 'purchase_invoice'] as const) {
      expect(await db.selectFrom(table).select('id').execute()).toHaveLength(outstanding.length);
    }
  });
});

describe('documents with stated amounts', () => {
  const withOtherPercentage = async () => {
    const into = await importIntoShop();
    const { guid } = await into.db
      .selectFrom('relation')
      .where('name', '=', 'Bakker')
      .select('guid')
      .executeTakeFirstOrThrow();
    await into.db
      .updateTable('tax_code')
      .where('code', '=', '21% - Hoog')
      .set({ percentage: 2_000_000_000n })
      .execute();
    return { ...into, guid };
  };

  test('are stored with their amounts, names and percentage, whatever these would be now', async () => {
    const { db, administrationId, load, guid } = await withOtherPercentage();
    // Ten for 33.33 with tax: the price that follows from it would be 27.55 without, and 33.34 with.
    const orders = `
      OrderNumber | OrderDate  | RelationGUID | CustomerNumber | CustomerName | OrderDiscountPc | TotalExclTax | TaxAmount | TotalInclTax | CreatedOn  | LineNumber | IsTextLine | ProductNumber | CurrentProductNumber | Quantity | UnitPriceExclTax | DiscountPc | DiscountAmountInclTax | TaxPc | TaxCode    | AmountExclTaxExclDiscount | AmountInclTaxExclDiscount | AmountExclTax | AmountInclTax
      8           | 01-03-2020 | ${guid}      | 6              | De Bakker    | 10              | 24.78        | 5.22      | 30.00        | 1600000000 | 1          | false      | 0100-OUD      | 0100                 | 10       | 2.75454545       | 0          | 0                     | 21    | 21% - Hoog | 27.55                     | 33.33                     | 24.78         | 33.33
      8           |            |              |                |              |                 |              |           |              |            | 2          | true       |               |                      | 0        | 0                | 0          | 0.00                  | 0     |            | 0.00                      | 0.00                      | 0.00          | 0.00`;
    expect(problemsOf(await load('orders', orders))).toEqual([]);
    expect(await db.selectFrom('sales_order').selectAll().executeTakeFirst()).toMatchObject({
      relation_number: 6n,
      relation_name: 'De Bakker',
      total_excl: 2478n,
      total_tax: 522n,
      total_incl: 3000n,
      created_on: 1_600_000_000n,
    });
    expect(await db.selectFrom('sales_order_line').orderBy('position').selectAll().execute()).toMatchObject([
      {
        product_number: '0100-OUD',
        tax_pc: 2_100_000_000n,
        unit_price: 275_454_545n,
        subtotal_excl_before_discount: 2755n,
        subtotal_incl: 3333n,
      },
      { is_text: 1n, subtotal_incl: 0n },
    ]);
    const invoices = `
      InvoiceNumber | InvoiceDate | RelationGUID | CustomerNumber | CustomerName | TotalExclTax | TaxAmount | TotalInclTax | InvoiceOutstandingAmount | InvoiceForOrderNumber | TemplateName_Email | CreatedOn  | LineNumber | ProductNumber | CurrentProductNumber | Quantity | UnitPriceExclTax | DiscountPc | TaxPc | TaxCode    | CurrentTaxCode | AmountInclTaxExclDiscount | AmountExclTax | AmountInclTax | LedgerAccountNumber
      20            | 01-03-2020  | ${guid}      | 6              | De Bakker    | 27.54        | 5.79      | 33.33        | 3.33                     | 8                     | Brief              | 1600000000 | 1          | 0100-OUD      | 0100                 | 10       | 2.75454545       | 0          | 21    | 21% - Oud  | 21% - Hoog     | 33.33                     | 27.54         | 33.33         | 8000`;
    expect(problemsOf(await load('invoices', invoices))).toEqual([]);
    expect(await db.selectFrom('sales_invoice').selectAll().executeTakeFirst()).toMatchObject({
      customer_number: 6n,
      customer_name: 'De Bakker',
      total_excl: 2754n,
      total_tax: 579n,
      outstanding: 333n,
      template_email: 'Brief',
      sales_order_id: expect.anything(),
      created_on: 1_600_000_000n,
    });
    expect(await db.selectFrom('sales_invoice_line').selectAll().executeTakeFirst()).toMatchObject({
      product_number: '0100-OUD',
      tax_code: '21% - Oud',
      tax_pc: 2_100_000_000n,
      subtotal_excl: 2754n,
    });
    const booked = await db
      .selectFrom('journal_line')
      .orderBy('id')
      .select(['ledger_account_number', 'debit', 'credit', 'tax_code'])
      .execute();
    expect(booked.map(({ debit, credit, tax_code }) => [debit - credit, tax_code])).toEqual([
      [3333n, ''],
      [-2754n, ''],
      [-579n, '21% - Oud'],
    ]);
    expect(await Array.fromAsync(checkAdministration(db, administrationId))).toEqual([]);
  });

  test('are refused when amounts are missing or do not add up', async () => {
    const { db, load } = await importIntoShop();
    const invoices = `
      InvoiceNumber | InvoiceDate | CustomerNumber | TotalExclTax | TaxAmount | TotalInclTax | LineNumber | ProductNumber | Quantity | UnitPriceExclTax | TaxCode    | TaxPc | AmountInclTaxExclDiscount | AmountExclTax | AmountInclTax
      1             | 01-03-2020  | 7              | 10.00        | 2.10      | 12.10        | 1          | 0100          | 1        | 10               | 21% - Hoog | 21    | 12.10                     |               | 12.10
      2             | 01-03-2020  | 7              | 10.00        |           | 12.10        | 1          | 0100          | 1        | 10               | 21% - Hoog | 21    | 12.10                     | 10.00         | 12.10
      3             | 01-03-2020  | 7              | 11.00        | 2.10      | 12.10        | 1          | 0100          | 1        | 10               | 21% - Hoog | 21    | 12.10                     | 10.00         | 12.10
      4             | 01-03-2020  | 7              | 10.00        | 2.10      | 12.10        | 1          | 0100          | 2        | 10               | 21% - Hoog | 21    | 12.10                     | 10.00         | 12.10
      5             | 01-03-2020  | 7              |              |           |              | 1          | 0100          | 1        | 10               | 21% - Hoog | 21    |                           | 10.00         |
      6             | 01-03-2020  | 7              | 10.00        | 2.10      | 12.10        | 2          | 0100          | 1        | 10               | 21% - Hoog | 21    | 12.10                     | 10.00         | 12.10`;
    expect(problemsOf(await load('invoices', invoices))).toEqual([
      '2 AmountExclTax: is required, as the document has a TotalInclTax',
      '3 TaxAmount: is required, as the document has a TotalInclTax',
      '4 TotalExclTax: expected 10.00, what AmountExclTax of the lines adds up to, got 11.00',
      '4 TotalInclTax: expected 13.10, TotalExclTax and TaxAmount together, got 12.10',
      '5 AmountInclTaxExclDiscount: expected 24.20, what 2 at 10 lists for with tax, got 12.10',
      '6 AmountExclTax: expected nothing, as the document has no TotalInclTax',
      '7 LineNumber: expected 1, as the lines of a document are counted, got 2',
    ]);
    const purchases = `
      PurchaseInvoiceNumber | InvoiceDate | RelationGUID | SupplierNumber | TotalExclTax | TaxAmount | TotalInclTax | LineNumber | TaxPc | TaxCode            | AmountExclTax | AmountInclTax
      9                     | 01-03-2020  | 99           |                | 100.00       | 21.00     | 121.00       | 1          | 21    | 21% - Inkoop hoog  | 100.00        | 121.00
      9                     | 01-03-2020  |              | 3              | 99.00        | 22.00     | 121.00       | 1          | 21    | 21% - Inkoop hoog  | 99.00         | 121.00
      9                     | 02-03-2020  |              | 3              | 100.00       | 21.00     | 121.00       | 1          | 21    | 21% - Inkoop hoog  | 100.00        | 121.00`;
    expect(problemsOf(await load('purchase-invoices', purchases))).toEqual([
      '2 RelationGUID: expected the RelationGUID of a supplier, got 99',
      '3 AmountExclTax: expected 100.00, what the line comes to without tax, got 99.00',
    ]);
    expect(await db.selectFrom('sales_invoice').selectAll().execute()).toEqual([]);
    const twice = purchases.replace('| 99 ', '|    ').split('\n');
    expect(problemsOf(await load('purchase-invoices', [twice[1], twice[4], twice[4]].join('\n')))).toEqual([]);
    expect(await db.selectFrom('purchase_invoice').select('id').execute()).toHaveLength(2);
    expect(problemsOf(await load('purchase-invoices', [twice[1], twice[4]].join('\n')))).toEqual([
      '2 PurchaseInvoiceNumber: expected a number the supplier has not used before, got 9',
    ]);
  });
});
