import { describe, expect, test } from 'vitest';
import { importIntoShop, problemsOf } from '../../../../testing/builtin/imports.ts';

describe('an import of projects and material bookings', () => {
  test('stores projects by number, and material bookings on them', async () => {
    const { db, load } = await importIntoShop();
    const projects = (name: string) =>
      `Number | Name | Description | CustomerNumber\n501 | ${name} | Tuin | 7\n502 | Plein | |`;
    expect((await load('projects', projects('Hof'))).counts).toMatchObject({ added: 2, changed: 0 });
    expect((await load('projects', projects('Hof'))).counts).toEqual({ added: 0, changed: 0, unchanged: 2 });
    expect((await load('projects', projects('Hofje'))).counts).toEqual({ added: 0, changed: 1, unchanged: 1 });
    const stored = await db
      .selectFrom('project')
      .orderBy('number')
      .select(['number', 'name', 'name_folded', 'customer_id'])
      .execute();
    expect(stored).toMatchObject([
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
    expect(problemsOf(result)).toEqual([]);
    const bookings = await db.selectFrom('material_booking').orderBy('id').selectAll().execute();
    expect(bookings).toMatchObject([
      { quantity: 250_000_000n, entry_date: 1_735_740_049_000n, warehouse: 'Loods', supplier_id: expect.anything() },
      { quantity: -100_000_000n, entry_date: BigInt(Date.UTC(2025, 11, 31)), supplier_id: null },
    ]);
  });

  test('accepts project numbers of up to 18 digits, as the endpoints do', async () => {
    const { db, load } = await importIntoShop();
    const expected = (column: string) => `2 ${column}: expected a number of at most 18 digits, got 9223372036854775807`;
    expect(problemsOf(await load('projects', 'Number | Name\n9223372036854775807 | Hof'))).toEqual([
      expected('Number'),
    ]);
    expect(problemsOf(await load('projects', 'Number | Name\n999999999999999999 | Hof'))).toEqual([]);
    const bookings = (project: string) =>
      `ProjectNumber | ProductNumber | Quantity | EntryDate\n${project} | 0100 | 1 | 31-12-2025`;
    expect(problemsOf(await load('material-bookings', bookings('9223372036854775807')))).toEqual([
      expected('ProjectNumber'),
    ]);
    expect(problemsOf(await load('material-bookings', bookings('999999999999999999')))).toEqual([]);
    const invoice = `PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | SubTotalInclTax | TaxPc | ProjectNumber\n1 | 01-03-2026 | 3 | 121 | 21 | 999999999999999999\n2 | 01-03-2026 | 3 | 121 | 21 | 0`;
    expect(problemsOf(await load('purchase-invoices', invoice))).toEqual([]);
    const invoices = await db.selectFrom('purchase_invoice').orderBy('number').select('project_id').execute();
    expect(invoices).toEqual([{ project_id: expect.anything() }, { project_id: null }]);
  });

  test('refuses unknown customers, projects and products', async () => {
    const { load } = await importIntoShop();
    expect(
      problemsOf(
        await load('projects', 'Number | Name | CustomerNumber | RelationGUID\n1 | A | 8 |\n2 | B | 7 | 3\n2 | C | |'),
      ),
    ).toEqual([
      '2 CustomerNumber: expected the CustomerNumber of a relation, got 8',
      '3 RelationGUID: expected the relation Bakker, as the row names it, got 3',
      '4 Number: expected project 2 once, but it stands on line 3 as well',
    ]);
    expect(
      problemsOf(
        await load(
          'material-bookings',
          'ProjectNumber | ProductNumber | Quantity | EntryDate\n1 | 0100 | 1 | 1-1-26\n2 | x | 1 | 01-01-2026',
        ),
      ).map((problem) => problem.replace(/:.*/, '')),
    ).toEqual(['2 EntryDate', '2 ProjectNumber', '3 ProjectNumber', '3 ProductNumber']);
  });

  test('refuses a warehouse with more characters than an index of any database has room for', async () => {
    const { load } = await importIntoShop();
    await load('projects', 'Number | Name\n501 | Hof');
    const booking = (warehouse: string) =>
      load(
        'material-bookings',
        `ProjectNumber | ProductNumber | Quantity | EntryDate | Warehouse\n501 | 0100 | 1 | 31-12-2025 | ${warehouse}`,
      );
    expect(problemsOf(await booking('W'.repeat(255)))).toEqual([]);
    expect(problemsOf(await booking('W'.repeat(256)))).toEqual([
      '2 Warehouse: expected at most 255 characters, got 256',
    ]);
  });
});
