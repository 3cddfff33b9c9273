import { abs, centsText, DECIMAL_SCALE, HUNDRED, MONEY_SCALE, units } from '../../../../../shared/money.ts';
import type { KnownLine } from '../../documentParts/articleLines.ts';
import type { Columns } from '../../files/column.ts';
import { type Adds, type Amounts, wrongAmounts } from '../../files/documentAmounts.ts';
import type { ImportRow } from '../bind.ts';
import { totalColumns } from './documentColumns.ts';
import type { DocumentRows } from './documentRows.ts';

/*
 * The amounts of documents. A file may state all amounts of a document, as exports do: then they are stored, not computed.
 */

type Values = Readonly<Record<string, string | undefined>>;
type Payment = { InvoiceOutstandingAmount?: string; Paid?: boolean };

export const cents = (amount: unknown) => units((amount as string | undefined) ?? '0', MONEY_SCALE);
export const decimal8 = (amount: unknown) => units((amount as string | undefined) ?? '0', DECIMAL_SCALE);

/** Checks that a document states all of its amounts, and that they add up; or that it states none. */
export function checkAmounts<Table extends Columns>(
  rows: readonly ImportRow<Table>[],
  hasAmounts: boolean,
  { amounts, adds }: { amounts: readonly string[]; adds: Adds },
  report: DocumentRows<Table>['report'],
): void {
  const first = rows[0]!;
  const lines = rows.filter(({ values }) => values.IsTextLine !== true);
  let isComplete = hasAmounts && rows.every(({ bad }) => bad.size === 0);
  const check = (row: ImportRow<Table>, column: string) => {
    if ((row.values[column] !== undefined) === hasAmounts) return;
    isComplete = false;
    const problem = hasAmounts
      ? 'is required, as the document has a TotalInclTax'
      : 'expected nothing, as the document has no TotalInclTax';
    report(column, problem, row);
  };
  if (hasAmounts) for (const column of Object.keys(totalColumns)) check(first, column);
  for (const row of lines) for (const column of amounts) check(row, column);
  if (!isComplete) return;
  const byLine = new Map(rows.map((row) => [row.line, row]));
  for (const { line, column, message } of wrongAmounts(amountsOf(first), lines.map(amountsOf), adds)) {
    report(column, message, byLine.get(line));
  }
}

const decimalColumns = ['Quantity', 'UnitPriceExclTax', 'TaxPc'];
const amountsOf = ({ line, values }: ImportRow): Amounts => ({
  line,
  amount: (column) => {
    const value = values[column] as string | undefined;
    return value === undefined
      ? undefined
      : units(value, decimalColumns.includes(column) ? DECIMAL_SCALE : MONEY_SCALE);
  },
});

/** The product and the tax code that a line refers to now: both may have had another name when it was made. */
export function lineReferences({ values }: ImportRow, hasAmounts: boolean) {
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

/** The names of product and tax on a line when it was made. */
function knownLine({ values }: ImportRow): KnownLine {
  const { ProductNumber, ProductEAN, TaxCode, TaxPc } = values as Values;
  const rate = TaxPc === undefined ? undefined : decimal8(TaxPc);
  return { productNumber: ProductNumber, productEan: ProductEAN, taxCode: TaxCode, rate };
}

/**
 * The stated amounts of a document; undefined when they are computed.
 * @param lineAmounts the amounts of a line
 */
export function statedAmounts<Table extends Columns, Line>(
  { first, rows, hasAmounts }: DocumentRows<Table>,
  lineAmounts: (row: ImportRow<Table>) => Line,
) {
  if (!hasAmounts) return undefined;
  const { TotalExclTax, TaxAmount, TotalInclTax } = first.values as Values;
  const lines = rows.map((row) => ({ ...knownLine(row), ...lineAmounts(row) }));
  return { excl: cents(TotalExclTax), tax: cents(TaxAmount), incl: cents(TotalInclTax), lines };
}

/** Checks the discount percentages of lines; stated ones may be anything. */
export function checkDiscount<Table extends Columns>(document: DocumentRows<Table>): void {
  if (document.hasAmounts) return;
  for (const row of document.rows) {
    const percentage = decimal8((row.values as Values).DiscountPc);
    if (percentage >= 0n && percentage <= HUNDRED) continue;
    document.report('DiscountPc', `expected a decimal number from 0 to 100, got ${row.cell('DiscountPc')}`, row);
  }
}

/** Checks that an invoice has its outstanding amount in one column only. */
export function checkPayment<Table extends Columns>({ first, report }: DocumentRows<Table>): void {
  const { InvoiceOutstandingAmount, Paid } = first.values as Payment;
  if (InvoiceOutstandingAmount === undefined || Paid === undefined) return;
  report('Paid', 'expected either this or InvoiceOutstandingAmount, not both');
}

/**
 * The outstanding amount of an invoice, at most its total. It may have the other sign: the customer paid too much, or was
 * paid back for a credit.
 */
export function outstandingOf<Table extends Columns>({ first, report }: DocumentRows<Table>, total: bigint): bigint {
  const { InvoiceOutstandingAmount, Paid } = first.values as Payment;
  if (InvoiceOutstandingAmount === undefined) return Paid === true ? 0n : total;
  const outstanding = cents(InvoiceOutstandingAmount);
  if (abs(outstanding) > abs(total)) {
    const problem = `expected no more than the total, ${centsText(total)}, got ${centsText(outstanding)}`;
    report('InvoiceOutstandingAmount', problem);
  }
  return outstanding;
}
