import { cents, centsText } from '../../../shared/money.ts';
import type { AccountBalance } from '../../../shared/resources/generalLedger/ledgerBalance.ts';
import { ledgerTypes } from '../../../shared/resources/ledgerAccount.ts';
import { comparedPeriod, ledgerPeriodOf, ledgerPeriodWords } from './ledgerPeriod.ts';
import { listTable, type PulledList } from './list.ts';
import { OTHER_DATES } from './period.ts';
import { comparisonWords } from './questionText.ts';

export const TRIAL_BALANCE = 'trialBalance';

/** An account in a period, and what it was in another. */
type ComparedBalance = AccountBalance & { before: Pick<AccountBalance, 'debit' | 'credit' | 'closing'> };

const nothing = { opening: '0', debit: '0', credit: '0', closing: '0' };

/** The accounts of two periods: all that have a balance in one of them. */
function compared(now: readonly AccountBalance[], before: readonly AccountBalance[]): ComparedBalance[] {
  const earlier = new Map(before.map((account) => [account.number, account]));
  const present = new Set(now.map(({ number }) => number));
  const gone = before.filter(({ number }) => !present.has(number));
  return [
    ...now.map((account) => ({ ...account, before: earlier.get(account.number) ?? nothing })),
    ...gone.map((account) => ({ ...account, ...nothing, before: account })),
  ].toSorted(byTypeAndNumber);
}

const movementOf = ({ debit, credit }: Pick<AccountBalance, 'debit' | 'credit'>): string =>
  centsText(cents(debit) - cents(credit));

const byTypeAndNumber = (one: AccountBalance, other: AccountBalance): number =>
  String(one.type).localeCompare(String(other.type)) || (one.number < other.number ? -1 : 1);

/**
 * The balance of every account in a period, beside the same period a year earlier, the one before or any other: first the
 * accounts of the balance sheet. Debit is positive.
 */
export const trialBalance: PulledList = {
  view: 'trialBalance',
  endpoint: '/ledger/balances',
  filters: { Period: { kind: 'period' }, Compared: { kind: 'comparison', choices: ['periodBefore', OTHER_DATES] } },
  table: listTable<ComparedBalance>()(
    TRIAL_BALANCE,
    'trialBalance',
    {
      // Results of earlier years may have no account.
      Number: ['text', 14, ({ number }) => number || '–'],
      Name: ['text', 40, ({ name }) => name],
      LedgerType: ['code', ledgerTypes, ({ type }) => type],
      Opening: ['amount', 15, ({ opening }) => opening],
      Debit: ['amount', 15, ({ debit }) => debit],
      Credit: ['amount', 15, ({ credit }) => credit],
      Closing: ['amount', 15, ({ closing }) => closing],
      Movement: ['amount', 15, movementOf],
      MovementBefore: ['amount', 18, ({ before }) => movementOf(before)],
      YearBefore: ['amount', 18, ({ before }) => before.closing],
    },
    {
      keys: ['Number'],
      overviewOf: (messages, question) => ({
        title: messages.trialBalance.sheet,
        lines: [
          messages.ledger.beside(
            ledgerPeriodWords(question, messages),
            comparisonWords(question, messages) ?? messages.trialBalance.filters.Compared.all,
          ),
          messages.ledger.signOfGroups,
        ],
        totals: {
          label: { key: 'Name', text: messages.ledger.total },
          columns: ['Opening', 'Debit', 'Credit', 'Closing', 'Movement', 'MovementBefore', 'YearBefore'],
          groups: {
            key: 'LedgerType',
            texts: ledgerTypes.map((type) => messages.codes[type]),
            label: messages.ledger.subtotal,
          },
        },
      }),
    },
  ),
  further: {},
  async *pages({ ledger }, question, today, signal) {
    const now = await ledger.balances(ledgerPeriodOf(question, today), signal);
    const before = await ledger.balances(comparedPeriod(question, now), signal);
    yield compared(now.balances, before.balances) as never[];
  },
};
