import { book } from '../ledger/journal.ts';
import { costCenterNames } from '../ledger/ledgerAccounts.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertRows, insertRowsInOrder } from '../sql/insertRows.ts';
import type { Row } from '../sql/schema.ts';

/** The rows of a purchase invoice to store, without the ids. */
export type NewPurchaseInvoice = {
  row: Omit<Row<'purchase_invoice'>, 'id' | 'administration_id'>;
  lines: readonly Omit<Row<'purchase_invoice_line'>, 'id' | 'purchase_invoice_id'>[];
};

/**
 * Stores purchase invoices and books them. Creates missing cost centers.
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
  const lines = invoices.flatMap((invoice, index) =>
    invoice.lines.map((line) => ({
      purchase_invoice_id: ids[index]!,
      ...line,
      cost_center: costCenters.next().value!,
    })),
  );
  await insertRows(db, 'purchase_invoice_line', lines);
  const booked = invoices.map(({ row, lines }, index) => ({
    ...row,
    id: ids[index]!,
    description: `${row.number} ${row.relation_name}`,
    lines,
  }));
  await book(context, 'purchases', booked);
  return ids;
}
