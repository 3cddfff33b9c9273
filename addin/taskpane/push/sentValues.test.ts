import { expect, it } from 'vitest';
import { messagesOf } from '../locales/messages.ts';
import { sentValues } from './sentValues.ts';

const shown = (request: Record<string, unknown>, language: 'en' | 'nl', before?: Record<string, string>) =>
  sentValues({ request, ...(before === undefined ? {} : { before }) }, messagesOf[language], language).map(
    ({ field: _, ...one }) => one,
  );

it('the values that a row sent are under the headings of the product sheet, in the language of the pane', () => {
  const request = {
    ArticleNumber: '01008',
    NewSalePrice: '1234.5',
    NewStockQty: '3',
    StockUpdateMode: 'Absolute',
    NewName: '12.50',
    Archived: false,
  };
  expect(shown(request, 'nl')).toEqual([
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
  expect(shown(request, 'en')).toEqual([
    { label: 'VAT code', text: 'NL21' },
    { label: 'Stock quantity', text: '-0.00000001' },
    { label: 'BatchNumber, line 1', text: 'A' },
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
  expect(shown(request, 'en')).toEqual([{ label: 'EAN', text: '8710400000013' }]);
});

it('a value that the service has from before the push stands beside it', () => {
  const request = { ArticleNumber: 'A', NewSalePrice: '12.5', NewName: 'Kruk' };
  expect(shown(request, 'nl', { NewSalePrice: '1000', NewUnit: 'doos' })).toEqual([
    { label: 'Artikelnummer', text: 'A' },
    { label: 'Nieuwe verkoopprijs', text: '12,50', before: '1.000,00' },
    { label: 'Nieuwe naam', text: 'Kruk' },
  ]);
});

it('the lines of a document are told apart by their numbers', () => {
  const line = (Quantity: string) => ({ Quantity, ProductNumber: 'A' });
  const request = { CustomerNumber: '7', Invoice_InvoiceLine: [line('2'), line('3')] };
  expect(shown(request, 'en')).toEqual([
    { label: 'Customer number', text: '7' },
    { label: 'Quantity, line 1', text: '2' },
    { label: 'Article number, line 1', text: 'A' },
    { label: 'Quantity, line 2', text: '3' },
    { label: 'Article number, line 2', text: 'A' },
  ]);
});
