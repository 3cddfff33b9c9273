import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { checkAdministration } from '../check/check.ts';

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  shop = await openShop(app);
});
afterAll(() => app.close());

const update = (change: object) => shop.accepted('updateproduct', { ArticleNumber: '0100', ...change });
const batch = (Description: string, BatchStockQty?: unknown, BatchExpiryDate?: string) => ({
  Description,
  BatchStockQty,
  BatchExpiryDate,
});
const batches = async () =>
  (await shop.batchesOf('0100')).map(({ description, expiryDate, stock }) => [description, expiryDate, stock]);

describe('a batch', () => {
  it('is added when it does not exist, and its stock is added to that of the product', async () => {
    expect(await update({ Product_Batch: [batch('L1', 4, '31-12-2026'), batch('L2', '0.5')] })).toMatchObject({
      StockQty: 14.5,
    });
    expect(await batches()).toEqual([
      ['L1', '2026-12-31', '4'],
      ['L2', null, '0.5'],
    ]);
    expect((await shop.mutationsOf('0100')).slice(1)).toEqual([
      { quantity: '4', cause: 'batch', comment: 'L1', purchasePrice: null },
      { quantity: '0.5', cause: 'batch', comment: 'L2', purchasePrice: null },
    ]);
  });

  it('that exists changes by the quantity of the request', async () => {
    await update({ Product_Batch: [batch('L1', 4)] });
    expect(await update({ Product_Batch: [batch('L1', 3)] })).toMatchObject({ StockQty: 17 });
    expect(await update({ BatchStockUpdateMode: 'relative', Product_Batch: [batch('L1', -9)] })).toMatchObject({
      StockQty: 8,
    });
    expect(await batches()).toEqual([['L1', null, '-2']]);
  });

  it('is set to the quantity in the mode Absolute, independent of the other stock of the product', async () => {
    await update({ Product_Batch: [batch('L1', 4), batch('L2', 1)] });
    expect(
      await update({ BatchStockUpdateMode: 'Absolute', Product_Batch: [batch('L1', 10), batch('L3', 2)] }),
    ).toMatchObject({ StockQty: 23 });
    expect((await batches()).map(([, , stock]) => stock)).toEqual(['10', '1', '2']);
    const before = await shop.mutationsOf('0100');
    await update({ BatchStockUpdateMode: 'Absolute', Product_Batch: [batch('L1', 10)] });
    expect(await shop.mutationsOf('0100')).toEqual(before);
  });

  it('without a quantity changes no stock', async () => {
    await update({ Product_Batch: [batch('L1', 4)] });
    const before = await shop.mutationsOf('0100');
    for (const BatchStockUpdateMode of ['Relative', 'Absolute']) {
      await update({ BatchStockUpdateMode, Product_Batch: [batch('L1', ''), batch('L1', null), batch('Nieuw')] });
    }
    expect(await shop.mutationsOf('0100')).toEqual(before);
    expect(await batches()).toEqual([
      ['L1', null, '4'],
      ['Nieuw', null, '0'],
    ]);
  });

  it('is found by its description, and gets the expiry date of the request', async () => {
    await update({ Product_Batch: [batch('L1', 1, '01-01-2027')] });
    await update({ Product_Batch: [batch('L1', 1, '01-02-2027')] });
    await update({ Product_Batch: [batch('L1', 1)] });
    expect(await batches()).toEqual([['L1', '2027-02-01', '3']]);
  });

  it('is found by description and expiry date in that mode', async () => {
    const byDate = (...Product_Batch: object[]) => update({ BatchMatchMode: 'description_AND_date', Product_Batch });
    await byDate(batch('L1', 1, '01-01-2027'), batch('L1', 1, '01-02-2027'), batch('L1', 1));
    await byDate(batch('L1', 10, '01-02-2027'), batch('L1', 100));
    expect(await batches()).toEqual([
      ['L1', '2027-01-01', '1'],
      ['L1', '2027-02-01', '11'],
      ['L1', null, '101'],
    ]);
  });

  it('is the same one with spaces around its description, so that its stock is not counted twice', async () => {
    await update({ Product_Batch: [batch(' L1', 4, '31-12-2026')] });
    for (const BatchMatchMode of ['Description', 'Description_and_date']) {
      const counted = { BatchStockUpdateMode: 'Absolute', Product_Batch: [batch('L1 ', 5, '31-12-2026')] };
      expect(await update({ BatchMatchMode, ...counted })).toMatchObject({ StockQty: 15 });
    }
    expect(await batches()).toEqual([['L1', '2026-12-31', '5']]);
  });

  it('is the first of several with the same description', async () => {
    await update({
      BatchMatchMode: 'Description_and_date',
      Product_Batch: [batch('L1', 1, '01-01-2027'), batch('L1', 1, '01-02-2027')],
    });
    await update({ Product_Batch: [batch('L1', 5)] });
    expect((await batches()).map(([, , stock]) => stock)).toEqual(['6', '1']);
  });

  it('that is twice in a request changes twice', async () => {
    await update({ Product_Batch: [batch('L1', 1), batch('L1', 2)] });
    expect(await batches()).toEqual([['L1', null, '3']]);
  });

  it('may change together with the stock itself', async () => {
    expect(
      await update({ NewStockQty: 20, StockUpdateMode: 'Absolute', Product_Batch: [batch('L1', 2)] }),
    ).toMatchObject({ StockQty: 22 });
  });

  it('belongs to one product only', async () => {
    await update({ Product_Batch: [batch('L1', 1)] });
    await shop.accepted('updateproduct', { ArticleNumber: '0200', Product_Batch: [batch('L1', 1)] });
    expect(await batches()).toEqual([['L1', null, '1']]);
  });

  it.each([
    ['no description', { Product_Batch: [{ BatchStockQty: 1 }] }, 'Product_Batch[0].Description'],
    ['an empty description', { Product_Batch: [batch('', '')] }, 'Product_Batch[0].Description'],
    ['a description of only spaces', { Product_Batch: [batch('  ', 1)] }, 'Product_Batch[0].Description'],
    ['a date that is none', { Product_Batch: [batch('L1', 1, '31-02-2027')] }, 'Product_Batch[0].BatchExpiryDate'],
    ['a quantity that is none', { Product_Batch: [batch('L1', 'x')] }, 'Product_Batch[0].BatchStockQty'],
    [
      'too much of it',
      { Product_Batch: [batch('L1', 1), batch('L1', '9999999999')] },
      'Product_Batch[1].BatchStockQty',
    ],
    ['an unknown mode', { BatchStockUpdateMode: 'Add' }, 'BatchStockUpdateMode'],
    ['an unknown match', { BatchMatchMode: 'Date' }, 'BatchMatchMode'],
  ])('with %s is refused', async (_, change, path) => {
    expect(await shop.refused('updateproduct', { ArticleNumber: '0100', ...change })).toEqual([path]);
  });
});

describe('the stock of a product with batches', () => {
  const quantity = fc.integer({ min: -500, max: 500 }).map((hundredths) => (hundredths / 100).toFixed(2));
  const mode = fc.constantFrom('Relative', 'Absolute');
  const step = fc.oneof(
    fc.record({ kind: fc.constant('update'), quantity, mode }),
    fc.record({
      kind: fc.constant('batch'),
      batches: fc.array(fc.record({ name: fc.constantFrom('L1', 'L2'), quantity: fc.option(quantity) }), {
        minLength: 1,
        maxLength: 3,
      }),
      mode,
    }),
    fc.record({
      kind: fc.constant('invoice'),
      quantities: fc.array(quantity, { minLength: 1, maxLength: 3 }),
      draft: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('refused'), quantity }),
  );
  type Step = {
    kind: string;
    quantity?: string;
    mode?: string;
    batches?: { name: string; quantity: string | null }[];
    quantities?: string[];
    draft?: boolean;
  };
  const hundredths = (text: string) => Math.round(Number(text) * 100);

  it('is the sum of its mutations and of the requested quantities, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step as fc.Arbitrary<Step>, { minLength: 1, maxLength: 8 }), async (steps) => {
        shop = await openShop(app);
        let expected = 1000;
        const ofBatch: Record<string, number> = {};
        for (const { kind, quantity: one = '0', mode: how, batches: given = [], quantities = [], draft } of steps) {
          if (kind === 'update') {
            await update({ NewStockQty: one, StockUpdateMode: how });
            expected = how === 'Absolute' ? hundredths(one) : expected + hundredths(one);
          } else if (kind === 'batch') {
            await update({
              BatchStockUpdateMode: how,
              Product_Batch: given.map((each) => batch(each.name, each.quantity)),
            });
            for (const { name, quantity: each } of given) {
              const had = ofBatch[name] ?? 0;
              const has = each === null ? had : how === 'Absolute' ? hundredths(each) : had + hundredths(each);
              ofBatch[name] = has;
              expected += has - had;
            }
          } else if (kind === 'invoice') {
            await shop.accepted('addsalesinvoice', {
              CustomerNumber: 7,
              AddAsDraft: draft,
              Invoice_InvoiceLine: quantities.map((each) => ({
                ProductNumber: '0100',
                Quantity: each,
                UseArticlePrice: true,
              })),
            });
            expected -= quantities.reduce((sum, each) => sum + hundredths(each), 0);
          } else {
            const { status } = await shop.put('/rest/updateproduct', {
              ArticleNumber: '0100',
              NewStockQty: one,
              Product_Batch: [batch('L1', one), batch('L1', 'x')],
            });
            expect(status).toBe(400);
          }
        }
        expect((await update({})).StockQty).toBe(expected / 100);
        const moved = (await shop.mutationsOf('0100')).reduce((sum, one) => sum + hundredths(one.quantity), 0);
        expect(moved).toBe(expected);
        for (const { description, stock } of await shop.batchesOf('0100')) {
          expect(hundredths(stock)).toBe(ofBatch[description]);
        }
        expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});
