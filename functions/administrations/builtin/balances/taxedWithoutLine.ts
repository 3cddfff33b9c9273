import { type RawBuilder, sql } from 'kysely';
import { centsText } from '../../../../shared/money.ts';
import type { EntryPage } from '../../../../shared/resources/generalLedger/ledgerEntry.ts';
import type { Database } from '../sql/database.ts';
import type { Cents } from '../sql/schema.ts';

/** The lines of an invoice on an account, a cost center and a tax code. */
type Group = {
  account: string;
  costCenter: string;
  taxCode: string;
  excl: Cents;
  tax: Cents;
  /** The part of the tax that is a part of the line on the account. */
  notDeducted: Cents;
};

/** Of a line for which it was booked what is owed and deducted. */
const notDeducted = sql`case when deductible_tax is null then 0
  else subtotal_incl - subtotal_excl + coalesce(assessed_tax, 0) - deductible_tax end`;

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
  if (sale === null && purchase === null) return [];
  const document = sale === null ? 'purchase_invoice' : 'sales_invoice';
  const total = (amount: RawBuilder<unknown>) => sql<Cents>`cast(sum(${amount}) as bigint)`;
  const { rows } = await sql<Group>`
    select ledger_account_number as "account", cost_center as "costCenter", tax_code as "taxCode",
      ${total(sql`subtotal_excl`)} as "excl", ${total(sql`subtotal_incl - subtotal_excl`)} as "tax",
      ${total(sale === null ? notDeducted : sql`0`)} as "notDeducted"
    from ${sql.table(`${document}_line`)}
    where ${sql.ref(`${document}_id`)} = ${sale ?? purchase} and tax_code <> ''
      and tax_code not in (select tax_code from journal_line where journal_entry_id = ${entryId})
    group by ledger_account_number, cost_center, tax_code
    order by ledger_account_number, cost_center, tax_code`.execute(db);
  // What is sold is on the credit side.
  const text = (amount: Cents) => centsText(sale === null ? amount : -amount);
  return rows
    .filter(({ excl, tax }) => excl !== 0n || tax !== 0n)
    .map(({ account, costCenter, taxCode, excl, tax, notDeducted }) => ({
      account,
      costCenter,
      taxCode,
      amount: text(excl + notDeducted),
      taxBase: text(excl),
      taxAmount: text(tax),
    }));
}
