import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';

const NOW = Date.UTC(2026, 10, 20, 11) / 1000;
let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startApp();
  app.setTime(NOW);
});
beforeEach(async () => {
  shop = await openShop(app);
  await shop.addCategory('Meubels');
});
afterAll(() => app.close());

const table = { ArticleNumber: '0300', NewName: 'Tafel', CategoryName: 'Meubels' };
const make = (change: object = {}) => shop.accepted('addproduct', { ...table, ...change });
const refused = (change: object) => shop.refused('addproduct', { ...table, ...change });

describe('a new product', () => {
  it('is returned in a list, with empty values for missing ones', async () => {
    const { status, json } = await shop.post('/rest/addproduct/', table);
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        Name: 'Tafel',
        ArticleNumber: '0300',
        SupplierArticleNumber: '',
        Category: 'Meubels',
        EAN: '',
        Description: '',
        StockQty: 0,
        PurchasePrice: 0,
        Price: 0,
        VATPercentage: null,
        MinimalStockQty: '0',
        UnitsPerPackage: 0,
        Unit: '',
        CreatedOn: NOW,
        ChangedOn: NOW,
        ProductResponse_CustomField: [],
      },
    ]);
    expect(await shop.mutationsOf('0300')).toEqual([]);
  });

  it('accepts every field of an update', async () => {
    await shop.addCustomField({ label: 'Kleur', type: 'TextSmall' });
    expect(
      await make({
        EAN: '4006381333931',
        NewSupplierArticleNumber: 'S-9',
        NewDescription: 'é'.repeat(400),
        NewSalePrice: '99.95',
        NewStockQty: 5,
        NewStockMutationComment: 'Eerste levering',
        NewStockMutationPurchasePrice: '40.5',
        TaxCode: '21% - Hoog',
        NewUnit: 'stuk',
        NewPurchasePrice: '41',
        TaxCodePurchase: '21% - Inkoop hoog',
        Product_CustomField: [{ Label: 'Kleur', FieldType: 'TextSmall', StringValue: 'Rood' }],
        Product_Batch: [{ Description: 'L1', BatchExpiryDate: '31-12-2027', BatchStockQty: '2.5' }],
      }),
    ).toMatchObject({
      EAN: '4006381333931',
      SupplierArticleNumber: 'S-9',
      Description: 'é'.repeat(400),
      Price: 99.95,
      StockQty: 7.5,
      PurchasePrice: 41,
      VATPercentage: 21,
      Unit: 'stuk',
      ProductResponse_CustomField: [{ Label: 'Kleur', StringValue: 'Rood' }],
    });
    expect(await shop.mutationsOf('0300')).toEqual([
      { quantity: '5', cause: 'update', comment: 'Eerste levering', purchasePrice: '40.5' },
      { quantity: '2.5', cause: 'batch', comment: 'L1', purchasePrice: null },
    ]);
    expect(await shop.batchesOf('0300')).toEqual([{ description: 'L1', expiryDate: '2027-12-31', stock: '2.5' }]);
    expect(await shop.hiddenOf('0300')).toEqual({
      archived: false,
      purchaseTaxCode: '21% - Inkoop hoog',
      salesTaxCode: '21% - Hoog',
    });
  });

  it('has the tax of a percentage', async () => {
    expect(await make({ NewVATPercentage: 9, NewPurchasePriceVATPercentage: '9' })).toMatchObject({ VATPercentage: 9 });
    expect(await shop.hiddenOf('0300')).toMatchObject({
      purchaseTaxCode: '9% - Inkoop laag',
      salesTaxCode: '9% - Laag',
    });
  });

  it('may be archived from the start, and have an absolute stock', async () => {
    expect(await make({ Archived: 'True', NewStockQty: 3, StockUpdateMode: 'Absolute' })).toMatchObject({
      StockQty: 3,
    });
    expect(await shop.hiddenOf('0300')).toMatchObject({ archived: true });
  });

  it('creates its category if the request says so, and finds it in any case', async () => {
    expect((await make({ CategoryName: 'meubels' })).Category).toBe('Meubels');
    const lamp = { ArticleNumber: '0301', CategoryName: 'Lampen' };
    expect((await make({ ...lamp, CategoryCreateIfMissing: 1 })).Category).toBe('Lampen');
    expect(await shop.categories()).toEqual(['Lampen', 'Meubels']);
  });

  it('is not added when its category is missing and must not be created', async () => {
    expect(await refused({ CategoryName: 'Lampen' })).toEqual(['CategoryName']);
    expect(await refused({ CategoryName: 'Lampen', CategoryCreateIfMissing: 'false' })).toEqual(['CategoryName']);
  });

  it('can be sold at once', async () => {
    await make({ NewSalePrice: 10, NewVATPercentage: 21 });
    const lines = [{ ProductNumber: '0300', Quantity: 1, UseArticlePrice: true }];
    const invoice = await shop.accepted('addsalesinvoice', { CustomerNumber: 7, Invoice_InvoiceLine: lines });
    expect(invoice.InvoiceTotalInclTax).toBe(12.1);
    expect(await shop.stockOf('0300')).toBe('-1');
  });

  it('is stored without the spaces around its number, EAN, name and category', async () => {
    const spaced = { ArticleNumber: ' 03 00 ', EAN: '4006381333931\t', NewName: ' Tafel', CategoryName: ' Nieuw ' };
    expect(await make({ ...spaced, CategoryCreateIfMissing: true })).toMatchObject({
      ArticleNumber: '03 00',
      EAN: '4006381333931',
      Name: 'Tafel',
      Category: 'Nieuw',
    });
    expect(await shop.categories()).toEqual(['Meubels', 'Nieuw']);
  });

  it('has no EAN when that of the request has only spaces', async () => {
    expect((await make({ EAN: '  ' })).EAN).toBe('');
  });

  it.each([
    ['no article number', { ArticleNumber: '' }, 'ArticleNumber'],
    ['no name', { NewName: undefined }, 'NewName'],
    ['no category', { CategoryName: null }, 'CategoryName'],
    ['an article number of only spaces', { ArticleNumber: ' ' }, 'ArticleNumber'],
    ['a name of only spaces', { NewName: '\t ' }, 'NewName'],
    ['a category of only spaces', { CategoryName: '  ' }, 'CategoryName'],
    ['the article number of another and a space', { ArticleNumber: '0100 ' }, 'ArticleNumber'],
    ['a space and the EAN of another', { EAN: ' 8712345678906' }, 'EAN'],
    ['the article number of another', { ArticleNumber: '0100' }, 'ArticleNumber'],
    ['the EAN of another', { EAN: '8712345678906' }, 'EAN'],
    ['a description of 401 characters', { NewDescription: 'a'.repeat(401) }, 'NewDescription'],
    ['a percentage no code has', { NewVATPercentage: 19 }, 'NewVATPercentage'],
    ['a purchase code to sell by', { TaxCode: '21% - Inkoop hoog' }, 'TaxCode'],
    ['a sales code to buy by', { TaxCodePurchase: '21% - Hoog' }, 'TaxCodePurchase'],
    [
      'a custom field nobody configured',
      { Product_CustomField: [{ Label: 'X', FieldType: 'List', StringValue: '' }] },
      'Product_CustomField[0].Label',
    ],
    ['a stock past all use', { NewStockQty: '99999999999' }, 'NewStockQty'],
    ['a batch without a description', { Product_Batch: [{ BatchStockQty: 1 }] }, 'Product_Batch[0].Description'],
  ])('with %s is refused, and nothing is stored', async (_, change, path) => {
    expect(await refused({ CategoryName: 'Nieuw', CategoryCreateIfMissing: true, ...change })).toEqual([path]);
  });

  it('may have the article number of a product of another administration', async () => {
    const other = await openShop(app);
    await other.addCategory('Meubels');
    expect((await other.accepted('addproduct', table)).ArticleNumber).toBe('0300');
    expect((await make()).ArticleNumber).toBe('0300');
  });
});
