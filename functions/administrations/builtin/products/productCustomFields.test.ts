import { beforeEach, describe, expect, it } from 'vitest';
import { chair, testProductUpdates } from '../../../../testing/builtin/productUpdates.ts';

const updates = testProductUpdates();
const { update, refusedFields } = updates;

describe('the custom fields of a product', () => {
  const types = ['Integer', 'Date', 'Decimal', 'TextSmall', 'TextLarge', 'Hyperlink', 'Checkbox', 'List'] as const;
  const empty = { DateTimeValue: null, DecimalValue: null, BooleanValue: null, StringValue: null, IntValue: null };

  beforeEach(async () => {
    await updates.administration.addProduct(chair);
    for (const type of types) await updates.administration.addCustomField({ label: `Een ${type}`, type });
    await updates.administration.addCustomField({ owner: 'relation', label: 'Van een relatie', type: 'Integer' });
  });

  it.each<[string, object, string, object]>([
    ['Integer', { IntValue: -12 }, 'Integer', { IntValue: -12 }],
    ['Integer', { IntValue: '0' }, 'Integer', { IntValue: 0 }],
    ['Date', { DateTimeValue: '29-02-2024' }, 'DateTime', { DateTimeValue: '29-02-2024' }],
    ['Decimal', { DecimalValue: '123456789.12345678' }, 'Decimal', { DecimalValue: '123456789.12345678' }],
    ['Decimal', { DecimalValue: 0.5 }, 'Decimal', { DecimalValue: '0.5' }],
    ['TextSmall', { StringValue: '0100' }, 'String', { StringValue: '0100' }],
    ['TextLarge', { StringValue: 'één\ntwee' }, 'String', { StringValue: 'één\ntwee' }],
    ['TextSmall', { StringValue: '' }, 'String', { StringValue: '' }],
    [
      'Hyperlink',
      { StringValue: 'https://example.com/?a=1&b=2' },
      'String',
      { StringValue: 'https://example.com/?a=1&b=2' },
    ],
    ['Checkbox', { BooleanValue: false }, 'Boolean', { BooleanValue: false }],
    ['Checkbox', { BooleanValue: 'True' }, 'Boolean', { BooleanValue: true }],
    ['List', { StringValue: 'Rood' }, 'String', { StringValue: 'Rood' }],
    // Members of other types are ignored.
    ['List', { StringValue: 'Rood', IntValue: 3, BooleanValue: true }, 'String', { StringValue: 'Rood' }],
  ])('of type %s store %j', async (FieldType, value, DataType, response) => {
    const Label = `Een ${FieldType}`;
    const { ProductResponse_CustomField } = await update({ Product_CustomField: [{ Label, FieldType, ...value }] });
    expect(ProductResponse_CustomField).toEqual([{ ...empty, Label, DataType, FieldType, ...response }]);
  });

  it.each<[(typeof types)[number], object, object]>([
    ['Integer', { IntValue: 5 }, { IntValue: 5 }],
    ['Date', { DateTimeValue: '29-02-2024' }, { DateTimeValue: '29-02-2024' }],
    ['List', { StringValue: 'Rood' }, { StringValue: 'Rood' }],
    ['Checkbox', { BooleanValue: 1, FieldType: '' }, { BooleanValue: true }],
  ])('of type %s are set without their type, by their label', async (type, value, response) => {
    const Label = `Een ${type}`;
    const { ProductResponse_CustomField } = await update({ Product_CustomField: [{ Label, ...value }] });
    expect(ProductResponse_CustomField).toEqual([
      { ...empty, Label, DataType: expect.any(String), FieldType: type, ...response },
    ]);
  });

  it('change when they are in the request, and the others do not', async () => {
    const integer = (IntValue: number) => ({ Label: 'Een Integer', FieldType: 'integer', IntValue });
    const list = { Label: 'Een List', FieldType: 'List', StringValue: 'Rood' };
    await update({ Product_CustomField: [integer(1), list] });
    const { ProductResponse_CustomField } = await update({ Product_CustomField: [integer(2)] });
    expect(ProductResponse_CustomField).toMatchObject([
      { Label: 'Een Integer', IntValue: 2 },
      { Label: 'Een List', StringValue: 'Rood' },
    ]);
  });

  it.each<[string, object, string]>([
    ['a label that is not configured', { Label: 'Nergens', FieldType: 'Integer', IntValue: 1 }, 'Label'],
    ['a label of relations', { Label: 'Van een relatie', FieldType: 'Integer', IntValue: 1 }, 'Label'],
    ['a label in another case', { Label: 'een integer', FieldType: 'Integer', IntValue: 1 }, 'Label'],
    ['another type than is configured', { Label: 'Een Integer', FieldType: 'Decimal', DecimalValue: 1 }, 'FieldType'],
    ['an unknown type', { Label: 'Een Integer', FieldType: 'Number', IntValue: 1 }, 'FieldType'],
    ['no value for the type', { Label: 'Een Integer', FieldType: 'Integer', StringValue: '1' }, 'IntValue'],
    ['no value for the type of the label', { Label: 'Een Integer', StringValue: '1' }, 'IntValue'],
    ['no value at all', { Label: 'Een Checkbox', BooleanValue: null }, 'BooleanValue'],
    ['a value of another kind', { Label: 'Een Integer', FieldType: 'Integer', IntValue: 1.5 }, 'IntValue'],
    [
      'a day that does not exist',
      { Label: 'Een Date', FieldType: 'Date', DateTimeValue: '30-02-2024' },
      'DateTimeValue',
    ],
  ])('are not changed by a request with %s, which is refused', async (_, field, path) => {
    const right = { Label: 'Een Checkbox', FieldType: 'Checkbox', BooleanValue: true };
    expect(await refusedFields({ NewName: 'Bank', NewStockQty: 1, Product_CustomField: [right, field] })).toEqual([
      `Product_CustomField[1].${path}`,
    ]);
    expect(await update({})).toMatchObject({ Name: 'Stoel', StockQty: 10, ProductResponse_CustomField: [] });
  });
});
