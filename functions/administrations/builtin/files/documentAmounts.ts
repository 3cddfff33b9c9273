import {
  abs,
  CENT_OF_PRODUCT,
  centsText,
  DECIMAL_SCALE,
  decimalText,
  divide,
  HUNDRED,
  ONE,
  sum,
} from '../../../../shared/money.ts';

/** The message for a line of a document whose header differs from the first line. */
export const asFirst = (first: string, repeated: string): string =>
  `expected what the first row has, "${first}", or nothing, got "${repeated}"`;

/** The columns with the totals of a document. */
type DocumentTotal = 'TotalExclTax' | 'TaxAmount' | 'TotalInclTax';

/** Which amounts of lines add up to which total. */
export type Adds = Readonly<Partial<Record<string, DocumentTotal>>>;
export const invoiceAdds: Adds = { AmountExclTax: 'TotalExclTax', AmountInclTax: 'TotalInclTax' };
/** AmountInclTax is without the discount of the order. */
export const orderAdds: Adds = { AmountExclTax: 'TotalExclTax' };

/** The amounts of a row by column: cents, and quantities, prices and percentages in units of 10^-8. */
export type Amounts = { line: number; amount: (column: string) => bigint | undefined };

/** The amounts that do not add up in a document with stated amounts. */
export function* wrongAmounts(
  document: Amounts,
  lines: readonly Amounts[],
  adds: Adds,
): Generator<{ line: number; column: string; message: string }> {
  const total = (column: string) => document.amount(column) ?? 0n;
  const sums = Object.entries(adds).map(([column, of]) => ({
    column: of!,
    added: sum(lines.map(({ amount }) => amount(column) ?? 0n)),
    why: `what ${column} of the lines adds up to`,
  }));
  const whole = total('TotalExclTax') + total('TaxAmount');
  for (const { column, added, why } of [
    ...sums,
    { column: 'TotalInclTax', added: whole, why: 'TotalExclTax and TaxAmount together' },
  ]) {
    const stated = total(column);
    if (stated === added) continue;
    yield { line: document.line, column, message: `expected ${centsText(added)}, ${why}, got ${centsText(stated)}` };
  }
  for (const { line, amount } of lines) {
    const [listed, quantity = 0n] = [amount('AmountInclTaxExclDiscount'), amount('Quantity')];
    if (listed === undefined || quantity === 0n) continue;
    const [price, rate] = [amount('UnitPriceExclTax') ?? 0n, amount('TaxPc') ?? 0n];
    const list = divide(quantity * price * (HUNDRED + rate), HUNDRED * CENT_OF_PRODUCT);
    // A price per unit that was derived from an amount is rounded: the error grows with the quantity.
    const tolerance = 2n + abs(quantity) / (ONE * 1_000_000n);
    if (list - listed <= tolerance && listed - list <= tolerance) continue;
    const expected = `${centsText(list)}, what ${decimalText(quantity, DECIMAL_SCALE)} at ${decimalText(price, DECIMAL_SCALE)} lists for with tax`;
    yield { line, column: 'AmountInclTaxExclDiscount', message: `expected ${expected}, got ${centsText(listed)}` };
  }
}
