import { abs, DECIMAL_SCALE, type Decimal8, decimalText, divide, HUNDRED, rescale } from '../../../../shared/money.ts';
import type { Row } from '../sql/schema.ts';

/* The VAT on the lines of an audit file: a code, a percentage and an amount. The format has no place for what was taxed. */

type Line = Row<'journal_line'>;

/** What a tax code takes, in per cent. */
export type VatRate = {
  percentage: Decimal8;
  /** The parts of its tax that may be deducted by the rules for it: a line of tax has one of them. */
  shares: readonly Decimal8[];
};

/** The decimals of a percentage. */
const PERCENTAGE_DECIMALS = 3;

/**
 * The percentage of a line: that of its code; or, where its tax is no part of what was taxed by that, the one that it had
 * when the line was booked, with the fewest decimals.
 */
export function percentageText(
  { debit, credit, tax_base: base, tax_amount: tax }: Line,
  { percentage, shares }: VatRate,
): string {
  const text = (rate: Decimal8) => decimalText(rescale(rate, DECIMAL_SCALE, PERCENTAGE_DECIMALS), PERCENTAGE_DECIMALS);
  // Of tax that the purchaser owes, the code has no percentage.
  if (percentage === 0n || base === 0n || tax !== debit - credit) return text(percentage);
  const fits = (rate: Decimal8) => abs(divide(base * rate, HUNDRED) - tax) <= 1n + abs(tax) / 1000n;
  if (shares.some((share) => fits(divide(percentage * share, HUNDRED)))) return text(percentage);
  const exact = divide(tax * HUNDRED, base);
  if (exact <= 0n || exact > HUNDRED) return text(percentage);
  const rounded = [0, 1, 2].map((decimals) =>
    rescale(rescale(exact, DECIMAL_SCALE, decimals), decimals, DECIMAL_SCALE),
  );
  return text(rounded.find(fits) ?? exact);
}
