import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { openShop, type Shop } from '../../../testing/shop.ts';

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  shop = await openShop(app);
});

/** Text that cannot be compressed: compressed text may fit in an index. */
const textOf = (length: number): string => {
  let state = 12_345;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return String.fromCodePoint(0x4e00 + ((state >> 8) % 20_000));
  }).join('');
};
const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 1 };

/** Texts with an index, and an index has a limited length. */
describe.each([
  [
    'an article number',
    'ArticleNumber',
    'addproduct',
    (text: string) => ({ ArticleNumber: text, NewName: 'x', CategoryName: 'c', CategoryCreateIfMissing: true }),
  ],
  [
    'an EAN',
    'EAN',
    'addproduct',
    (text: string) => ({
      ArticleNumber: 'a',
      EAN: text,
      NewName: 'x',
      CategoryName: 'c',
      CategoryCreateIfMissing: true,
    }),
  ],
  [
    'a category',
    'CategoryName',
    'updateproduct',
    (text: string) => ({ ArticleNumber: '0100', CategoryName: text, CategoryCreateIfMissing: true }),
  ],
  [
    'a batch',
    'Product_Batch[0].Description',
    'updateproduct',
    (text: string) => ({ ArticleNumber: '0100', Product_Batch: [{ Description: text, BatchStockQty: 1 }] }),
  ],
  [
    'a cost center',
    'Invoice_InvoiceLine[0].CostCenter',
    'addsalesinvoice',
    (text: string) => ({ CustomerNumber: 7, Invoice_InvoiceLine: [{ ...line, CostCenter: text }] }),
  ],
] as const)('%s', (_, field, endpoint, body) => {
  it('is accepted with 255 characters', async () => {
    await shop.accepted(endpoint, body(textOf(255)));
  });

  it('is refused with more characters, however many', async () => {
    expect(await shop.refused(endpoint, body(textOf(256)))).toEqual([field]);
    expect(await shop.refused(endpoint, body(textOf(60_000)))).toEqual([field]);
  });
});

it('a search for a text of any length finds nothing, and does not fail', async () => {
  const text = encodeURIComponent(textOf(1500));
  for (const query of [`RelationName=${text}`, `RelationEmail=${text}`, `RelationVAT=${text}`]) {
    expect((await shop.get(`/rest/listrelations?${query}`)).json).toEqual([]);
  }
});
