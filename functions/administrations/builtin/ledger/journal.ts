import { sum } from '../../../../shared/money.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Cents, Row } from '../sql/schema.ts';
import { type NewEntry, storeEntries } from './storeEntries.ts';

/** An amount on an account, and the base of its tax: positive is debit, negative is credit. */
type Posting = { account: string; amount: Cents; costCenter?: string; tax?: { code: string; base: Cents } };

/** For each journal: the column of its invoices, and the accounts of the customer or supplier and of the tax. */
const journals = {
  sales: { key: 'sales_invoice_id', party: 'debtor_account', tax: 'vat_payable_account' },
  purchases: { key: 'purchase_invoice_id', party: 'creditor_account', tax: 'vat_receivable_account' },
} as const;
/** A journal whose entries are of invoices. */
export type Journal = keyof typeof journals;

/** The amounts of an invoice; of its lines, only those with an amount. */
type InvoiceAmounts = {
  total_incl: Cents;
  lines: readonly {
    ledger_account_number: string;
    cost_center: string;
    tax_code: string;
    subtotal_excl: Cents;
    subtotal_incl: Cents;
    /** Of a purchase; null when its entry has only what the invoice says, as earlier versions booked it. */
    assessed_tax?: Cents | null;
    deductible_tax?: Cents | null;
  }[];
};

/**
 * The postings of an invoice. Sales: the customer owes the total, the accounts earn the net amounts, the tax is owed.
 * Purchases: the accounts bear the net amounts and the tax that may not be deducted, the rest of the tax is claimed
 * back, the supplier is owed the total; tax that the purchaser owes is owed as that on sales.
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
  const perAccount = Map.groupBy(lines, (line) => `${line.ledger_account_number}\n${line.cost_center}`);
  const perTaxCode = Map.groupBy(lines, (line) => line.tax_code);
  const others: Posting[] = [...perAccount.values()].map((group) => ({
    account: group[0]!.ledger_account_number,
    amount: sign * sum(group.map((line) => line.subtotal_excl + notDeducted(line))),
    costCenter: group[0]!.cost_center,
  }));
  for (const [code, group] of perTaxCode) {
    const base = sign * sum(group.map((line) => line.subtotal_excl));
    const claimed = sign * sum(group.map((line) => line.deductible_tax ?? taxOf(line)));
    const assessed = sum(group.map(({ assessed_tax }) => assessed_tax ?? 0n));
    others.push({ account: controlAccount(administration, tax), amount: claimed, tax: { code, base } });
    if (assessed === 0n) continue;
    const payable = controlAccount(administration, journals.sales.tax);
    others.push({ account: payable, amount: -assessed, tax: { code, base: -base } });
  }
  return journal === 'sales' ? [total, ...others] : [...others, total];
}

type Line = InvoiceAmounts['lines'][number];

const taxOf = ({ subtotal_incl, subtotal_excl }: Line): Cents => subtotal_incl - subtotal_excl;

/** The tax on a purchase that is a cost. */
const notDeducted = (line: Line): Cents =>
  taxOf(line) + (line.assessed_tax ?? 0n) - (line.deductible_tax ?? taxOf(line));

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

/** An invoice that is booked. */
type BookedInvoice = InvoiceAmounts &
  Pick<NewEntry, 'date' | 'description' | 'created_on'> & { id: bigint; number: bigint; relation_id: bigint };

/**
 * Writes an entry into the journal for each invoice. Postings of zero are left out.
 * @throws Problem INVALID_REQUEST when the administration lacks an account
 * @throws Error for an entry whose debit and credit differ: a programming error
 */
export async function book(
  context: Pick<EndpointContext, 'db' | 'administration'>,
  journal: Journal,
  invoices: readonly BookedInvoice[],
): Promise<void> {
  const { key } = journals[journal];
  const entries = invoices.map((invoice): NewEntry => {
    const { id, number, relation_id, date, description, created_on } = invoice;
    const postings = postingsOf(context.administration, journal, invoice);
    const lines = postings.map(({ account, amount, costCenter = '', tax }) => ({
      ledger_account_number: account,
      amount,
      relation_id,
      document: String(number),
      cost_center: costCenter,
      ...(tax === undefined ? {} : { tax_code: tax.code, tax_base: tax.base, tax_amount: amount }),
    }));
    return { journal, [key]: id, date, description, created_on, lines };
  });
  await storeEntries(context, entries);
}
