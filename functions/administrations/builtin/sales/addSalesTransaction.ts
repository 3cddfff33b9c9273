import type { SalesInvoice, SalesTransactionAddition } from '../../../../shared/resources/salesInvoice.ts';
import { Encoded } from '../../../../shared/wire/encode.ts';
import { bookkeepingFiles } from '../attachments/fileKind.ts';
import { keepAttachments, readyFile } from '../documents/attachments.ts';
import { bookkeepingAmount, bookkeepingLines } from '../documents/bookkeepingLines.ts';
import { checkedTotals } from '../documents/checkedTotals.ts';
import { invoiceNumber } from '../documents/numbering.ts';
import { findProject } from '../projects/project.ts';
import { documentAddresses } from '../relations/addresses.ts';
import { documentContact, findParty, mainContact } from '../relations/party.ts';
import { type Scope, writing } from '../sql/scope.ts';
import { storeAnswers } from '../sql/storedAnswers.ts';
import { remittanceFor } from './remittance.ts';
import { salesInvoiceAnswers } from './salesInvoiceAnswers.ts';
import { storeSalesInvoices } from './storeSalesInvoices.ts';

/**
 * Books a sales invoice without the invoicing module: no products, no stock, lines with tax included.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export async function addSalesTransaction(
  scope: Scope,
  request: SalesTransactionAddition,
): Promise<Encoded<SalesInvoice[]>> {
  const files = await readyFile(scope, request.InvoiceFileUrl, bookkeepingFiles);
  return writing(scope, async (inside) => {
    const { db, administration } = inside;
    const customer = await findParty(inside, 'Customer', request);
    const lines = await bookkeepingLines(inside, 'Sales', request.Invoice_InvoiceLine, 'Invoice_InvoiceLine');
    checkedTotals(lines.map(bookkeepingAmount), 0n, 'Invoice_InvoiceLine');
    const project = { project: request.InvoiceProject, by: request.SelectProjectBy };
    const projectId = await findProject(inside, project, 'InvoiceProject');
    const addresses = await documentAddresses(inside, customer, [], '');
    const contact = await mainContact(inside, customer.id);
    const number = await invoiceNumber(inside, request.InvoiceNumber);
    const ids = await storeSalesInvoices(db, administration.id, [
      {
        number,
        module: 'BOOKKEEPING',
        isDraft: false,
        date: request.InvoiceDate ?? inside.today(),
        dueDate: null,
        notes: request.InvoiceNotes ?? '',
        reference: '',
        packingSlipNotes: '',
        customer: { id: customer.id, number: customer.customer_number, name: customer.name },
        projectId,
        discount: 0n,
        isSent: false,
        ogm: customer.country_code.toUpperCase() === 'BE' ? remittanceFor(number) : '',
        createdOn: inside.now(),
        outstanding: (total) => total,
        lines: lines.map((line) => ({
          amount: bookkeepingAmount(line),
          taxCodeId: line.taxCode.id,
          product: null,
          description: line.given.Description ?? '',
          textCategory: '',
          ledgerAccountNumber: line.account,
          costCenter: line.costCenter,
          deliveryDate: null,
          warehouse: '',
          shelf: '',
          batch: '',
          useArticlePrice: false,
        })),
        addresses: addresses.filter(({ address_type }) => address_type === 'BillingAddress'),
        contacts: contact === undefined ? [] : [{ contact_type: 'Invoice', ...documentContact(contact) }],
      },
    ]);
    const id = ids.get(number)!;
    await keepAttachments(inside, { sales_invoice_id: id }, files);
    await storeAnswers(db, 'sales_invoice', await salesInvoiceAnswers(db, [id]));
    const { answer } = await db
      .selectFrom('sales_invoice')
      .where('id', '=', id)
      .select('answer')
      .executeTakeFirstOrThrow();
    return new Encoded(`[${answer}]`);
  });
}
