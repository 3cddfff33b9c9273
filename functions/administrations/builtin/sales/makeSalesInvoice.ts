import { type ReadyAttachment, storeAttachments } from '../documents/attachments.ts';
import { invoiceNumber } from '../documents/numbering.ts';
import { takeStock } from '../products/stock.ts';
import { markInvoiced } from './orderStatus.ts';
import { type MailContext, mailLater } from './outgoingMail.ts';
import type { ReadSalesInvoice } from './readSalesInvoice.ts';
import { remittanceFor } from './remittance.ts';
import { type StoredSalesInvoice, storeSalesInvoices } from './storeSalesInvoices.ts';

/**
 * Stores one new invoice with its attachments, takes its products out of stock, marks its order and schedules its
 * mail.
 * @throws Problem INVALID_REQUEST when its number is taken, or a stock would become too large
 */
export async function makeSalesInvoice(
  scope: MailContext,
  invoice: ReadSalesInvoice,
  request: { InvoiceNumber?: string | undefined; InvoiceForOrderNumber?: string | undefined },
  files: readonly ReadyAttachment[],
): Promise<StoredSalesInvoice> {
  const number = await invoiceNumber(scope, request.InvoiceNumber);
  const salesOrderId = await markInvoiced(scope, invoice.customer.id, request.InvoiceForOrderNumber);
  const [stored] = await storeSalesInvoices(scope, [
    { ...invoice, number, ogm: invoice.ogm ?? remittanceFor(number), salesOrderId },
  ]);
  if (invoice.emailToCustomer && !invoice.isDraft) await mailLater(scope, stored!.id);
  await storeAttachments(scope, { sales_invoice_id: stored!.id }, files);
  if (invoice.movesStock) await takeStock(scope, stored!.id, invoice.sold);
  return stored!;
}
