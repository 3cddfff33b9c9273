import { describe, expect, test } from 'vitest';
import { importInto, told } from '../../../../../testing/builtin/imports.ts';
import { checkAdministration } from '../../check/check.ts';
import { nextNumber } from '../../documents/numbering.ts';

async function furnished(country: 'NL' | 'BE' = 'NL') {
  const into = await importInto(country);
  await into.load('relations', 'Name | CustomerNumber | SupplierNumber\nBakker | 7 |\nMolen | | 3\nAlles | 9 | 9');
  const code = country === 'NL' ? '21% - Hoog' : '21% - Normaal tarief';
  await into.load(
    'products',
    `ArticleNumber | Name | Price | TaxCode\n0100 | Stoel | 12.50 | ${code}\n0200 | Brood | 3 | ${code}`,
  );
  return into;
}

describe('an import of orders', () => {
  test('keeps their numbers, lines and totals, and the numbering goes on after them', async () => {
    const { db, administrationId, load } = await furnished();
    const result = await load(
      'orders',
      `
      OrderNumber | OrderDate  | CustomerNumber | OrderStatus | IsInvoiced | OrderDiscountPc | ProductNumber | Quantity | UnitPriceExclTax | SubTotalInclTax | IsTextLine | Description | CreatedOn
      50          | 01-03-2026 | 7              | nieuw       | true       | 10              | 0100          | 2        | 10               |                 |            |             | 1700000000
      50          |            |                |             |            |                 |               |          |                  |                 | true       | Met dank    |
      12          | 2026-03-02 | 9              |             |            |                 | 0200          | 1        |                  | 12.10           |            | Wit         |`,
    );
    expect(told(result)).toEqual([]);
    expect(result.counts.added).toBe(2);
    const orders = await db.selectFrom('sales_order').orderBy('number').selectAll().execute();
    expect(orders).toMatchObject([
      { number: 12n, date: '2026-03-02', is_invoiced: 0n, total_incl: 1210n, total_excl: 1000n },
      {
        number: 50n,
        date: '2026-03-01',
        is_invoiced: 1n,
        status: 'Nieuw',
        total_excl: 1800n,
        total_incl: 2178n,
        created_on: 1_700_000_000n,
      },
    ]);
    const lines = await db.selectFrom('sales_order_line').select('id').execute();
    expect(lines).toHaveLength(3);
    expect(await nextNumber(db, administrationId, 'sales_order')).toBe(51n);
    expect(await Array.fromAsync(checkAdministration(db, administrationId))).toEqual([]);
  });

  test('is refused by the line for what an order would be refused for', async () => {
    const { db, load } = await furnished();
    const table = `
      OrderNumber | OrderDate  | CustomerNumber | OrderStatus | ProductNumber | Quantity | UnitPriceExclTax
      1           | 01-03-2026 | 8              |             | 0100          | 1        | 1
      2           | 01-03-2026 | 7              |             | 0100          | 1        | 1
      2           | 02-03-2026 |                |             | 0999          | 1        | 1
      3           |            | 7              | Onzin       | 0100          |          | 1
      4           | 01-03-2026 | 7              | Onzin       | 0100          | 1        | 1
      2           | 01-03-2026 | 7              |             | 0100          | 1        | 1`;
    expect(told(await load('orders', table))).toEqual([
      '2 CustomerNumber: expected the number of a customer of this administration, got 8',
      '4 OrderDate: expected what the first row has, "01-03-2026", or nothing, got "02-03-2026"',
      '4 ProductNumber: expected the article number of a product, got "0999"',
      '5 OrderDate: is required in the first row of an order',
      '5 Quantity: is required: a decimal number',
      '6 OrderStatus: expected the label of an order status, got "Onzin"',
    ]);
    expect(await db.selectFrom('sales_order').selectAll().execute()).toEqual([]);
    const one =
      'OrderNumber | OrderDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax\n5 | 01-03-2026 | 7 | 0100 | 1 | 1';
    expect(told(await load('orders', one))).toEqual([]);
    expect(told(await load('orders', one))).toEqual(['2 OrderNumber: expected a number no other order has, got 5']);
  });
});

describe('an import of purchase invoices', () => {
  test('books them, knows two suppliers with one number apart, and keeps what is still to be paid', async () => {
    const { db, administrationId, load } = await furnished('BE');
    const table = `
      PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | Paid | InvoiceOutstandingAmount | SubTotalInclTax | TaxPc | PurchaseClassification | CostCenter
      77                    | 01-03-2026  | 3              | true |                          | 121.00          | 21    | 81                     | Winkel
      77                    |             |                |      |                          | 6.05            | 21    | 83                     |
      77                    | 02-03-2026  | 9              |      | 20                       | -121            | 21    |                        |`;
    const result = await load('purchase-invoices', table);
    expect(told(result)).toEqual([]);
    expect(result.counts.added).toBe(2);
    const invoices = await db.selectFrom('purchase_invoice').orderBy('id').selectAll().execute();
    expect(invoices).toMatchObject([
      {
        number: 77n,
        relation_number: 3n,
        total_incl: 12_705n,
        total_tax: 2205n,
        outstanding: 0n,
        due_date: '2026-03-01',
      },
      { number: 77n, relation_number: 9n, total_incl: -12_100n, outstanding: 2000n },
    ]);
    expect(await Array.fromAsync(checkAdministration(db, administrationId))).toEqual([]);
    expect(told(await load('purchase-invoices', table))).toEqual([
      '2 PurchaseInvoiceNumber: expected a number the supplier has not used before, got 77',
      '4 PurchaseInvoiceNumber: expected a number the supplier has not used before, got 77',
    ]);
  });

  test('is refused by the line for what one would be refused for', async () => {
    const { load } = await furnished();
    const table = `
      PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | Paid | InvoiceOutstandingAmount | SubTotalInclTax | TaxPc | TaxCode   | PurchaseClassification | ProjectNumber
      1                     | 01-03-2026  | 3              |      |                          |                 |       |           |                        |
      2                     |             | 3              | true | 1                        | 10              | 21    |           |                        |
      3                     | 01-03-2026  | 3              |      |                          | 10              |       | 21% - Hoog |                       |
      4                     | 01-03-2026  | 3              |      |                          | 10              | 21    |           | 81                     |
      5                     | 01-03-2026  | 3              |      |                          | 10              | 21    |           |                        | 4`;
    const problems = told(await load('purchase-invoices', table));
    expect(problems.map((problem) => problem.replace(/:.*/, ''))).toEqual([
      '2 SubTotalInclTax',
      '3 InvoiceDate',
      '3 Paid',
      '4 TaxCode',
      '5 PurchaseClassification',
      '6 ProjectNumber',
    ]);
  });
});

describe('an import of invoices and of purchase invoices', () => {
  test('takes what is outstanding up to the whole total, on either side, and refuses more by its line', async () => {
    const { db, administrationId, load } = await furnished();
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
    expect(sound.map(told)).toEqual([[], []]);
    expect(await Array.fromAsync(checkAdministration(db, administrationId))).toEqual([]);
    expect(told(await invoices('11 | 01-03-2026 | 7 | 0100 | -1 | 10 | 12.11'))).toEqual([
      '2 InvoiceOutstandingAmount: expected no more than the total, -12.10, got 12.11',
    ]);
    expect(told(await purchases('11 | 01-03-2026 | 3 | 12.10 | 21 | 36.30'))).toEqual([
      '2 InvoiceOutstandingAmount: expected no more than the total, 12.10, got 36.30',
    ]);
    for (const table of ['sales_invoice', 'purchase_invoice'] as const) {
      expect(await db.selectFrom(table).select('id').execute()).toHaveLength(outstanding.length);
    }
  });

  test('refuses an invoice for the order of another customer', async () => {
    const { load } = await furnished();
    await load(
      'orders',
      'OrderNumber | OrderDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax\n5 | 01-03-2026 | 9 | 0100 | 1 | 10',
    );
    const invoice = (customer: number) =>
      load(
        'invoices',
        `InvoiceNumber | InvoiceDate | CustomerNumber | InvoiceForOrderNumber | ProductNumber | Quantity | UnitPriceExclTax
        1 | 01-03-2026 | ${customer} | 5 | 0100 | 1 | 10`,
      );
    expect(told(await invoice(7))).toEqual([
      '2 InvoiceForOrderNumber: expected the number of an order of Bakker, got 5',
    ]);
    expect(told(await invoice(9))).toEqual([]);
  });
});

describe('documents as they were kept', () => {
  const shopWithOrders = async () => {
    const into = await furnished();
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

  test('keep their amounts, names and percentage, whatever they would come to now', async () => {
    const { db, administrationId, load, guid } = await shopWithOrders();
    // Ten for 33.33 with tax: the price that follows from it would be 27.55 without, and 33.34 with.
    const orders = `
      OrderNumber | OrderDate  | RelationGUID | CustomerNumber | CustomerName | OrderDiscountPc | TotalExclTax | TaxAmount | TotalInclTax | CreatedOn  | LineNumber | IsTextLine | ProductNumber | CurrentProductNumber | Quantity | UnitPriceExclTax | DiscountPc | DiscountAmountInclTax | TaxPc | TaxCode    | AmountExclTaxExclDiscount | AmountInclTaxExclDiscount | AmountExclTax | AmountInclTax
      8           | 01-03-2020 | ${guid}      | 6              | De Bakker    | 10              | 24.78        | 5.22      | 30.00        | 1600000000 | 1          | false      | 0100-OUD      | 0100                 | 10       | 2.75454545       | 0          | 0                     | 21    | 21% - Hoog | 27.55                     | 33.33                     | 24.78         | 33.33
      8           |            |              |                |              |                 |              |           |              |            | 2          | true       |               |                      | 0        | 0                | 0          | 0.00                  | 0     |            | 0.00                      | 0.00                      | 0.00          | 0.00`;
    expect(told(await load('orders', orders))).toEqual([]);
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
    expect(told(await load('invoices', invoices))).toEqual([]);
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

  test('are refused by line and column for amounts that are missing, or do not add up', async () => {
    const { db, load } = await furnished();
    const invoices = `
      InvoiceNumber | InvoiceDate | CustomerNumber | TotalExclTax | TaxAmount | TotalInclTax | LineNumber | ProductNumber | Quantity | UnitPriceExclTax | TaxCode    | TaxPc | AmountInclTaxExclDiscount | AmountExclTax | AmountInclTax
      1             | 01-03-2020  | 7              | 10.00        | 2.10      | 12.10        | 1          | 0100          | 1        | 10               | 21% - Hoog | 21    | 12.10                     |               | 12.10
      2             | 01-03-2020  | 7              | 10.00        |           | 12.10        | 1          | 0100          | 1        | 10               | 21% - Hoog | 21    | 12.10                     | 10.00         | 12.10
      3             | 01-03-2020  | 7              | 11.00        | 2.10      | 12.10        | 1          | 0100          | 1        | 10               | 21% - Hoog | 21    | 12.10                     | 10.00         | 12.10
      4             | 01-03-2020  | 7              | 10.00        | 2.10      | 12.10        | 1          | 0100          | 2        | 10               | 21% - Hoog | 21    | 12.10                     | 10.00         | 12.10
      5             | 01-03-2020  | 7              |              |           |              | 1          | 0100          | 1        | 10               | 21% - Hoog | 21    |                           | 10.00         |
      6             | 01-03-2020  | 7              | 10.00        | 2.10      | 12.10        | 2          | 0100          | 1        | 10               | 21% - Hoog | 21    | 12.10                     | 10.00         | 12.10`;
    expect(told(await load('invoices', invoices))).toEqual([
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
    expect(told(await load('purchase-invoices', purchases))).toEqual([
      '2 RelationGUID: expected the RelationGUID of a supplier, got 99',
      '3 AmountExclTax: expected 100.00, what the line comes to without tax, got 99.00',
    ]);
    expect(await db.selectFrom('sales_invoice').selectAll().execute()).toEqual([]);
    const twice = purchases.replace('| 99 ', '|    ').split('\n');
    expect(told(await load('purchase-invoices', [twice[1], twice[4], twice[4]].join('\n')))).toEqual([]);
    expect(await db.selectFrom('purchase_invoice').select('id').execute()).toHaveLength(2);
    expect(told(await load('purchase-invoices', [twice[1], twice[4]].join('\n')))).toEqual([
      '2 PurchaseInvoiceNumber: expected a number the supplier has not used before, got 9',
    ]);
  });
});

test.each([
  [
    'orders',
    'sales_order',
    'OrderNumber | OrderDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax',
    '01-03-2026 | 7 | 0100 | 1 | 10',
    1_000_000_000_000_000_000n,
  ],
  [
    'purchase-invoices',
    'purchase_invoice',
    'PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | SubTotalInclTax | TaxPc',
    '01-03-2026 | 3 | 121 | 21',
    // These are the suppliers' own.
    1n,
  ],
] as const)('an import of %s leaves numbers for those that follow', async (resource, counter, headings, row, next) => {
  const { db, administrationId, load } = await furnished();
  const [column] = headings.split(' ');
  expect(told(await load(resource, `${headings}\n9223372036854775807 | ${row}`))).toEqual([
    `2 ${column}: expected a number of at most 18 digits, got 9223372036854775807`,
  ]);
  expect(told(await load(resource, `${headings}\n999999999999999999 | ${row}`))).toEqual([]);
  expect(await nextNumber(db, administrationId, counter)).toBe(next);
});

describe('an import of projects and material bookings', () => {
  test('keeps projects by their number, and books what was used on them', async () => {
    const { db, load } = await furnished();
    const projects = (name: string) =>
      `Number | Name | Description | CustomerNumber\n501 | ${name} | Tuin | 7\n502 | Plein | |`;
    expect((await load('projects', projects('Hof'))).counts).toMatchObject({ added: 2, changed: 0 });
    expect((await load('projects', projects('Hof'))).counts).toEqual({ added: 0, changed: 0, unchanged: 2 });
    expect((await load('projects', projects('Hofje'))).counts).toEqual({ added: 0, changed: 1, unchanged: 1 });
    const kept = await db
      .selectFrom('project')
      .orderBy('number')
      .select(['number', 'name', 'name_folded', 'customer_id'])
      .execute();
    expect(kept).toMatchObject([
      { number: 501n, name: 'Hofje', name_folded: 'hofje', customer_id: expect.anything() },
      { number: 502n, name: 'Plein', customer_id: null },
    ]);
    const result = await load(
      'material-bookings',
      `
      ProjectNumber | ProductNumber | SupplierNumber | Quantity | EntryDate     | Warehouse | Description
      501           | 0100          | 3              | 2.5      | 1735740049000 | Loods     | Uitval
      502           | 0200          |                | -1       | 31-12-2025    |           |`,
    );
    expect(told(result)).toEqual([]);
    const bookings = await db.selectFrom('material_booking').orderBy('id').selectAll().execute();
    expect(bookings).toMatchObject([
      { quantity: 250_000_000n, entry_date: 1_735_740_049_000n, warehouse: 'Loods', supplier_id: expect.anything() },
      { quantity: -100_000_000n, entry_date: BigInt(Date.UTC(2025, 11, 31)), supplier_id: null },
    ]);
  });

  test('takes project numbers of up to 18 digits, as the endpoints that name projects do', async () => {
    const { db, load } = await furnished();
    const expected = (column: string) => `2 ${column}: expected a number of at most 18 digits, got 9223372036854775807`;
    expect(told(await load('projects', 'Number | Name\n9223372036854775807 | Hof'))).toEqual([expected('Number')]);
    expect(told(await load('projects', 'Number | Name\n999999999999999999 | Hof'))).toEqual([]);
    const bookings = (project: string) =>
      `ProjectNumber | ProductNumber | Quantity | EntryDate\n${project} | 0100 | 1 | 31-12-2025`;
    expect(told(await load('material-bookings', bookings('9223372036854775807')))).toEqual([expected('ProjectNumber')]);
    expect(told(await load('material-bookings', bookings('999999999999999999')))).toEqual([]);
    const invoice = `PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | SubTotalInclTax | TaxPc | ProjectNumber\n1 | 01-03-2026 | 3 | 121 | 21 | 999999999999999999\n2 | 01-03-2026 | 3 | 121 | 21 | 0`;
    expect(told(await load('purchase-invoices', invoice))).toEqual([]);
    const invoices = await db.selectFrom('purchase_invoice').orderBy('number').select('project_id').execute();
    expect(invoices).toEqual([{ project_id: expect.anything() }, { project_id: null }]);
  });

  test('is refused for customers, projects and products there are not', async () => {
    const { load } = await furnished();
    expect(
      told(
        await load('projects', 'Number | Name | CustomerNumber | RelationGUID\n1 | A | 8 |\n2 | B | 7 | 3\n2 | C | |'),
      ),
    ).toEqual([
      '2 CustomerNumber: expected the CustomerNumber of a relation, got 8',
      '3 RelationGUID: expected the relation Bakker, as the row names it, got 3',
      '4 Number: expected project 2 once, but it stands on line 3 as well',
    ]);
    expect(
      told(
        await load(
          'material-bookings',
          'ProjectNumber | ProductNumber | Quantity | EntryDate\n1 | 0100 | 1 | 1-1-26\n2 | x | 1 | 01-01-2026',
        ),
      ).map((problem) => problem.replace(/:.*/, '')),
    ).toEqual(['2 EntryDate', '2 ProjectNumber', '3 ProjectNumber', '3 ProductNumber']);
  });
});

test('cost centers and order statuses are known in any case, and stay as they were written first', async () => {
  const { db, load } = await importInto();
  expect((await load('cost-centers', 'Name\nWinkel\nMarkt')).counts).toEqual({ added: 2, changed: 0, unchanged: 0 });
  expect((await load('cost-centers', 'Name\nWINKEL\nLoods')).counts).toEqual({ added: 1, changed: 0, unchanged: 1 });
  expect(told(await load('cost-centers', 'Name\nA\na'))).toEqual([
    '3 Name: expected a once, but it stands on line 2 as well',
  ]);
  const names = await db.selectFrom('cost_center').orderBy('name').select('name').execute();
  expect(names.map(({ name }) => name)).toEqual(['Loods', 'Markt', 'Winkel']);
  expect((await load('order-statuses', 'Label\nnieuw\nIn productie')).counts).toEqual({
    added: 1,
    changed: 0,
    unchanged: 1,
  });
});
