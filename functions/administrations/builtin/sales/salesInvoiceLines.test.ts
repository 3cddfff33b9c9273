import { describe, expect, it } from 'vitest';
import { amountsOf, chair, salesInvoices } from '../../../../testing/builtin/salesInvoices.ts';
import { checkAdministration } from '../check/check.ts';

const invoices = salesInvoices();

describe('a line of an invoice', () => {
  it('names its product by number, by EAN, or by both when they agree', async () => {
    const chairLine = { ProductNumber: '0100', ProductEAN: '8712345678906' };
    expect(await invoices.line({})).toMatchObject(chairLine);
    expect(await invoices.line({ ProductNumber: '', ProductEAN: '8712345678906' })).toMatchObject(chairLine);
    expect(await invoices.line({ ProductEAN: '8712345678906' })).toMatchObject(chairLine);
    expect(await invoices.refusedLine({ ProductNumber: '0200', ProductEAN: '8712345678906' })).toEqual([
      'Invoice_InvoiceLine[0].ProductNumber',
    ]);
  });

  it('names its product as the request that added it: without the spaces around number and EAN', async () => {
    const padded = { ArticleNumber: 'X1 ', EAN: ' 4006381333931' };
    const addition = { ...padded, NewName: 'Krukje', CategoryName: 'Meubels', CategoryCreateIfMissing: true };
    await invoices.shop.accepted('addproduct', { ...addition, TaxCode: '21% - Hoog' });
    const stool = { ProductNumber: 'X1', ProductEAN: '4006381333931' };
    expect(await invoices.line({ ProductNumber: 'X1 ' })).toMatchObject(stool);
    expect(await invoices.line({ ProductNumber: '  ', ProductEAN: ' 4006381333931' })).toMatchObject(stool);
    const Order_Orderline = [{ ProductNumber: 'X1 ', Quantity: 1, UnitPriceExclTax: 5 }];
    const order = await invoices.shop.accepted('addorder', { CustomerNumber: 7, Order_Orderline });
    expect(order.Order_Orderline).toMatchObject([stool]);
  });

  it.each([
    ['no product', { ProductNumber: undefined }, 'ProductNumber'],
    ['an article number nobody has', { ProductNumber: '100' }, 'ProductNumber'],
    ['an EAN nobody has', { ProductNumber: '', ProductEAN: '1' }, 'ProductEAN'],
    ['no quantity', { Quantity: undefined }, 'Quantity'],
    ['a quantity that is no number', { Quantity: 'twee' }, 'Quantity'],
    ['no price', { UnitPriceExclTax: undefined }, 'UnitPriceExclTax'],
    ['a percentage no code has', { TaxPc: 19 }, 'TaxPc'],
    ['a percentage of purchases only', { TaxPc: 7 }, 'TaxPc'],
    ['a code nobody has', { TaxCode: '21% - Laag' }, 'TaxCode'],
    ['a purchase code', { TaxCode: '21% - Inkoop hoog' }, 'TaxCode'],
    ['a code of another percentage', { TaxCode: '21% - Hoog', TaxPc: 9 }, 'TaxCode'],
    ['a percentage below -1', { TaxPc: -2 }, 'TaxPc'],
    ['an account nobody has', { LedgerAccountNumber: '9999x' }, 'LedgerAccountNumber'],
    ['a discount over 100', { DiscountPc: 101 }, 'DiscountPc'],
    ['a negative discount', { DiscountPc: -1 }, 'DiscountPc'],
    ['two discounts', { DiscountPc: 1, DiscountAmountInclTax: 1 }, 'DiscountAmountInclTax'],
  ])('with %s is refused', async (_, change, field) => {
    await invoices.shop.addTaxCode({ percentage: '7', name: 'Inkoop raar', type: 'Purchase' });
    expect(await invoices.refusedLine(change)).toEqual([`Invoice_InvoiceLine[0].${field}`]);
  });

  it('that is wrong among others is refused with its position, also after a text line', async () => {
    const text = { IsTextLine: true, Description: 'Kop' };
    expect(
      await invoices.refused({
        Invoice_InvoiceLine: [
          text,
          { ...chair, ProductNumber: 'X' },
          chair,
          { ...chair, TaxPc: 19, LedgerAccountNumber: 'X' },
        ],
      }),
    ).toEqual(['Invoice_InvoiceLine[1].ProductNumber', 'Invoice_InvoiceLine[3].TaxPc']);
    expect(await invoices.refused({ Invoice_InvoiceLine: [text, { ...chair, LedgerAccountNumber: '9999x' }] })).toEqual(
      ['Invoice_InvoiceLine[1].LedgerAccountNumber'],
    );
  });

  it('has the tax of its percentage, the first by code of several', async () => {
    for (const name of ['Tweede', 'Eerste', 'Inkoop']) {
      await invoices.shop.addTaxCode({
        percentage: '5',
        name,
        type: name === 'Inkoop' ? 'Purchase' : 'Sales',
        code: `5% - ${name}`,
      });
    }
    expect(await invoices.line({ TaxPc: 5 })).toMatchObject({ TaxPc: 5, TaxCode: '5% - Eerste' });
    expect(await invoices.line({ TaxPc: '9.0' })).toMatchObject({
      TaxPc: 9,
      TaxCode: '9% - Laag',
      SubTotalInclTax: 27.25,
    });
  });

  it('has the tax of its code, also when others have the same percentage', async () => {
    expect(await invoices.line({ TaxPc: 0, TaxCode: '0% - Export buiten de EU' })).toMatchObject({
      TaxCode: '0% - Export buiten de EU',
    });
    expect(await invoices.line({ TaxCode: '9% - Laag' })).toMatchObject({ TaxPc: 9 });
  });

  it('has the tax of its product when the request has none, or -1', async () => {
    for (const change of [{}, { TaxPc: -1 }, { TaxPc: '-1.0' }, { TaxPc: '' }, { TaxCode: '' }]) {
      expect(await invoices.line(change)).toMatchObject({ TaxPc: 21, TaxCode: '21% - Hoog' });
    }
    expect(await invoices.line({ TaxPc: -1, TaxCode: '9% - Laag' })).toMatchObject({ TaxPc: 9 });
  });

  it('is refused when neither it nor its product has a tax', async () => {
    await invoices.shop.addProduct({ articleNumber: 'kaal' });
    expect(await invoices.refusedLine({ ProductNumber: 'kaal' })).toEqual(['Invoice_InvoiceLine[0].TaxPc']);
  });

  it('has the description of the request, also HTML, or the name of its product', async () => {
    expect((await invoices.line({ Description: '<i>Zit</i> lekker' })).Description).toBe('<i>Zit</i> lekker');
    expect((await invoices.line({ Description: '' })).Description).toBe('');
    expect((await invoices.line({})).Description).toBe('Stoel');
  });

  it('has the ledger account of the request', async () => {
    expect((await invoices.line({ LedgerAccountNumber: '8010' })).LedgerAccountNumber).toBe('8010');
  });

  it('creates a missing cost center once, without regard to case', async () => {
    await invoices.made({
      Invoice_InvoiceLine: [' Winkel', 'WINKEL', 'Kantoor ', '', '   '].map((CostCenter) => ({ ...chair, CostCenter })),
    });
    expect(
      (await invoices.shop.listed(1)).Invoice_InvoiceLine.map((one: { CostCenter: string }) => one.CostCenter),
    ).toEqual(['Winkel', 'Winkel', 'Kantoor', '', '']);
    await invoices.make({ Invoice_InvoiceLine: [{ ...chair, CostCenter: 'kantoor' }] });
    expect(await invoices.shop.costCenters()).toEqual(['Kantoor', 'Winkel']);
    expect(await invoices.refusedLine({ CostCenter: 'Nieuw', ProductNumber: 'X' })).toHaveLength(1);
  });

  it('may have the price of an archived article', async () => {
    await invoices.shop.accepted('updateproduct', { ArticleNumber: '0100', Archived: true });
    expect((await invoices.line({})).UnitPriceExclTax).toBe(12.5);
  });
});

describe('the lines of an invoice', () => {
  it('are at least one and at most 75', async () => {
    const { Invoice_InvoiceLine } = await invoices.made({
      Invoice_InvoiceLine: Array.from({ length: 75 }, () => chair),
    });
    expect(Invoice_InvoiceLine).toHaveLength(75);
    for (const lines of [Array.from({ length: 76 }, () => chair), [], undefined, null, '', 'x', {}]) {
      expect(await invoices.refused({ Invoice_InvoiceLine: lines })).toEqual(['Invoice_InvoiceLine']);
    }
  });

  it('of text have a category and no amounts', async () => {
    const { Invoice_InvoiceLine: lines, ...invoice } = await invoices.made({
      Invoice_InvoiceLine: [
        { IsTextLine: true, Description: 'Kop', TextLineCategory: 'Koppen' },
        chair,
        { IsTextLine: 'true', Description: 'Met dank', LedgerAccountNumber: 'X', ProductNumber: 'X', TaxPc: 21 },
      ],
    });
    expect(amountsOf(invoice)).toEqual([25, 5.25, 30.25]);
    expect(lines[0]).toMatchObject({
      Description: 'Kop',
      TextLineCategory: 'Koppen',
      IsTextLine: true,
      Quantity: 0,
      ProductNumber: '',
      LedgerAccountNumber: '',
      TaxCode: '',
      SubTotalInclTax: 0,
    });
    expect(lines[1]).toMatchObject({ Description: 'Stoel', IsTextLine: false, SubTotalInclTax: 30.25 });
    expect(lines[2]).toMatchObject({ Description: 'Met dank', TextLineCategory: 'Default', IsTextLine: true });
    expect(await invoices.shop.stockOf('0100')).toBe('8');
  });

  it('may all be text lines', async () => {
    expect(
      amountsOf(await invoices.make({ Invoice_InvoiceLine: [{ IsTextLine: true, Description: 'Niets' }] })),
    ).toEqual([0, 0, 0]);
    expect(await Array.fromAsync(checkAdministration(invoices.app.db, invoices.shop.administrationId))).toEqual([]);
  });
});
