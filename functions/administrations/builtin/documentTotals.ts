import { apportion, divide } from '../../../shared/money.ts';
import type { Cents, Fine } from './schema.ts';

/** One in units of 10^-8, and a hundred percent in the same. */
const ONE = 10n ** 8n;
const HUNDRED = 100n * ONE;
/** A price times a quantity has sixteen decimals; cents have two. */
const CENT = (ONE * ONE) / 100n;

/** A line with an amount. Text lines have none and stay out of the computation. */
export type AmountLine = {
  quantity: Fine;
  /** Before tax and per unit; or the line's total with tax and after its discount, from which the unit price follows. */
  price: { unitExcl: Fine } | { totalIncl: Cents };
  /** A percentage, or an amount with tax. */
  discount: { percentage: Fine } | { amountIncl: Cents };
  /** The tax code the line's tax is computed under, and its percentage. */
  taxCode: string;
  rate: Fine;
};

export type LineTotals = {
  unitPriceExcl: Fine;
  discountPercentage: Fine;
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

export type TaxTotals = { taxCode: string; rate: Fine; base: Cents; tax: Cents };

export type DocumentTotals = {
  /** In the order of the lines given. */
  lines: LineTotals[];
  perTaxCode: TaxTotals[];
  excl: Cents;
  tax: Cents;
  incl: Cents;
};

/**
 * What a document adds up to. Tax is computed once per tax code over the whole document, as EN 16931 has it; the cents
 * are spread over the lines so that lines, tax codes and totals agree exactly. Lines priced without tax keep their net
 * amounts and get tax on top; lines priced with tax keep their gross amounts and the tax is taken out of them.
 * @param discount percentage off the whole document; it lowers what tax is computed over
 */
export function documentTotals(lines: readonly AmountLine[], discount: Fine): DocumentTotals {
  const drafts = lines.map((line, index) => ({ line, index, ...listed(line) }));
  const exclusive = drafts.filter(({ line }) => 'unitExcl' in line.price);
  const inclusive = drafts.filter(({ line }) => 'totalIncl' in line.price);
  const settled: { excl: Cents; tax: Cents }[] = [];
  const perTaxCode = new Map<string, TaxTotals>();
  const settle = ({ line, index }: { line: AmountLine; index: number }, excl: Cents, tax: Cents) => {
    settled[index] = { excl, tax };
    const totals = perTaxCode.get(line.taxCode) ?? { taxCode: line.taxCode, rate: line.rate, base: 0n, tax: 0n };
    perTaxCode.set(line.taxCode, { ...totals, base: totals.base + excl, tax: totals.tax + tax });
  };

  for (const group of byTaxCode(discounted(exclusive, discount))) {
    const { rate } = group[0]!.line;
    const taxes = settleTogether(
      group.map(({ amount }) => amount * rate),
      HUNDRED,
    );
    group.forEach((draft, position) => {
      settle(draft, draft.amount, taxes[position]!);
    });
  }
  for (const group of byTaxCode(discounted(inclusive, discount))) {
    const { rate } = group[0]!.line;
    const bases = settleTogether(
      group.map(({ amount }) => amount * HUNDRED),
      HUNDRED + rate,
    );
    group.forEach((draft, position) => {
      settle(draft, bases[position]!, draft.amount - bases[position]!);
    });
  }

  const totals = drafts.map(({ line: _line, index, amount: _amount, ...rest }): LineTotals => {
    const { excl, tax } = settled[index]!;
    return { ...rest, excl, tax, incl: excl + tax };
  });
  const excl = totals.reduce((sum, line) => sum + line.excl, 0n);
  const tax = totals.reduce((sum, line) => sum + line.tax, 0n);
  return { lines: totals, perTaxCode: [...perTaxCode.values()], excl, tax, incl: excl + tax };
}

type Draft = Pick<
  LineTotals,
  'unitPriceExcl' | 'discountPercentage' | 'exclBeforeDiscount' | 'inclBeforeDiscount' | 'inclAfterLineDiscount'
> & {
  /** After the line's own discount, on its own side of tax. */
  amount: Cents;
};

/** A line by itself: what it lists for, and what is left after its own discount. */
function listed(line: AmountLine): Draft {
  const { price, discount, rate, quantity } = line;
  if ('unitExcl' in price) {
    const list = quantity * price.unitExcl;
    const exclBeforeDiscount = divide(list, CENT);
    const discounted = (amount: Cents) => ({ amount, inclAfterLineDiscount: amount + divide(amount * rate, HUNDRED) });
    const before = {
      unitPriceExcl: price.unitExcl,
      exclBeforeDiscount,
      inclBeforeDiscount: exclBeforeDiscount + divide(exclBeforeDiscount * rate, HUNDRED),
    };
    if ('percentage' in discount) {
      const amount = divide(list * (HUNDRED - discount.percentage), HUNDRED * CENT);
      return { ...before, ...discounted(amount), discountPercentage: discount.percentage };
    }
    const withTax = HUNDRED + rate;
    const off = discount.amountIncl * CENT * HUNDRED;
    const amount = divide(list * withTax - off, withTax * CENT);
    return { ...before, ...discounted(amount), discountPercentage: share(off, list * withTax) };
  }
  const amount = price.totalIncl;
  const inclBeforeDiscount =
    'amountIncl' in discount
      ? amount + discount.amountIncl
      : discount.percentage < HUNDRED
        ? divide(amount * HUNDRED, HUNDRED - discount.percentage)
        : amount;
  const perUnit = (HUNDRED + rate) * quantity;
  return {
    unitPriceExcl: quantity === 0n ? 0n : divide(inclBeforeDiscount * HUNDRED * CENT, perUnit),
    discountPercentage: 'percentage' in discount ? discount.percentage : share(discount.amountIncl, inclBeforeDiscount),
    exclBeforeDiscount: divide(inclBeforeDiscount * HUNDRED, HUNDRED + rate),
    inclBeforeDiscount,
    inclAfterLineDiscount: amount,
    amount,
  };
}

/** A part of a whole as a percentage; of nothing, none. */
const share = (part: bigint, whole: bigint): Fine => (whole === 0n ? 0n : divide(part * HUNDRED, whole));

/** The amounts after the document's discount, whose own total is rounded once. */
function discounted<Line extends { amount: Cents }>(lines: readonly Line[], discount: Fine): Line[] {
  if (discount === 0n) return [...lines];
  const amounts = settleTogether(
    lines.map(({ amount }) => amount * (HUNDRED - discount)),
    HUNDRED,
  );
  return lines.map((line, index) => ({ ...line, amount: amounts[index]! }));
}

/** Exact amounts rounded so that they add up to their rounded sum. */
const settleTogether = (numerators: readonly bigint[], denominator: bigint): bigint[] =>
  apportion(
    divide(
      numerators.reduce((sum, n) => sum + n, 0n),
      denominator,
    ),
    numerators,
    denominator,
  );

function byTaxCode<Line extends { line: AmountLine }>(lines: readonly Line[]): Line[][] {
  return [...Map.groupBy(lines, ({ line }) => line.taxCode).values()];
}
