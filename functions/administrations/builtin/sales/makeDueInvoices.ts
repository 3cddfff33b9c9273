import { setTimeout as pause } from 'node:timers/promises';
import type { SalesInvoiceAddition } from '../../../../shared/resources/salesInvoice.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { parseJson } from '../../../../shared/wire/json.ts';
import { type DueDate, shiftDates } from '../../invoiceDocuments/periodic/dueDates.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { type EndpointContext, type WarningContext, writing } from '../sql/endpointContext.ts';
import type { Row } from '../sql/schema.ts';
import { makeSalesInvoice } from './makeSalesInvoice.ts';
import type { MailContext } from './outgoingMail.ts';
import { readOneSalesInvoice } from './readSalesInvoice.ts';
import { dueTemplates, nextDue, recordMade } from './templateSchedule.ts';

type Template = Row<'periodic_invoice'>;

/** The most due dates of one template in a run: a month of daily ones. The rest is for the following runs. */
const MAX_OF_TEMPLATE = 31;
/** The most due dates of one administration in a run. */
const MAX_OF_ADMINISTRATION = 1000;

type PeriodicContext = WarningContext & MailContext;

/** The administrations with periodic invoices that are due; one that is archived makes none. */
export const administrationsWithDueInvoices = ({ db, today }: Pick<EndpointContext, 'db' | 'today'>) =>
  db
    .selectFrom('administration')
    .where('id', 'in', dueTemplates(db, today()).select('administration_id'))
    .where('archived_on', 'is', null)
    .orderBy('id')
    .selectAll()
    .execute();

/** Due dates that wait for others' writes in vain in a run. With more of them the database itself is slow. */
const MAX_BUSY = 3;

/**
 * Makes the due periodic invoices of administrations, in turns of one due date, and of each the oldest first. Each due
 * date is processed in one transaction with its invoice, so it gives exactly one, also with several instances or after
 * a crash. After each, other requests and processes get as much time as it took. A template that fails is logged and
 * tried again next time; the others continue, and an administration that an import keeps busy comes after all others.
 * @param over begins no other due date: a later run processes the rest
 * @returns the number of invoices made
 */
export async function makeDueInvoices(contexts: readonly PeriodicContext[], over: AbortSignal): Promise<number> {
  let made = 0;
  let busyTimes = 0;
  let runs = contexts.map(dueDatesOf);
  const busy: typeof runs = [];
  while (runs.length > 0) {
    const unfinished: typeof runs = [];
    for (const run of runs) {
      if (over.aborted) return made;
      const start = performance.now();
      const { done, value: outcome } = await run.next();
      if (done) continue;
      if (outcome === 'busy') {
        if (++busyTimes > MAX_BUSY) return made;
        busy.push(run);
        continue;
      }
      if (outcome === 'made') made++;
      unfinished.push(run);
      await pause(performance.now() - start);
    }
    runs = unfinished.length > 0 ? unfinished : busy.splice(0);
  }
  return made;
}

/** Processes the due dates of an administration one by one, up to the limits of a run. Yields what came of each. */
async function* dueDatesOf(context: PeriodicContext): AsyncGenerator<'made' | 'not made' | 'busy', void> {
  const today = context.today();
  const templates = await dueTemplates(context.db, today)
    .where('administration_id', '=', context.administration.id)
    .select(['id', 'next_due'])
    .execute();
  const due = templates.map(({ id, next_due: date }) => ({ id, date, count: 0 }));
  for (let count = 0; due.length > 0 && count < MAX_OF_ADMINISTRATION; count++) {
    due.sort((a, b) => a.date.localeCompare(b.date) || Number(a.id - b.id));
    const template = due.shift()!;
    let outcome: 'made' | 'not made' | 'busy' = 'not made';
    try {
      const { isMade, next: date } = await writing(context, (transaction) => makeNext(transaction, template.id, today));
      if (isMade) outcome = 'made';
      const next = template.count + 1;
      if (date !== undefined && next < MAX_OF_TEMPLATE) due.push({ id: template.id, date, count: next });
    } catch (failure) {
      if (failure instanceof Error && dialectOf(context.db).errors.isTimeout(failure)) outcome = 'busy';
      context.warn(
        `Periodic invoice ${template.id} was not made: ${failure instanceof Error ? failure.message : failure}`,
      );
    }
    yield outcome;
  }
}

/** Processes the next due date of a template. @returns the following one, if it has passed too */
async function makeNext(
  context: MailContext,
  id: bigint,
  today: CalendarDate,
): Promise<{ isMade: boolean; next: CalendarDate | undefined }> {
  const { db } = context;
  const template = await db
    .selectFrom('periodic_invoice')
    .innerJoin('administration', 'administration.id', 'periodic_invoice.administration_id')
    .where('periodic_invoice.id', '=', id)
    // It may have been archived since the run began.
    .where('archived_on', 'is', null)
    .selectAll('periodic_invoice')
    .executeTakeFirst();
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
    const invoice = await readOneSalesInvoice(context, 'INVOICING', request, customer);
    // Nobody expects mail of days ago: a person decides about it.
    await makeSalesInvoice(context, invoice, request, files, due.date < today ? 'held' : 'waiting');
  }
  const done = { ...template, made: BigInt(due.index + 1) };
  await recordMade(db, template, done.made);
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
  const { waiting, since } = await dueTemplates(db, today())
    .innerJoin('administration', 'administration.id', 'periodic_invoice.administration_id')
    .where('archived_on', 'is', null)
    .select((eb) => [eb.fn.countAll<bigint>().as('waiting'), eb.fn.min('next_due').as('since')])
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), since };
}
