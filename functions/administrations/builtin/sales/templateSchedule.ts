import { addDays, type CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { type DueDate, dueDates, type Schedule } from '../../invoiceDocuments/periodic/dueDates.ts';
import type { Database } from '../sql/database.ts';
import { withDerived } from '../sql/rows.ts';
import type { Row } from '../sql/schema.ts';

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

/** The first due date of a template that is not processed yet, if it is today or has passed. */
export const nextDue = (template: Planned, today: CalendarDate): DueDate | undefined =>
  dueDates(scheduleOf(template), Number(template.made), today, 1)[0];

/** The templates with a due date of today or before that is not processed. */
export const dueTemplates = (db: Database, today: CalendarDate) =>
  db.selectFrom('periodic_invoice').where('next_due', '>', '').where('next_due', '<=', today);

/** Records how many due dates of a template are processed, in a transaction. */
export async function recordMade(db: Database, template: Planned & Pick<Template, 'id'>, made: bigint): Promise<void> {
  const { next_due } = withDerived('periodic_invoice', { ...template, made });
  await db.updateTable('periodic_invoice').where('id', '=', template.id).set({ made, next_due }).execute();
}

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
  const yesterday = addDays(today, -1);
  const templates = await dueTemplates(db, yesterday)
    .where('administration_id', '=', administrationId)
    .select(['id', ...scheduleColumns])
    .execute();
  const dates: CalendarDate[] = [];
  for (const template of templates) {
    const all = Number.POSITIVE_INFINITY;
    const missed = dueDates(scheduleOf(template), Number(template.made), yesterday, all);
    dates.push(...missed.flatMap(({ date, isMade }) => (isMade ? date : [])));
    if (choice !== 'skip' || missed.length === 0) continue;
    await recordMade(db, template, BigInt(missed.at(-1)!.index + 1));
  }
  return { count: dates.length, first: dates.sort()[0] };
}
