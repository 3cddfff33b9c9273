import { apportion, type Cents, divide, HUNDRED, sum } from '../../../../shared/money.ts';
import type { VatRule } from './vatRules.ts';

/** Of a purchase: the tax that the purchaser owes beside what the invoice charges, and what may be deducted of both. */
export type PurchaseTax = { assessed: Cents; deductible: Cents };

/**
 * The tax on the lines of one document and tax code. It is rounded once, half away from zero, and spread over them.
 * @param lines with the tax that the invoice charges
 */
export function purchaseTaxes(
  { selfAssessed, share }: Pick<VatRule, 'selfAssessed' | 'share'>,
  lines: readonly { base: Cents; tax: Cents }[],
): PurchaseTax[] {
  const bases = lines.map(({ base }) => base * selfAssessed);
  const assessed = apportion(divide(sum(bases), HUNDRED), bases, HUNDRED);
  const parts = lines.map(({ tax }, index) => (tax + assessed[index]!) * share);
  const deductible = apportion(divide(sum(parts), HUNDRED), parts, HUNDRED);
  return lines.map((_, index) => ({ assessed: assessed[index]!, deductible: deductible[index]! }));
}
