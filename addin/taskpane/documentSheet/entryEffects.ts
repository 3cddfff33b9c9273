import type { LedgerClient } from '../../../shared/client/ledgerClient.ts';
import { type FieldError, fieldError } from '../../../shared/fieldErrors.ts';
import { cents, centsText } from '../../../shared/money.ts';
import { readWrite } from '../../../shared/readRequest.ts';
import { centsOf } from '../../../shared/resources/generalLedger/journalEntry.ts';
import type { AccountBalance } from '../../../shared/resources/generalLedger/ledgerBalance.ts';
import type { LedgerFigures } from '../../../shared/resources/generalLedger/ledgerFigures.ts';
import { type CalendarDate, readDate } from '../../../shared/wire/calendarDate.ts';
import type { PushedRequest } from '../push/sheetPush.ts';

/** What the books say of entries before they are sent: accounts that are not there, and days on which nothing is booked. */
export function entryErrors({ accounts, bookable: { first, last } }: Pick<LedgerFigures, 'accounts' | 'bookable'>) {
  const known = new Set(accounts.map(({ number }) => number));
  return ({ EntryDate, JournalEntry_Line: lines }: PushedRequest): FieldError[] => {
    const date = readDate(String(EntryDate));
    const isOpen = date === undefined || (first <= date && date <= last);
    return [
      ...(isOpen ? [] : [fieldError('EntryDate', 'OUTSIDE_BOOKING_DATES', { date, first, last })]),
      ...(lines as readonly PushedRequest[]).flatMap(({ LedgerAccountNumber: given }, index) => {
        if (given === undefined || known.has(String(given))) return [];
        return [
          fieldError(`JournalEntry_Line[${index}].LedgerAccountNumber`, 'NO_SUCH_ACCOUNT', { number: String(given) }),
        ];
      }),
    ];
  };
}

/** What entries change on an account. Amounts are debit less credit, in euros. */
type EntryEffect = { account: string; name: string; before: string; change: string; after: string };

/** The last day of entries; undefined when that is the day of those without a date, which are of today. */
export function lastDayOf(requests: readonly PushedRequest[], today: CalendarDate): CalendarDate | undefined {
  const days = requests.map((request) => entryOf(request).EntryDate);
  const last = days
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
  return last !== undefined && days.includes(undefined) && last <= today ? undefined : last;
}

/** Balances with which entries are compared; `years`: the days of them, when these are in several fiscal years. */
export type EffectBalances = {
  balances: readonly AccountBalance[];
  years?: { from: CalendarDate; to: CalendarDate };
};

/**
 * Reads the balances at the end of the last day of entries. When an entry is of an earlier fiscal year, they are those
 * of a period from its day on: in the balances of the last year its costs would be in the result account.
 * @param today of the time zone of the books
 */
export async function effectBalances(
  ledger: Pick<LedgerClient, 'balances'>,
  requests: readonly PushedRequest[],
  today: CalendarDate,
  signal?: AbortSignal,
): Promise<EffectBalances> {
  const { from, to, balances } = await ledger.balances({ to: lastDayOf(requests, today) }, signal);
  const first = requests.map((request) => entryOf(request).EntryDate ?? today).sort()[0];
  if (first === undefined || first >= from) return { balances };
  const years = { from: first, to };
  return { balances: (await ledger.balances(years, signal)).balances, years };
}

/**
 * What checked entries change on each account, by account.
 * @param balances of accounts that have one
 * @param accounts all of them
 */
export function entryEffects(
  requests: readonly PushedRequest[],
  balances: readonly Pick<AccountBalance, 'number' | 'closing'>[],
  accounts: LedgerFigures['accounts'],
): EntryEffect[] {
  const changes = new Map<string, bigint>();
  for (const line of requests.flatMap((request) => entryOf(request).JournalEntry_Line)) {
    changes.set(line.LedgerAccountNumber, (changes.get(line.LedgerAccountNumber) ?? 0n) + centsOf(line));
  }
  const closings = new Map(balances.map(({ number, closing }) => [number, closing]));
  const names = new Map(accounts.map(({ number, name }) => [number, name]));
  return [...changes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([account, change]) => {
      const before = cents(closings.get(account));
      return {
        account,
        name: names.get(account) ?? '',
        before: centsText(before),
        change: centsText(change),
        after: centsText(before + change),
      };
    });
}

const entryOf = (request: PushedRequest) => readWrite('addjournalentry', request).request;
