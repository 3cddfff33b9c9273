import type { SalesInvoice, SalesTransactionAddition } from '../../../../shared/resources/salesInvoice.ts';
import { bookkeepingFiles } from '../attachments/fileKind.ts';
import { type DocumentWrite, type FileContext, fileByUrl } from '../documentParts/attachments.ts';
import { makeSalesInvoice } from './makeSalesInvoice.ts';
import type { MailContext } from './outgoingMail.ts';
import { readOneSalesInvoice } from './readSalesInvoice.ts';

/** A sales invoice without the invoicing module: no products, no stock, lines with tax included. */
export const salesTransactionWrite: DocumentWrite<FileContext & MailContext, SalesTransactionAddition, SalesInvoice> = {
  files: ({ InvoiceFileUrl }) => fileByUrl(InvoiceFileUrl, bookkeepingFiles),
  async write(transaction, request, files) {
    const invoice = await readOneSalesInvoice(transaction, 'BOOKKEEPING', request);
    return makeSalesInvoice(transaction, invoice, { InvoiceNumber: request.InvoiceNumber }, files);
  },
};
