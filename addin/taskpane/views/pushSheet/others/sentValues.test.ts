import { expect, it } from 'vitest';
import { messagesOf } from '../../../locales/messages.ts';
import { sentValues } from './sentValues.ts';

it('the values that a row sent are under the headings of the product sheet, in the language of the pane', () => {
  const request = {
    ArticleNumber: '01008',
    NewSalePrice: '1234.5',
    NewStockQty: '3',
    StockUpdateMode: 'Absolute',
    NewName: '12.50',
    Archived: false,
  };
  expect(sentValues(request, messagesOf.nl, 'nl')).toEqual([
    { label: 'Artikelnummer', text: '01008' },
    { label: 'Nieuwe verkoopprijs', text: '1.234,50' },
    { label: 'Voorraadaantal', text: '3' },
    { label: 'Voorraadwijziging', text: 'Absoluut' },
    { label: 'Nieuwe naam', text: '12.50' },
    { label: 'Gearchiveerd', text: 'Nee' },
  ]);
});

it('a value that no product sheet has is under its name in the interface', () => {
  const request = { TaxCode: 'NL21', NewStockQty: '-0.00000001', Product_Batch: [{ BatchNumber: 'A' }] };
  expect(sentValues(request, messagesOf.en, 'en')).toEqual([
    { label: 'TaxCode', text: 'NL21' },
    { label: 'Stock quantity', text: '-0.00000001' },
    { label: 'Product_Batch', text: '[{"BatchNumber":"A"}]' },
  ]);
});

it('how something is applied is shown only where that is sent', () => {
  const request = {
    EAN: '8710400000013',
    StockUpdateMode: 'Relative',
    CategoryCreateIfMissing: false,
    BatchStockUpdateMode: 'Relative',
    BatchMatchMode: 'Description',
  };
  expect(sentValues(request, messagesOf.en, 'en')).toEqual([{ label: 'EAN', text: '8710400000013' }]);
});
