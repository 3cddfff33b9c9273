import { describe, expect, test } from 'vitest';
import { importIntoShop, NOW, problemsOf } from '../../../../../testing/builtin/imports.ts';
import { checkAdministration } from '../../check/check.ts';

describe('an import of purchase invoices', () => {
  test('books them, accepts one number of two suppliers, and stores the outstanding amount', async () => {
    const { db, administrationId, load } = await importIntoShop('BE');
    const table = `
      PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | Paid | InvoiceOutstandingAmount | SubTotalInclTax | TaxPc | PurchaseClassification | CostCenter
      77                    | 01-03-2026  | 3              | true |                          | 121.00          | 21    | 81                     | Winkel
      77                    |             |                |      |                          | 6.05            | 21    | 83                     |
      77                    | 02-03-2026  | 9              |      | 20                       | -121            | 21    |                        |`;
    const result = await load('purchase-invoices', table);
    expect(problemsOf(result)).toEqual([]);
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
    expect(problemsOf(await load('purchase-invoices', table))).toEqual([
      '2 PurchaseInvoiceNumber: expected a number the supplier has not used before, got 77',
      '4 PurchaseInvoiceNumber: expected a number the supplier has not used before, got 77',
    ]);
  });

  test('enters them after a VAT return that was filed since the import began', async () => {
    const { db, fileMarch, load } = await importIntoShop();
    await fileMarch(NOW + 40n);
    const table = `
      PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | SubTotalInclTax | TaxPc
      77                    | 01-03-2026  | 3              | 121.00          | 21`;
    expect(problemsOf(await load('purchase-invoices', table))).toEqual([]);
    const invoice = await db.selectFrom('purchase_invoice').select('created_on').executeTakeFirst();
    expect(invoice).toEqual({ created_on: NOW + 41n });
  });

  test('enters one that was made before a VAT return which does not have it after that return', async () => {
    const { db, fileMarch, load } = await importIntoShop();
    await fileMarch(NOW - 40n);
    const table = `
      PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | SubTotalInclTax | TaxPc | CreatedOn
      77                    | 31-03-2026  | 3              | 121.00          | 21    | ${NOW - 40n}
      78                    | 31-03-2026  | 3              | 121.00          | 21    | ${NOW - 39n}
      79                    | 01-04-2026  | 3              | 121.00          | 21    | 1000`;
    expect(problemsOf(await load('purchase-invoices', table))).toEqual([]);
    const invoices = await db.selectFrom('purchase_invoice').orderBy('number').select('created_on').execute();
    expect(invoices.map(({ created_on }) => created_on)).toEqual([NOW, NOW - 39n, 1000n]);
    const entries = await db.selectFrom('journal_entry').orderBy('description').select('created_on').execute();
    expect(entries).toEqual(invoices);
  });

  test('reports by line what a request would be refused for', async () => {
    const { load } = await importIntoShop();
    const table = `
      PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | Paid | InvoiceOutstandingAmount | SubTotalInclTax | TaxPc | TaxCode   | PurchaseClassification | ProjectNumber
      1                     | 01-03-2026  | 3              |      |                          |                 |       |           |                        |
      2                     |             | 3              | true | 1                        | 10              | 21    |           |                        |
      3                     | 01-03-2026  | 3              |      |                          | 10              |       | 21% - Hoog |                       |
      4                     | 01-03-2026  | 3              |      |                          | 10              | 21    |           | 81                     |
      5                     | 01-03-2026  | 3              |      |                          | 10              | 21    |           |                        | 4`;
    const problems = problemsOf(await load('purchase-invoices', table));
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
