import { endpoints, pageCap } from '../../../shared/api.ts';
import { decimalText, FINE_SCALE, MONEY_SCALE } from '../../../shared/money.ts';
import type { SalesInvoice, SalesInvoiceLine, SalesInvoiceQuery } from '../../../shared/resources/salesInvoice.ts';
import type { Scope } from './builtin.ts';
import type { Row } from './schema.ts';

/** Sales invoices of both modules, drafts too, the highest number first. */
export async function listSalesInvoices(
  { db, administration }: Scope,
  query: SalesInvoiceQuery,
): Promise<SalesInvoice[]> {
  const most = pageCap(endpoints.listsalesinvoices.paging, query);
  let found = db
    .selectFrom('sales_invoice')
    .leftJoin('project', 'project.id', 'sales_invoice.project_id')
    .where('sales_invoice.administration_id', '=', administration.id)
    .selectAll('sales_invoice')
    .select(['project.name as project_name', 'project.number as project_number']);
  if (query.InvoiceNumber !== undefined) found = found.where('sales_invoice.number', '=', BigInt(query.InvoiceNumber));
  if (query.DateFrom !== undefined) found = found.where('sales_invoice.date', '>=', query.DateFrom);
  if (query.DateTill !== undefined) found = found.where('sales_invoice.date', '<=', query.DateTill);
  const rows = await found
    .orderBy('sales_invoice.number', 'desc')
    .limit(Math.min(query.Limit ?? most, most))
    .offset(query.Offset ?? 0)
    .execute();
  return withDetails(db, rows, query);
}

type InvoiceRow = Row<'sales_invoice'> & { project_name: string | null; project_number: bigint | null };

/** Invoices as they are answered, from their rows. */
async function withDetails(
  db: Scope['db'],
  rows: readonly InvoiceRow[],
  { InlcudeInvoiceLinesInResponse: withLines, IncludeBase64PDF: withPdf }: SalesInvoiceQuery,
): Promise<SalesInvoice[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const [lines, addresses, contacts] = await Promise.all([
    withLines
      ? db
          .selectFrom('sales_invoice_line')
          .where('sales_invoice_id', 'in', ids)
          .orderBy('sales_invoice_id')
          .orderBy('position')
          .selectAll()
          .execute()
      : [],
    db.selectFrom('sales_invoice_address').where('sales_invoice_id', 'in', ids).orderBy('id').selectAll().execute(),
    db.selectFrom('sales_invoice_contact').where('sales_invoice_id', 'in', ids).orderBy('id').selectAll().execute(),
  ]);
  const linesOf = Map.groupBy(lines, (line) => line.sales_invoice_id);
  const addressesOf = Map.groupBy(addresses, (address) => address.sales_invoice_id);
  const contactsOf = Map.groupBy(contacts, (contact) => contact.sales_invoice_id);
  return rows.map((row) => ({
    InvoiceNumber: String(row.number),
    InvoiceDate: row.date,
    InvoiceDueDate: row.due_date,
    InvoiceNotes: row.notes,
    InvoiceReference: row.reference,
    PackingSlipNotes: row.packing_slip_notes,
    CustomerNumber: row.customer_number === null ? null : Number(row.customer_number),
    CustomerName: row.customer_name,
    ProjectName: row.project_name ?? '',
    ProjectNumber: row.project_number === null ? '' : String(row.project_number),
    InvoiceTotalExclTax: decimalText(row.total_excl, MONEY_SCALE),
    InvoiceTotalInclTax: decimalText(row.total_incl, MONEY_SCALE),
    InvoiceTaxAmount: decimalText(row.total_tax, MONEY_SCALE),
    InvoiceOutstandingAmount: decimalText(row.outstanding, MONEY_SCALE),
    InvoiceType: row.module,
    DiscountPc: decimalText(row.discount_pc, FINE_SCALE),
    InvoiceIsSent: row.is_sent === 1n,
    OGM_Belgium: row.ogm,
    PeriodicInvoiceTemplate: false,
    // Nothing makes PDFs yet; empty is how the interface says that there is none.
    ...(withPdf ? { InvoicePDFBase64: '' } : {}),
    Invoice_Contact: (contactsOf.get(row.id) ?? []).map((contact) => ({
      ContactType: contact.contact_type,
      FirstName: contact.first_name,
      LastName: contact.last_name,
      FamilyName: contact.last_name,
      Phone: contact.phone,
      Email: contact.email,
      Sex: contact.sex,
      ContactNotes: contact.notes,
      DefaultContact: contact.is_default === 1n,
    })),
    Invoice_Address: (addressesOf.get(row.id) ?? []).map((address) => ({
      Address_CountryCode: address.country_code,
      Address_PostalCode: address.postal_code,
      Address_Street: address.street,
      Address_Unit: address.unit,
      Address_City: address.city,
      Address_UnitAppendix: address.unit_appendix,
      AddressType: address.address_type,
    })),
    ...(withLines ? { Invoice_InvoiceLine: (linesOf.get(row.id) ?? []).map(lineAnswer) } : {}),
  }));
}

const lineAnswer = (line: Row<'sales_invoice_line'>): SalesInvoiceLine => ({
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
