import type { SalesInvoiceAddition } from '../../../../shared/resources/salesInvoice.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { parseJson } from '../../../../shared/wire/json.ts';
import { type DueDate, dueDates, type Schedule, shiftDates } from '../../documents/periodic/dueDates.ts';
import { type EndpointContext, type LoggingContext, writing } from '../sql/endpointContext.ts';
import type { Row } from '../sql/schema.ts';
import { makeSalesInvoice } from './makeSalesInvoice.ts';
import type { MailContext } from './outgoingMail.ts';
import { readOneSalesInvoice } from './readSalesInvoice.ts';

type Template = Row<'periodic_invoice'>;

const scheduleColumns = ['starting_date', 'end_date', 'frequency', 'frequency_unit', 'skip_weekends', 'made'] as const;
type Planned = Pick<Template, (typeof scheduleColumns)[number]>;

const scheduleOf = (template: Planned): Schedule => ({
  start: template.starting_date,
  end: template.end_date,
  frequency: Number(template.frequency),
  unit: template.frequency_unit,
  skipWeekends: template.skip_weekends === 1n,
});

/** The first due date of a template that is not processed yet, if it has passed. */
const nextDue = (template: Planned, today: CalendarDate): DueDate | undefined =>
  dueDates(scheduleOf(template), Number(template.made), today, 1)[0];

/**
 * Makes the due periodic invoices of an administration, the oldest first. Each due date is processed in one
 * transaction with its invoice, so it gives exactly one, also with several instances or after a crash. A
 * template that fails is logged and tried again next time; the others continue.
 * @returns the number of invoices made
 */
export async function makeDueInvoices(scope: LoggingContext & MailContext): Promise<number> {
  const today = scope.today();
  const templates = await scope.db
    .selectFrom('periodic_invoice')
    .where('administration_id', '=', scope.administration.id)
    .where('starting_date', '<=', today)
    .select(['id', ...scheduleColumns])
    .execute();
  const due = templates.flatMap((template) => {
    const next = nextDue(template, today);
    return next === undefined ? [] : { id: template.id, date: next.date };
  });
  let made = 0;
  while (due.length > 0) {
    due.sort((a, b) => a.date.localeCompare(b.date) || Number(a.id - b.id));
    const { id } = due.shift()!;
    try {
      const done = await writing(scope, (inside) => makeNext(inside, id, today));
      if (done.isMade) made++;
      if (done.next !== undefined) due.push({ id, date: done.next });
    } catch (failure) {
      scope.log(`Periodic invoice ${id} was not made: ${failure instanceof Error ? failure.message : failure}`);
    }
  }
  return made;
}

/** Processes the next due date of a template. @returns the following one, if it has passed too */
async function makeNext(
  scope: MailContext,
  id: bigint,
  today: CalendarDate,
): Promise<{ isMade: boolean; next: CalendarDate | undefined }> {
  const { db } = scope;
  const template = await db.selectFrom('periodic_invoice').where('id', '=', id).selectAll().executeTakeFirst();
  const due = template && nextDue(template, today);
  if (template === undefined || due === undefined) return { isMade: false, next: undefined };
  if (due.isMade) {
    const files = await db
      .selectFrom('attachment')
      .where('periodic_invoice_id', '=', id)
      .orderBy('id')
      .select(['file_name', 'content_type', 'content', 'url', 'failure', 'is_internal'])
      .execute();
    const request = requestOf(template, due);
    // The number or name in the request may be of another customer by now.
    const customer = await db
      .selectFrom('relation')
      .where('id', '=', template.relation_id)
      .selectAll()
      .executeTakeFirstOrThrow();
    await makeSalesInvoice(scope, await readOneSalesInvoice(scope, 'INVOICING', request, customer), request, files);
  }
  const done = { ...template, made: BigInt(due.index + 1) };
  await db.updateTable('periodic_invoice').where('id', '=', id).set({ made: done.made }).execute();
  return { isMade: due.isMade, next: nextDue(done, today)?.date };
}

/** The request of the n-th invoice, with the dates in its texts moved n times. */
function requestOf(template: Template, { index, date }: DueDate): SalesInvoiceAddition {
  const request = parseJson(template.request) as SalesInvoiceAddition;
  const direction = template.change_date_tokens_direction === 'Before' ? -1 : 1;
  const months = index * Number(template.change_date_tokens) * direction;
  const shifted = <Text extends string | undefined>(text: Text) => text && shiftDates(text, months);
  return {
    ...request,
    InvoiceNotes: shifted(request.InvoiceNotes),
    InvoiceDate: date,
    // 0 payment days: due on the day of the invoice.
    ...(request.InvoiceDueDays === 0 ? { InvoiceDueDate: date } : {}),
    EmailToCustomer: template.automatic_mailing === 1n,
    Invoice_InvoiceLine: request.Invoice_InvoiceLine.map((line) => ({
      ...line,
      Description: shifted(line.Description),
    })),
  };
}

/** The number of templates with an overdue invoice, and since when. */
export async function overdueInvoices({
  db,
  today,
}: Pick<EndpointContext, 'db' | 'today'>): Promise<{ waiting: number; since: CalendarDate | null }> {
  const day = today();
  const templates = await db
    .selectFrom('periodic_invoice')
    .innerJoin('administration', 'administration.id', 'periodic_invoice.administration_id')
    .where('archived_on', 'is', null)
    .where('starting_date', '<=', day)
    .select(scheduleColumns)
    .execute();
  const dates = templates.flatMap((template) => nextDue(template, day)?.date ?? []).sort();
  return { waiting: dates.length, since: dates[0] ?? null };
}
