import { expect, test } from 'vitest';
import { importIntoShop, problemsOf } from '../../../../../testing/builtin/imports.ts';
import { nextNumber } from '../../documentParts/numbering.ts';

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
    // Suppliers number these.
    1n,
  ],
] as const)(
  'an import of %s refuses a number so high that none would be left',
  async (resource, counter, headings, row, next) => {
    const { db, administrationId, load } = await importIntoShop();
    const [column] = headings.split(' ');
    expect(problemsOf(await load(resource, `${headings}\n9223372036854775807 | ${row}`))).toEqual([
      `2 ${column}: expected a number of at most 18 digits, got 9223372036854775807`,
    ]);
    expect(problemsOf(await load(resource, `${headings}\n999999999999999999 | ${row}`))).toEqual([]);
    expect(await nextNumber(db, administrationId, counter)).toBe(next);
  },
);

test('rows with one invoice number are of one invoice, however it is written', async () => {
  const { db, load } = await importIntoShop();
  const headings = 'InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax';
  const row = '| 01-03-2026 | 7 | 0100 | 1 | 10';
  expect(problemsOf(await load('invoices', `${headings}\n0012 ${row}\n13 ${row}\n12 ${row}\n14 ${row}`))).toEqual([
    '4 InvoiceNumber: expected the rows of invoice 12 to follow each other; it began on line 2',
  ]);
  const result = await load('invoices', `${headings}\n0012 ${row}\n12 ${row}\n13 ${row}`);
  expect(problemsOf(result)).toEqual([]);
  const invoices = await db.selectFrom('sales_invoice').orderBy('number').select(['number', 'total_excl']).execute();
  expect(invoices).toEqual([
    { number: 12n, total_excl: 2000n },
    { number: 13n, total_excl: 1000n },
  ]);
});
