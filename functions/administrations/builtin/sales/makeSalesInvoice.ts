import { type ReadyAttachment, storeAttachments } from '../documentParts/attachments.ts';
import { invoiceNumber } from '../documentParts/numbering.ts';
import { takeStock } from '../products/stock.ts';
import { markInvoiced } from './orderStatus.ts';
import { type MailContext, mailLater } from './outgoingMail.ts';
import type { ReadSalesInvoice } from './readSalesInvoice.ts';
import { remittanceFor } from './remittance.ts';
import { type StoredSalesInvoice, storeSalesInvoices } from './storeSalesInvoices.ts';

/**
 * Stores one new invoice with its attachments, takes its products out of stock, marks its order and schedules its
 * mail.
 * @param mail the state of its mail
 * @throws Problem INVALID_REQUEST when its number is taken, or a stock would become too large
 */
export async function makeSalesInvoice(
  context: MailContext,
  invoice: ReadSalesInvoice,
  request: { InvoiceNumber?: string | undefined; InvoiceForOrderNumber?: string | undefined },
  files: readonly ReadyAttachment[],
  mail: 'waiting' | 'held' = 'waiting',
): Promise<StoredSalesInvoice> {
  const number = await invoiceNumber(context, request.InvoiceNumber);
  const sales_order_id = await markInvoiced(context, invoice.relation.id, request.InvoiceForOrderNumber);
  const row = { ...invoice.row, number, sales_order_id, ogm: invoice.row.ogm ?? remittanceFor(number) };
  const [stored] = await storeSalesInvoices(context, [{ ...invoice, row }]);
  if (row.email_to_customer === 1n && row.is_draft === 0n) await mailLater(context, stored!.id, mail);
  await storeAttachments(context, { sales_invoice_id: stored!.id }, files);
  if (row.moves_stock === 1n) await takeStock(context, stored!.id, invoice.sold);
  return stored!;
}
