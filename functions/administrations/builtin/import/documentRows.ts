import { decimalText, divide, FINE_SCALE, MONEY_SCALE, units } from '../../../../shared/money.ts';
import type { ImportRow, Report } from './bind.ts';
import { decimal, whole } from './column.ts';

/*
 * What rows of documents have in common, one row a line: how lines are counted, and the amounts of documents that are
 * taken as they were kept rather than computed, as export writes them.
 */

const money = () => decimal({ decimals: MONEY_SCALE });

/** The column that counts the lines of a document, from 1. */
export const lineNumber = { LineNumber: whole({ min: 1 }) };

/** What a document came to: with these, all of it is taken as it was kept. */
export const keptTotals = { TotalExclTax: money(), TaxAmount: money(), TotalInclTax: money() };
/** What a line came to, all discounts taken off. */
export const keptAmounts = { AmountExclTax: money(), AmountInclTax: money() };
/** And what it listed for. */
export const keptList = { AmountInclTaxExclDiscount: money() };

export const isKept = (first: ImportRow): boolean => first.values.TotalInclTax !== undefined;

/** What a further line of a document is refused for when it does not agree with the first. */
export const asFirst = (before: string, given: string): string =>
  `expected what the first row has, "${before}", or nothing, got "${given}"`;

export function checkLineNumbers(rows: readonly ImportRow[], report: Report): void {
  rows.forEach(({ line, values }, index) => {
    if (values.LineNumber !== undefined && values.LineNumber !== index + 1) {
      report(
        line,
        'LineNumber',
        `expected ${index + 1}, as the lines of a document are counted, got ${values.LineNumber}`,
      );
    }
  });
}

/** Which amounts of lines add up to which total. */
export type Adds = Readonly<Partial<Record<string, keyof typeof keptTotals>>>;
export const invoiceAdds: Adds = { AmountExclTax: 'TotalExclTax', AmountInclTax: 'TotalInclTax' };
/** AmountInclTax is without the discount of the order. */
export const orderAdds: Adds = { AmountExclTax: 'TotalExclTax' };

/** The amounts of a row by column: cents, and quantities, prices and percentages in units of 10^-8. */
export type Amounts = { line: number; amount: (column: string) => bigint | undefined };

/** What of a document as it was kept does not add up. */
export function* wrongAmounts(
  document: Amounts,
  lines: readonly Amounts[],
  adds: Adds,
): Generator<{ line: number; column: string; message: string }> {
  const money = (cents: bigint) => decimalText(cents, MONEY_SCALE, MONEY_SCALE);
  const total = (column: string) => document.amount(column) ?? 0n;
  const sums = Object.entries(adds).map(([column, of]) => ({
    column: of!,
    sum: lines.reduce((all, { amount }) => all + (amount(column) ?? 0n), 0n),
    why: `what ${column} of the lines adds up to`,
  }));
  const whole = total('TotalExclTax') + total('TaxAmount');
  for (const { column, sum, why } of [
    ...sums,
    { column: 'TotalInclTax', sum: whole, why: 'TotalExclTax and TaxAmount together' },
  ]) {
    if (total(column) === sum) continue;
    yield { line: document.line, column, message: `expected ${money(sum)}, ${why}, got ${money(total(column))}` };
  }
  for (const { line, amount } of lines) {
    const [listed, quantity = 0n] = [amount('AmountInclTaxExclDiscount'), amount('Quantity')];
    if (listed === undefined || quantity === 0n) continue;
    const [price, rate] = [amount('UnitPriceExclTax') ?? 0n, amount('TaxPc') ?? 0n];
    const list = divide(quantity * price * (HUNDRED + rate), HUNDRED * (ONE / 100n) * ONE);
    // A price per unit that followed from an amount was rounded: by how much, the quantity says.
    const most = 2n + (quantity < 0n ? -quantity : quantity) / (ONE * 1_000_000n);
    if (list - listed <= most && listed - list <= most) continue;
    const expected = `${money(list)}, what ${decimalText(quantity, FINE_SCALE)} at ${decimalText(price, FINE_SCALE)} lists for with tax`;
    yield { line, column: 'AmountInclTaxExclDiscount', message: `expected ${expected}, got ${money(listed)}` };
  }
}

/** What is outstanding is no more than the total, on either side of nothing: some was paid, too much was, or a credit was paid back. */
export function checkOutstanding({ line }: ImportRow, outstanding: bigint, total: bigint, report: Report): void {
  const size = (amount: bigint) => (amount < 0n ? -amount : amount);
  if (size(outstanding) <= size(total)) return;
  const [left, all] = [outstanding, total].map((amount) => decimalText(amount, MONEY_SCALE, MONEY_SCALE));
  report(line, 'InvoiceOutstandingAmount', `expected no more than the total, ${all}, got ${left}`);
}

const ONE = 10n ** BigInt(FINE_SCALE);
const HUNDRED = 100n * ONE;

/** Sees to it that a document has all of its amounts, and that they add up; or none. */
export function checkKept(rows: readonly ImportRow[], amounts: readonly string[], adds: Adds, report: Report): void {
  const [first] = rows as [ImportRow];
  const lines = rows.filter(({ values }) => values.IsTextLine !== true);
  if (!isKept(first)) {
    for (const { line, values } of lines) {
      for (const column of amounts) {
        if (values[column] !== undefined) report(line, column, 'expected nothing, as the document has no TotalInclTax');
      }
    }
    return;
  }
  let complete = rows.every(({ bad }) => bad.size === 0);
  const need = ({ line, values, bad }: ImportRow, column: string) => {
    if (values[column] !== undefined) return;
    complete = false;
    if (!bad.has(column)) report(line, column, 'is required, as the document has a TotalInclTax');
  };
  for (const column of Object.keys(keptTotals)) need(first, column);
  for (const row of lines) for (const column of amounts) need(row, column);
  if (!complete) return;
  for (const { line, column, message } of wrongAmounts(amountsOf(first), lines.map(amountsOf), adds)) {
    report(line, column, message);
  }
}

const inFine = ['Quantity', 'UnitPriceExclTax', 'TaxPc'];
const amountsOf = ({ line, values }: ImportRow): Amounts => ({
  line,
  amount: (column) => {
    const value = values[column] as string | undefined;
    return value === undefined ? undefined : units(value, inFine.includes(column) ? FINE_SCALE : MONEY_SCALE);
  },
});
