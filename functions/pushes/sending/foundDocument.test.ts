import { describe, expect, it } from 'vitest';
import type { DocumentFacts } from '../../../shared/pushRules.ts';
import { readWrite } from '../../../shared/readRequest.ts';
import { salesInvoicePush } from '../../../shared/resources/salesInvoice.ts';
import { findDocuments } from './foundDocument.ts';

const TODAY = ['2026-11-23'];
const expected: DocumentFacts = { date: '2026-11-20', customerNumber: 7, totalInclTax: '121' };
const listed: DocumentFacts = {
  number: '40',
  date: '2026-11-20',
  customerNumber: 7,
  customerName: 'Bakkerij Jansen',
  totalExclTax: '100',
  totalInclTax: '121',
  reference: '',
};

/** The findings of some lost documents in short: the number found, or why none was. */
const found = (lost: readonly DocumentFacts[], all: readonly DocumentFacts[]) =>
  findDocuments(
    lost.map((one, index) => ({ index, expected: one })),
    all,
    TODAY,
  ).map((finding) => (finding.kind === 'found' ? finding.number : finding.kind));

describe('a document whose response was lost', () => {
  it.each<[string, DocumentFacts[], DocumentFacts[], string[]]>([
    ['is found when one fits', [expected], [listed], ['40']],
    ['is absent from an empty list', [expected], [], ['absent']],
    ['is not that of another customer', [expected], [{ ...listed, customerNumber: 8 }], ['absent']],
    ['is not of another day', [expected], [{ ...listed, date: '2026-11-21' }], ['absent']],
    ['has its own total', [expected], [{ ...listed, totalInclTax: '121.02' }], ['absent']],
    ['may differ by a cent, as its lines are rounded', [expected], [{ ...listed, totalInclTax: '121.01' }], ['40']],
    ['has its own reference', [{ ...expected, reference: 'A' }], [{ ...listed, reference: 'B' }], ['absent']],
    [
      'is found by its reference',
      [{ ...expected, reference: 'A' }],
      [listed, { ...listed, number: '41', reference: 'A' }],
      ['41'],
    ],
    ['is found by its own number', [{ ...expected, number: '41' }], [listed, { ...listed, number: '41' }], ['41']],
    [
      'is found by the name of its customer, in any case',
      [{ ...expected, customerNumber: undefined, customerName: 'BAKKERIJ jansen' }],
      [listed],
      ['40'],
    ],
    [
      'without a date is of the day on which it was sent',
      [{ ...expected, date: undefined }],
      [listed, { ...listed, number: '41', date: '2026-11-23' }],
      ['41'],
    ],
    ['is not told from another that fits', [expected], [listed, { ...listed, number: '41' }], ['ambiguous']],
    [
      'is not told from an equal one that was lost as well',
      [expected, expected],
      [listed, { ...listed, number: '41' }],
      ['ambiguous', 'ambiguous'],
    ],
    [
      'is not told from a vaguer one that was lost as well',
      [expected, { date: '2026-11-20', reference: '' }],
      [listed],
      ['ambiguous', 'ambiguous'],
    ],
    [
      'is not taken for another of the same customer and day',
      [{ date: '2026-11-20', customerNumber: 7 }],
      [listed],
      ['ambiguous'],
    ],
    [
      'that others do not resemble is found beside them',
      [expected, { ...expected, totalInclTax: '50' }],
      [listed],
      ['40', 'absent'],
    ],
    ['is never one without a number', [expected], [{ ...listed, number: undefined }], ['absent']],
  ])('%s', (_, lost, all, result) => {
    expect(found(lost, all)).toEqual(result);
  });
});

describe('an invoice with many lines, whose response was lost', () => {
  /** What a request of thirty lines of one at a price says of its invoice. */
  const ofPrice = (UnitPriceExclTax: string): DocumentFacts => {
    const line = { ProductNumber: '0100', Quantity: '1', UnitPriceExclTax, TaxPc: '21' };
    const request = { CustomerNumber: 7, InvoiceDate: '20-11-2026', Invoice_InvoiceLine: Array(30).fill(line) };
    return salesInvoicePush.lookup!.expected(readWrite('addsalesinvoice', request).request)!;
  };

  it.each([
    ['is found where each line was rounded', '1.234', '36.90', '40'],
    ['is found where their sum was rounded', '1.234', '37.02', '40'],
    ['is not one that no rounding explains', '1.234', '37.20', 'absent'],
    ['is not one with another total where nothing is rounded', '1.23', '36.92', 'absent'],
  ])('%s', (_, price, totalExclTax, result) => {
    expect(found([ofPrice(price)], [{ ...listed, totalExclTax }])).toEqual([result]);
  });
});

it('An invoice at the price of its article is not looked for by an amount that this replaces', () => {
  const line = { ProductNumber: '0100', Quantity: '1', SubTotalInclTax: '50', UseArticlePrice: true };
  const request = { CustomerNumber: 7, InvoiceDate: '20-11-2026', InvoiceReference: 'A', Invoice_InvoiceLine: [line] };
  const said = salesInvoicePush.lookup!.expected(readWrite('addsalesinvoice', request).request)!;
  expect(found([said], [{ ...listed, reference: 'A' }])).toEqual(['40']);
});
