import { addDays, type CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { type DueDate, dueDates, type Schedule } from '../../invoiceDocuments/periodic/dueDates.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';

type Template = Row<'periodic_invoice'>;

export const scheduleColumns = [
  'starting_date',
  'end_date',
  'frequency',
  'frequency_unit',
  'skip_weekends',
  'made',
] as const;
type Planned = Pick<Template, (typeof scheduleColumns)[number]>;

const scheduleOf = (template: Planned): Schedule => ({
  start: template.starting_date,
  end: template.end_date,
  frequency: Number(template.frequency),
  unit: template.frequency_unit,
  skipWeekends: template.skip_weekends === 1n,
});

/** The first due date of a template that is not processed yet, if it is today or has passed. */
export const nextDue = (template: Planned, today: CalendarDate): DueDate | undefined =>
  dueDates(scheduleOf(template), Number(template.made), today, 1)[0];

/** What is done with the invoices of templates whose dates have passed. */
export const missedChoices = ['make', 'skip'] as const;
export type MissedChoice = (typeof missedChoices)[number];

/**
 * The due dates before today that the templates of an administration still have, in a transaction.
 * @param choice skip: they are processed without an invoice
 * @returns how many there are, and the first of them
 */
export async function missedInvoices(
  db: Database,
  administrationId: bigint,
  today: CalendarDate,
  choice: MissedChoice | undefined,
): Promise<{ count: number; first: CalendarDate | undefined }> {
  const templates = await db
    .selectFrom('periodic_invoice')
    .where('administration_id', '=', administrationId)
    .where('starting_date', '<', today)
    .select(['id', ...scheduleColumns])
    .execute();
  const dates: CalendarDate[] = [];
  for (const template of templates) {
    const all = Number.POSITIVE_INFINITY;
    const missed = dueDates(scheduleOf(template), Number(template.made), addDays(today, -1), all);
    dates.push(...missed.flatMap(({ date, isMade }) => (isMade ? date : [])));
    if (choice !== 'skip' || missed.length === 0) continue;
    const made = BigInt(missed.at(-1)!.index + 1);
    await db.updateTable('periodic_invoice').where('id', '=', template.id).set({ made }).execute();
  }
  return { count: dates.length, first: dates.sort()[0] };
}
