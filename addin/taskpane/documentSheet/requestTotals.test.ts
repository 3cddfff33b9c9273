import { describe, expect, it } from 'vitest';
import type { TaxCode, TaxType } from '../../../shared/resources/taxCode.ts';
import { ratesOf, requestTotals } from './requestTotals.ts';

/** A tax code as the service lists it. */
const code = (TaxType: TaxType, TaxCode: string, TaxPc: string): TaxCode => ({
  TaxType,
  TaxCode,
  TaxPc,
  Name: TaxCode,
  TaxExempt: false,
});

describe('The totals of a document', () => {
  it('are by the percentage of its own side where sales and purchases have a code of one name', () => {
    const codes = [code('Sales', 'EU', '0'), code('Purchase', 'EU', '21')];
    const sold = { Invoice_InvoiceLine: [{ Quantity: '1', UnitPriceExclTax: '100', TaxCode: 'EU' }] };
    const bought = { Invoice_InvoiceLine: [{ SubTotalInclTax: '121', TaxCode: 'EU' }] };
    expect(requestTotals('addsalesinvoice', sold, ratesOf(codes, 'addsalesinvoice'))).toEqual({
      totalExclTax: '100.00',
      totalInclTax: '100.00',
    });
    expect(requestTotals('addpurchasetransaction', bought, ratesOf(codes, 'addpurchasetransaction'))).toEqual({
      totalExclTax: '100.00',
      totalInclTax: '121.00',
    });
  });

  it('round the tax of a code once, also where some of its lines have the percentage only', () => {
    const codes = [code('Sales', '21% - Hoog', '21.0'), code('Sales', '21% - Laat', '21.0')];
    const priced = { Quantity: '1', UnitPriceExclTax: '10.02' };
    const totalOf = (first: object, second: object) => {
      const request = { Invoice_InvoiceLine: [first, second].map((tax) => ({ ...priced, ...tax })) };
      return requestTotals('addsalesinvoice', request, ratesOf(codes, 'addsalesinvoice')).totalInclTax;
    };
    // 21% of 20.04 is 4.2084; of 10.02 twice it is 2.10 each.
    expect(totalOf({ TaxCode: '21% - Hoog' }, { TaxPc: '21' })).toBe('24.25');
    expect(totalOf({ TaxCode: '21% - Laat' }, { TaxPc: '21' })).toBe('24.24');
  });
});
