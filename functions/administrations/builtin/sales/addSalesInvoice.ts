import { plainText } from '../../../../shared/plainText.ts';
import type { SalesInvoice, SalesInvoiceAddition } from '../../../../shared/resources/salesInvoice.ts';
import { Encoded } from '../../../../shared/wire/encode.ts';
import { invoiceFiles } from '../attachments/fileKind.ts';
import { type FileContext, givenAttachments, writingWithFiles } from '../documents/attachments.ts';
import { findReferences, throwAll } from '../documents/references.ts';
import { addPeriodicInvoice } from './addPeriodicInvoice.ts';
import { makeSalesInvoice } from './makeSalesInvoice.ts';
import type { MailContext } from './outgoingMail.ts';
import { readSalesInvoice } from './readSalesInvoice.ts';

/**
 * Adds a sales invoice of the invoicing module, final or a draft; or the template of periodic invoices.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export async function addSalesInvoice(
  scope: FileContext & MailContext,
  request: SalesInvoiceAddition,
): Promise<SalesInvoice[] | Encoded<SalesInvoice[]>> {
  const given = givenAttachments(request.Invoice_Attachment ?? [], invoiceFiles, 'Invoice_Attachment');
  return writingWithFiles(scope, given, async (inside, files) => {
    const InvoiceDate = request.PeriodicInvoiceTemplate ? request.Periodic_StartingDate : request.InvoiceDate;
    const input = {
      module: 'INVOICING',
      request: { ...request, InvoiceDate },
      lines: request.Invoice_InvoiceLine,
    } as const;
    const references = await findReferences(inside, 'Customer', [input]);
    const invoice = (await readSalesInvoice(inside, references, input, throwAll))!;
    const { answer, text } = request.PeriodicInvoiceTemplate
      ? { answer: await addPeriodicInvoice(inside, invoice, request, files), text: undefined }
      : await makeSalesInvoice(inside, invoice, request, files);
    if (request.HtmlAsPlainText) return [inPlainText(answer)];
    return text === undefined ? [answer] : new Encoded(`[${text}]`);
  });
}

/** The rich texts of an invoice as plain text. */
const inPlainText = (invoice: SalesInvoice): SalesInvoice => ({
  ...invoice,
  InvoiceNotes: plainText(invoice.InvoiceNotes),
  PackingSlipNotes: plainText(invoice.PackingSlipNotes),
});
