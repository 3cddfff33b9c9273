import { decimalText, FINE_SCALE, MONEY_SCALE } from '../../../../shared/money.ts';
import {
  type SalesInvoice,
  type SalesInvoiceLine,
  salesInvoice,
  salesInvoiceLines,
} from '../../../../shared/resources/salesInvoice.ts';
import { encode } from '../../../../shared/wire/encode.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';

/** Invoices as they are answered, without their lines, and their lines, derived from their rows: invoice id -> JSON text. */
export async function salesInvoiceAnswers(
  db: Database,
  ids: readonly bigint[],
): Promise<Map<bigint, { answer: string; lines_answer: string }>> {
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
      const answer = salesInvoiceAnswer(row, {
        project: project_name === null ? null : { name: project_name, number: project_number! },
        addresses: addressesOf.get(row.id) ?? [],
        contacts: contactsOf.get(row.id) ?? [],
      });
      return [row.id, { answer: encode(salesInvoice, answer), lines_answer: encodedLines(linesOf.get(row.id) ?? []) }];
    }),
  );
}

/** An invoice as it is answered, without its lines. */
export const salesInvoiceAnswer = (
  row: Omit<Row<'sales_invoice'>, 'id' | 'answer' | 'lines_answer'>,
  {
    project,
    addresses,
    contacts,
  }: {
    project: { name: string; number: bigint } | null;
    addresses: readonly Omit<Row<'sales_invoice_address'>, 'id' | 'sales_invoice_id'>[];
    contacts: readonly Omit<Row<'sales_invoice_contact'>, 'id' | 'sales_invoice_id'>[];
  },
): SalesInvoice => ({
  InvoiceNumber: String(row.number),
  InvoiceDate: row.date,
  InvoiceDueDate: row.due_date,
  InvoiceNotes: row.notes,
  InvoiceReference: row.reference,
  PackingSlipNotes: row.packing_slip_notes,
  CustomerNumber: row.customer_number === null ? null : Number(row.customer_number),
  CustomerName: row.customer_name,
  ProjectName: project?.name ?? '',
  ProjectNumber: project === null ? '' : String(project.number),
  InvoiceTotalExclTax: decimalText(row.total_excl, MONEY_SCALE),
  InvoiceTotalInclTax: decimalText(row.total_incl, MONEY_SCALE),
  InvoiceTaxAmount: decimalText(row.total_tax, MONEY_SCALE),
  InvoiceOutstandingAmount: decimalText(row.outstanding, MONEY_SCALE),
  InvoiceType: row.module,
  DiscountPc: decimalText(row.discount_pc, FINE_SCALE),
  InvoiceIsSent: row.is_sent === 1n,
  OGM_Belgium: row.ogm,
  PeriodicInvoiceTemplate: false,
  Invoice_Contact: contacts.map(invoiceContact),
  Invoice_Address: addresses.map(invoiceAddress),
});

type LineRow = Omit<Row<'sales_invoice_line'>, 'id' | 'sales_invoice_id'>;

/** The lines of an invoice as they are answered, as JSON text. */
export const encodedLines = (lines: readonly LineRow[]): string => encode(salesInvoiceLines, lines.map(lineAnswer));

const invoiceContact = (contact: Omit<Row<'sales_invoice_contact'>, 'id' | 'sales_invoice_id'>) => ({
  ContactType: contact.contact_type,
  FirstName: contact.first_name,
  LastName: contact.last_name,
  FamilyName: contact.last_name,
  Phone: contact.phone,
  Email: contact.email,
  Sex: contact.sex,
  ContactNotes: contact.notes,
  DefaultContact: contact.is_default === 1n,
});

const invoiceAddress = (address: Omit<Row<'sales_invoice_address'>, 'id' | 'sales_invoice_id'>) => ({
  Address_CountryCode: address.country_code,
  Address_PostalCode: address.postal_code,
  Address_Street: address.street,
  Address_Unit: address.unit,
  Address_City: address.city,
  Address_UnitAppendix: address.unit_appendix,
  AddressType: address.address_type,
});

const lineAnswer = (line: LineRow): SalesInvoiceLine => ({
  Description: line.description,
  UnitPriceExclTax: decimalText(line.unit_price, FINE_SCALE),
  DiscountPc: decimalText(line.discount_pc, FINE_SCALE),
  TextLineCategory: line.text_category,
  Quantity: decimalText(line.quantity, FINE_SCALE),
  ProductNumber: line.product_number,
  ProductEAN: line.product_ean,
  SubTotalInclTaxExclDiscount: decimalText(line.subtotal_incl_before_discount, MONEY_SCALE),
  SubTotalInclTax: decimalText(line.subtotal_incl, MONEY_SCALE),
  SubTotalExclTax: decimalText(line.subtotal_excl, MONEY_SCALE),
  LedgerAccountNumber: line.ledger_account_number,
  TaxPc: decimalText(line.tax_pc, FINE_SCALE),
  TaxCode: line.tax_code,
  CostCenter: line.cost_center,
  IsTextLine: line.is_text === 1n,
  DeliveryDate: line.delivery_date,
  Warehouse: line.warehouse,
  Shelf: line.shelf,
  Batch: line.batch,
  // Asked of purchases in Belgium only.
  PurchaseClassification: '',
  UseArticlePrice: line.use_article_price === 1n,
});
