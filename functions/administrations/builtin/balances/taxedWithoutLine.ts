import { type RawBuilder, sql } from 'kysely';
import { centsText } from '../../../../shared/money.ts';
import type { EntryPage } from '../../../../shared/resources/generalLedger/ledgerEntry.ts';
import type { Database } from '../sql/database.ts';
import type { Cents } from '../sql/schema.ts';

/** The lines of an invoice on an account, a cost center and a tax code. */
type Group = {
  invoice: bigint;
  account: string;
  costCenter: string;
  taxCode: string;
  /** On the side of their account: debit is positive. */
  excl: Cents;
  tax: Cents;
  /** The part of the tax that is a part of the line on the account. */
  notDeducted: Cents;
};

/** Of a line for which it was booked what is owed and deducted. */
const notDeducted = sql`case when deductible_tax is null then 0
  else subtotal_incl - subtotal_excl + coalesce(assessed_tax, 0) - deductible_tax end`;

/** What invoices book on each account, by tax code: some lines have none. @param invoiceIds of sales or of purchases */
export async function bookedOnAccounts(
  db: Database,
  kind: 'sales' | 'purchases',
  invoiceIds: readonly bigint[],
): Promise<Group[]> {
  if (invoiceIds.length === 0) return [];
  const document = kind === 'purchases' ? 'purchase_invoice' : 'sales_invoice';
  // What is sold is on the credit side.
  const total = (amount: RawBuilder<unknown>) =>
    kind === 'purchases' ? sql<Cents>`cast(sum(${amount}) as bigint)` : sql<Cents>`cast(-sum(${amount}) as bigint)`;
  const invoice = sql.ref(`${document}_id`);
  const { rows } = await sql<Group>`
    select ${invoice} as "invoice", ledger_account_number as "account", cost_center as "costCenter",
      tax_code as "taxCode", ${total(sql`subtotal_excl`)} as "excl",
      ${total(sql`subtotal_incl - subtotal_excl`)} as "tax",
      ${total(kind === 'purchases' ? notDeducted : sql`0`)} as "notDeducted"
    from ${sql.table(`${document}_line`)}
    where ${invoice} in (${sql.join(invoiceIds)})
    group by ${invoice}, ledger_account_number, cost_center, tax_code
    order by ${invoice}, ledger_account_number, cost_center, tax_code`.execute(db);
  return rows.filter(({ excl, tax }) => excl !== 0n || tax !== 0n);
}

/**
 * What the invoice of an entry taxes without a line of tax: at 0 %, or with VAT that may not be deducted, which is a part
 * of the line on its account. An entry without an invoice has its tax on its lines.
 */
export async function taxedWithoutLine(
  db: Database,
  administrationId: bigint,
  entryId: bigint,
): Promise<EntryPage['taxedWithoutLine']> {
  const entry = await db
    .selectFrom('journal_entry')
    .where('administration_id', '=', administrationId)
    .where('id', '=', entryId)
    .select(['sales_invoice_id', 'purchase_invoice_id'])
    .executeTakeFirst();
  const { sales_invoice_id: sale = null, purchase_invoice_id: purchase = null } = entry ?? {};
  const invoice = sale ?? purchase;
  if (invoice === null) return [];
  const lines = await db
    .selectFrom('journal_line')
    .where('journal_entry_id', '=', entryId)
    .where('tax_code', '<>', '')
    .select('tax_code')
    .execute();
  const withLine = new Set(lines.map(({ tax_code }) => tax_code));
  return (await bookedOnAccounts(db, sale === null ? 'purchases' : 'sales', [invoice]))
    .filter(({ taxCode }) => taxCode !== '' && !withLine.has(taxCode))
    .map(({ account, costCenter, taxCode, excl, tax, notDeducted }) => ({
      account,
      costCenter,
      taxCode,
      amount: centsText(excl + notDeducted),
      taxBase: centsText(excl),
      taxAmount: centsText(tax),
    }));
}
