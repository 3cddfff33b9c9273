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
});
