import { describe, expect, it } from 'vitest';
import { refusedFields } from '../../testing/requests.ts';
import { readRequest } from '../readRequest.ts';

describe('the request of a product', () => {
  it('selects it by its article number or its EAN', () => {
    expect(readRequest('updateproduct', { ArticleNumber: '0100' }).request.ArticleNumber).toBe('0100');
    expect(readRequest('updateproduct', { EAN: 8711234567890 }).request.EAN).toBe('8711234567890');
    expect(refusedFields('updateproduct', { NewName: 'Hamer' })).toEqual(['ArticleNumber']);
    expect(refusedFields('updateproduct', { ArticleNumber: '', EAN: null })).toEqual(['ArticleNumber']);
  });

  it('has the defaults of the interface', () => {
    expect(readRequest('updateproduct', { ArticleNumber: 'A' }).request).toEqual({
      ArticleNumber: 'A',
      CategoryCreateIfMissing: false,
      StockUpdateMode: 'Relative',
      BatchStockUpdateMode: 'Relative',
      BatchMatchMode: 'Description',
    });
  });

  it('that adds it needs an article number, a name and a category', () => {
    expect(refusedFields('addproduct', {})).toEqual(['ArticleNumber', 'NewName', 'CategoryName']);
    expect(refusedFields('addproduct', { ArticleNumber: 'A', NewName: '', CategoryName: null })).toEqual([
      'NewName',
      'CategoryName',
    ]);
    expect(readRequest('addproduct', { ArticleNumber: 'A', NewName: 'B', CategoryName: 'C' }).request).toMatchObject({
      ArticleNumber: 'A',
      NewName: 'B',
      CategoryName: 'C',
    });
  });

  it('has a description of at most 400 characters', () => {
    const described = (length: number) => ({ ArticleNumber: 'A', NewDescription: 'é'.repeat(length) });
    expect(readRequest('updateproduct', described(400)).request.NewDescription).toHaveLength(400);
    expect(refusedFields('updateproduct', described(401))).toEqual(['NewDescription']);
  });

  it.each([
    ['Integer', 'IntValue', 5],
    ['Date', 'DateTimeValue', '29-02-2024'],
    ['Decimal', 'DecimalValue', '1.50'],
    ['TextSmall', 'StringValue', 'x'],
    ['TextLarge', 'StringValue', 'x'],
    ['Hyperlink', 'StringValue', 'https://example.com'],
    ['Checkbox', 'BooleanValue', 'True'],
    ['List', 'StringValue', 'x'],
  ])('with a custom field of type %s needs its %s', (FieldType, member, value) => {
    const withField = (given: object) => ({
      ArticleNumber: 'A',
      Product_CustomField: [{ Label: 'L', FieldType, ...given }],
    });
    expect(readRequest('updateproduct', withField({ [member]: value })).request.Product_CustomField).toHaveLength(1);
    expect(refusedFields('updateproduct', withField({}))).toEqual([`Product_CustomField[0].${member}`]);
  });

  it('may have batches without a stock', () => {
    const { request } = readRequest('updateproduct', {
      ArticleNumber: 'A',
      BatchMatchMode: 'description_AND_date',
      Product_Batch: [{ Description: 'B-1', BatchExpiryDate: '31-12-2026', BatchStockQty: '' }],
    });
    expect(request.BatchMatchMode).toBe('Description_and_date');
    expect(request.Product_Batch![0]).toEqual({ Description: 'B-1', BatchExpiryDate: '2026-12-31' });
  });
});
