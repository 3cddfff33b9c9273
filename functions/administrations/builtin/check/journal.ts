import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import { money, total } from './amounts.ts';

/** Checks that journal entries balance, and are of one document each. */
export async function* checkJournal(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const unbalanced = await db
    .selectFrom('journal_entry')
    .innerJoin('journal_line', 'journal_line.journal_entry_id', 'journal_entry.id')
    .where('journal_entry.administration_id', '=', administrationId)
    .groupBy(['journal_entry.id', 'journal_entry.description'])
    .having(sql<boolean>`sum(debit) <> sum(credit)`)
    .orderBy('journal_entry.id')
    .select(['journal_entry.description', total('debit').as('debit'), total('credit').as('credit')])
    .execute();
  for (const { description, debit, credit } of unbalanced) {
    yield `The journal entry of ${description} has ${money(debit)} debit and ${money(credit)} credit.`;
  }
  const twoSided = await db
    .selectFrom('journal_line')
    .innerJoin('journal_entry', 'journal_entry.id', 'journal_line.journal_entry_id')
    .where('journal_entry.administration_id', '=', administrationId)
    .where((eb) =>
      eb.or([eb('debit', '<', 0n), eb('credit', '<', 0n), eb.and([eb('debit', '>', 0n), eb('credit', '>', 0n)])]),
    )
    .orderBy('journal_entry.id')
    .orderBy('journal_line.id')
    .select('journal_entry.description')
    .execute();
  for (const { description } of twoSided)
    yield `A line of the journal entry of ${description} has not one side above zero.`;
  const misplaced = await db
    .selectFrom('journal_entry')
    .where('administration_id', '=', administrationId)
    .where((eb) =>
      eb.or([
        eb.and([eb('sales_invoice_id', 'is not', null), eb('journal', '<>', 'sales')]),
        eb.and([eb('purchase_invoice_id', 'is not', null), eb('journal', '<>', 'purchases')]),
        eb.and([
          eb('journal', 'in', ['sales', 'purchases']),
          eb('sales_invoice_id', 'is', null),
          eb('purchase_invoice_id', 'is', null),
          eb('is_imported', '=', 0n),
        ]),
      ]),
    )
    .orderBy('id')
    .select('description')
    .execute();
  for (const { description } of misplaced)
    yield `The journal entry of ${description} is not of one document, in the journal of its kind.`;
}

/** Checks that the accounts of the journal and of lines of documents exist. */
export async function* checkAccounts(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const accounts = await db
    .selectFrom('ledger_account')
    .where('administration_id', '=', administrationId)
    .select('number')
    .distinct()
    .execute();
  const known = new Set(accounts.map(({ number }) => number));
  const used = {
    'The journal has': db.selectFrom('journal_line').where('administration_id', '=', administrationId),
    'Opening balances have': db
      .selectFrom('opening_line')
      .innerJoin('fiscal_year', 'fiscal_year.id', 'fiscal_year_id')
      .where('administration_id', '=', administrationId),
    'Sales invoices have': db
      .selectFrom('sales_invoice_line')
      .innerJoin('sales_invoice', 'sales_invoice.id', 'sales_invoice_line.sales_invoice_id')
      .where('administration_id', '=', administrationId)
      .where('is_text', '=', 0n),
    'Purchase invoices have': db
      .selectFrom('purchase_invoice_line')
      .innerJoin('purchase_invoice', 'purchase_invoice.id', 'purchase_invoice_line.purchase_invoice_id')
      .where('administration_id', '=', administrationId),
  };
  for (const [whose, lines] of Object.entries(used)) {
    const numbers = await (lines as (typeof used)['The journal has'])
      .select('ledger_account_number as number')
      .distinct()
      .orderBy('number')
      .execute();
    for (const { number } of numbers) {
      if (!known.has(number)) yield `${whose} lines on ledger account ${number}, which does not exist.`;
    }
  }
}
