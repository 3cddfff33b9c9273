import { Problem } from '../../../../shared/problem.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { TaxTotals } from '../documents/documentTotals.ts';
import type { Database } from '../sql/database.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import type { Cents, Row, Seconds } from '../sql/schema.ts';

/** An amount on an account: positive is debit, negative is credit. */
export type Posting = { account: string; amount: Cents; taxCode?: string; description?: string };

export type Booking = {
  journal: 'sales' | 'purchases';
  document: { sales_invoice_id: bigint } | { purchase_invoice_id: bigint };
  date: CalendarDate;
  description: string;
  createdOn: Seconds;
  postings: readonly Posting[];
};

type Totals = { incl: Cents; perTaxCode: readonly TaxTotals[] };

/**
 * The postings of a sales document: the customer owes the total, the accounts earn the net amounts, the tax is owed.
 */
export function salesPostings(
  administration: Row<'administration'>,
  totals: Totals,
  lines: readonly { account: string; excl: Cents }[],
): Posting[] {
  return [
    { account: controlAccount(administration, 'debtor_account'), amount: totals.incl },
    ...perAccount(lines).map(({ account, excl }) => ({ account, amount: -excl })),
    ...totals.perTaxCode.map(({ taxCode, tax }) => ({
      account: controlAccount(administration, 'vat_payable_account'),
      amount: -tax,
      taxCode,
    })),
  ];
}

/**
 * The postings of a purchase: the accounts bear the net amounts, the tax is claimed back, the supplier is owed the
 * total.
 */
export function purchasePostings(
  administration: Row<'administration'>,
  totals: Totals,
  lines: readonly { account: string; excl: Cents }[],
): Posting[] {
  return [
    ...perAccount(lines).map(({ account, excl }) => ({ account, amount: excl })),
    ...totals.perTaxCode.map(({ taxCode, tax }) => ({
      account: controlAccount(administration, 'vat_receivable_account'),
      amount: tax,
      taxCode,
    })),
    { account: controlAccount(administration, 'creditor_account'), amount: -totals.incl },
  ];
}

const perAccount = (lines: readonly { account: string; excl: Cents }[]) =>
  [...Map.groupBy(lines, (line) => line.account)].map(([account, group]) => ({
    account,
    excl: group.reduce((sum, line) => sum + line.excl, 0n),
  }));

type ControlAccount = 'debtor_account' | 'creditor_account' | 'vat_payable_account' | 'vat_receivable_account';

function controlAccount(administration: Row<'administration'>, which: ControlAccount): string {
  const account = administration[which];
  if (account !== '') return account;
  throw new Problem(
    'INVALID_REQUEST',
    `The administration has no ${which.replaceAll('_', ' ')}: one must be set first.`,
  );
}

/**
 * Writes entries into the journal. Postings of zero are left out.
 * @throws Error for an entry whose debit and credit differ: a programming error
 */
export async function book(db: Database, administrationId: bigint, bookings: readonly Booking[]): Promise<void> {
  for (const { postings, description } of bookings) {
    const difference = postings.reduce((sum, posting) => sum + posting.amount, 0n);
    if (difference !== 0n) throw new Error(`The entry of ${description} is off by ${difference} cents.`);
  }
  const of = { sales: 'sales_invoice_id', purchases: 'purchase_invoice_id' } as const;
  for (const [journal, group] of Map.groupBy(bookings, (booking) => booking.journal)) {
    const key = of[journal];
    const documentId = (booking: Booking): bigint => (booking.document as Record<typeof key, bigint>)[key];
    const ids = await insertKeyedRows(
      db,
      'journal_entry',
      key,
      group.map((booking) => ({
        administration_id: administrationId,
        journal,
        date: booking.date,
        description: booking.description,
        created_on: booking.createdOn,
        [key]: documentId(booking),
      })),
    );
    await insertRows(
      db,
      'journal_line',
      group.flatMap((booking) =>
        booking.postings.flatMap(({ account, amount, taxCode = '', description = '' }) =>
          amount === 0n
            ? []
            : {
                journal_entry_id: ids.get(documentId(booking))!,
                ledger_account_number: account,
                debit: amount > 0n ? amount : 0n,
                credit: amount < 0n ? -amount : 0n,
                tax_code: taxCode,
                description,
              },
        ),
      ),
    );
  }
}
