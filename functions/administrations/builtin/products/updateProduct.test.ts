import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestAdministration, type TestApp } from '../../../../testing/app.ts';

let app: TestApp;
let administration: TestAdministration;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  administration = await app.addAdministration();
  await administration.addTaxCode({ percentage: '21', name: 'Hoog' });
  await administration.addTaxCode({ percentage: '9', name: 'Laag' });
  await administration.addTaxCode({ percentage: '0', name: 'Verlegd' });
  await administration.addTaxCode({ percentage: '0', name: 'Export' });
  await administration.addTaxCode({ percentage: '21', name: 'Inkoop hoog', type: 'Purchase' });
  await administration.addTaxCode({ percentage: '6', name: 'Inkoop oud', type: 'Purchase' });
});

const chair = {
  articleNumber: '0100',
  ean: '8712345678906',
  name: 'Stoel',
  supplierArticleNumber: 'S-1',
  category: 'Meubels',
  description: 'Eiken',
  price: '12.50',
  purchasePrice: '7.25',
  stock: '10',
  minimalStock: '2',
  unitsPerPackage: '4',
  unit: 'stuk',
  taxCode: '21% - Hoog',
  createdOn: 1_600_000_000,
  changedOn: 1_600_000_001,
};

/** The product as it is answered, by an update that changes nothing of what is compared. */
const update = async (change: object, article = '0100') => {
  const { status, json, text } = await administration.put('/rest/updateproduct/', {
    ArticleNumber: article,
    ...change,
  });
  if (status !== 200) throw new Error(text);
  return json;
};

const refusal = async (change: object) => {
  const { status, json } = await administration.put('/rest/updateproduct', { ArticleNumber: '0100', ...change });
  expect(status).toBe(400);
  expect(json.errorCode).toBe('INVALID_REQUEST');
  return json.errors.map(({ path }: { path: string }) => path);
};

describe('the answer', () => {
  it('is the product, in the types the examples show', async () => {
    await administration.addProduct(chair);
    app.setTime(1_750_000_000);
    expect(await update({})).toEqual({
      Name: 'Stoel',
      ArticleNumber: '0100',
      SupplierArticleNumber: 'S-1',
      Category: 'Meubels',
      EAN: '8712345678906',
      Description: 'Eiken',
      StockQty: 10,
      PurchasePrice: 7.25,
      Price: 12.5,
      VATPercentage: 21,
      MinimalStockQty: '2',
      UnitsPerPackage: 4,
      Unit: 'stuk',
      CreatedOn: 1_600_000_000,
      ChangedOn: 1_750_000_000,
      ProductResponse_CustomField: [],
    });
  });

  it('has no VAT percentage and no category when the product has none', async () => {
    await administration.addProduct({ articleNumber: '0100' });
    expect(await update({})).toMatchObject({ VATPercentage: null, Category: '', EAN: '' });
  });
});

describe('selecting the product', () => {
  beforeEach(async () => {
    await administration.addProduct(chair);
    await administration.addProduct({ articleNumber: '100', ean: '123', name: 'Tafel' });
    const other = await app.addAdministration();
    await other.addProduct({ articleNumber: 'elders', ean: '999' });
  });
  const select = (selection: object) => administration.put('/rest/updateproduct', selection);

  it.each([
    [{ ArticleNumber: '0100' }, 'Stoel'],
    [{ ArticleNumber: '100' }, 'Tafel'],
    [{ ArticleNumber: 100 }, 'Tafel'],
    [{ EAN: '8712345678906' }, 'Stoel'],
    [{ EAN: 123 }, 'Tafel'],
    [{ ArticleNumber: '0100', EAN: '8712345678906' }, 'Stoel'],
    [{ ArticleNumber: '', EAN: '123' }, 'Tafel'],
    [{ ArticleNumber: '100', EAN: '' }, 'Tafel'],
    [{ ArticleNumber: ' 0100 ' }, 'Stoel'],
    [{ EAN: '123 ', ArticleNumber: ' ' }, 'Tafel'],
  ])('%j selects %s', async (selection, name) => {
    expect((await select(selection)).json.Name).toBe(name);
  });

  it.each([
    [{}, 'ArticleNumber'],
    [{ ArticleNumber: '', EAN: null }, 'ArticleNumber'],
    [{ ArticleNumber: ' ', EAN: ' ' }, 'ArticleNumber'],
    [{ ArticleNumber: 'nergens' }, 'ArticleNumber'],
    [{ ArticleNumber: 'elders' }, 'ArticleNumber'],
    [{ EAN: '999' }, 'EAN'],
    [{ ArticleNumber: 'nergens', EAN: '123' }, 'ArticleNumber'],
    [{ ArticleNumber: '0100', EAN: 'nergens' }, 'EAN'],
    [{ ArticleNumber: '0100', EAN: '123' }, 'EAN'],
  ])('%j is refused', async (selection, field) => {
    const { status, json } = await select({ ...selection, NewName: 'Gewijzigd' });
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ path: field, message: expect.any(String) }]);
    expect(await update({})).toMatchObject({ Name: 'Stoel' });
    expect(await update({}, '100')).toMatchObject({ Name: 'Tafel' });
  });
});

describe('a field', () => {
  beforeEach(() => administration.addProduct(chair));

  it.each<[object, object]>([
    [{ NewName: 'Kruk' }, { Name: 'Kruk' }],
    [{ NewName: '' }, {}],
    [{ NewSupplierArticleNumber: 'S-2' }, { SupplierArticleNumber: 'S-2' }],
    [{ NewSupplierArticleNumber: '' }, { SupplierArticleNumber: '' }],
    [{ NewDescription: 'Beuken\n"massief"' }, { Description: 'Beuken\n"massief"' }],
    [{ NewDescription: '' }, { Description: '' }],
    [{ NewDescription: null }, {}],
    [{ NewDescription: '€'.repeat(400) }, { Description: '€'.repeat(400) }],
    [{ NewSalePrice: '19.95' }, { Price: 19.95 }],
    [{ NewSalePrice: 0 }, { Price: 0 }],
    [{ NewSalePrice: '0.123456785' }, { Price: 0.12345679 }],
    [{ NewSalePrice: '-0.000000005' }, { Price: -0.00000001 }],
    [{ NewSalePrice: '' }, {}],
    [{ NewPurchasePrice: 3.1 }, { PurchasePrice: 3.1 }],
    [{ NewUnit: 'doos' }, { Unit: 'doos' }],
    [{ CategoryName: 'Meubels' }, {}],
    [{ CategoryName: '' }, {}],
    [{ Colour: 'red' }, {}],
  ])('%j changes %j and nothing else', async (change, changed) => {
    const before = await update({});
    expect(await update(change)).toEqual({ ...before, ...changed, ChangedOn: expect.any(Number) });
    expect(await update({})).toEqual({ ...before, ...changed, ChangedOn: expect.any(Number) });
  });

  it('keeps eight decimals, every digit of them', async () => {
    const { text } = await administration.put('/rest/updateproduct', {
      ArticleNumber: '0100',
      NewSalePrice: '9999999999.12345678',
      NewPurchasePrice: '0.00000001',
    });
    expect(text).toContain('"Price":9999999999.12345678,');
    expect(text).toContain('"PurchasePrice":0.00000001,');
  });

  it.each<[object, string]>([
    [{ NewSalePrice: '12345678901' }, 'NewSalePrice'],
    [{ NewSalePrice: 'free' }, 'NewSalePrice'],
    [{ NewSalePrice: '1,50' }, 'NewSalePrice'],
    [{ NewDescription: 'x'.repeat(401) }, 'NewDescription'],
    [{ NewName: { nl: 'Kruk' } }, 'NewName'],
    [{ Archived: 'maybe' }, 'Archived'],
    [{ StockUpdateMode: 'Twice' }, 'StockUpdateMode'],
    [{ NewStockQty: 'many' }, 'NewStockQty'],
  ])('%j is refused and changes nothing', async (change, field) => {
    const before = await update({});
    expect(await refusal({ NewUnit: 'doos', NewStockQty: 3, ...change })).toEqual([field]);
    expect(await update({})).toEqual({ ...before, ChangedOn: expect.any(Number) });
  });

  it('is archived and brought back by Archived', async () => {
    await update({ Archived: true });
    expect(await administration.hiddenOf('0100')).toMatchObject({ archived: true });
    await update({ NewUnit: 'doos' });
    expect(await administration.hiddenOf('0100')).toMatchObject({ archived: true });
    await update({ Archived: 'False' });
    expect(await administration.hiddenOf('0100')).toMatchObject({ archived: false });
  });
});

describe('the category', () => {
  beforeEach(async () => {
    await administration.addProduct(chair);
    await administration.addCategory('Élektra');
  });

  it.each(['Élektra', 'élektra', ' ÉLEKTRA '])('%j is the one there is', async (CategoryName) => {
    expect(await update({ CategoryName, CategoryCreateIfMissing: true })).toMatchObject({ Category: 'Élektra' });
    expect(await administration.categories()).toEqual(['Meubels', 'Élektra']);
  });

  it('that is not there is refused and nothing is changed', async () => {
    for (const CategoryCreateIfMissing of [false, undefined]) {
      expect(await refusal({ CategoryName: 'Tuin', CategoryCreateIfMissing, NewName: 'Bank', NewStockQty: 5 })).toEqual(
        ['CategoryName'],
      );
    }
    expect(await update({})).toMatchObject({ Category: 'Meubels', Name: 'Stoel', StockQty: 10 });
    expect(await administration.categories()).toEqual(['Meubels', 'Élektra']);
  });

  it('that is not there is made when that is asked for, once', async () => {
    await administration.addProduct({ articleNumber: '0200' });
    expect(await update({ CategoryName: 'Tuin', CategoryCreateIfMissing: true })).toMatchObject({ Category: 'Tuin' });
    expect(await update({ CategoryName: 'tuin', CategoryCreateIfMissing: 1 }, '0200')).toMatchObject({
      Category: 'Tuin',
    });
    expect(await administration.categories()).toEqual(['Meubels', 'Tuin', 'Élektra']);
  });

  it('that is made has no spaces around its name, and only spaces name none', async () => {
    expect(await update({ CategoryName: ' Nieuw ', CategoryCreateIfMissing: true })).toMatchObject({
      Category: 'Nieuw',
    });
    expect(await update({ CategoryName: '  ', CategoryCreateIfMissing: true })).toMatchObject({ Category: 'Nieuw' });
  });

  it('is not made by an update that is refused for something else', async () => {
    expect(
      await refusal({
        CategoryName: 'Tuin',
        CategoryCreateIfMissing: true,
        Product_CustomField: [{ Label: 'Nergens', FieldType: 'Integer', IntValue: 1 }],
      }),
    ).toEqual(['Product_CustomField[0].Label']);
    expect(await administration.categories()).toEqual(['Meubels', 'Élektra']);
  });
});

describe('VAT', () => {
  beforeEach(() => administration.addProduct(chair));

  it.each<[object, number, string]>([
    [{ NewVATPercentage: 9 }, 9, '9% - Laag'],
    [{ NewVATPercentage: '9.00' }, 9, '9% - Laag'],
    [{ TaxCode: '9% - Laag' }, 9, '9% - Laag'],
    // Of several that share a percentage, the first by code.
    [{ NewVATPercentage: 0 }, 0, '0% - Export'],
    [{ NewVATPercentage: 0, TaxCode: '0% - Verlegd' }, 0, '0% - Verlegd'],
    [{ TaxCode: '0% - Verlegd' }, 0, '0% - Verlegd'],
    [{ NewVATPercentage: -1 }, 21, '21% - Hoog'],
    [{ NewVATPercentage: '-1.0', TaxCode: '' }, 21, '21% - Hoog'],
    [{ NewVATPercentage: -1, TaxCode: '9% - Laag' }, 9, '9% - Laag'],
  ])('%j is %s per cent, %s', async (change, percentage, code) => {
    expect(await update(change)).toMatchObject({ VATPercentage: percentage });
    expect(await administration.hiddenOf('0100')).toMatchObject({ salesTaxCode: code, purchaseTaxCode: null });
  });

  it.each<[object, string]>([
    [{ NewPurchasePriceVATPercentage: 21 }, '21% - Inkoop hoog'],
    [{ TaxCodePurchase: '6% - Inkoop oud' }, '6% - Inkoop oud'],
    [{ TaxCodePurchase: '6% - Inkoop oud', NewPurchasePriceVATPercentage: 6 }, '6% - Inkoop oud'],
  ])('%j is the purchase tax %s', async (change, code) => {
    await update(change);
    expect(await administration.hiddenOf('0100')).toMatchObject({ purchaseTaxCode: code, salesTaxCode: '21% - Hoog' });
  });

  it.each<[object, string]>([
    [{ NewVATPercentage: 19 }, 'NewVATPercentage'],
    [{ NewVATPercentage: -2 }, 'NewVATPercentage'],
    // A percentage or a code of the other side.
    [{ NewVATPercentage: 6 }, 'NewVATPercentage'],
    [{ TaxCode: '21% - Inkoop hoog' }, 'TaxCode'],
    [{ NewPurchasePriceVATPercentage: 9 }, 'NewPurchasePriceVATPercentage'],
    [{ TaxCodePurchase: '9% - Laag' }, 'TaxCodePurchase'],
    [{ TaxCode: '21% - Hoogst' }, 'TaxCode'],
    // A code and a percentage that do not go together.
    [{ TaxCode: '9% - Laag', NewVATPercentage: 21 }, 'TaxCode'],
    [{ TaxCodePurchase: '6% - Inkoop oud', NewPurchasePriceVATPercentage: 21 }, 'TaxCodePurchase'],
  ])('%j is refused and changes nothing', async (change, field) => {
    expect(await refusal({ NewName: 'Bank', NewStockQty: 1, ...change })).toEqual([field]);
    expect(await update({})).toMatchObject({ Name: 'Stoel', VATPercentage: 21, StockQty: 10 });
    expect(await administration.hiddenOf('0100')).toMatchObject({ salesTaxCode: '21% - Hoog', purchaseTaxCode: null });
  });

  it('knows no tax code of another administration', async () => {
    await app.addTaxCode({ percentage: '55', name: 'Elders' });
    expect(await refusal({ NewVATPercentage: 55 })).toEqual(['NewVATPercentage']);
    expect(await refusal({ TaxCode: '55% - Elders' })).toEqual(['TaxCode']);
  });
});

describe('custom fields', () => {
  const types = ['Integer', 'Date', 'Decimal', 'TextSmall', 'TextLarge', 'Hyperlink', 'Checkbox', 'List'] as const;
  const empty = { DateTimeValue: null, DecimalValue: null, BooleanValue: null, StringValue: null, IntValue: null };

  beforeEach(async () => {
    await administration.addProduct(chair);
    for (const type of types) await administration.addCustomField({ label: `Een ${type}`, type });
    await administration.addCustomField({ owner: 'relation', label: 'Van een relatie', type: 'Integer' });
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
    // Members that do not fit the type are passed over.
    ['List', { StringValue: 'Rood', IntValue: 3, BooleanValue: true }, 'String', { StringValue: 'Rood' }],
  ])('of type %s take %j', async (FieldType, value, DataType, answered) => {
    const Label = `Een ${FieldType}`;
    const { ProductResponse_CustomField } = await update({ Product_CustomField: [{ Label, FieldType, ...value }] });
    expect(ProductResponse_CustomField).toEqual([{ ...empty, Label, DataType, FieldType, ...answered }]);
  });

  it.each<[(typeof types)[number], object, object]>([
    ['Integer', { IntValue: 5 }, { IntValue: 5 }],
    ['Date', { DateTimeValue: '29-02-2024' }, { DateTimeValue: '29-02-2024' }],
    ['List', { StringValue: 'Rood' }, { StringValue: 'Rood' }],
    ['Checkbox', { BooleanValue: 1, FieldType: '' }, { BooleanValue: true }],
  ])('of type %s need not say their type: the label tells it', async (type, value, answered) => {
    const Label = `Een ${type}`;
    const { ProductResponse_CustomField } = await update({ Product_CustomField: [{ Label, ...value }] });
    expect(ProductResponse_CustomField).toEqual([
      { ...empty, Label, DataType: expect.any(String), FieldType: type, ...answered },
    ]);
  });

  it('that are given change, the others stay', async () => {
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
    ['a type there is not', { Label: 'Een Integer', FieldType: 'Number', IntValue: 1 }, 'FieldType'],
    ['no value for the type', { Label: 'Een Integer', FieldType: 'Integer', StringValue: '1' }, 'IntValue'],
    ['no value for the type of the label', { Label: 'Een Integer', StringValue: '1' }, 'IntValue'],
    ['no value at all', { Label: 'Een Checkbox', BooleanValue: null }, 'BooleanValue'],
    ['a value of another kind', { Label: 'Een Integer', FieldType: 'Integer', IntValue: 1.5 }, 'IntValue'],
    ['a day there is not', { Label: 'Een Date', FieldType: 'Date', DateTimeValue: '30-02-2024' }, 'DateTimeValue'],
  ])('with %s are refused and nothing is changed', async (_, field, path) => {
    const right = { Label: 'Een Checkbox', FieldType: 'Checkbox', BooleanValue: true };
    expect(await refusal({ NewName: 'Bank', NewStockQty: 1, Product_CustomField: [right, field] })).toEqual([
      `Product_CustomField[1].${path}`,
    ]);
    expect(await update({})).toMatchObject({ Name: 'Stoel', StockQty: 10, ProductResponse_CustomField: [] });
  });
});

describe('stock', () => {
  beforeEach(() => administration.addProduct(chair));

  it('goes up and down by NewStockQty, unless it is set', async () => {
    expect(await update({ NewStockQty: 5 })).toMatchObject({ StockQty: 15 });
    expect(await update({ NewStockQty: '-20.5', StockUpdateMode: 'relative' })).toMatchObject({ StockQty: -5.5 });
    expect(await update({ NewStockQty: 8, StockUpdateMode: 'Absolute' })).toMatchObject({ StockQty: 8 });
    expect(await update({ NewStockQty: 0, StockUpdateMode: 'Absolute' })).toMatchObject({ StockQty: 0 });
    expect(await update({ StockUpdateMode: 'Absolute' })).toMatchObject({ StockQty: 0 });
    expect((await administration.mutationsOf('0100')).map(({ cause, quantity }) => [cause, quantity])).toEqual([
      ['import', '10'],
      ['update', '5'],
      ['update', '-20.5'],
      ['update', '13.5'],
      ['update', '-8'],
    ]);
  });

  it('has no mutation when nothing changes', async () => {
    await update({ NewStockQty: 0 });
    await update({ NewStockQty: 10, StockUpdateMode: 'Absolute' });
    await update({ NewName: 'Bank', NewStockMutationComment: 'niets' });
    expect(await administration.mutationsOf('0100')).toHaveLength(1);
  });

  it('keeps the comment of a mutation, and the purchase price of stock that comes in', async () => {
    const cost = { NewStockMutationComment: 'Levering 12', NewStockMutationPurchasePrice: '6.12345678' };
    await update({ NewStockQty: 5, ...cost });
    await update({ NewStockQty: -5, ...cost });
    await update({ NewStockQty: 25, StockUpdateMode: 'Absolute', ...cost });
    await update({ NewStockQty: 1 });
    const mutations = await administration.mutationsOf('0100');
    expect(mutations.slice(1)).toEqual([
      { quantity: '5', cause: 'update', comment: 'Levering 12', purchasePrice: '6.12345678' },
      { quantity: '-5', cause: 'update', comment: 'Levering 12', purchasePrice: null },
      { quantity: '15', cause: 'update', comment: 'Levering 12', purchasePrice: '6.12345678' },
      { quantity: '1', cause: 'update', comment: '', purchasePrice: null },
    ]);
  });

  it('is exact where floats are not', async () => {
    await update({ NewStockQty: 0, StockUpdateMode: 'Absolute' });
    await update({ NewStockQty: 0.1 });
    const { text } = await administration.put('/rest/updateproduct', { ArticleNumber: '0100', NewStockQty: 0.2 });
    expect(text).toContain('"StockQty":0.3,');
    expect(await update({ NewStockQty: '0.00000001' })).toMatchObject({ StockQty: 0.30000001 });
  });

  it('that would have more digits than a request may give is refused, and stays', async () => {
    const most = '9999999999.99999999';
    await update({ NewStockQty: most, StockUpdateMode: 'Absolute' });
    expect(await refusal({ NewStockQty: '0.00000001' })).toEqual(['NewStockQty']);
    expect(await refusal({ NewStockQty: most })).toEqual(['NewStockQty']);
    const { text } = await administration.put('/rest/updateproduct', { ArticleNumber: '0100' });
    expect(text).toContain(`"StockQty":${most},`);
    // From one end to the other is further than any request may ask by itself.
    expect(await update({ NewStockQty: `-${most}`, StockUpdateMode: 'Absolute' })).toBeTruthy();
    expect(await refusal({ NewStockQty: '-1' })).toEqual(['NewStockQty']);
  });

  it('adds up when fifty updates come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => update({ NewStockQty: `0.${String(index + 1).padStart(2, '0')}` })),
    );
    // 0.01 + 0.02 + ... + 0.50 = 12.75, beside the ten there were; no two saw the same stock.
    expect(await update({})).toMatchObject({ StockQty: 22.75 });
    expect(new Set(answers.map(({ StockQty }) => StockQty)).size).toBe(50);
    expect(await administration.mutationsOf('0100')).toHaveLength(51);
  });

  it('is the sum of its mutations, whatever updates came', async () => {
    const quantity = fc
      .bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
      .map((units) => ({ units, text: decimalOf(units) }));
    const change = fc.record({
      mode: fc.constantFrom('Relative' as const, 'Absolute' as const, undefined),
      quantity,
      // A refused update in between must leave no trace.
      refused: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const article = await administration.addProduct();
        let model = 0n;
        for (const { mode, quantity, refused } of changes) {
          const { status, text } = await administration.put('/rest/updateproduct', {
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
        const mutations = await administration.mutationsOf(article);
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
