import type { AccountBalance } from '../../../shared/resources/generalLedger/ledgerBalance.ts';
import { ledgerPeriodOf, ledgerPeriodWords, yearBefore } from './ledgerPeriod.ts';
import { listTable, type PulledList } from './list.ts';

export const TRIAL_BALANCE = 'trialBalance';

/** An account in a period, and its closing balance a year earlier. */
type ComparedBalance = AccountBalance & { before: AccountBalance['closing'] };

/** The accounts of two periods: all that have a balance in one of them. */
function compared(now: readonly AccountBalance[], before: readonly AccountBalance[]): ComparedBalance[] {
  const closings = new Map(before.map(({ number, closing }) => [number, closing]));
  const present = new Set(now.map(({ number }) => number));
  const gone = before.filter(({ number }) => !present.has(number));
  const nothing = { opening: '0', debit: '0', credit: '0', closing: '0' };
  return [
    ...now.map((account) => ({ ...account, before: closings.get(account.number) ?? '0' })),
    ...gone.map((account) => ({ ...account, ...nothing, before: account.closing })),
  ].toSorted(byTypeAndNumber);
}

const byTypeAndNumber = (one: AccountBalance, other: AccountBalance): number =>
  String(one.type).localeCompare(String(other.type)) || (one.number < other.number ? -1 : 1);

/**
 * The balance of every account in a period, beside the one a year earlier: first the accounts of the balance sheet.
 * Debit is positive.
 */
export const trialBalance: PulledList = {
  view: 'trialBalance',
  endpoint: '/ledger/balances',
  filters: { Period: { kind: 'period' } },
  table: listTable<ComparedBalance>()(
    TRIAL_BALANCE,
    'trialBalance',
    {
      // Results of earlier years may have no account.
      Number: ['text', 14, ({ number }) => number || '–'],
      Name: ['text', 40, ({ name }) => name],
      LedgerType: ['code', 18, ({ type }) => type],
      Opening: ['amount', 15, ({ opening }) => opening],
      Debit: ['amount', 15, ({ debit }) => debit],
      Credit: ['amount', 15, ({ credit }) => credit],
      Closing: ['amount', 15, ({ closing }) => closing],
      YearBefore: ['amount', 18, ({ before }) => before],
    },
    {
      keys: ['Number'],
      overviewOf: (messages, question) => ({
        title: messages.trialBalance.sheet,
        lines: [ledgerPeriodWords(question, messages), messages.ledger.sign],
        totals: {
          label: { key: 'Name', text: messages.ledger.total },
          columns: ['Opening', 'Debit', 'Credit', 'Closing', 'YearBefore'],
        },
      }),
    },
  ),
  further: {},
  async *pages({ ledger }, question, today, signal) {
    const now = await ledger.balances(ledgerPeriodOf(question, today), signal);
    const before = await ledger.balances({ from: yearBefore(now.from), to: yearBefore(now.to) }, signal);
    yield compared(now.balances, before.balances) as never[];
  },
};
