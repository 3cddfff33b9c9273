/** A box that is a sum: of some boxes, less others; 0 where that is below zero, if it must be positive. */
type VatSum = { of: readonly string[]; less: readonly string[]; isPositive: boolean };

const dutchOwed = ['1a', '1b', '1c', '1d', '2a', '4a', '4b'];
const belgianOwed = ['54', '55', '56', '57', '61', '63'];
const belgianDeductible = ['59', '62', '64'];

/** The boxes of returns that are sums of others. */
export const vatSums: Readonly<Record<string, VatSum>> = {
  '5a': { of: dutchOwed, less: [], isPositive: false },
  '5g': { of: dutchOwed, less: ['5b'], isPositive: false },
  XX: { of: belgianOwed, less: [], isPositive: false },
  YY: { of: belgianDeductible, less: [], isPositive: false },
  '71': { of: belgianOwed, less: belgianDeductible, isPositive: true },
  '72': { of: belgianDeductible, less: belgianOwed, isPositive: true },
};

/** Belgian boxes that may not be below zero: such an amount counts in the next period. */
export const neverNegative: readonly string[] = ['81', '82', '83', '86', '87', '88'];
