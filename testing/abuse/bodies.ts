import { endpointNames, endpointOf, MEGABYTE, maxBodyOf } from '../../shared/api.ts';

type WorstBody = { name: string; method: string; path: string; body: string };

const many = (count: number, item: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => item(index));

/** A body with unknown members, up to a length. */
function padded(body: Record<string, unknown>, bytes: number): string {
  const text = JSON.stringify(body);
  const unknown = many(Math.floor((bytes - text.length) / 20), (index) => `"x${String(index).padStart(9, '0')}":12345`);
  return unknown.length === 0 ? text : `${text.slice(0, -1)},${unknown.join(',')}}`;
}

const line = (index: number) => ({
  ProductNumber: `A-${index}`,
  Quantity: 1,
  UnitPriceExclTax: '1.00',
  SubTotalInclTax: '1.21',
  TaxPc: 21,
  Description: 'x'.repeat(2000),
});
const address = (index: number) => ({ Address_City: `City ${index}`, Address_Street: 'x'.repeat(1000) });
const lists = {
  Product_Batch: many(100, (index) => ({ Description: `Batch ${index}`, BatchStockQty: 1 })),
  Product_CustomField: many(100, (index) => ({ Label: `Label ${index}`, StringValue: 'x'.repeat(1000) })),
  Order_Orderline: many(75, line),
  Invoice_InvoiceLine: many(75, line),
  Order_Address: many(10, address),
  Invoice_Address: many(10, address),
};
const base = { ArticleNumber: 'A-0', NewName: 'x', CategoryName: 'c', CustomerName: 'x', SupplierName: 'x', ...lists };

/** The bodies for every endpoint with a body, and for pushes. @param rows of a push */
export function worstBodies(rows: number): WorstBody[] {
  const writing = endpointNames.filter((name) => endpointOf(name).method !== 'GET');
  const push = (name: string, row: (index: number) => unknown): WorstBody => ({
    name: `a push of ${name}`,
    method: 'POST',
    path: '/pushes',
    body: JSON.stringify({ rows: many(rows, row) }).slice(0, 16 * MEGABYTE),
  });
  const made = { ArticleNumber: 'A-0', NewName: 'x', CategoryName: 'c', CategoryCreateIfMissing: true };
  const batches = { Product_Batch: lists.Product_Batch };
  return [
    // These two are accepted: a product is added and updated with the largest number of batches.
    { name: 'addproduct', method: 'POST', path: '/rest/addproduct', body: JSON.stringify({ ...made, ...batches }) },
    {
      name: 'updateproduct',
      method: 'PUT',
      path: '/rest/updateproduct',
      body: JSON.stringify({ ...made, ...batches }),
    },
    ...writing.flatMap((name) => {
      const { method, path } = endpointOf(name);
      const body = (what: string, text: string): WorstBody => ({ name: `${name} ${what}`, method, path, body: text });
      const nested = '['.repeat(maxBodyOf(name) / 2) + ']'.repeat(maxBodyOf(name) / 2);
      return [
        body('with full lists', JSON.stringify(base)),
        body('with unknown members', padded(base, MEGABYTE - 1000)),
        body('with long numbers', `{"ArticleNumber":[${'1234567890123456789,'.repeat(45_000)}1]}`),
        body('of nested lists', nested),
        body('with a text too long', JSON.stringify({ ArticleNumber: ' .'.repeat(400_000) })),
        body('with wrong items', JSON.stringify({ ArticleNumber: 'A-0', Product_Batch: many(90_000, () => 1) })),
      ];
    }),
    push('one product', (row) => ({ row, update: { ArticleNumber: 'A', NewStockQty: 1 } })),
    push('wrong rows', (row) => ({ row, update: { ArticleNumber: `A-${row}`, Product_Batch: many(100, () => 1) } })),
    push('full rows', (row) => ({
      row,
      update: {
        ArticleNumber: `A-${row}`,
        NewDescription: 'x'.repeat(400),
        NewStockQty: '1234567890.12345678',
        Product_CustomField: many(8, (index) => ({ Label: `L${index}`, StringValue: 'x'.repeat(40) })),
      },
    })),
  ];
}
