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

/**
 * Sees to it that a document has all of its amounts, and that they add up; or none.
 * @param amounts the columns each line must have
 * @param adds which of them add up to which total: of an order, AmountInclTax is without the discount of the order
 */
export function checkKept(
  rows: readonly ImportRow[],
  amounts: readonly string[],
  adds: Readonly<Record<string, keyof typeof keptTotals>>,
  report: Report,
): void {
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
  let complete = true;
  const need = ({ line, values, bad }: ImportRow, column: string) => {
    if (values[column] !== undefined) return;
    complete = false;
    if (!bad.has(column)) report(line, column, 'is required, as the document has a TotalInclTax');
  };
  for (const column of Object.keys(keptTotals)) need(first, column);
  for (const row of lines) for (const column of amounts) need(row, column);
  if (!complete) return;
  const cents = ({ values }: ImportRow, column: string) => units(values[column] as string, MONEY_SCALE);
  const tell = (column: string, expected: bigint, why: string) => {
    if (cents(first, column) === expected) return;
    report(
      first.line,
      column,
      `expected ${decimalText(expected, MONEY_SCALE, MONEY_SCALE)}, ${why}, got ${first.cell(column)}`,
    );
  };
  for (const [column, total] of Object.entries(adds)) {
    const sum = lines.reduce((all, row) => all + cents(row, column), 0n);
    tell(total, sum, `what ${column} of the lines adds up to`);
  }
  tell('TotalInclTax', cents(first, 'TotalExclTax') + cents(first, 'TaxAmount'), 'TotalExclTax and TaxAmount together');
  for (const row of lines) checkList(row, report);
}

/** A price per unit that followed from an amount was rounded: by how much, the quantity says. */
function checkList({ line, values, bad }: ImportRow, report: Report): void {
  const { AmountInclTaxExclDiscount, Quantity, UnitPriceExclTax = '0', TaxPc = '0' } = values as Record<string, string>;
  if (AmountInclTaxExclDiscount === undefined || Quantity === undefined || bad.size > 0) return;
  const quantity = units(Quantity, FINE_SCALE);
  if (quantity === 0n) return;
  const [price, rate] = [units(UnitPriceExclTax, FINE_SCALE), units(TaxPc, FINE_SCALE)];
  const hundred = 100n * ONE;
  const list = divide(quantity * price * (hundred + rate), hundred * ONE * (ONE / 100n));
  const off = list - units(AmountInclTaxExclDiscount, MONEY_SCALE);
  const most = 2n + (quantity < 0n ? -quantity : quantity) / (ONE * 1_000_000n);
  if (off > most || off < -most) {
    const expected = `${decimalText(list, MONEY_SCALE, MONEY_SCALE)}, what ${Quantity} at ${UnitPriceExclTax} lists for with tax`;
    report(line, 'AmountInclTaxExclDiscount', `expected ${expected}, got ${AmountInclTaxExclDiscount}`);
  }
}

const ONE = 10n ** BigInt(FINE_SCALE);
