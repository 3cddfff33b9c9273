import type { SalesInvoice, SalesTransactionAddition } from '../../../../shared/resources/salesInvoice.ts';
import { Encoded } from '../../../../shared/wire/encode.ts';
import { bookkeepingFiles } from '../attachments/fileKind.ts';
import { type FileContext, fileByUrl, writingWithFiles } from '../documentParts/attachments.ts';
import { makeSalesInvoice } from './makeSalesInvoice.ts';
import type { MailContext } from './outgoingMail.ts';
import { readOneSalesInvoice } from './readSalesInvoice.ts';

/**
 * Books a sales invoice without the invoicing module: no products, no stock, lines with tax included.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export async function addSalesTransaction(
  context: FileContext & MailContext,
  request: SalesTransactionAddition,
): Promise<Encoded<SalesInvoice[]>> {
  const file = fileByUrl(request.InvoiceFileUrl, bookkeepingFiles);
  return writingWithFiles(context, file, async (transaction, files) => {
    const invoice = await readOneSalesInvoice(transaction, 'BOOKKEEPING', request);
    const { text } = await makeSalesInvoice(transaction, invoice, { InvoiceNumber: request.InvoiceNumber }, files);
    return new Encoded(`[${text}]`);
  });
}
