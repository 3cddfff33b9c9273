import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { chair, testProductUpdates } from '../../../../testing/builtin/productUpdates.ts';

const updates = testProductUpdates();
const { update, refusedFields } = updates;

describe('the stock of a product', () => {
  beforeEach(() => updates.administration.addProduct(chair));

  it('changes by NewStockQty, or is set to it with the mode Absolute', async () => {
    expect(await update({ NewStockQty: 5 })).toMatchObject({ StockQty: 15 });
    expect(await update({ NewStockQty: '-20.5', StockUpdateMode: 'relative' })).toMatchObject({ StockQty: -5.5 });
    expect(await update({ NewStockQty: 8, StockUpdateMode: 'Absolute' })).toMatchObject({ StockQty: 8 });
    expect(await update({ NewStockQty: 0, StockUpdateMode: 'Absolute' })).toMatchObject({ StockQty: 0 });
    expect(await update({ StockUpdateMode: 'Absolute' })).toMatchObject({ StockQty: 0 });
    expect((await updates.administration.mutationsOf('0100')).map(({ cause, quantity }) => [cause, quantity])).toEqual([
      ['import', '10'],
      ['update', '5'],
      ['update', '-20.5'],
      ['update', '13.5'],
      ['update', '-8'],
    ]);
  });

  it('gets no mutation when it does not change', async () => {
    await update({ NewStockQty: 0 });
    await update({ NewStockQty: 10, StockUpdateMode: 'Absolute' });
    await update({ NewName: 'Bank', NewStockMutationComment: 'niets' });
    expect(await updates.administration.mutationsOf('0100')).toHaveLength(1);
  });

  it('has mutations with their comment, and the purchase price of added stock', async () => {
    const cost = { NewStockMutationComment: 'Levering 12', NewStockMutationPurchasePrice: '6.12345678' };
    await update({ NewStockQty: 5, ...cost });
    await update({ NewStockQty: -5, ...cost });
    await update({ NewStockQty: 25, StockUpdateMode: 'Absolute', ...cost });
    await update({ NewStockQty: 1 });
    const mutations = await updates.administration.mutationsOf('0100');
    expect(mutations.slice(1)).toEqual([
      { quantity: '5', cause: 'update', comment: 'Levering 12', purchasePrice: '6.12345678' },
      { quantity: '-5', cause: 'update', comment: 'Levering 12', purchasePrice: null },
      { quantity: '15', cause: 'update', comment: 'Levering 12', purchasePrice: '6.12345678' },
      { quantity: '1', cause: 'update', comment: '', purchasePrice: null },
    ]);
  });

  it('is exact where floating-point numbers are not', async () => {
    await update({ NewStockQty: 0, StockUpdateMode: 'Absolute' });
    await update({ NewStockQty: 0.1 });
    const { text } = await updates.administration.put('/rest/updateproduct', {
      ArticleNumber: '0100',
      NewStockQty: 0.2,
    });
    expect(text).toContain('"StockQty":0.3,');
    expect(await update({ NewStockQty: '0.00000001' })).toMatchObject({ StockQty: 0.30000001 });
  });

  it('does not change when the result has too many digits, and the update is refused', async () => {
    const most = '9999999999.99999999';
    await update({ NewStockQty: most, StockUpdateMode: 'Absolute' });
    expect(await refusedFields({ NewStockQty: '0.00000001' })).toEqual(['NewStockQty']);
    expect(await refusedFields({ NewStockQty: most })).toEqual(['NewStockQty']);
    const { text } = await updates.administration.put('/rest/updateproduct', { ArticleNumber: '0100' });
    expect(text).toContain(`"StockQty":${most},`);
    // The difference between both ends is larger than any quantity of a request.
    expect(await update({ NewStockQty: `-${most}`, StockUpdateMode: 'Absolute' })).toBeTruthy();
    expect(await refusedFields({ NewStockQty: '-1' })).toEqual(['NewStockQty']);
  });

  it('includes every one of fifty simultaneous updates', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => update({ NewStockQty: `0.${String(index + 1).padStart(2, '0')}` })),
    );
    // 0.01 + 0.02 + ... + 0.50 = 12.75, added to 10; each update answered another stock.
    expect(await update({})).toMatchObject({ StockQty: 22.75 });
    expect(new Set(responses.map(({ StockQty }) => StockQty)).size).toBe(50);
    expect(await updates.administration.mutationsOf('0100')).toHaveLength(51);
  });

  it('is the sum of its mutations, after any updates', async () => {
    const quantity = fc
      .bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
      .map((units) => ({ units, text: decimalOf(units) }));
    const change = fc.record({
      mode: fc.constantFrom('Relative' as const, 'Absolute' as const, undefined),
      quantity,
      // A refused update in between must change nothing.
      refused: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const article = await updates.administration.addProduct();
        let model = 0n;
        for (const { mode, quantity, refused } of changes) {
          const { status, text } = await updates.administration.put('/rest/updateproduct', {
            ArticleNumber: article,
            NewStockQty: quantity.text,
            StockUpdateMode: mode,
            ...(refused ? { CategoryName: 'Nergens' } : {}),
          });
          expect(status).toBe(refused ? 400 : 200);
          if (refused) continue;
          model = mode === 'Absolute' ? quantity.units : model + quantity.units;
          expect(text).toContain(`"StockQty":${decimalOf(model)},`);
        }
        const mutations = await updates.administration.mutationsOf(article);
        expect(mutations.reduce((sum, { quantity }) => sum + unitsOf(quantity), 0n)).toBe(model);
      }),
      { numRuns: 40 },
    );
  });
});

/** Units of 10^-8 as decimal text and back, without the code under test. */
function decimalOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(9, '0');
  const text = `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '');
  return units < 0n ? `-${text}` : text;
}
function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(8, '0'));
  return text.startsWith('-') ? -units : units;
}
