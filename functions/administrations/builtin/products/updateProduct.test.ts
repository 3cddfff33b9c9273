import { beforeEach, describe, expect, it } from 'vitest';
import { chair, testProductUpdates } from '../../../../testing/builtin/productUpdates.ts';

const updates = testProductUpdates();
const { update, refusedFields } = updates;

describe('the response of an update', () => {
  it('is the product, with the types of the interface’s examples', async () => {
    await updates.administration.addProduct(chair);
    updates.app.setTime(1_750_000_000);
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
    await updates.administration.addProduct({ articleNumber: '0100' });
    expect(await update({})).toMatchObject({ VATPercentage: null, Category: '', EAN: '' });
  });
});

describe('an update', () => {
  beforeEach(async () => {
    await updates.administration.addProduct(chair);
    await updates.administration.addProduct({ articleNumber: '100', ean: '123', name: 'Tafel' });
    const other = await updates.app.addAdministration();
    await other.addProduct({ articleNumber: 'elders', ean: '999' });
  });
  const select = (selection: object) => updates.administration.put('/rest/updateproduct', selection);

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
  ])('with %j changes the product %s', async (selection, name) => {
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
  ])('with %j is refused', async (selection, field) => {
    const { status, json } = await select({ ...selection, NewName: 'Gewijzigd' });
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ path: field, message: expect.any(String) }]);
    expect(await update({})).toMatchObject({ Name: 'Stoel' });
    expect(await update({}, '100')).toMatchObject({ Name: 'Tafel' });
  });
});

describe('an update', () => {
  beforeEach(() => updates.administration.addProduct(chair));

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
  ])('with %j changes %j and nothing else', async (change, changed) => {
    const before = await update({});
    expect(await update(change)).toEqual({ ...before, ...changed, ChangedOn: expect.any(Number) });
    expect(await update({})).toEqual({ ...before, ...changed, ChangedOn: expect.any(Number) });
  });

  it('stores every digit of prices with eight decimals', async () => {
    const { text } = await updates.administration.put('/rest/updateproduct', {
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
  ])('with %j is refused and changes nothing', async (change, field) => {
    const before = await update({});
    expect(await refusedFields({ NewUnit: 'doos', NewStockQty: 3, ...change })).toEqual([field]);
    expect(await update({})).toEqual({ ...before, ChangedOn: expect.any(Number) });
  });

  it('archives the product and restores it by Archived', async () => {
    await update({ Archived: true });
    expect(await updates.administration.hiddenOf('0100')).toMatchObject({ archived: true });
    await update({ NewUnit: 'doos' });
    expect(await updates.administration.hiddenOf('0100')).toMatchObject({ archived: true });
    await update({ Archived: 'False' });
    expect(await updates.administration.hiddenOf('0100')).toMatchObject({ archived: false });
  });
});

describe('the category of an update', () => {
  beforeEach(async () => {
    await updates.administration.addProduct(chair);
    await updates.administration.addCategory('Élektra');
  });

  it.each(['Élektra', 'élektra', ' ÉLEKTRA '])('%j is the existing one', async (CategoryName) => {
    expect(await update({ CategoryName, CategoryCreateIfMissing: true })).toMatchObject({ Category: 'Élektra' });
    expect(await updates.administration.categories()).toEqual(['Meubels', 'Élektra']);
  });

  it('is refused when it does not exist, and nothing is changed', async () => {
    for (const CategoryCreateIfMissing of [false, undefined]) {
      expect(
        await refusedFields({ CategoryName: 'Tuin', CategoryCreateIfMissing, NewName: 'Bank', NewStockQty: 5 }),
      ).toEqual(['CategoryName']);
    }
    expect(await update({})).toMatchObject({ Category: 'Meubels', Name: 'Stoel', StockQty: 10 });
    expect(await updates.administration.categories()).toEqual(['Meubels', 'Élektra']);
  });

  it('is created once when CategoryCreateIfMissing says so', async () => {
    await updates.administration.addProduct({ articleNumber: '0200' });
    expect(await update({ CategoryName: 'Tuin', CategoryCreateIfMissing: true })).toMatchObject({ Category: 'Tuin' });
    expect(await update({ CategoryName: 'tuin', CategoryCreateIfMissing: 1 }, '0200')).toMatchObject({
      Category: 'Tuin',
    });
    expect(await updates.administration.categories()).toEqual(['Meubels', 'Tuin', 'Élektra']);
  });

  it('is created without the spaces around its name, and stays the same when the name is only spaces', async () => {
    expect(await update({ CategoryName: ' Nieuw ', CategoryCreateIfMissing: true })).toMatchObject({
      Category: 'Nieuw',
    });
    expect(await update({ CategoryName: '  ', CategoryCreateIfMissing: true })).toMatchObject({ Category: 'Nieuw' });
  });

  it('is not created by an update that is refused for another field', async () => {
    expect(
      await refusedFields({
        CategoryName: 'Tuin',
        CategoryCreateIfMissing: true,
        Product_CustomField: [{ Label: 'Nergens', FieldType: 'Integer', IntValue: 1 }],
      }),
    ).toEqual(['Product_CustomField[0].Label']);
    expect(await updates.administration.categories()).toEqual(['Meubels', 'Élektra']);
  });
});
