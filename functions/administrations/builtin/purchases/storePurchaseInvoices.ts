import { HUNDRED } from '../../../../shared/money.ts';
import { book } from '../ledger/journal.ts';
import { costCenterNames } from '../ledger/ledgerAccounts.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertRows, insertRowsInOrder } from '../sql/insertRows.ts';
import type { Row } from '../sql/schema.ts';
import { vatRulesOf } from '../vat/administrationRules.ts';
import { type PurchaseTax, purchaseTaxes } from '../vat/purchaseTaxes.ts';
import { ruleFinder } from '../vat/vatReturn.ts';

/** The rows of a purchase invoice to store, without the ids. */
export type NewPurchaseInvoice = {
  row: Omit<Row<'purchase_invoice'>, 'id' | 'administration_id'>;
  lines: readonly (Omit<
    Row<'purchase_invoice_line'>,
    'id' | 'purchase_invoice_id' | 'assessed_tax' | 'deductible_tax'
  > & {
    /** Left out: by the rule of its tax code. */
    tax?: PurchaseTax | undefined;
  })[];
};

/**
 * Stores purchase invoices and books them, with the tax that the purchaser owes. Creates missing cost centers.
 * @returns their ids, in the order of the argument
 */
export async function storePurchaseInvoices(
  context: Pick<EndpointContext, 'db' | 'administration'>,
  invoices: readonly NewPurchaseInvoice[],
): Promise<bigint[]> {
  const { db, administration } = context;
  const names = invoices.flatMap(({ lines }) => lines.map(({ cost_center }) => cost_center));
  const costCenters = (await costCenterNames(context, names)).values();
  const rows = invoices.map(({ row }) => ({ administration_id: administration.id, ...row }));
  const ids = await insertRowsInOrder(db, 'purchase_invoice', rows);
  const ruleOf = ruleFinder(await vatRulesOf(db, administration));
  const taxed = invoices.map((invoice) => ({ ...invoice, lines: withTaxes(ruleOf, invoice) }));
  const lines = taxed.flatMap((invoice, index) =>
    invoice.lines.map((line) => ({
      purchase_invoice_id: ids[index]!,
      ...line,
      cost_center: costCenters.next().value!,
    })),
  );
  await insertRows(db, 'purchase_invoice_line', lines);
  const booked = taxed.map(({ row, lines }, index) => ({
    ...row,
    id: ids[index]!,
    description: `${row.number} ${row.relation_name}`,
    lines,
  }));
  await book(context, 'purchases', booked);
  return ids;
}

/** The lines of an invoice with the tax that the purchaser owes and may deduct, by the rule of their tax code. */
function withTaxes(ruleOf: ReturnType<typeof ruleFinder>, { row, lines }: NewPurchaseInvoice) {
  const taxes = new Map<(typeof lines)[number], PurchaseTax>();
  for (const [taxCode, group] of Map.groupBy(lines, ({ tax_code }) => tax_code)) {
    const rule = ruleOf({ taxType: 'Purchase', taxCode, isCredit: row.total_incl < 0n });
    const amounts = group.map(({ subtotal_excl, subtotal_incl }) => ({
      base: subtotal_excl,
      tax: subtotal_incl - subtotal_excl,
    }));
    purchaseTaxes(rule ?? FULLY_DEDUCTED, amounts).forEach((tax, index) => {
      taxes.set(group[index]!, tax);
    });
  }
  return lines.map(({ tax, ...line }, index) => {
    const { assessed, deductible } = tax ?? taxes.get(lines[index]!)!;
    return { ...line, assessed_tax: assessed, deductible_tax: deductible };
  });
}

/** Of a tax code that no rule is known for: what the invoice charges is deducted. */
const FULLY_DEDUCTED = { selfAssessed: 0n, share: HUNDRED };
