import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/** Accounts of the usual charts that get the results of earlier years. */
const resultAccounts = [
  ['0540', 'Resultaat vorige boekjaren'],
  ['140000', 'Winst van vorige boekjaren'],
] as const;

/** Fiscal years with opening balances; lines of the journal that an account card reads without other tables; totals. */
export const wholeLedger = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const part = columns(db, dialect);
    const { ofAdministration, numbered, reference, texts, numbers, create, index, addTexts, addNumbers } = part;
    await addTexts('administration', 'result_account');
    await addNumbers('administration', 'fiscal_year_start');
    for (const [number, name] of resultAccounts) {
      await sql`update administration set result_account = ${number} where exists (select 1 from ledger_account
        where ledger_account.administration_id = administration.id and number = ${number}
        and ledger_account.name = ${name})`.execute(db);
    }
    await create('fiscal_year', numbered, ofAdministration, (table) =>
      numbers(texts(table, 'start_date', 'end_date'), 'has_opening'),
    );
    await index('fiscal_year', true, 'administration_id', 'start_date');
    await create('opening_line', numbered, (table) =>
      numbers(
        texts(table.addColumn('fiscal_year_id', 'bigint', reference('fiscal_year')), 'ledger_account_number'),
        'debit',
        'credit',
      ),
    );
    await index('opening_line', false, 'fiscal_year_id');
    await addTexts('journal_entry', 'entry_number');
    await addNumbers('journal_line', 'administration_id', 'tax_base', 'tax_amount');
    await addTexts('journal_line', 'date', 'document', 'cost_center');
    await db.schema
      .alterTable('journal_line')
      .addColumn('relation_id', 'bigint', part.optionalReference('relation'))
      .execute();
    await fillLines(db);
    await index('journal_line', false, 'administration_id', 'ledger_account_number', 'date', 'journal_entry_id');
    await index('journal_line', false, 'administration_id', 'date', 'journal_entry_id');
    await index('journal_line', false, 'relation_id', 'date', 'journal_entry_id');
    await index('journal_line', false, 'administration_id', 'document', 'date');
    await create('ledger_total', ofAdministration, (table) =>
      numbers(texts(table, 'ledger_account_number', 'date'), 'debit', 'credit').addPrimaryKeyConstraint(
        'ledger_total_key',
        ['administration_id', 'ledger_account_number', 'date'],
      ),
    );
    await sql`insert into ledger_total (administration_id, ledger_account_number, date, debit, credit)
      select administration_id, ledger_account_number, date, cast(sum(debit) as bigint), cast(sum(credit) as bigint)
      from journal_line group by administration_id, ledger_account_number, date`.execute(db);
  },
});

/** Gives lines the values of their entries and documents. Until now every entry had a document. */
async function fillLines(db: Kysely<unknown>): Promise<void> {
  const ofEntry = (value: string) => sql`(select ${sql.raw(value)} from journal_entry
    left join sales_invoice on sales_invoice.id = journal_entry.sales_invoice_id
    left join purchase_invoice on purchase_invoice.id = journal_entry.purchase_invoice_id
    where journal_entry.id = journal_line.journal_entry_id)`;
  const number = 'coalesce(sales_invoice.number, purchase_invoice.number)';
  await sql`update journal_line set
    administration_id = ${ofEntry('journal_entry.administration_id')},
    date = ${ofEntry('journal_entry.date')},
    relation_id = ${ofEntry('coalesce(sales_invoice.relation_id, purchase_invoice.relation_id)')},
    document = coalesce(${ofEntry(`cast(${number} as text)`)}, '')`.execute(db);
  for (const [document, sign] of [
    ['sales_invoice', '-'],
    ['purchase_invoice', ''],
  ] as const) {
    await sql`update journal_line set tax_amount = debit - credit, tax_base = ${sql.raw(sign)}coalesce((
      select cast(sum(part.subtotal_excl) as bigint) from ${sql.table(`${document}_line`)} as part
      join journal_entry on journal_entry.${sql.ref(`${document}_id`)} = part.${sql.ref(`${document}_id`)}
      where journal_entry.id = journal_line.journal_entry_id and part.tax_code = journal_line.tax_code), 0)
      where tax_code <> '' and exists (select 1 from journal_entry
        where journal_entry.id = journal_line.journal_entry_id
        and journal_entry.${sql.ref(`${document}_id`)} is not null)`.execute(db);
  }
}
