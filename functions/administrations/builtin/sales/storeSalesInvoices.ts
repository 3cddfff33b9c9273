import { MOST_LINES } from '../../../../shared/resources/document.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { type AmountLine, type DocumentTotals, documentTotals, type LineTotals } from '../documents/documentTotals.ts';
import { type Booking, book, salesPostings } from '../ledger/journal.ts';
import type { Database } from '../sql/database.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import { type Cents, type Fine, flag, type NewRow, type Seconds } from '../sql/schema.ts';

/** A line to be stored; one without an amount is a text line. */
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

/** What is kept of an invoice's amounts; of its lines, of those with an amount. */
export type InvoiceTotals = Omit<DocumentTotals, 'lines'> & { lines: readonly KeptLineTotals[] };
type KeptLineTotals = Pick<LineTotals, 'unitPriceExcl' | 'discountPercentage' | 'inclBeforeDiscount' | 'excl' | 'incl'>;

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
  projectId: bigint | null;
  discount: Fine;
  isSent: boolean;
  ogm: string;
  createdOn: Seconds;
  /** What is still to be paid of a total. */
  outstanding: (totalIncl: Cents) => Cents;
  /** What it came to where that is known; left out: what its lines add up to. */
  totals?: InvoiceTotals | undefined;
  lines: readonly NewSalesInvoiceLine[];
  addresses: readonly Omit<NewRow<'sales_invoice_address'>, 'sales_invoice_id'>[];
  contacts: readonly Omit<NewRow<'sales_invoice_contact'>, 'sales_invoice_id'>[];
};

/**
 * Stores invoices with what they add up to, and tells the id of each by its number. Their numbers, customers, products
 * and tax codes have been checked.
 */
export async function storeSalesInvoices(
  db: Database,
  administrationId: bigint,
  invoices: readonly NewSalesInvoice[],
): Promise<Map<bigint, bigint>> {
  const totals = invoices.map(({ lines, discount, totals }): InvoiceTotals => {
    if (lines.length > MOST_LINES) throw new RangeError(`An invoice has at most ${MOST_LINES} lines.`);
    const amounts = lines.flatMap(({ amount }) => amount ?? []);
    return totals ?? documentTotals(amounts, discount);
  });
  const ids = await insertKeyedRows(
    db,
    'sales_invoice',
    'number',
    invoices.map((invoice, index) => invoiceRow(administrationId, invoice, totals[index]!)),
  );
  const lines: NewRow<'sales_invoice_line'>[] = [];
  const addresses: NewRow<'sales_invoice_address'>[] = [];
  const contacts: NewRow<'sales_invoice_contact'>[] = [];
  invoices.forEach((invoice, index) => {
    const sales_invoice_id = ids.get(invoice.number)!;
    let amounts = 0;
    invoice.lines.forEach((line, position) => {
      const lineTotals = line.amount === null ? undefined : totals[index]!.lines[amounts++];
      lines.push({ sales_invoice_id, position: BigInt(position), ...lineRow(line, lineTotals) });
    });
    for (const address of invoice.addresses) addresses.push({ sales_invoice_id, ...address });
    for (const contact of invoice.contacts) contacts.push({ sales_invoice_id, ...contact });
  });
  await insertRows(db, 'sales_invoice_line', lines);
  await insertRows(db, 'sales_invoice_address', addresses);
  await insertRows(db, 'sales_invoice_contact', contacts);
  await bookFinal(db, administrationId, invoices, totals, ids);
  return ids;
}

/** Drafts are not booked: they are nobody's debt yet. */
async function bookFinal(
  db: Database,
  administrationId: bigint,
  invoices: readonly NewSalesInvoice[],
  totals: readonly InvoiceTotals[],
  ids: ReadonlyMap<bigint, bigint>,
): Promise<void> {
  const administration = await db
    .selectFrom('administration')
    .where('id', '=', administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const bookings = invoices.flatMap((invoice, index): Booking[] => {
    if (invoice.isDraft) return [];
    const amounts = totals[index]!;
    const accounts = invoice.lines.filter(({ amount }) => amount !== null).map((line) => line.ledgerAccountNumber);
    const lines = accounts.map((account, position) => ({ account, excl: amounts.lines[position]!.excl }));
    return [
      {
        journal: 'sales',
        document: { sales_invoice_id: ids.get(invoice.number)! },
        date: invoice.date,
        description: `${invoice.number} ${invoice.customer.name}`,
        createdOn: invoice.createdOn,
        postings: salesPostings(administration, amounts, lines),
      },
    ];
  });
  await book(db, administrationId, bookings);
}

const invoiceRow = (
  administration_id: bigint,
  invoice: NewSalesInvoice,
  totals: InvoiceTotals,
): NewRow<'sales_invoice'> => ({
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
  project_id: invoice.projectId,
  total_excl: totals.excl,
  total_tax: totals.tax,
  total_incl: totals.incl,
  outstanding: invoice.outstanding(totals.incl),
  discount_pc: invoice.discount,
  is_sent: flag(invoice.isSent),
  ogm: invoice.ogm,
  created_on: invoice.createdOn,
});

const lineRow = (
  line: NewSalesInvoiceLine,
  totals: KeptLineTotals | undefined,
): Omit<NewRow<'sales_invoice_line'>, 'sales_invoice_id' | 'position'> => ({
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
  cost_center: line.costCenter,
  delivery_date: line.deliveryDate,
  warehouse: line.warehouse,
  shelf: line.shelf,
  batch: line.batch,
  use_article_price: flag(line.useArticlePrice),
});
