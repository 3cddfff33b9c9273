import { abs, DECIMAL_SCALE, type Decimal8, decimalText, divide, HUNDRED, rescale } from '../../../../shared/money.ts';
import { taxedOnAccounts } from '../balances/taxedWithoutLine.ts';
import type { Database } from '../sql/database.ts';
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

/**
 * Gives a line of an invoice the tax code under which all of it was taxed at 0 %, without a line of tax. What stands on a
 * line with something else stays without; so does a cost with VAT that may not be deducted, which other rules than those
 * of these books might deduct.
 */
export async function taxedLines(
  db: Database,
  entries: readonly Row<'journal_entry'>[],
): Promise<(entry: Row<'journal_entry'>, lines: readonly Line[]) => readonly Line[]> {
  const idsOf = (column: 'sales_invoice_id' | 'purchase_invoice_id') => entries.flatMap((entry) => entry[column] ?? []);
  const sales = Map.groupBy(await taxedOnAccounts(db, 'sales', idsOf('sales_invoice_id')), (one) => one.invoice);
  const purchases = Map.groupBy(
    await taxedOnAccounts(db, 'purchases', idsOf('purchase_invoice_id')),
    (one) => one.invoice,
  );
  return ({ sales_invoice_id: sale, purchase_invoice_id: purchase }, lines) => {
    const taxed = (sale !== null ? sales.get(sale) : purchase !== null ? purchases.get(purchase) : undefined) ?? [];
    const withLine = new Set(lines.map(({ tax_code }) => tax_code));
    if (taxed.every(({ taxCode }) => withLine.has(taxCode))) return lines;
    return lines.map((line) => {
      const [one, another] = taxed.filter(
        ({ account, costCenter }) => account === line.ledger_account_number && costCenter === line.cost_center,
      );
      const isWhole = one !== undefined && another === undefined && !withLine.has(one.taxCode);
      if (!isWhole || one.tax !== 0n || line.tax_code !== '' || line.debit - line.credit !== one.excl) return line;
      return { ...line, tax_code: one.taxCode, tax_base: one.excl };
    });
  };
}
