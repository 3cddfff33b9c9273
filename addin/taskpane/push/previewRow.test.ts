import { describe, expect, it } from 'vitest';
import { changesOf, isUnusualPrice, totalsOf } from './previewRow.ts';
import type { SendableRow } from './readProductRow.ts';

const row = (more: Partial<SendableRow>): SendableRow => ({
  number: 2,
  key: 'A1',
  hidden: false,
  kind: 'ready',
  mode: null,
  quantity: '',
  known: {},
  ...more,
  update: { ArticleNumber: 'A1', ...more.update },
});

describe('A change of a push', () => {
  it('has its old and new value if the sheet has the old one', () => {
    const update = { NewSalePrice: '12.5', NewName: 'Chair' };
    expect(changesOf(row({ update, known: { price: '10' } }))).toEqual([
      { field: 'NewSalePrice', before: '10', after: '12.5' },
      { field: 'NewName', after: 'Chair' },
    ]);
  });

  it('of a stock has the added quantity and the exact new stock', () => {
    const update = { NewStockQty: '0.2', StockUpdateMode: 'Relative', NewStockMutationComment: 'x' };
    expect(changesOf(row({ update, mode: 'Relative', known: { stock: '0.1' } }))).toEqual([
      { field: 'NewStockQty', added: '0.2', before: '0.1', after: '0.3' },
    ]);
    expect(changesOf(row({ update, mode: 'Relative' }))).toEqual([{ field: 'NewStockQty', added: '0.2' }]);
    expect(changesOf(row({ update, mode: 'Absolute', known: { stock: '7' } }))).toEqual([
      { field: 'NewStockQty', before: '7', after: '0.2' },
    ]);
  });

  it('counts in the totals of added quantities and of raised and lowered prices', () => {
    const price = (before: string, after: string) => row({ update: { NewSalePrice: after }, known: { price: before } });
    const stock = (added: string) => row({ update: { NewStockQty: added }, mode: 'Relative' });
    expect(
      totalsOf([price('1', '2'), price('2', '1'), price('3', '4'), price('5', '5'), stock('0.1'), stock('-0.3')]),
    ).toEqual({
      added: '-0.2',
      raised: 2,
      lowered: 1,
    });
  });
});

describe('A price', () => {
  it.each([
    ['10', '100', false],
    ['10', '100.01', true],
    ['10', '1', false],
    ['10', '0.99', true],
    ['1.1', '0.11', false],
    ['1.1', '11.00000001', true],
    ['0', '500', false],
    [undefined, '500', false],
  ])('of %s that becomes %s is unusual: %s', (before, after, isUnusual) => {
    const known = before === undefined ? {} : { price: before };
    expect(isUnusualPrice(row({ update: { NewSalePrice: after }, known }))).toBe(isUnusual);
  });
});
