import {
  type SalesInvoice,
  salesInvoice,
  salesInvoiceAddress,
  salesInvoiceContact,
  salesInvoiceLine,
  salesInvoiceLines,
} from '../../../../shared/resources/salesInvoice.ts';
import { encode } from '../../../../shared/wire/encode.ts';
import type { Database } from '../sql/database.ts';
import { responding } from '../sql/rows.ts';
import type { Responses } from '../sql/storedResponses.ts';

const invoiceResponse = responding(salesInvoice, 'sales_invoice');
const lineResponse = responding(salesInvoiceLine, 'sales_invoice_line');
const contactResponse = responding(salesInvoiceContact, 'sales_invoice_contact');
const addressResponse = responding(salesInvoiceAddress, 'sales_invoice_address');

/**
 * The responses of invoices, without their lines, and of their lines, derived from their rows: invoice id -> JSON text.
 */
export async function salesInvoiceResponses(db: Database, ids: readonly bigint[]): Promise<Responses<'sales_invoice'>> {
  const [rows, lines, addresses, contacts] = await Promise.all([
    db
      .selectFrom('sales_invoice')
      .leftJoin('project', 'project.id', 'sales_invoice.project_id')
      .where('sales_invoice.id', 'in', ids)
      .selectAll('sales_invoice')
      .select(['project.name as project_name', 'project.number as project_number'])
      .execute(),
    db
      .selectFrom('sales_invoice_line')
      .where('sales_invoice_id', 'in', ids)
      .orderBy('sales_invoice_id')
      .orderBy('position')
      .selectAll()
      .execute(),
    db.selectFrom('sales_invoice_address').where('sales_invoice_id', 'in', ids).orderBy('id').selectAll().execute(),
    db.selectFrom('sales_invoice_contact').where('sales_invoice_id', 'in', ids).orderBy('id').selectAll().execute(),
  ]);
  const linesOf = Map.groupBy(lines, (line) => line.sales_invoice_id);
  const addressesOf = Map.groupBy(addresses, (address) => address.sales_invoice_id);
  const contactsOf = Map.groupBy(contacts, (contact) => contact.sales_invoice_id);
  return new Map(
    rows.map(({ project_name, project_number, ...row }) => {
      const response = salesInvoiceResponse(row, {
        project: project_name === null ? null : { name: project_name, number: project_number! },
        addresses: addressesOf.get(row.id) ?? [],
        contacts: contactsOf.get(row.id) ?? [],
      });
      return [
        row.id,
        { answer: encode(salesInvoice, response), lines_answer: encodedLines(linesOf.get(row.id) ?? []) },
      ];
    }),
  );
}

/** The response of an invoice, without its lines. */
export const salesInvoiceResponse = (
  row: Parameters<typeof invoiceResponse>[0],
  parts: {
    project: { name: string; number: bigint } | null;
    addresses: readonly Parameters<typeof addressResponse>[0][];
    contacts: readonly Parameters<typeof contactResponse>[0][];
  },
): SalesInvoice => ({
  ...invoiceResponse(row),
  ProjectName: parts.project?.name ?? '',
  ProjectNumber: String(parts.project?.number ?? ''),
  PeriodicInvoiceTemplate: false,
  Invoice_Contact: parts.contacts.map((contact) => ({ ...contactResponse(contact), FamilyName: contact.last_name })),
  Invoice_Address: parts.addresses.map(addressResponse),
});

/** The response of an invoice's lines, as JSON text. */
export const encodedLines = (lines: readonly Parameters<typeof lineResponse>[0][]): string =>
  encode(
    salesInvoiceLines,
    // Only purchases in Belgium have a classification.
    lines.map((line) => ({ ...lineResponse(line), PurchaseClassification: '' })),
  );
