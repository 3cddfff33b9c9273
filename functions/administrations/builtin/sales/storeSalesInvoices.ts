import { MAX_LINES } from '../../../../shared/resources/document.ts';
import { type SalesInvoice, salesInvoice } from '../../../../shared/resources/salesInvoice.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { encode } from '../../../../shared/wire/encode.ts';
import type { AmountLine, DocumentTotals, LineTotals } from '../documents/documentTotals.ts';
import { type Booking, book, salesPostings } from '../ledger/journal.ts';
import { costCenterNames } from '../ledger/ledgerAccounts.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import { type Cents, type Decimal8, flag, type Row, type Seconds } from '../sql/schema.ts';
import { encodedLines, salesInvoiceAnswer } from './salesInvoiceAnswers.ts';

/** A line to store; one without an amount is a text line. */
export type NewSalesInvoiceLine = {
  amount: AmountLine | null;
  taxCodeId: bigint | null;
  product: { id: bigint; articleNumber: string; ean: string } | null;
  description: string;
  textCategory: string;
  ledgerAccountNumber: string;
  costCenter: string;
  deliveryDate: CalendarDate | null;
  warehouse: string;
  shelf: string;
  batch: string;
  useArticlePrice: boolean;
};

/** The stored amounts of an invoice; of its lines, only those with an amount. */
export type InvoiceTotals = DocumentTotals<
  Pick<LineTotals, 'unitPriceExcl' | 'discountPercentage' | 'inclBeforeDiscount' | 'excl' | 'incl'>
>;

export type NewSalesInvoice = {
  number: bigint;
  module: 'INVOICING' | 'BOOKKEEPING';
  isDraft: boolean;
  date: CalendarDate;
  dueDate: CalendarDate | null;
  notes: string;
  reference: string;
  packingSlipNotes: string;
  customer: { id: bigint; number: bigint | null; name: string };
  project: Pick<Row<'project'>, 'id' | 'name' | 'number'> | null;
  discount: Decimal8;
  totals: InvoiceTotals;
  /** The outstanding amount. */
  outstanding: Cents;
  isSent: boolean;
  ogm: string;
  emailToCustomer: boolean;
  templateInvoice: string;
  templateEmail: string;
  /** The order it is for. */
  salesOrderId: bigint | null;
  movesStock: boolean;
  createdOn: Seconds;
  lines: readonly NewSalesInvoiceLine[];
  addresses: readonly Omit<Row<'sales_invoice_address'>, 'id' | 'sales_invoice_id'>[];
  contacts: readonly Omit<Row<'sales_invoice_contact'>, 'id' | 'sales_invoice_id'>[];
};

/** A stored invoice with its answer. */
export type StoredSalesInvoice = { id: bigint; answer: SalesInvoice; text: string };

/**
 * Stores invoices with their answers, and books them. Their numbers, customers, products and tax codes have been
 * checked. Creates missing cost centers.
 * @returns the stored invoices, in the order given
 */
export async function storeSalesInvoices(
  { db, administration }: Pick<EndpointContext, 'db' | 'administration'>,
  invoices: readonly NewSalesInvoice[],
): Promise<StoredSalesInvoice[]> {
  for (const { lines } of invoices) {
    if (lines.length > MAX_LINES) throw new RangeError(`An invoice has at most ${MAX_LINES} lines.`);
  }
  const names = invoices.flatMap(({ lines }) => lines.map(({ costCenter }) => costCenter));
  const costCenters = (await costCenterNames({ db, administration }, names)).values();
  const stored = invoices.map((invoice) => {
    const { project, addresses, contacts } = invoice;
    const row = invoiceRow(administration.id, invoice);
    const totals = invoice.totals.lines.values();
    const lines = invoice.lines.map((line, position) => ({
      position: BigInt(position),
      ...lineRow(line, costCenters.next().value!, line.amount === null ? undefined : totals.next().value),
    }));
    const answer = salesInvoiceAnswer(row, { project, addresses, contacts });
    return { row, lines, addresses, contacts, answer, text: encode(salesInvoice, answer) };
  });
  const ids = await insertKeyedRows(
    db,
    'sales_invoice',
    'number',
    stored.map(({ row, lines, text }) => ({ ...row, answer: text, lines_answer: encodedLines(lines) })),
  );
  const idOf = ({ row }: { row: { number: bigint } }) => ({ sales_invoice_id: ids.get(row.number)! });
  await insertRows(
    db,
    'sales_invoice_line',
    stored.flatMap((invoice) => invoice.lines.map((line) => ({ ...idOf(invoice), ...line }))),
  );
  await insertRows(
    db,
    'sales_invoice_address',
    stored.flatMap((invoice) => invoice.addresses.map((address) => ({ ...idOf(invoice), ...address }))),
  );
  await insertRows(
    db,
    'sales_invoice_contact',
    stored.flatMap((invoice) => invoice.contacts.map((contact) => ({ ...idOf(invoice), ...contact }))),
  );
  // Drafts are not booked.
  const final = invoices.filter(({ isDraft }) => !isDraft);
  await book(
    db,
    administration.id,
    final.map((invoice) => booking(administration, invoice, ids.get(invoice.number)!)),
  );
  return stored.map(({ row, answer, text }) => ({ id: ids.get(row.number)!, answer, text }));
}

function booking(administration: Row<'administration'>, invoice: NewSalesInvoice, sales_invoice_id: bigint): Booking {
  const { lines, totals, number, customer } = invoice;
  const accounts = lines.filter(({ amount }) => amount !== null).map((line) => line.ledgerAccountNumber);
  return {
    journal: 'sales',
    document: { sales_invoice_id },
    date: invoice.date,
    description: `${number} ${customer.name}`,
    createdOn: invoice.createdOn,
    postings: salesPostings(
      administration,
      totals,
      accounts.map((account, position) => ({ account, excl: totals.lines[position]!.excl })),
    ),
  };
}

/** The row of an invoice, without its id and its answers. */
export const invoiceRow = (
  administration_id: bigint,
  invoice: NewSalesInvoice,
): Omit<Row<'sales_invoice'>, 'id' | 'answer' | 'lines_answer'> => ({
  administration_id,
  number: invoice.number,
  module: invoice.module,
  is_draft: flag(invoice.isDraft),
  date: invoice.date,
  due_date: invoice.dueDate,
  notes: invoice.notes,
  reference: invoice.reference,
  packing_slip_notes: invoice.packingSlipNotes,
  relation_id: invoice.customer.id,
  customer_number: invoice.customer.number,
  customer_name: invoice.customer.name,
  project_id: invoice.project?.id ?? null,
  total_excl: invoice.totals.excl,
  total_tax: invoice.totals.tax,
  total_incl: invoice.totals.incl,
  outstanding: invoice.outstanding,
  discount_pc: invoice.discount,
  is_sent: flag(invoice.isSent),
  ogm: invoice.ogm,
  email_to_customer: flag(invoice.emailToCustomer),
  template_invoice: invoice.templateInvoice,
  template_email: invoice.templateEmail,
  sales_order_id: invoice.salesOrderId,
  moves_stock: flag(invoice.movesStock),
  created_on: invoice.createdOn,
});

const lineRow = (
  line: NewSalesInvoiceLine,
  costCenter: string,
  totals: InvoiceTotals['lines'][number] | undefined,
): Omit<Row<'sales_invoice_line'>, 'id' | 'sales_invoice_id' | 'position'> => ({
  is_text: flag(line.amount === null),
  text_category: line.textCategory,
  product_id: line.product?.id ?? null,
  product_number: line.product?.articleNumber ?? '',
  product_ean: line.product?.ean ?? '',
  description: line.description,
  quantity: line.amount?.quantity ?? 0n,
  unit_price: totals?.unitPriceExcl ?? 0n,
  discount_pc: totals?.discountPercentage ?? 0n,
  subtotal_incl_before_discount: totals?.inclBeforeDiscount ?? 0n,
  subtotal_incl: totals?.incl ?? 0n,
  subtotal_excl: totals?.excl ?? 0n,
  ledger_account_number: line.ledgerAccountNumber,
  tax_code_id: line.taxCodeId,
  tax_pc: line.amount?.rate ?? 0n,
  tax_code: line.amount?.taxCode ?? '',
  cost_center: costCenter,
  delivery_date: line.deliveryDate,
  warehouse: line.warehouse,
  shelf: line.shelf,
  batch: line.batch,
  use_article_price: flag(line.useArticlePrice),
});
