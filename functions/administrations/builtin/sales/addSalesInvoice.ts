import { plainText } from '../../../../shared/plainText.ts';
import type { SalesInvoice, SalesInvoiceAddition } from '../../../../shared/resources/salesInvoice.ts';
import { invoiceFiles } from '../attachments/fileKind.ts';
import { type DocumentWrite, type FileContext, readAttachments } from '../documentParts/attachments.ts';
import { addPeriodicInvoice } from './addPeriodicInvoice.ts';
import { makeSalesInvoice } from './makeSalesInvoice.ts';
import type { MailContext } from './outgoingMail.ts';
import { readOneSalesInvoice } from './readSalesInvoice.ts';

/** A sales invoice of the invoicing module, final or a draft; or the template of periodic invoices. */
export const salesInvoiceWrite: DocumentWrite<FileContext & MailContext, SalesInvoiceAddition, SalesInvoice> = {
  files: ({ Invoice_Attachment = [] }) => readAttachments(Invoice_Attachment, invoiceFiles, 'Invoice_Attachment'),
  async write(transaction, request, files) {
    const InvoiceDate = request.PeriodicInvoiceTemplate ? request.Periodic_StartingDate : request.InvoiceDate;
    const invoice = await readOneSalesInvoice(transaction, 'INVOICING', { ...request, InvoiceDate });
    const { response, text } = request.PeriodicInvoiceTemplate
      ? { response: await addPeriodicInvoice(transaction, invoice, request, files), text: undefined }
      : await makeSalesInvoice(transaction, invoice, request, files);
    return request.HtmlAsPlainText ? { response: inPlainText(response) } : { response, text };
  },
};

const inPlainText = (invoice: SalesInvoice): SalesInvoice => ({
  ...invoice,
  InvoiceNotes: plainText(invoice.InvoiceNotes),
  PackingSlipNotes: plainText(invoice.PackingSlipNotes),
});
