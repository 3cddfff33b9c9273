import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import { addDays, type CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { dueDates, type Schedule } from './dueDates.ts';

/** A template starts at most so many days before today. */
const MAX_DAYS_BEFORE_TODAY = 366;

/** What the invoices of a template may copy until a year from today: characters of its texts, bytes of its files. */
const MAX_COPIED = { characters: 5_000_000, bytes: 250_000_000 } as const;

/**
 * Why the template of a schedule is refused: it starts too long ago, or its invoices would copy too much.
 * @param characters of its texts, which every invoice copies
 * @param bytes of its files, which every invoice copies
 */
export function templateErrors(
  schedule: Schedule,
  today: CalendarDate,
  { characters, bytes }: { characters: number; bytes: number },
): FieldError[] {
  const first = addDays(today, -MAX_DAYS_BEFORE_TODAY);
  if (schedule.start < first) {
    return [fieldError('Periodic_StartingDate', 'TEMPLATE_STARTS_TOO_EARLY', { first, date: schedule.start })];
  }
  const from = schedule.start > today ? schedule.start : today;
  const copies = dueDates(schedule, 0, addDays(from, 366), Number.POSITIVE_INFINITY).filter((due) => due.isMade).length;
  const copied = { characters: characters * copies, bytes: bytes * copies };
  return (['characters', 'bytes'] as const).flatMap((what) =>
    copied[what] <= MAX_COPIED[what]
      ? []
      : fieldError('PeriodicInvoiceTemplate', 'TEMPLATE_COPIES_TOO_MUCH', {
          what,
          copies,
          copied: copied[what],
          max: MAX_COPIED[what],
        }),
  );
}
