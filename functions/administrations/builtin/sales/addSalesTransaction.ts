import type { SalesInvoice, SalesTransactionAddition } from '../../../../shared/resources/salesInvoice.ts';
import { Encoded } from '../../../../shared/wire/encode.ts';
import { bookkeepingFiles } from '../attachments/fileKind.ts';
import { type FileContext, givenFile, writingWithFiles } from '../documents/attachments.ts';
import { findReferences, throwAll } from '../documents/references.ts';
import { makeSalesInvoice } from './makeSalesInvoice.ts';
import type { MailContext } from './outgoingMail.ts';
import { readSalesInvoice } from './readSalesInvoice.ts';

/**
 * Books a sales invoice without the invoicing module: no products, no stock, lines with tax included.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export async function addSalesTransaction(
  scope: FileContext & MailContext,
  request: SalesTransactionAddition,
): Promise<Encoded<SalesInvoice[]>> {
  const file = givenFile(request.InvoiceFileUrl, bookkeepingFiles);
  return writingWithFiles(scope, file, async (inside, files) => {
    const given = { module: 'BOOKKEEPING', request, lines: request.Invoice_InvoiceLine } as const;
    const references = await findReferences(inside, 'Customer', [given]);
    const invoice = (await readSalesInvoice(inside, references, given, throwAll))!;
    const { InvoiceNumber } = request;
    const { text } = await makeSalesInvoice(inside, invoice, { InvoiceNumber }, files);
    return new Encoded(`[${text}]`);
  });
}
