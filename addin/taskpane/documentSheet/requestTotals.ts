import { type PushedName, pushRulesOf } from '../../../shared/api.ts';
import { type AmountLine, documentTotals } from '../../../shared/documentTotals.ts';
import { centsText, DECIMAL_SCALE, type Decimal8, MONEY_SCALE, units } from '../../../shared/money.ts';
import type { TaxCode } from '../../../shared/resources/taxCode.ts';

/** The totals that follow from the lines of a document; one is left out that depends on something not in the sheet. */
export type RequestTotals = { totalExclTax?: string; totalInclTax?: string };

/** The fields of a line that its amount follows from. */
type Line = Partial<
  Record<
    'Quantity' | 'UnitPriceExclTax' | 'SubTotalInclTax' | 'DiscountPc' | 'DiscountAmountInclTax' | 'TaxPc' | 'TaxCode',
    string
  >
> & { IsTextLine?: boolean; UseArticlePrice?: boolean };

/** The percentages of known tax codes, in the order in which the service lists them. */
export type TaxRates = ReadonlyMap<string, string>;

/** The percentages of the tax codes that a document may have: sales and purchases may have different ones of one name. */
export const ratesOf = (codes: readonly TaxCode[], endpoint: PushedName): TaxRates => {
  const side = endpoint === 'addpurchasetransaction' ? 'Purchase' : 'Sales';
  const ofSide = codes.filter(({ TaxType }) => TaxType === null || TaxType === side);
  return new Map(ofSide.flatMap(({ TaxCode, TaxPc }) => (TaxPc === null ? [] : [[TaxCode, TaxPc] as const])));
};

/**
 * The totals of a document by the rules of the books. A line whose tax or price the administration decides has none.
 * @param request as the service reads it
 */
export function requestTotals(
  endpoint: PushedName,
  request: Readonly<Record<string, unknown>>,
  taxRates: TaxRates,
): RequestTotals {
  const { lines, sums } = pushRulesOf(endpoint);
  if (lines === undefined || sums.length === 0) return {};
  const counted = (request[lines] as readonly Line[]).filter(({ IsTextLine }) => !IsTextLine);
  if (counted.some(({ UseArticlePrice }) => UseArticlePrice)) return {};
  const discount = request.InvoiceDiscountPc ?? request.OrderDiscountPc ?? '0';
  const rates = counted.map((line) => rateIn(line, taxRates));
  const isKnown = rates.every((rate) => rate !== undefined);
  const amounts = counted.map((line, index) => amountOf(line, units(rates[index] ?? '0', DECIMAL_SCALE), taxRates));
  // Without its rate, only a price without tax tells what a line is without tax.
  const isExclusive = amounts.every(({ price, discount }) => price.kind === 'unit' && discount.kind === 'percentage');
  if (!isKnown && !isExclusive) return {};
  const { excl, incl } = documentTotals(amounts, units(String(discount), DECIMAL_SCALE));
  const totalExclTax = centsText(excl);
  return isKnown ? { totalExclTax, totalInclTax: centsText(incl) } : { totalExclTax };
}

function rateIn({ TaxPc, TaxCode }: Line, taxRates: TaxRates): string | undefined {
  if (TaxPc !== undefined && TaxPc !== '-1') return TaxPc;
  return TaxCode === undefined ? undefined : taxRates.get(TaxCode);
}

/** The code of a line that has a percentage only: the first one, as in the books. */
const codeOf = (rate: Decimal8, taxRates: TaxRates): string | undefined =>
  [...taxRates].find(([, percentage]) => units(percentage, DECIMAL_SCALE) === rate)?.[0];

function amountOf(line: Line, rate: Decimal8, taxRates: TaxRates): AmountLine {
  const { Quantity = '1', UnitPriceExclTax = '0', SubTotalInclTax, DiscountPc = '0', DiscountAmountInclTax } = line;
  const percentage = units(DiscountPc, DECIMAL_SCALE);
  return {
    quantity: units(Quantity, DECIMAL_SCALE),
    price:
      SubTotalInclTax === undefined
        ? { kind: 'unit', excl: units(UnitPriceExclTax, DECIMAL_SCALE) }
        : { kind: 'line', incl: units(SubTotalInclTax, MONEY_SCALE) },
    discount:
      DiscountAmountInclTax !== undefined && percentage === 0n
        ? { kind: 'amount', incl: units(DiscountAmountInclTax, MONEY_SCALE) }
        : { kind: 'percentage', percentage },
    taxCode: line.TaxCode ?? codeOf(rate, taxRates) ?? `${line.TaxPc}`,
    rate,
  };
}
