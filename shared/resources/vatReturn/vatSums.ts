/** The boxes whose VAT is owed, and those whose VAT is subtracted from it. */
export const taxBoxes = {
  NL: { owed: ['1a', '1b', '1c', '1d', '2a', '4a', '4b'], deducted: ['5b'] },
  BE: { owed: ['54', '55', '56', '57', '61', '63'], deducted: ['59', '62', '64'] },
} as const;

/** A box that is a sum: of some boxes, less others; 0 where that is below zero, if it must be positive. */
type VatSum = { of: readonly string[]; less: readonly string[]; isPositive: boolean };

const { NL, BE } = taxBoxes;

/** The boxes of returns that are sums of others. */
export const vatSums: Readonly<Record<string, VatSum>> = {
  '5a': { of: NL.owed, less: [], isPositive: false },
  '5g': { of: NL.owed, less: NL.deducted, isPositive: false },
  XX: { of: BE.owed, less: [], isPositive: false },
  YY: { of: BE.deducted, less: [], isPositive: false },
  '71': { of: BE.owed, less: BE.deducted, isPositive: true },
  '72': { of: BE.deducted, less: BE.owed, isPositive: true },
};

/** Belgian boxes that may not be below zero: such an amount counts in the next period. */
export const neverNegative: readonly string[] = ['81', '82', '83', '86', '87', '88'];
