import { describe, expect, test } from 'vitest';
import { importIntoShop, problemsOf } from '../../../../../testing/builtin/imports.ts';
import { checkAdministration } from '../../check/check.ts';
import { nextNumber } from '../../documentParts/numbering.ts';

describe('an import of orders', () => {
  test('stores numbers, lines and totals, and the numbering continues after them', async () => {
    const { db, administrationId, load } = await importIntoShop();
    const result = await load(
      'orders',
      `
      OrderNumber | OrderDate  | CustomerNumber | OrderStatus | IsInvoiced | OrderDiscountPc | ProductNumber | Quantity | UnitPriceExclTax | SubTotalInclTax | IsTextLine | Description | CreatedOn
      50          | 01-03-2026 | 7              | nieuw       | true       | 10              | 0100          | 2        | 10               |                 |            |             | 1700000000
      50          |            |                |             |            |                 |               |          |                  |                 | true       | Met dank    |
      12          | 2026-03-02 | 9              |             |            |                 | 0200          | 1        |                  | 12.10           |            | Wit         |`,
    );
    expect(problemsOf(result)).toEqual([]);
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

  test('reports by line what a request would be refused for', async () => {
    const { db, load } = await importIntoShop();
    const table = `
      OrderNumber | OrderDate  | CustomerNumber | OrderStatus | ProductNumber | Quantity | UnitPriceExclTax
      1           | 01-03-2026 | 8              |             | 0100          | 1        | 1
      2           | 01-03-2026 | 7              |             | 0100          | 1        | 1
      2           | 02-03-2026 |                |             | 0999          | 1        | 1
      3           |            | 7              | Onzin       | 0100          |          | 1
      4           | 01-03-2026 | 7              | Onzin       | 0100          | 1        | 1
      2           | 01-03-2026 | 7              |             | 0100          | 1        | 1`;
    expect(problemsOf(await load('orders', table))).toEqual([
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
    expect(problemsOf(await load('orders', one))).toEqual([]);
    expect(problemsOf(await load('orders', one))).toEqual([
      '2 OrderNumber: expected a number no other order has, got 5',
    ]);
  });
});
