import { decimalText, FINE_SCALE, MONEY_SCALE, units } from '../../../../../shared/money.ts';
import { decimal, whole } from '../../files/column.ts';
import { type Adds, type Amounts, wrongAmounts } from '../../files/documentAmounts.ts';
import type { ImportRow, Report } from '../bind.ts';

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

/** What is outstanding is no more than the total, on either side of nothing: some was paid, too much was, or a credit was paid back. */
export function checkOutstanding({ line }: ImportRow, outstanding: bigint, total: bigint, report: Report): void {
  const size = (amount: bigint) => (amount < 0n ? -amount : amount);
  if (size(outstanding) <= size(total)) return;
  const [left, all] = [outstanding, total].map((amount) => decimalText(amount, MONEY_SCALE, MONEY_SCALE));
  report(line, 'InvoiceOutstandingAmount', `expected no more than the total, ${all}, got ${left}`);
}

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
