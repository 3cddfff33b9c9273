import { describe, expect, test } from 'vitest';
import { importInto, importIntoShop, NOW, problemsOf } from '../../../../../testing/builtin/imports.ts';
import { checkAdministration } from '../../check/check.ts';
import { nextNumber } from '../../documentParts/numbering.ts';

/** An administration with relations and products, to import invoices into. */
async function importIntoBooks(country: 'NL' | 'BE' = 'NL') {
  const into = await importInto(country);
  const relations = await into.load(
    'relations',
    `
    CustomerNumber | SupplierNumber | Name   | Email    | Address_Street | Address_CountryCode | Contact_LastName | Contact_Preposition
    1              |                | Bakker | B@x.nl   | Dorpsstraat    | NL                  | Bakker           | de
    2              |                | Peeters |         |                | BE                  |                  |
                   | 9              | Kweker | k@x.nl   |                | NL                  |                  |`,
  );
  const [normal, reduced] = country === 'NL' ? ['21', '9'] : ['21', '6'];
  const products = await into.load(
    'products',
    `
    ArticleNumber | Name | EAN | Price | VATPercentage | StockQty
    R1            | Roos | 99  | 1     | ${normal}     | 50
    R2            | Tulp |     | 1     | ${reduced}    |
    R3            | Gras |     | 1     |               |`,
  );
  expect([...problemsOf(relations), ...problemsOf(products)]).toEqual([]);
  return into;
}

describe('an import of invoices', () => {
  test('enters one that was made before a VAT return which does not have it after that return', async () => {
    const { db, fileMarch, load } = await importIntoBooks();
    await fileMarch(NOW - 40n);
    const table = `
      InvoiceNumber | InvoiceType | InvoiceDate | CustomerNumber | SubTotalInclTax | TaxPc | CreatedOn
      77            | BOOKKEEPING | 31-03-2026  | 1              | 121.00          | 21    | ${NOW - 40n}
      78            | BOOKKEEPING | 01-04-2026  | 1              | 121.00          | 21    | 1000`;
    expect(problemsOf(await load('invoices', table))).toEqual([]);
    const invoices = await db.selectFrom('sales_invoice').orderBy('number').select('created_on').execute();
    expect(invoices.map(({ created_on }) => created_on)).toEqual([NOW, 1000n]);
  });

  test('stores totals by tax code, and does not change the stock', async () => {
    const { db, administrationId, load } = await importIntoBooks();
    const result = await load(
      'invoices',
      `
      InvoiceNumber | InvoiceDate         | InvoiceDueDays | CustomerName | InvoiceReference | ProductNumber | Quantity | UnitPriceExclTax | SubTotalInclTax | TaxCode | DiscountPc | IsTextLine | Description | LedgerAccountNumber | InvoiceOutstandingAmount
      7001          | 31-12-2026          | 30             | BAKKER       | Ref 1            | R1            | 5        | 0.50             |                 |         |            |            |             | 8010                | 1.10
      7001          |                     |                |              |                  |               |          |                  |                 |         |            | true       | = tekst     |                     |
      7001          |                     |                |              | Ref 1            | R1            | 2        |                  | 43.06           |         |            |            | Speciaal    |                     |
      7002          | 2026-12-31T10:00:00 |                | bakker       |                  | R2            | -4       | 10               |                 | 0% - Binnenland nultarief | 25  |            |             |                     |`,
    );
    expect(problemsOf(result)).toEqual([]);
    expect(result.counts).toEqual({ added: 2, changed: 0, unchanged: 0 });
    const invoices = await db.selectFrom('sales_invoice').orderBy('number').selectAll().execute();
    // 5 x 0.50 = 2.50 and 21% = 0.53 (0.525 rounded up); 43.06 with tax is 35.59 + 7.47.
    expect(invoices).toMatchObject([
      {
        number: 7001n,
        module: 'INVOICING',
        date: '2026-12-31',
        due_date: '2027-01-30',
        reference: 'Ref 1',
        customer_number: 1n,
        customer_name: 'Bakker',
        total_excl: 3809n,
        total_tax: 800n,
        total_incl: 4609n,
        outstanding: 110n,
        ogm: '',
      },
      { number: 7002n, due_date: null, total_excl: -3000n, total_tax: 0n, total_incl: -3000n, outstanding: -3000n },
    ]);
    const lines = await db
      .selectFrom('sales_invoice_line')
      .where('sales_invoice_id', '=', invoices[0]!.id)
      .orderBy('position')
      .selectAll()
      .execute();
    expect(lines).toMatchObject([
      {
        product_number: 'R1',
        product_ean: '99',
        description: 'Roos',
        ledger_account_number: '8010',
        tax_code: '21% - Hoog',
      },
      { is_text: 1n, description: '= tekst', product_id: null, subtotal_incl: 0n },
      { description: 'Speciaal', ledger_account_number: '8000', subtotal_incl: 4306n, subtotal_excl: 3559n },
    ]);
    const addresses = await db
      .selectFrom('sales_invoice_address')
      .where('sales_invoice_id', '=', invoices[0]!.id)
      .select(['address_type', 'street'])
      .execute();
    expect(addresses).toEqual([
      { address_type: 'BillingAddress', street: 'Dorpsstraat' },
      { address_type: 'ShippingAddress', street: 'Dorpsstraat' },
    ]);
    const contacts = await db.selectFrom('sales_invoice_contact').selectAll().execute();
    expect(contacts).toMatchObject([{ last_name: 'de Bakker' }, { last_name: 'de Bakker' }]);
    const stock = await db.selectFrom('product').where('article_number', '=', 'R1').select('stock').execute();
    expect(stock).toEqual([{ stock: 5_000_000_000n }]);
    const counter = await db.selectFrom('counter').where('name', '=', 'sales_invoice').select('value').execute();
    expect(counter).toEqual([{ value: 7002n }]);
    expect(await Array.fromAsync(checkAdministration(db, administrationId))).toEqual([]);
  });

  test('accepts invoices of the bookkeeping module, drafts, paid invoices and Belgian references', async () => {
    const { db, load } = await importIntoBooks('BE');
    const result = await load(
      'invoices',
      `
      InvoiceNumber | InvoiceType | AddAsDraft | InvoiceDate | CustomerNumber | CustomerEmail | SubTotalInclTax | TaxPc | ProductEAN | Quantity | OGM_Belgium         | Paid
      1             | BOOKKEEPING |            | 01-02-2026  | 2              |               | 121             | 21    |            |          |                     | true
      108068171     | invoicing   | true       | 01-02-2026  | 2              |               | 121             | -1    | 99         | 1        |                     |
      3             |             |            | 01-02-2026  | 2              |               | 121             |       | 99         | 1        | +++000/0000/09797+++ |
      4             |             |            | 01-02-2026  |                | b@X.nl        | 121             |       | 99         | 1        |                     |`,
    );
    expect(problemsOf(result)).toEqual([]);
    const rows = await db
      .selectFrom('sales_invoice')
      .orderBy('id')
      .select(['module', 'is_draft', 'total_excl', 'outstanding', 'ogm', 'customer_number'])
      .execute();
    expect(rows).toEqual([
      { module: 'BOOKKEEPING', is_draft: 0n, total_excl: 10_000n, outstanding: 0n, ogm: '', customer_number: 2n },
      {
        module: 'INVOICING',
        is_draft: 1n,
        total_excl: 10_000n,
        outstanding: 12_100n,
        ogm: '+++010/8068/17183+++',
        customer_number: 2n,
      },
      {
        module: 'INVOICING',
        is_draft: 0n,
        total_excl: 10_000n,
        outstanding: 12_100n,
        ogm: '+++000/0000/09797+++',
        customer_number: 2n,
      },
      { module: 'INVOICING', is_draft: 0n, total_excl: 10_000n, outstanding: 12_100n, ogm: '', customer_number: 1n },
    ]);
  });

  test('finds projects by numbers of up to 18 digits; 0 is none', async () => {
    const { db, load } = await importIntoBooks();
    expect(problemsOf(await load('projects', 'Number | Name\n2147483648 | Hof\n999999999999999999 | Plein'))).toEqual(
      [],
    );
    const result = await load(
      'invoices',
      `
      InvoiceNumber | InvoiceDate | CustomerNumber | ProjectNumber      | ProductNumber | Quantity | UnitPriceExclTax
      1             | 15-03-2026  | 1              | 2147483648         | R1            | 1        | 10
      2             | 15-03-2026  | 1              | 999999999999999999 | R1            | 1        | 10
      3             | 15-03-2026  | 1              | 0                  | R1            | 1        | 10`,
    );
    expect(problemsOf(result)).toEqual([]);
    const found = await db
      .selectFrom('sales_invoice')
      .leftJoin('project', 'project.id', 'project_id')
      .orderBy('sales_invoice.number')
      .select('project.name')
      .execute();
    expect(found.map(({ name }) => name)).toEqual(['Hof', 'Plein', null]);
  });

  test('stores every invoice whole when the file has more rows than a batch', async () => {
    const { db, load } = await importIntoBooks();
    const heading = 'InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax';
    const rows = Array.from(
      { length: 1470 },
      (_, index) => `${Math.floor(index / 7) + 1} | 01-01-2026 | 1 | R1 | 1 | 1`,
    );
    expect(problemsOf(await load('invoices', [heading, ...rows].join('\n')))).toEqual([]);
    const totals = await db.selectFrom('sales_invoice').select('total_excl').distinct().execute();
    expect(totals).toEqual([{ total_excl: 700n }]);
  });
});

describe('an import of wrong invoices', () => {
  test('reports every problem by line and column', async () => {
    const { db, load } = await importIntoBooks();
    await load(
      'invoices',
      'InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax\n5 | 01-01-2026 | 1 | R1 | 1 | 1',
    );
    const result = await load(
      'invoices',
      `
      InvoiceNumber | InvoiceType | InvoiceDate | CustomerNumber | CustomerName | ProductNumber | Quantity | UnitPriceExclTax | TaxCode           | LedgerAccountNumber | OGM_Belgium          | ProjectNumber | DiscountPc | DiscountAmountInclTax | Paid | InvoiceOutstandingAmount
      C12           |             | 01-01-2026  | 77             |              | R1            | 1        | 1                |                   |                     |                      |               |            |                       |      | 12.345
      5             |             | 30-02-2026  | 1              |              | R1            | 1        | 1                |                   |                     |                      |               |            |                       |      |
      6             |             |             |                |              | NO            |          |                  |                   | 123                 |                      |               |            |                       |      |
      6             |             | 02-01-2026  |                |              |               | 1        | 1                |                   |                     |                      |               |            |                       |      |
      7             |             | 01-01-2026  |                | Kweker       | R3            | 1        | 1                |                   |                     |                      |               |            |                       |      |
      8             |             | 01-01-2026  | 1              |              | R1            | 1        | 1                | 21% - Inkoop hoog |                     | +++010/8068/17184+++ | 4             | 5          | 1                     | true | 3.000000000000004
      9             | BOOKKEEPING | 01-01-2026  | 1              |              | R1            | 1        | 1                |                   |                     |                      |               |            |                       |      |
      10            |             | 01-01-2026  | 1              |              | R1            | 2        | 10               | 21% - Hoog        |                     |                      |               |            | 24.21                 |      |
      11            |             | 01-01-2026  | 1              |              | R1            | 2        | 10               | 21% - Hoog        |                     |                      |               |            | -1                    |      |
      6             |             | 01-01-2026  | 1              |              | R1            | 1        | 1                |                   |                     |                      |               |            |                       |      |`,
    );
    expect(problemsOf(result).sort()).toEqual(
      [
        '2 InvoiceNumber: expected a whole number, got "C12"',
        '2 InvoiceOutstandingAmount: expected at most 2 decimals, got "12.345"',
        '2 CustomerNumber: expected the number of a customer of this administration, got 77',
        '3 InvoiceNumber: expected a number no other invoice has, got 5',
        '3 InvoiceDate: expected a date as dd-MM-yyyy or yyyy-MM-dd, got "30-02-2026"',
        '4 InvoiceDate: is required in the first row of an invoice',
        '4 CustomerNumber: is required, or CustomerName or CustomerEmail, to find the customer',
        '4 ProductNumber: expected the article number of a product, got "NO"',
        '4 Quantity: is required on a line that is not a text line',
        '4 UnitPriceExclTax: is required, or SubTotalInclTax, on a line that is not a text line',
        '4 LedgerAccountNumber: expected a ledger account of this administration, got "123"',
        '5 InvoiceDate: expected what the first row has, "", or nothing, got "02-01-2026"',
        '5 ProductNumber: is required, or ProductEAN, on a line that is not a text line',
        '6 CustomerName: expected a customer of this administration, got "Kweker"',
        '6 TaxPc: is required, or TaxCode: article R3 has no tax of its own',
        '7 TaxCode: expected a Sales tax code of this administration, got "21% - Inkoop hoog", which is a Purchase code',
        '7 OGM_Belgium: expected twelve digits whose last two are right, got "+++010/8068/17184+++"',
        '7 ProjectNumber: expected the number of a project of this administration, got "4"',
        '7 DiscountAmountInclTax: expected either this or DiscountPc, not both',
        '7 Paid: expected either this or InvoiceOutstandingAmount, not both',
        '8 ProductNumber: expected nothing: lines of the bookkeeping module have no products',
        '8 TaxPc: is required, or TaxCode',
        '9 DiscountAmountInclTax: expected no more than the line, 24.2 with tax, got 24.21',
        '10 DiscountAmountInclTax: expected at least 0 on a line that is not negative, got -1',
        '11 InvoiceNumber: expected the rows of invoice 6 to follow each other; it began on line 4',
      ].sort(),
    );
    expect(await db.selectFrom('sales_invoice').select('number').execute()).toEqual([{ number: 5n }]);
  });

  test('accepts an invoice of 75 lines, and refuses one of 76', async () => {
    const { db, load } = await importIntoBooks();
    const row = (number: number) => `${number} | 01-01-2026 | 1 | R1 | 1 | 1`;
    const heading = 'InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax';
    const long = await load('invoices', [heading, ...Array(3).fill(row(1)), ...Array(76).fill(row(2))].join('\n'));
    expect(problemsOf(long)).toEqual(['80 expected at most 75 lines; invoice 2 has 76, on lines 5 to 80']);
    expect(problemsOf(await load('invoices', [heading, ...Array(75).fill(row(2))].join('\n')))).toEqual([]);
    expect(await db.selectFrom('sales_invoice').select('total_excl').execute()).toEqual([{ total_excl: 7500n }]);
  });

  test('refuses an invoice number so high that none would be left', async () => {
    const { db, administrationId, load } = await importIntoBooks();
    const table = (number: bigint) =>
      `InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax\n${number} | 15-03-2026 | 1 | R1 | 1 | 10`;
    expect(problemsOf(await load('invoices', table(9_223_372_036_854_775_807n)))).toEqual([
      '2 InvoiceNumber: expected a number of at most 18 digits, got 9223372036854775807',
    ]);
    expect(problemsOf(await load('invoices', table(999_999_999_999_999_999n)))).toEqual([]);
    expect(await nextNumber(db, administrationId, 'sales_invoice')).toBe(1_000_000_000_000_000_000n);
  });

  test('refuses an invoice for the order of another customer', async () => {
    const { load } = await importIntoShop();
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
    expect(problemsOf(await invoice(7))).toEqual([
      '2 InvoiceForOrderNumber: expected the number of an order of Bakker, got 5',
    ]);
    expect(problemsOf(await invoice(9))).toEqual([]);
  });
});
