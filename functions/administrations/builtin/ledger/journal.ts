import { sum } from '../../../../shared/money.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import type { Cents, Row, Seconds } from '../sql/schema.ts';

/** An amount on an account: positive is debit, negative is credit. */
export type Posting = { account: string; amount: Cents; taxCode?: string };

/** For each journal: the column of its invoices, and the accounts of the customer or supplier and of the tax. */
const journals = {
  sales: { key: 'sales_invoice_id', party: 'debtor_account', tax: 'vat_payable_account' },
  purchases: { key: 'purchase_invoice_id', party: 'creditor_account', tax: 'vat_receivable_account' },
} as const;
export type Journal = keyof typeof journals;

/** The amounts of an invoice; of its lines, only those with an amount. */
type InvoiceAmounts = {
  total_incl: Cents;
  lines: readonly { ledger_account_number: string; tax_code: string; subtotal_excl: Cents; subtotal_incl: Cents }[];
};

/**
 * The postings of an invoice. Sales: the customer owes the total, the accounts earn the net amounts, the tax is owed.
 * Purchases: the accounts bear the net amounts, the tax is claimed back, the supplier is owed the total.
 * @throws Problem INVALID_REQUEST when the administration lacks an account
 */
export function postingsOf(
  administration: Row<'administration'>,
  journal: Journal,
  { total_incl, lines }: InvoiceAmounts,
): Posting[] {
  const { party, tax } = journals[journal];
  const sign = journal === 'sales' ? -1n : 1n;
  const total = { account: controlAccount(administration, party), amount: -sign * total_incl };
  const perAccount = Map.groupBy(lines, (line) => line.ledger_account_number);
  const perTaxCode = Map.groupBy(lines, (line) => line.tax_code);
  const others = [
    ...[...perAccount].map(([account, group]) => ({
      account,
      amount: sign * sum(group.map((line) => line.subtotal_excl)),
    })),
    ...[...perTaxCode].map(([taxCode, group]) => ({
      account: controlAccount(administration, tax),
      amount: sign * sum(group.map((line) => line.subtotal_incl - line.subtotal_excl)),
      taxCode,
    })),
  ];
  return journal === 'sales' ? [total, ...others] : [...others, total];
}

function controlAccount(
  administration: Row<'administration'>,
  name: (typeof journals)[Journal]['party' | 'tax'],
): string {
  const account = administration[name];
  if (account !== '') return account;
  throw new Problem(
    'INVALID_REQUEST',
    `The administration has no ${name.replaceAll('_', ' ')}: one must be set first.`,
  );
}

/**
 * Writes an entry into the journal for each invoice. Postings of zero are left out.
 * @throws Problem INVALID_REQUEST when the administration lacks an account
 * @throws Error for an entry whose debit and credit differ: a programming error
 */
export async function book(
  { db, administration }: Pick<EndpointContext, 'db' | 'administration'>,
  journal: Journal,
  invoices: readonly (InvoiceAmounts & { id: bigint; date: CalendarDate; description: string; created_on: Seconds })[],
): Promise<void> {
  const { key } = journals[journal];
  const entries = invoices.map((invoice) => {
    const postings = postingsOf(administration, journal, invoice);
    const difference = sum(postings.map(({ amount }) => amount));
    if (difference !== 0n) throw new Error(`The entry of ${invoice.description} is off by ${difference} cents.`);
    return { ...invoice, postings };
  });
  const ids = await insertKeyedRows(
    db,
    'journal_entry',
    key,
    entries.map(({ id, date, description, created_on }) => ({
      administration_id: administration.id,
      journal,
      date,
      description,
      created_on,
      [key]: id,
    })),
  );
  await insertRows(
    db,
    'journal_line',
    entries.flatMap(({ id, postings }) =>
      postings
        .filter(({ amount }) => amount !== 0n)
        .map(({ account, amount, taxCode = '' }) => ({
          journal_entry_id: ids.get(id)!,
          ledger_account_number: account,
          debit: amount > 0n ? amount : 0n,
          credit: amount < 0n ? -amount : 0n,
          tax_code: taxCode,
          description: '',
        })),
    ),
  );
}
