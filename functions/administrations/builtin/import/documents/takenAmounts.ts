import { DECIMAL_SCALE, decimalText, MONEY_SCALE, units } from '../../../../../shared/money.ts';
import type { KnownLine } from '../../documents/articleLines.ts';
import type { Columns } from '../../files/column.ts';
import { type Adds, type Amounts, wrongAmounts } from '../../files/documentAmounts.ts';
import type { ImportRow } from '../bind.ts';
import { totalColumns } from './documentColumns.ts';
import type { DocumentRows } from './documentRows.ts';

/*
 * The amounts of documents: those that are taken as they were rather than computed, as export writes them, and what is
 * still to be paid.
 */

export const cents = (amount: unknown) => units((amount as string | undefined) ?? '0', MONEY_SCALE);
export const decimal8 = (amount: unknown) => units((amount as string | undefined) ?? '0', DECIMAL_SCALE);

/** Sees to it that a document has all of its amounts, and that they add up; or none. */
export function checkAmounts<Table extends Columns>(
  rows: readonly ImportRow<Table>[],
  hasAmounts: boolean,
  { amounts, adds }: { amounts: readonly string[]; adds: Adds },
  report: DocumentRows<Table>['report'],
): void {
  const first = rows[0]!;
  const lines = rows.filter(({ values }) => values.IsTextLine !== true);
  if (!hasAmounts) {
    for (const row of lines) {
      for (const column of amounts) {
        if (row.values[column] !== undefined) {
          report(column, 'expected nothing, as the document has no TotalInclTax', row);
        }
      }
    }
    return;
  }
  let isComplete = rows.every(({ bad }) => bad.size === 0);
  const need = (row: ImportRow<Table>, column: string) => {
    if (row.values[column] !== undefined) return;
    isComplete = false;
    report(column, 'is required, as the document has a TotalInclTax', row);
  };
  for (const column of Object.keys(totalColumns)) need(first, column);
  for (const row of lines) for (const column of amounts) need(row, column);
  if (!isComplete) return;
  const byLine = new Map(rows.map((row) => [row.line, row]));
  for (const { line, column, message } of wrongAmounts(amountsOf(first), lines.map(amountsOf), adds)) {
    report(column, message, byLine.get(line));
  }
}

const inFine = ['Quantity', 'UnitPriceExclTax', 'TaxPc'];
const amountsOf = ({ line, values }: ImportRow): Amounts => ({
  line,
  amount: (column) => {
    const value = values[column] as string | undefined;
    return value === undefined ? undefined : units(value, inFine.includes(column) ? DECIMAL_SCALE : MONEY_SCALE);
  },
});

/** The product and the tax a line asks for, where what it was called then may be another. */
export function askedFor({ values }: ImportRow, hasAmounts: boolean) {
  const { CurrentProductNumber, CurrentTaxCode, ProductNumber, ProductEAN, TaxCode, TaxPc } = values as Values;
  const number = CurrentProductNumber ?? ProductNumber;
  const code = CurrentTaxCode ?? TaxCode;
  return {
    ProductNumber: number,
    ProductEAN: hasAmounts && number !== undefined ? undefined : ProductEAN,
    TaxCode: code,
    TaxPc: CurrentTaxCode !== undefined || (hasAmounts && code !== undefined) ? undefined : TaxPc,
  };
}

/** What product and tax of a line were called then. */
function knownLine({ values }: ImportRow): KnownLine {
  const { ProductNumber, ProductEAN, TaxCode, TaxPc } = values as Values;
  const rate = TaxPc === undefined ? undefined : decimal8(TaxPc);
  return { productNumber: ProductNumber, productEan: ProductEAN, taxCode: TaxCode, rate };
}

/**
 * What a document that is taken as it was came to; undefined of one that is computed.
 * @param amountsOf what of a line's amounts its maker takes
 */
export function takenAmounts<Table extends Columns, Line>(
  { first, rows, hasAmounts }: DocumentRows<Table>,
  amountsOf: (row: ImportRow<Table>) => Line,
) {
  if (!hasAmounts) return undefined;
  const { TotalExclTax, TaxAmount, TotalInclTax } = first.values as Values;
  const lines = rows.map((row) => ({ ...knownLine(row), ...amountsOf(row) }));
  return { excl: cents(TotalExclTax), tax: cents(TaxAmount), incl: cents(TotalInclTax), lines };
}

type Values = Readonly<Record<string, string | undefined>>;

/** What is wrong with a line's discount in per cent: of a document taken as it was, it may be anything. */
export function checkDiscount<Table extends Columns>(document: DocumentRows<Table>): void {
  if (document.hasAmounts) return;
  for (const row of document.rows) {
    const percentage = Number((row.values as Values).DiscountPc ?? 0);
    if (percentage >= 0 && percentage <= 100) continue;
    document.report('DiscountPc', `expected a decimal number from 0 to 100, got ${row.cell('DiscountPc')}`, row);
  }
}

type Payment = { InvoiceOutstandingAmount?: string; Paid?: boolean };

/** An invoice says in one way what is still to be paid. */
export function checkPayment<Table extends Columns>({ first, report }: DocumentRows<Table>): void {
  const { InvoiceOutstandingAmount: given, Paid } = first.values as Payment;
  if (given === undefined || Paid === undefined) return;
  report('Paid', 'expected either this or InvoiceOutstandingAmount, not both');
}

/**
 * What is still to be paid: no more than the total, on either side of nothing. Some was paid, too much was, or a credit
 * was paid back.
 */
export function outstandingOf<Table extends Columns>({ first, report }: DocumentRows<Table>, total: bigint): bigint {
  const { InvoiceOutstandingAmount: given, Paid } = first.values as Payment;
  if (given === undefined) return Paid === true ? 0n : total;
  const left = cents(given);
  const size = (amount: bigint) => (amount < 0n ? -amount : amount);
  if (size(left) > size(total)) {
    const [is, most] = [left, total].map((amount) => decimalText(amount, MONEY_SCALE, MONEY_SCALE));
    report('InvoiceOutstandingAmount', `expected no more than the total, ${most}, got ${is}`);
  }
  return left;
}
