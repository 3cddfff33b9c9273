import { plainText } from '../../../../shared/plainText.ts';
import type { SalesInvoice, SalesInvoiceAddition } from '../../../../shared/resources/salesInvoice.ts';
import { Encoded } from '../../../../shared/wire/encode.ts';
import { invoiceFiles } from '../attachments/fileKind.ts';
import { type FileContext, readAttachments, writingWithFiles } from '../documentParts/attachments.ts';
import { addPeriodicInvoice } from './addPeriodicInvoice.ts';
import { makeSalesInvoice } from './makeSalesInvoice.ts';
import type { MailContext } from './outgoingMail.ts';
import { readOneSalesInvoice } from './readSalesInvoice.ts';

/**
 * Adds a sales invoice of the invoicing module, final or a draft; or the template of periodic invoices.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export async function addSalesInvoice(
  context: FileContext & MailContext,
  request: SalesInvoiceAddition,
): Promise<SalesInvoice[] | Encoded<SalesInvoice[]>> {
  const attachments = await readAttachments(request.Invoice_Attachment ?? [], invoiceFiles, 'Invoice_Attachment');
  return writingWithFiles(context, attachments, async (transaction, files) => {
    const InvoiceDate = request.PeriodicInvoiceTemplate ? request.Periodic_StartingDate : request.InvoiceDate;
    const invoice = await readOneSalesInvoice(transaction, 'INVOICING', { ...request, InvoiceDate });
    const { response, text } = request.PeriodicInvoiceTemplate
      ? { response: await addPeriodicInvoice(transaction, invoice, request, files), text: undefined }
      : await makeSalesInvoice(transaction, invoice, request, files);
    if (request.HtmlAsPlainText) return [inPlainText(response)];
    return text === undefined ? [response] : new Encoded(`[${text}]`);
  });
}

const inPlainText = (invoice: SalesInvoice): SalesInvoice => ({
  ...invoice,
  InvoiceNotes: plainText(invoice.InvoiceNotes),
  PackingSlipNotes: plainText(invoice.PackingSlipNotes),
});
