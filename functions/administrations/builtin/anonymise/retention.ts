import { type CalendarDate, calendarDate, LAST_DAY } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';

/** Legal retention period in calendar years after that of an invoice. */
const RETENTION_YEARS = { NL: 7, BE: 10 } as const;

/** The number of invoices of a relation within their retention period, and its last day; undefined without any. */
export async function retainedInvoices(
  db: Database,
  { country }: Row<'administration'>,
  relationId: bigint,
  today: CalendarDate,
): Promise<{ invoices: number; until: CalendarDate } | undefined> {
  const untilOf = (date: CalendarDate): CalendarDate => {
    const year = Number(date.slice(0, 4)) + RETENTION_YEARS[country];
    return calendarDate(year, 12, 31) ?? LAST_DAY;
  };
  const dates = [
    ...(await db
      .selectFrom('sales_invoice')
      .where('relation_id', '=', relationId)
      .where('is_draft', '=', 0n)
      .select('date')
      .execute()),
    ...(await db.selectFrom('purchase_invoice').where('relation_id', '=', relationId).select('date').execute()),
  ].map(({ date }) => date);
  const retained = dates.filter((date) => untilOf(date) >= today).sort();
  const last = retained.at(-1);
  return last === undefined ? undefined : { invoices: retained.length, until: untilOf(last) };
}
