import type { LedgerClient } from '../../../../shared/client/ledgerClient.ts';
import { addDays, type CalendarDate } from '../../../../shared/wire/calendarDate.ts';

/**
 * The first days of the fiscal years that begin in a calendar year and have something in the books, in their order: more
 * than one beside a short year.
 * @param year four digits
 */
export async function beginningsIn(
  year: string,
  ledger: Pick<LedgerClient, 'balances'>,
  signal?: AbortSignal,
): Promise<CalendarDate[]> {
  const found: CalendarDate[] = [];
  for (let to: CalendarDate = `${year}-12-31`; to.startsWith(year); ) {
    const { from, balances } = await ledger.balances({ to }, signal);
    if (!from.startsWith(year)) break;
    if (balances.length > 0) found.unshift(from);
    to = addDays(from, -1);
  }
  return found;
}
