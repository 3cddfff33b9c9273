import { beforeEach, describe, expect, it } from 'vitest';
import { chair, testProductUpdates } from '../../../../testing/builtin/productUpdates.ts';

const updates = testProductUpdates();
const { update, refusedFields } = updates;

describe('the tax of a product', () => {
  beforeEach(() => updates.administration.addProduct(chair));

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
  ])('is set by %j to %s per cent, %s', async (change, percentage, code) => {
    expect(await update(change)).toMatchObject({ VATPercentage: percentage });
    expect(await updates.administration.hiddenOf('0100')).toMatchObject({ salesTaxCode: code, purchaseTaxCode: null });
  });

  it.each<[object, string]>([
    [{ NewPurchasePriceVATPercentage: 21 }, '21% - Inkoop hoog'],
    [{ TaxCodePurchase: '6% - Inkoop oud' }, '6% - Inkoop oud'],
    [{ TaxCodePurchase: '6% - Inkoop oud', NewPurchasePriceVATPercentage: 6 }, '6% - Inkoop oud'],
  ])('on purchases is set by %j to %s', async (change, code) => {
    await update(change);
    expect(await updates.administration.hiddenOf('0100')).toMatchObject({
      purchaseTaxCode: code,
      salesTaxCode: '21% - Hoog',
    });
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
  ])('is not changed by %j, which is refused', async (change, field) => {
    expect(await refusedFields({ NewName: 'Bank', NewStockQty: 1, ...change })).toEqual([field]);
    expect(await update({})).toMatchObject({ Name: 'Stoel', VATPercentage: 21, StockQty: 10 });
    expect(await updates.administration.hiddenOf('0100')).toMatchObject({
      salesTaxCode: '21% - Hoog',
      purchaseTaxCode: null,
    });
  });

  it('stays what it is when the request says its percentage, also where others have that too', async () => {
    await updates.administration.addTaxCode({ percentage: '0', name: 'Inkoop export', type: 'Purchase' });
    await updates.administration.addTaxCode({ percentage: '0', name: 'Inkoop verlegd', type: 'Purchase' });
    const codes = { TaxCode: '0% - Verlegd', TaxCodePurchase: '0% - Inkoop verlegd' };
    const kept = { salesTaxCode: '0% - Verlegd', purchaseTaxCode: '0% - Inkoop verlegd' };
    await update(codes);
    for (const none of [undefined, '']) {
      const same = { NewVATPercentage: '0.0', TaxCode: none, NewPurchasePriceVATPercentage: 0, TaxCodePurchase: none };
      expect(await update({ NewSalePrice: 13, ...same })).toMatchObject({ Price: 13, VATPercentage: 0 });
      expect(await updates.administration.hiddenOf('0100')).toMatchObject(kept);
    }
    await update({ NewVATPercentage: 0, TaxCode: '0% - Export' });
    expect(await updates.administration.hiddenOf('0100')).toMatchObject({ ...kept, salesTaxCode: '0% - Export' });
  });

  it('cannot be a tax code of another administration', async () => {
    await updates.app.addTaxCode({ percentage: '55', name: 'Elders' });
    expect(await refusedFields({ NewVATPercentage: 55 })).toEqual(['NewVATPercentage']);
    expect(await refusedFields({ TaxCode: '55% - Elders' })).toEqual(['TaxCode']);
  });
});
