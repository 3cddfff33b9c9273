import { describe, expect, it } from 'vitest';
import { amountsOf, chair, chairs, salesInvoices } from '../../../../testing/builtin/salesInvoices.ts';

const invoices = salesInvoices();

describe('on an invoice', () => {
  it('tax is computed over the document, not per line', async () => {
    const half = { ...chair, Quantity: 1, UnitPriceExclTax: '0.50' };
    expect(amountsOf(await invoices.make({ Invoice_InvoiceLine: [half, half, half, half, half] }))).toEqual([
      2.5, 0.53, 3.03,
    ]);
  });

  it('a total with tax has precedence over the unit price, which follows from it', async () => {
    expect(await invoices.line({ Quantity: 2, SubTotalInclTax: '43.06', UnitPriceExclTax: 999 })).toMatchObject({
      UnitPriceExclTax: 17.79338843,
      SubTotalInclTax: 43.06,
      SubTotalExclTax: 35.59,
      SubTotalInclTaxExclDiscount: 43.06,
    });
  });

  it('a percentage is taken off a price before tax', async () => {
    // 25 less 10% = 22.50, tax 4.725
    expect(await invoices.line({ DiscountPc: '10' })).toMatchObject({
      DiscountPc: 10,
      SubTotalInclTaxExclDiscount: 30.25,
      SubTotalExclTax: 22.5,
      SubTotalInclTax: 27.23,
    });
  });

  it('an amount with tax is taken off a price', async () => {
    // 12.10 with tax is 10 before tax, 40% of 25
    expect(await invoices.line({ DiscountAmountInclTax: '12.10' })).toMatchObject({
      DiscountPc: 40,
      SubTotalInclTaxExclDiscount: 30.25,
      SubTotalExclTax: 15,
      SubTotalInclTax: 18.15,
    });
  });

  it.each(['12.10', '-12.10'])('an amount of %s lowers a credit, as the percentage does', async (amount) => {
    const credit = { Quantity: -2, DiscountAmountInclTax: amount };
    const lowered = {
      DiscountPc: 40,
      SubTotalInclTaxExclDiscount: -30.25,
      SubTotalExclTax: -15,
      SubTotalInclTax: -18.15,
    };
    expect(await invoices.line({ Quantity: -2, DiscountPc: 40 })).toMatchObject(lowered);
    expect(await invoices.line(credit)).toMatchObject(lowered);
    expect(
      await invoices.line({ Quantity: 2, UnitPriceExclTax: '-12.50', DiscountAmountInclTax: amount }),
    ).toMatchObject({
      ...lowered,
      UnitPriceExclTax: -12.5,
    });
    expect(await invoices.line({ ...credit, SubTotalInclTax: '-18.15' })).toMatchObject({
      ...lowered,
      UnitPriceExclTax: 12.5,
    });
  });

  it('an amount may be the whole line, rounded up to the cent', async () => {
    const free = { DiscountPc: 100, SubTotalExclTax: 0, SubTotalInclTax: 0 };
    expect(await invoices.line({ DiscountAmountInclTax: '30.25' })).toMatchObject(free);
    // 3 x 0.335 and 21% is 1.21605.
    const amounts = { Quantity: 3, UnitPriceExclTax: '0.335' };
    expect(await invoices.line({ ...amounts, DiscountAmountInclTax: '1.22' })).toMatchObject(free);
    const [path] = await invoices.refusedLine({ ...amounts, DiscountAmountInclTax: '1.23' });
    expect(path).toBe('Invoice_InvoiceLine[0].DiscountAmountInclTax');
    // Of a line of nothing, as its quantity says.
    expect(await invoices.line({ Quantity: -2, SubTotalInclTax: 0, DiscountAmountInclTax: '-30.25' })).toMatchObject({
      ...free,
      SubTotalInclTaxExclDiscount: -30.25,
    });
  });

  it('an amount above its line, or one that raises it, is refused', async () => {
    for (const [change, message] of [
      [{ DiscountAmountInclTax: '30.26' }, 'expected no more than the line, 30.25 with tax, got 30.26'],
      [{ DiscountAmountInclTax: 500 }, 'expected no more than the line, 30.25 with tax, got 500'],
      [{ Quantity: -2, DiscountAmountInclTax: -500 }, 'expected no more than the line, 30.25 with tax, got -500'],
      [{ Quantity: 0, DiscountAmountInclTax: 5 }, 'expected no more than the line, 0 with tax, got 5'],
      [{ DiscountAmountInclTax: -5 }, 'expected at least 0 on a line that is not negative, got -5'],
      [
        { SubTotalInclTax: 10, DiscountAmountInclTax: -5 },
        'expected at least 0 on a line that is not negative, got -5',
      ],
      [{ UseArticlePrice: true, DiscountAmountInclTax: 31 }, 'expected no more than the line, 30.25 with tax, got 31'],
    ] as const) {
      const body = { ...chairs, Invoice_InvoiceLine: [chair, { ...chair, ...change }] };
      const { status, json } = await invoices.shop.post('/rest/addsalesinvoice', body);
      expect([status, json.errors]).toMatchObject([
        400,
        [{ path: 'Invoice_InvoiceLine[1].DiscountAmountInclTax', message }],
      ]);
    }
  });

  it('a total with tax includes its discount, and does not change by it', async () => {
    expect(await invoices.line({ SubTotalInclTax: '27.225', DiscountPc: 10 })).toMatchObject({
      DiscountPc: 10,
      SubTotalInclTax: 27.23,
      SubTotalInclTaxExclDiscount: 30.26,
    });
    expect(await invoices.line({ SubTotalInclTax: '18.15', DiscountAmountInclTax: '12.10' })).toMatchObject({
      DiscountPc: 40,
      SubTotalInclTax: 18.15,
      SubTotalInclTaxExclDiscount: 30.25,
      UnitPriceExclTax: 12.5,
    });
  });

  it('the document discount lowers every line, also totals with tax, and the tax', async () => {
    const invoice = await invoices.made({
      InvoiceDiscountPc: '10',
      Invoice_InvoiceLine: [
        { ...chair, Quantity: 8 },
        { ...chair, SubTotalInclTax: '121' },
      ],
    });
    expect(invoice.DiscountPc).toBe(10);
    expect(amountsOf(invoice)).toEqual([180, 37.8, 217.8]);
    expect(invoice.Invoice_InvoiceLine).toMatchObject([
      { SubTotalExclTax: 90, SubTotalInclTax: 108.9, SubTotalInclTaxExclDiscount: 121 },
      { SubTotalExclTax: 90, SubTotalInclTax: 108.9, SubTotalInclTaxExclDiscount: 121 },
    ]);
  });

  it('the discount of the line is applied before that of the document', async () => {
    const invoice = await invoices.make({
      InvoiceDiscountPc: 50,
      Invoice_InvoiceLine: [{ ...chair, Quantity: 8, DiscountPc: 10 }],
    });
    expect(amountsOf(invoice)).toEqual([45, 9.45, 54.45]);
  });

  it('a discount of 100 per cent is accepted', async () => {
    expect(amountsOf(await invoices.make({ InvoiceDiscountPc: 100 }))).toEqual([0, 0, 0]);
    expect(await invoices.shop.stockOf('0100')).toBe('8');
  });

  it.each([-1, 101, 'veel'])('a document discount of %s is refused', async (InvoiceDiscountPc) => {
    expect(await invoices.refused({ InvoiceDiscountPc })).toEqual(['InvoiceDiscountPc']);
  });

  it('the price of the article needs no unit price, and has precedence over one', async () => {
    await invoices.shop.accepted('updateproduct', { ArticleNumber: '0100', NewSalePrice: '20.005' });
    for (const price of [{ UnitPriceExclTax: undefined }, { UnitPriceExclTax: 1 }, { SubTotalInclTax: 1 }]) {
      expect(await invoices.line({ UseArticlePrice: true, Quantity: 100, ...price })).toMatchObject({
        UnitPriceExclTax: 20.005,
        SubTotalExclTax: 2000.5,
        UseArticlePrice: true,
      });
    }
  });

  it('amounts that a JavaScript number cannot represent to the cent are refused', async () => {
    expect(await invoices.refusedLine({ Quantity: '9999999999', UnitPriceExclTax: '9999999999' })).toEqual([
      'Invoice_InvoiceLine[0]',
    ]);
    expect(await invoices.refusedLine({ Quantity: '0.00000001', SubTotalInclTax: '9999999999' })).toEqual([
      'Invoice_InvoiceLine[0]',
    ]);
    expect(
      await invoices.refusedLine({ DiscountPc: '99.99999999', SubTotalInclTax: '9999999999', UnitPriceExclTax: 1 }),
    ).toEqual(['Invoice_InvoiceLine[0]']);
    expect(
      await invoices.refusedLine({
        Quantity: '0.00000001',
        SubTotalInclTax: '0.01',
        DiscountAmountInclTax: '9999999999',
      }),
    ).toEqual(['Invoice_InvoiceLine[0]']);
    const large = { ...chair, Quantity: 1000, UnitPriceExclTax: '5000000000' };
    expect(await invoices.refused({ Invoice_InvoiceLine: [large, large] })).toEqual(['Invoice_InvoiceLine']);
    expect((await invoices.make({ Invoice_InvoiceLine: [large] })).InvoiceTotalInclTax).toBe(6_050_000_000_000);
  });

  it('a stock that the database cannot store is refused', async () => {
    const most = { ...chair, Quantity: '-9999999999', UnitPriceExclTax: 0 };
    expect(await invoices.refused({ Invoice_InvoiceLine: [most] })).toEqual(['Invoice_InvoiceLine']);
    const [returned, sold] = ['-9000000000', '9000000000'].map((Quantity) => Array(12).fill({ ...most, Quantity }));
    expect(await invoices.refused({ Invoice_InvoiceLine: [...returned!, ...sold!] })).toEqual(['Invoice_InvoiceLine']);
  });
});
