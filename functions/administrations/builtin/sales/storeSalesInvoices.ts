import { MAX_LINES } from '../../../../shared/resources/document.ts';
import { type SalesInvoice, salesInvoice } from '../../../../shared/resources/salesInvoice.ts';
import { encode } from '../../../../shared/wire/encode.ts';
import { book } from '../ledger/journal.ts';
import { costCenterNames } from '../ledger/ledgerAccounts.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import type { Row } from '../sql/schema.ts';
import { encodedLines, salesInvoiceResponse } from './salesInvoiceResponses.ts';

/** The rows of an invoice to store, without the ids. */
export type NewSalesInvoice = {
  row: Omit<Row<'sales_invoice'>, 'id' | 'administration_id' | 'answer' | 'lines_answer'>;
  lines: readonly Omit<Row<'sales_invoice_line'>, 'id' | 'sales_invoice_id' | 'position'>[];
  addresses: readonly Omit<Row<'sales_invoice_address'>, 'id' | 'sales_invoice_id'>[];
  contacts: readonly Omit<Row<'sales_invoice_contact'>, 'id' | 'sales_invoice_id'>[];
  project: Pick<Row<'project'>, 'id' | 'name' | 'number'> | null;
};

export type StoredSalesInvoice = { id: bigint; response: SalesInvoice; text: string };

/**
 * Stores invoices with their responses, and books those that are not drafts. Their numbers, customers, products and tax
 * codes have been checked. Creates missing cost centers.
 * @returns the stored invoices, in the order of the argument
 */
export async function storeSalesInvoices(
  context: Pick<EndpointContext, 'db' | 'administration'>,
  invoices: readonly NewSalesInvoice[],
): Promise<StoredSalesInvoice[]> {
  const { db, administration } = context;
  for (const { lines } of invoices) {
    if (lines.length > MAX_LINES) throw new RangeError(`An invoice has at most ${MAX_LINES} lines.`);
  }
  const names = invoices.flatMap(({ lines }) => lines.map(({ cost_center }) => cost_center));
  const costCenters = (await costCenterNames(context, names)).values();
  const stored = invoices.map((invoice) => {
    const response = salesInvoiceResponse(invoice.row, invoice);
    const lines = invoice.lines.map((line, position) => ({
      position: BigInt(position),
      ...line,
      cost_center: costCenters.next().value!,
    }));
    return { ...invoice, lines, response, text: encode(salesInvoice, response) };
  });
  const ids = await insertKeyedRows(
    db,
    'sales_invoice',
    'number',
    stored.map(({ row, lines, text }) => ({
      administration_id: administration.id,
      ...row,
      answer: text,
      lines_answer: encodedLines(lines),
    })),
  );
  const withId = <Part extends object>(partOf: (invoice: (typeof stored)[number]) => readonly Part[]) =>
    stored.flatMap((one) => partOf(one).map((part) => ({ sales_invoice_id: ids.get(one.row.number)!, ...part })));
  const lines = withId((invoice) => invoice.lines);
  await insertRows(db, 'sales_invoice_line', lines);
  const addresses = withId((invoice) => invoice.addresses);
  await insertRows(db, 'sales_invoice_address', addresses);
  const contacts = withId((invoice) => invoice.contacts);
  await insertRows(db, 'sales_invoice_contact', contacts);
  const final = stored.filter(({ row }) => row.is_draft === 0n);
  await book(
    context,
    'sales',
    final.map(({ row, lines }) => ({
      ...row,
      id: ids.get(row.number)!,
      description: `${row.number} ${row.customer_name}`,
      lines: lines.filter(({ is_text }) => is_text === 0n),
    })),
  );
  return stored.map(({ row, response, text }) => ({ id: ids.get(row.number)!, response, text }));
}
