import { describe, expect, it } from 'vitest';
import { changesOf, totalsOf } from './previewRow.ts';
import type { SendableRow } from './readProductRow.ts';

const row = (more: Partial<SendableRow>): SendableRow => ({
  number: 2,
  key: 'A1',
  hidden: false,
  kind: 'ready',
  mode: null,
  quantity: '',
  known: {},
  unusual: [],
  ...more,
  update: { ArticleNumber: 'A1', ...more.update },
});

describe('A change of a push', () => {
  it('has its old and new value if the sheet has the old one', () => {
    const update = { NewSalePrice: '12.5', NewName: 'Chair' };
    expect(changesOf(row({ update, known: { NewSalePrice: '10' } }))).toEqual([
      { field: 'NewSalePrice', before: '10', after: '12.5', difference: '2.5' },
      { field: 'NewName', after: 'Chair' },
    ]);
  });

  it('of a stock has the added quantity and the exact new stock', () => {
    const update = { NewStockQty: '0.2', StockUpdateMode: 'Relative', NewStockMutationComment: 'x' };
    expect(changesOf(row({ update, mode: 'Relative', known: { NewStockQty: '0.1' } }))).toEqual([
      { field: 'NewStockQty', added: '0.2', before: '0.1', after: '0.3' },
    ]);
    expect(changesOf(row({ update, mode: 'Relative' }))).toEqual([{ field: 'NewStockQty', added: '0.2' }]);
    expect(changesOf(row({ update, mode: 'Absolute', known: { NewStockQty: '7' } }))).toEqual([
      { field: 'NewStockQty', before: '7', after: '0.2', difference: '-6.8' },
    ]);
  });

  it('of a new product is all that it will have', () => {
    const update = { EAN: '8710400000013', NewName: 'Chair', NewStockQty: '3', StockUpdateMode: 'Relative' };
    const known = { NewName: 'Of another row' };
    expect(changesOf(row({ update, known, newProduct: 'Yes', mode: 'Relative' }))).toEqual([
      { field: 'EAN', after: '8710400000013', isNew: true },
      { field: 'NewName', after: 'Chair', isNew: true },
      { field: 'NewStockQty', after: '3', isNew: true },
    ]);
  });

  it('counts in the totals of added quantities and of raised and lowered prices', () => {
    const price = (before: string, after: string) =>
      row({ update: { NewSalePrice: after }, known: { NewSalePrice: before } });
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
