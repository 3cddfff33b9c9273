import { refuseField, refuseFields } from '../../../../shared/problem.ts';
import type { SalesInvoice, SalesInvoiceAddition } from '../../../../shared/resources/salesInvoice.ts';
import { type CalendarDate, daysBetween } from '../../../../shared/wire/calendarDate.ts';
import { stringifyJson } from '../../../../shared/wire/json.ts';
import { isWeekend } from '../../invoiceDocuments/periodic/dueDates.ts';
import { templateErrors } from '../../invoiceDocuments/periodic/templateLimits.ts';
import { type ReadyAttachment, storeAttachments } from '../documentParts/attachments.ts';
import { newRow } from '../sql/rows.ts';
import { flag } from '../sql/schema.ts';
import { makeSalesInvoice } from './makeSalesInvoice.ts';
import type { MailContext } from './outgoingMail.ts';
import type { ReadSalesInvoice } from './readSalesInvoice.ts';
import { salesInvoiceResponse } from './salesInvoiceResponses.ts';

/**
 * Adds the template of periodic invoices, and makes the first invoice when it is due today.
 * @param invoice the first invoice, which has been validated
 * @returns the response of the template
 * @throws Problem INVALID_REQUEST for a template that starts too long ago or copies too much, and others
 */
export async function addPeriodicInvoice(
  context: MailContext,
  invoice: ReadSalesInvoice,
  request: SalesInvoiceAddition,
  files: readonly ReadyAttachment[],
): Promise<SalesInvoice> {
  const { db, administration } = context;
  const start = request.Periodic_StartingDate!;
  const { relation } = invoice;
  const today = context.today();
  const dueToday = start === today && !(request.Periodic_SkipWeekends && isWeekend(start));
  if (request.InvoiceDate !== undefined && ![start, today].includes(request.InvoiceDate)) {
    throw refuseField('InvoiceDate', 'NOT_ON_TEMPLATE');
  }
  if (!dueToday) {
    if (request.InvoiceNumber !== undefined) throw refuseField('InvoiceNumber', 'NOT_BEFORE_FIRST_DATE');
    if (invoice.row.ogm) throw refuseField('OGM_Belgium', 'NOT_BEFORE_FIRST_DATE');
  }
  // Attachments are stored as files. Number, dates and remittance differ for each invoice.
  const copied = stringifyJson({
    ...request,
    Invoice_Attachment: undefined,
    InvoiceNumber: undefined,
    InvoiceDate: undefined,
    InvoiceDueDays: dueDays(request, start),
    InvoiceDueDate: undefined,
    OGM_Belgium: undefined,
    PeriodicInvoiceTemplate: false,
  });
  const schedule = {
    start,
    end: request.Periodic_EndDate ?? null,
    frequency: request.Periodic_Frequency!,
    unit: request.Periodic_FrequencyUnit!,
    skipWeekends: request.Periodic_SkipWeekends,
  };
  const bytes = files.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  const errors = templateErrors(schedule, today, { characters: copied.length, bytes });
  if (errors.length > 0) throw refuseFields(errors);
  const { id } = await db
    .insertInto('periodic_invoice')
    .values(
      newRow('periodic_invoice', {
        administration_id: administration.id,
        relation_id: relation.id,
        relation_number: relation.customer_number,
        relation_name: relation.name,
        request: copied,
        starting_date: start,
        end_date: schedule.end,
        frequency: BigInt(schedule.frequency),
        frequency_unit: schedule.unit,
        automatic_mailing: flag(request.Periodic_AutomaticMailing),
        skip_weekends: flag(schedule.skipWeekends),
        change_date_tokens: BigInt(request.Periodic_ChangeDateTokensValue ?? 0),
        change_date_tokens_direction: request.Periodic_ChangeDateTokensBeforeAfter ?? '',
        made: flag(dueToday),
        created_on: context.now(),
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await storeAttachments(context, { periodic_invoice_id: id }, files);
  if (dueToday) {
    const row = { ...invoice.row, email_to_customer: flag(request.Periodic_AutomaticMailing) };
    await makeSalesInvoice(context, { ...invoice, row }, request, files);
  }
  return {
    ...salesInvoiceResponse({ ...invoice.row, number: 0n, ogm: '' }, invoice),
    InvoiceNumber: null,
    InvoiceDueDate: null,
    InvoiceOutstandingAmount: '0',
    PeriodicInvoiceTemplate: true,
  };
}

/** The payment days of each invoice, from the days or the due date of the request; 0 is allowed. */
const dueDays = (request: SalesInvoiceAddition, start: CalendarDate): number | undefined =>
  request.InvoiceDueDays || (request.InvoiceDueDate ? daysBetween(start, request.InvoiceDueDate) : undefined);
