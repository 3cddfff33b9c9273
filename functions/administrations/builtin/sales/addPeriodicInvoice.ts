import { decimalText, FINE_SCALE, MONEY_SCALE } from '../../../../shared/money.ts';
import { refuseField } from '../../../../shared/problem.ts';
import type { SalesInvoice, SalesInvoiceAddition } from '../../../../shared/resources/salesInvoice.ts';
import { type CalendarDate, daysBetween } from '../../../../shared/wire/calendarDate.ts';
import { stringifyJson } from '../../../../shared/wire/json.ts';
import { keepAttachments, type ReadyAttachment } from '../documents/attachments.ts';
import { flag } from '../sql/schema.ts';
import type { Scope } from '../sql/scope.ts';
import { inPlainText, makeSalesInvoice, readInvoice } from './addSalesInvoice.ts';
import { invoiceAddress, invoiceContact } from './salesInvoiceAnswers.ts';

/**
 * Makes the template of periodic invoices, and the first of them when that falls due today. Everything an invoice would
 * be refused for is refused now, while somebody is there to hear it.
 */
export async function addPeriodicInvoice(
  scope: Scope,
  request: SalesInvoiceAddition,
  files: readonly ReadyAttachment[],
): Promise<SalesInvoice> {
  const { db, administration } = scope;
  const start = request.Periodic_StartingDate!;
  const { customer, discount, totals, ogm, projectId, addresses, contacts } = await readInvoice(scope, request, start);
  const today = scope.today();
  const dueToday = start === today && !(request.Periodic_SkipWeekends && isWeekend(start));
  if (request.InvoiceDate !== undefined && ![start, today].includes(request.InvoiceDate)) {
    throw refuseField('InvoiceDate', 'NOT_ON_TEMPLATE');
  }
  if (!dueToday) {
    if (request.InvoiceNumber !== undefined) throw refuseField('InvoiceNumber', 'NOT_BEFORE_FIRST_DATE');
    if (ogm) throw refuseField('OGM_Belgium', 'NOT_BEFORE_FIRST_DATE');
  }
  const { id } = await db
    .insertInto('periodic_invoice')
    .values({
      administration_id: administration.id,
      relation_id: customer.id,
      relation_number: customer.customer_number,
      relation_name: customer.name,
      // Attachments are kept as files of their own; number, dates and remittance are each invoice's.
      request: stringifyJson({
        ...request,
        CustomerNumber: customer.customer_number === null ? undefined : Number(customer.customer_number),
        Invoice_Attachment: undefined,
        InvoiceNumber: undefined,
        InvoiceDate: undefined,
        InvoiceDueDays: dueDays(request, start),
        InvoiceDueDate: undefined,
        OGM_Belgium: undefined,
        PeriodicInvoiceTemplate: false,
      }),
      starting_date: start,
      end_date: request.Periodic_EndDate ?? null,
      frequency: BigInt(request.Periodic_Frequency!),
      frequency_unit: request.Periodic_FrequencyUnit!,
      automatic_mailing: flag(request.Periodic_AutomaticMailing),
      skip_weekends: flag(request.Periodic_SkipWeekends),
      change_date_tokens: BigInt(request.Periodic_ChangeDateTokensValue ?? 0),
      change_date_tokens_direction: request.Periodic_ChangeDateTokensBeforeAfter ?? '',
      made: flag(dueToday),
      created_on: scope.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await keepAttachments(scope, { periodic_invoice_id: id }, files);
  if (dueToday) {
    const first = { ...request, PeriodicInvoiceTemplate: false, EmailToCustomer: request.Periodic_AutomaticMailing };
    await makeSalesInvoice(scope, first, files, start);
  }

  const project =
    projectId === null
      ? undefined
      : await db.selectFrom('project').where('id', '=', projectId).selectAll().executeTakeFirstOrThrow();
  const money = (cents: bigint) => decimalText(cents, MONEY_SCALE);
  const template: SalesInvoice = {
    InvoiceNumber: null,
    InvoiceDate: start,
    InvoiceDueDate: null,
    InvoiceNotes: request.InvoiceNotes ?? '',
    InvoiceReference: request.InvoiceReference ?? '',
    PackingSlipNotes: request.PackingSlipNotes ?? '',
    CustomerNumber: customer.customer_number === null ? null : Number(customer.customer_number),
    CustomerName: customer.name,
    ProjectName: project?.name ?? '',
    ProjectNumber: project === undefined ? '' : String(project.number),
    InvoiceTotalExclTax: money(totals.excl),
    InvoiceTotalInclTax: money(totals.incl),
    InvoiceTaxAmount: money(totals.tax),
    InvoiceOutstandingAmount: '0',
    InvoiceType: 'INVOICING',
    DiscountPc: decimalText(discount, FINE_SCALE),
    InvoiceIsSent: false,
    OGM_Belgium: '',
    PeriodicInvoiceTemplate: true,
    Invoice_Contact: contacts.map(invoiceContact),
    Invoice_Address: addresses.map(invoiceAddress),
  };
  return request.HtmlAsPlainText ? inPlainText(template) : template;
}

/** How many days after its date each invoice is due, 0 included: a due date says it of the first. */
const dueDays = (request: SalesInvoiceAddition, start: CalendarDate): number | undefined =>
  request.InvoiceDueDays || (request.InvoiceDueDate ? daysBetween(start, request.InvoiceDueDate) : undefined);

const isWeekend = (date: CalendarDate): boolean => new Date(date).getUTCDay() % 6 === 0;
