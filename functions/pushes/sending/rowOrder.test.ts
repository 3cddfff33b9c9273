import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../shared/inSteps.ts';
import { readPush } from '../../../testing/pushes/readPush.ts';
import { orderInSteps } from './rowOrder.ts';

const added = (ArticleNumber: string, EAN?: string) => ({
  endpoint: 'addproduct',
  request: { ArticleNumber, EAN, NewName: 'Kruk', CategoryName: 'Meubels' },
});
const updated = (product: object) => ({ endpoint: 'updateproduct', request: { NewSalePrice: 1, ...product } });
const line = { Quantity: 1, UnitPriceExclTax: 1 };
const sold = (...products: object[]) => ({
  endpoint: 'addsalesinvoice',
  request: { CustomerNumber: 7, Invoice_InvoiceLine: products.map((product) => ({ ...line, ...product })) },
});
const ordered = (...products: object[]) => ({
  endpoint: 'addorder',
  request: { CustomerNumber: 7, Order_Orderline: products.map((product) => ({ ...line, ...product })) },
});
const booked = (endpoint: 'addsalestransaction' | 'addpurchasetransaction') => ({
  endpoint,
  request: { CustomerNumber: 7, SupplierNumber: 7, Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxPc: 21 }] },
});

/** The order of each row as `needs>follows`. */
const written = (rows: readonly object[], inOrder: boolean): string[] =>
  atOnce(orderInSteps(readPush({ rows: rows.map((row, index) => ({ row: index, ...row })) }), inOrder)).map(
    ({ needs, follows }) => `${needs}>${follows}`,
  );

const [A, B] = [{ ProductNumber: 'A' }, { ProductNumber: 'B' }];

describe('the order of rows', () => {
  it.each<[string, object[], string[], string[]]>([
    ['products wait for nothing', [added('A'), updated({ ArticleNumber: 'B' })], ['>', '>'], ['>', '>']],
    ['an invoice needs the product that it sells', [added('A'), sold(A)], ['>', '0>'], ['>', '0>']],
    [
      'an order needs a product that a row changes',
      [updated({ ArticleNumber: 'A' }), ordered(A)],
      ['>', '0>'],
      ['>', '0>'],
    ],
    ['a product is found by its EAN', [added('A', '123'), sold({ ProductEAN: '123' })], ['>', '0>'], ['>', '0>']],
    ['other products are not needed', [added('A'), sold(B)], ['>', '>'], ['>', '>']],
    ['a product is needed once', [added('A', '1'), sold(A, A, { ProductEAN: '1' })], ['>', '0>'], ['>', '0>']],
    [
      'a change follows the invoices before it',
      [sold(A), sold(A), updated({ ArticleNumber: 'A' })],
      ['>', '>0', '>0,1'],
      ['>', '>', '>0,1'],
    ],
    [
      'a row after a change needs that, not the readers before',
      [sold(A), updated({ ArticleNumber: 'A' }), sold(A)],
      ['>', '>0', '1>0'],
      ['>', '>0', '1>'],
    ],
    [
      'all documents follow each other',
      [sold(B), booked('addsalestransaction'), ordered(B), booked('addpurchasetransaction')],
      ['>', '>0', '>1', '>2'],
      ['>', '>', '>', '>'],
    ],
    ['a product between documents waits for none', [sold(A), added('B'), sold(B)], ['>', '>', '1>0'], ['>', '>', '1>']],
  ])('%s', (_, rows, inOrder, fast) => {
    expect(written(rows, true)).toEqual(inOrder);
    expect(written(rows, false)).toEqual(fast);
  });
});
