import { FINE_SCALE, units } from '../../../../shared/money.ts';
import { refuseField } from '../../../../shared/problem.ts';
import {
  type SalesInvoice,
  type SalesInvoiceAddition,
  salesInvoice,
} from '../../../../shared/resources/salesInvoice.ts';
import { addDays, type CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { Encoded } from '../../../../shared/wire/encode.ts';
import { parseJson } from '../../../../shared/wire/json.ts';
import { invoiceFiles } from '../attachments/fileKind.ts';
import { articleLines, throwAll } from '../documents/articleLines.ts';
import { keepAttachments, type ReadyAttachment, readyAttachments } from '../documents/attachments.ts';
import { checkedTotals } from '../documents/checkedTotals.ts';
import { invoiceNumber } from '../documents/numbering.ts';
import { plainText } from '../documents/plainText.ts';
import { costCenters, ledgerAccounts } from '../ledger/ledgerAccounts.ts';
import { takeStock } from '../products/stock.ts';
import { findProject } from '../projects/project.ts';
import { documentAddresses } from '../relations/addresses.ts';
import { documentContact, findParty, mainContact } from '../relations/party.ts';
import { flag, type Row } from '../sql/schema.ts';
import { type Scope, writing } from '../sql/scope.ts';
import { keepSalesInvoiceAnswers } from '../sql/storedAnswers.ts';
import { addPeriodicInvoice } from './addPeriodicInvoice.ts';
import { markInvoiced } from './orderStatus.ts';
import { readRemittance, remittanceFor } from './remittance.ts';
import { storeSalesInvoices } from './storeSalesInvoices.ts';

/**
 * Makes a sales invoice in the invoicing module, final or a draft; or the template of periodic ones.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export async function addSalesInvoice(
  scope: Scope,
  request: SalesInvoiceAddition,
): Promise<SalesInvoice[] | Encoded<SalesInvoice[]>> {
  const files = await readyAttachments(scope, request.Invoice_Attachment ?? [], invoiceFiles, 'Invoice_Attachment');
  return writing(scope, async (inside) => {
    if (request.PeriodicInvoiceTemplate) return [await addPeriodicInvoice(inside, request, files)];
    const id = await makeSalesInvoice(inside, request, files);
    const { answer } = await inside.db
      .selectFrom('sales_invoice')
      .where('id', '=', id)
      .select('answer')
      .executeTakeFirstOrThrow();
    return request.HtmlAsPlainText ? [inPlainText(salesInvoice.parse(parseJson(answer)))] : new Encoded(`[${answer}]`);
  });
}

/** The rich texts of an invoice as plain text. */
export const inPlainText = (invoice: SalesInvoice): SalesInvoice => ({
  ...invoice,
  InvoiceNotes: plainText(invoice.InvoiceNotes),
  PackingSlipNotes: plainText(invoice.PackingSlipNotes),
});

/**
 * Finds what an invoice refers to and what it adds up to. What the relation and the administration do not have yet, its
 * addresses and cost centers, they get.
 * @throws Problem INVALID_REQUEST for everything an invoice can be refused for but its number
 */
export async function readInvoice(scope: Scope, request: SalesInvoiceAddition, date: CalendarDate) {
  const given = request.Invoice_InvoiceLine;
  const customer = await findParty(scope, 'Customer', request);
  const lines = await articleLines(scope, given, 'Invoice_InvoiceLine');
  const { accounts, errors } = await ledgerAccounts(scope, 'revenue', given, 'Invoice_InvoiceLine');
  throwAll(errors);
  const discount = units(request.InvoiceDiscountPc ?? '0', FINE_SCALE);
  const amounts = lines.map(({ amount }) => amount);
  const contact = await mainContact(scope, customer.id);
  return {
    customer,
    lines,
    accounts,
    discount,
    totals: checkedTotals(amounts, discount, 'Invoice_InvoiceLine'),
    dueDate: dueDateOf(request, date),
    ogm: givenRemittance(customer, request.OGM_Belgium),
    projectId: await findProject(
      scope,
      { project: request.InvoiceProject, by: request.SelectProjectBy },
      'InvoiceProject',
    ),
    centers: await costCenters(scope, given),
    addresses: await documentAddresses(scope, customer, request.Invoice_Address ?? [], 'Invoice_Address'),
    contacts:
      contact === undefined
        ? []
        : (['Invoice', 'PackingSlip'] as const).map((contact_type) => ({ contact_type, ...documentContact(contact) })),
  };
}

/**
 * Stores an invoice with all that belongs to it, and returns its id.
 * @param date the invoice date, when it is not the request's to say
 */
export async function makeSalesInvoice(
  scope: Scope,
  request: SalesInvoiceAddition,
  files: readonly ReadyAttachment[],
  date: CalendarDate = request.InvoiceDate ?? scope.today(),
): Promise<bigint> {
  const { db, administration } = scope;
  const { customer, lines, ...invoice } = await readInvoice(scope, request, date);
  const number = await invoiceNumber(scope, request.InvoiceNumber);
  const ids = await storeSalesInvoices(db, administration.id, [
    {
      number,
      module: 'INVOICING',
      isDraft: request.AddAsDraft,
      date,
      dueDate: invoice.dueDate,
      notes: request.InvoiceNotes ?? '',
      reference: request.InvoiceReference ?? '',
      packingSlipNotes: request.PackingSlipNotes ?? '',
      customer: { id: customer.id, number: customer.customer_number, name: customer.name },
      projectId: invoice.projectId,
      discount: invoice.discount,
      isSent: false,
      ogm: invoice.ogm ?? remittanceFor(number),
      createdOn: scope.now(),
      outstanding: (total) => total,
      lines: lines.map((line, index) => ({
        ...line,
        product:
          line.product === null
            ? null
            : { id: line.product.id, articleNumber: line.product.article_number, ean: line.product.ean },
        ledgerAccountNumber: invoice.accounts[index]!,
        costCenter: invoice.centers[index]!,
        deliveryDate: null,
        warehouse: '',
        shelf: '',
        batch: '',
      })),
      addresses: invoice.addresses,
      contacts: invoice.contacts,
    },
  ]);
  const id = ids.get(number)!;
  await db
    .updateTable('sales_invoice')
    .where('id', '=', id)
    .set({
      email_to_customer: flag(request.EmailToCustomer),
      template_invoice: request.TemplateName_Invoice ?? '',
      template_email: request.TemplateName_Email ?? '',
      moves_stock: 1n,
      sales_order_id: await markInvoiced(scope, customer.id, request.InvoiceForOrderNumber),
    })
    .execute();
  await keepAttachments(scope, { sales_invoice_id: id }, files);
  await takeStock(
    scope,
    id,
    lines.flatMap(({ product, amount }) =>
      product === null || amount === null ? [] : [{ product, quantity: amount.quantity }],
    ),
  );
  await keepSalesInvoiceAnswers(db, [id]);
  return id;
}

/** Due days, when given, go before a due date. */
function dueDateOf(request: SalesInvoiceAddition, date: CalendarDate): CalendarDate | null {
  if (!request.InvoiceDueDays) return request.InvoiceDueDate ?? null;
  const due = addDays(date, request.InvoiceDueDays);
  if (due.startsWith('+')) throw refuseField('InvoiceDueDays', 'DUE_DATE_TOO_LATE');
  return due;
}

/** The structured remittance that was given; "" for customers elsewhere; undefined when it is to be made of the number. */
function givenRemittance(customer: Row<'relation'>, given: string | undefined): string | undefined {
  if (customer.country_code.toUpperCase() !== 'BE') return '';
  if (given === undefined) return undefined;
  const read = readRemittance(given);
  if (read !== undefined) return read;
  throw refuseField('OGM_Belgium', 'NOT_OGM', { ogm: given });
}
