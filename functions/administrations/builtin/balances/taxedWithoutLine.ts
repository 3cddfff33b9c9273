import { sql } from 'kysely';
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
  incl: Cents;
  assessed?: Cents | null;
  deductible?: Cents | null;
  /** The lines for which it was booked what is owed and deducted. */
  booked?: bigint;
};

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
  const isSale = entry?.sales_invoice_id != null;
  if (entry === undefined || (!isSale && entry.purchase_invoice_id === null)) return [];
  const groups: Group[] = isSale
    ? await salesGroups(db, entry.sales_invoice_id!)
    : await purchaseGroups(db, entry.purchase_invoice_id!);
  const lines = await db
    .selectFrom('journal_line')
    .where('journal_entry_id', '=', entryId)
    .where('tax_code', '<>', '')
    .select('tax_code')
    .execute();
  const codes = new Set(lines.map(({ tax_code }) => tax_code));
  const sign = isSale ? -1n : 1n;
  return groups.flatMap(({ account, costCenter, taxCode, excl, incl, ...purchase }) => {
    const tax = incl - excl;
    const { assessed, deductible, booked = 0n } = purchase;
    const notDeducted = booked === 0n ? 0n : tax + (assessed ?? 0n) - (deductible ?? 0n);
    if (taxCode === '' || codes.has(taxCode) || (excl === 0n && tax === 0n)) return [];
    const amounts = { amount: excl + notDeducted, taxBase: excl, taxAmount: tax };
    const texts = Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, centsText(sign * amount)]));
    return [{ account, costCenter, taxCode, ...(texts as Record<keyof typeof amounts, string>) }];
  });
}

const total = (column: string) => sql<Cents>`cast(sum(${sql.ref(column)}) as bigint)`;

const salesGroups = (db: Database, invoice: bigint): Promise<Group[]> =>
  db
    .selectFrom('sales_invoice_line')
    .where('sales_invoice_id', '=', invoice)
    .groupBy(['ledger_account_number', 'cost_center', 'tax_code'])
    .orderBy('ledger_account_number')
    .orderBy('cost_center')
    .orderBy('tax_code')
    .select([
      'ledger_account_number as account',
      'cost_center as costCenter',
      'tax_code as taxCode',
      total('subtotal_excl').as('excl'),
      total('subtotal_incl').as('incl'),
    ])
    .execute();

const purchaseGroups = (db: Database, invoice: bigint): Promise<Group[]> =>
  db
    .selectFrom('purchase_invoice_line')
    .where('purchase_invoice_id', '=', invoice)
    .groupBy(['ledger_account_number', 'cost_center', 'tax_code'])
    .orderBy('ledger_account_number')
    .orderBy('cost_center')
    .orderBy('tax_code')
    .select([
      'ledger_account_number as account',
      'cost_center as costCenter',
      'tax_code as taxCode',
      total('subtotal_excl').as('excl'),
      total('subtotal_incl').as('incl'),
      total('assessed_tax').as('assessed'),
      total('deductible_tax').as('deductible'),
      ({ fn }) => fn.count<bigint>('deductible_tax').as('booked'),
    ])
    .execute();
