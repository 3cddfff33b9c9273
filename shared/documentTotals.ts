import { type Refusal, refusal } from './fieldErrors.ts';
import { groupBy } from './groupBy.ts';
import {
  abs,
  apportion,
  CENT_OF_PRODUCT,
  type Cents,
  type Decimal8,
  decimalText,
  divide,
  HUNDRED,
  MONEY_SCALE,
  sum,
} from './money.ts';

/** A line with an amount. Text lines have none and stay out of the computation. */
export type AmountLine = {
  quantity: Decimal8;
  /**
   * Before tax and per unit; or the line's total with tax and after its discount, from which the unit price follows.
   */
  price: { kind: 'unit'; excl: Decimal8 } | { kind: 'line'; incl: Cents };
  /** A percentage, or an amount with tax, which lowers the line towards zero with either sign. */
  discount: { kind: 'percentage'; percentage: Decimal8 } | { kind: 'amount'; incl: Cents };
  /** The tax code the line's tax is computed under, and its percentage. */
  taxCode: string;
  rate: Decimal8;
};

export type LineTotals = {
  unitPriceExcl: Decimal8;
  discountPercentage: Decimal8;
  /** Before line and document discount. */
  exclBeforeDiscount: Cents;
  inclBeforeDiscount: Cents;
  /** After the line's own discount, before the document's. */
  inclAfterLineDiscount: Cents;
  /** After both. */
  excl: Cents;
  tax: Cents;
  incl: Cents;
};

/** Of the document; `lines` has those of each line, in the same order. */
export type DocumentTotals<Line = LineTotals> = { lines: readonly Line[]; excl: Cents; tax: Cents; incl: Cents };

/**
 * The totals of a document. Tax is computed once per tax code over the whole document, as EN 16931 requires; the cents
 * are spread over the lines so that lines, tax codes and totals agree exactly. Tax is added to the net amounts of lines
 * that are priced without tax, and subtracted from the gross amounts of lines that are priced with tax.
 * Before the document's discount the lines add up in the same way.
 * @param discount percentage off the whole document; it lowers the tax base
 */
export function documentTotals(lines: readonly AmountLine[], discount: Decimal8): DocumentTotals {
  const listed = lines.map((line) => ({ line, ...lineAmounts(line) }));
  const afterLineDiscount = withTax(listed);
  const taxedLines = discount === 0n ? afterLineDiscount : withTax(lessDocumentDiscount(listed, discount));
  const beforeDiscount = taxedBeforeDiscount(listed, afterLineDiscount);

  const totals = listed.map(({ unitPriceExcl, discountPercentage }, index): LineTotals => {
    const { excl, tax } = taxedLines[index]!;
    const before = beforeDiscount[index]!;
    const after = afterLineDiscount[index]!;
    return {
      unitPriceExcl,
      discountPercentage,
      exclBeforeDiscount: before.excl,
      inclBeforeDiscount: before.excl + before.tax,
      inclAfterLineDiscount: after.excl + after.tax,
      excl,
      tax,
      incl: excl + tax,
    };
  });
  const excl = sum(totals.map((line) => line.excl));
  const tax = sum(totals.map((line) => line.tax));
  return { lines: totals, excl, tax, incl: excl + tax };
}

/** A line with an amount, with or without tax as the line is priced. */
type Amount = { line: AmountLine; amount: Cents };

type Taxed = { excl: Cents; tax: Cents };

type Listed = Pick<LineTotals, 'unitPriceExcl' | 'discountPercentage'> & {
  /** Before and after the line's own discount, with or without tax as the line is priced. */
  amountBefore: Cents;
  amount: Cents;
};

/** The amounts of a line before and after its own discount. */
function lineAmounts(line: AmountLine): Listed {
  const { price, discount, rate, quantity } = line;
  if (price.kind === 'unit') {
    const list = quantity * price.excl;
    const listed = { unitPriceExcl: price.excl, amountBefore: divide(list, CENT_OF_PRODUCT) };
    if (discount.kind === 'percentage') {
      const amount = divide(list * (HUNDRED - discount.percentage), HUNDRED * CENT_OF_PRODUCT);
      return { ...listed, amount, discountPercentage: discount.percentage };
    }
    const withTax = HUNDRED + rate;
    const whole = abs(list) * withTax;
    const amount = abs(discount.incl) * CENT_OF_PRODUCT * HUNDRED;
    const off = amount < whole ? amount : whole;
    const left = divide(whole - off, withTax * CENT_OF_PRODUCT);
    return { ...listed, amount: list < 0n ? -left : left, discountPercentage: share(off, whole) };
  }
  const amount = price.incl;
  const amountBefore =
    discount.kind === 'amount'
      ? amount + (isCredit(line) ? -abs(discount.incl) : abs(discount.incl))
      : discount.percentage < HUNDRED
        ? divide(amount * HUNDRED, HUNDRED - discount.percentage)
        : amount;
  const perUnit = (HUNDRED + rate) * quantity;
  return {
    unitPriceExcl: quantity === 0n ? 0n : divide(amountBefore * HUNDRED * CENT_OF_PRODUCT, perUnit),
    discountPercentage:
      discount.kind === 'percentage' ? discount.percentage : share(abs(discount.incl), abs(amountBefore)),
    amountBefore,
    amount,
  };
}

/** Why an amount cannot be the discount of its line, if so: it would raise the line, or change its sign. */
export function refusedDiscount(line: AmountLine): Refusal | undefined {
  const { price, discount, quantity, rate } = line;
  if (discount.kind === 'percentage') return undefined;
  const given = decimalText(discount.incl, MONEY_SCALE);
  if (discount.incl < 0n && !isCredit(line)) return refusal('NEGATIVE_DISCOUNT', { given });
  // A total with tax is the amount after its discount.
  if (price.kind === 'line') return undefined;
  const cent = CENT_OF_PRODUCT * HUNDRED;
  const most = (abs(quantity * price.excl) * (HUNDRED + rate) + cent - 1n) / cent;
  if (abs(discount.incl) <= most) return undefined;
  return refusal('DISCOUNT_OVER_LINE', { max: decimalText(most, MONEY_SCALE), given });
}

/** Whether a line is negative; for an amount of zero, whether its quantity is. */
function isCredit({ price, quantity }: AmountLine): boolean {
  if (price.kind === 'unit') return quantity * price.excl < 0n;
  return price.incl < 0n || (price.incl === 0n && quantity < 0n);
}

/** A part of a whole as a percentage; 0 when the whole is 0. */
const share = (part: bigint, whole: bigint): Decimal8 => (whole === 0n ? 0n : divide(part * HUNDRED, whole));

/** Amounts with and without tax: for all lines of one tax code and pricing the tax is rounded once. */
const withTax = (amounts: readonly Amount[]): Taxed[] =>
  inGroups(
    amounts,
    ({ line }) => `${isExclusive(line)} ${line.taxCode}`,
    (group) => {
      const { line } = group[0]!;
      if (isExclusive(line)) {
        const taxes = roundToSum(
          group.map(({ amount }) => amount * line.rate),
          HUNDRED,
        );
        return group.map(({ amount }, index) => ({ excl: amount, tax: taxes[index]! }));
      }
      const bases = roundToSum(
        group.map(({ amount }) => amount * HUNDRED),
        HUNDRED + line.rate,
      );
      return group.map(({ amount }, index) => ({ excl: bases[index]!, tax: amount - bases[index]! }));
    },
  );

/**
 * Lines before their own discounts. A line without discount has the same amount as after: spreading again might move a
 * cent.
 */
function taxedBeforeDiscount(listed: readonly (Amount & Listed)[], after: readonly Taxed[]): Taxed[] {
  const isLowered = ({ amount, amountBefore }: Listed) => amount !== amountBefore;
  const lowered = withTax(
    listed.filter(isLowered).map(({ line, amountBefore }) => ({ line, amount: amountBefore })),
  ).values();
  return listed.map((one, index) => (isLowered(one) ? lowered.next().value! : after[index]!));
}

/** The amounts after the document's discount; their total is rounded once with tax and once without. */
const lessDocumentDiscount = (amounts: readonly Amount[], discount: Decimal8): Amount[] =>
  inGroups(
    amounts,
    ({ line }) => isExclusive(line),
    (group) => {
      const left = roundToSum(
        group.map(({ amount }) => amount * (HUNDRED - discount)),
        HUNDRED,
      );
      return group.map(({ line }, index) => ({ line, amount: left[index]! }));
    },
  );

const isExclusive = ({ price }: AmountLine): boolean => price.kind === 'unit';

/** Computes each group as a whole, and returns the results in the original order. */
function inGroups<One, Result>(
  all: readonly One[],
  key: (one: One) => unknown,
  resultsOf: (group: One[]) => Result[],
): Result[] {
  const results: Result[] = [];
  for (const group of groupBy(all.keys(), (index) => key(all[index]!)).values()) {
    resultsOf(group.map((index) => all[index]!)).forEach((result, position) => {
      results[group[position]!] = result;
    });
  }
  return results;
}

/** Exact amounts rounded so that they add up to their rounded sum. */
const roundToSum = (numerators: readonly bigint[], denominator: bigint): bigint[] =>
  apportion(divide(sum(numerators), denominator), numerators, denominator);
