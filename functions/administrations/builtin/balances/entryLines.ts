import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import { centsText } from '../../../../shared/money.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import { selectedAccounts } from '../../../../shared/resources/generalLedger/accountSelection.ts';
import type { EntryLine, EntryPage, EntryQuery } from '../../../../shared/resources/generalLedger/ledgerEntry.ts';
import type { Database } from '../sql/database.ts';
import { accountsOf } from './balances.ts';
import type { Period } from './fiscalYears.ts';

type Selection = Pick<EntryQuery, 'account' | 'entry' | 'relation' | 'document' | 'after' | 'limit'> & Partial<Period>;

/** Accounts of a page whose lines are looked for one account after the other. */
const MAX_SEARCHED_ACCOUNTS = 20;

/**
 * A page of lines of the journal, by date, entry and line. It begins after the last line of the page before, so that
 * each line is in one page, whatever is booked meanwhile.
 */
export async function entryLines(
  db: Database,
  administrationId: bigint,
  { account, entry, relation, document, first, last, after, limit }: Selection,
): Promise<EntryPage> {
  const conditions = [sql<SqlBool>`line.administration_id = ${administrationId}`];
  let numbers: readonly string[] = [];
  if (account.length > 0) {
    numbers = selectedAccounts(account, (await accountsOf(db, administrationId)).keys());
    if (numbers.length === 0) return { lines: [], next: null };
  }
  if (relation !== undefined) {
    // One value: the index has its lines in their order.
    conditions.push(sql`line.relation_id = (select id from relation
      where administration_id = ${administrationId} and guid = ${BigInt(relation)})`);
  }
  if (entry !== undefined) {
    const id = BigInt(entry);
    const entries = db.selectFrom('journal_entry').where('administration_id', '=', administrationId);
    const found = await entries.where('id', '=', id).select('date').executeTakeFirst();
    if (found === undefined) return { lines: [], next: null };
    // The index of days has the lines of an entry together.
    conditions.push(sql`line.date = ${found.date} and line.journal_entry_id = ${id}`);
  }
  if (document !== undefined) conditions.push(sql`line.document = ${document}`);
  if (first !== undefined) conditions.push(sql`line.date >= ${first}`);
  if (last !== undefined) conditions.push(sql`line.date <= ${last}`);
  if (after !== undefined) conditions.push(isAfter(after));
  if (numbers.length === 1) conditions.push(sql`line.ledger_account_number = ${numbers[0]}`);
  else if (numbers.length > 0) {
    const all = sql.join(conditions, sql` and `);
    const isSearched = numbers.length <= MAX_SEARCHED_ACCOUNTS;
    // SQLite would go through the lines of all accounts by date, of which there may be a million.
    conditions.push(
      isSearched ? isFirstOf(numbers, all, limit) : sql`line.ledger_account_number in (${sql.join(numbers)})`,
    );
  }
  const lines = db
    .selectFrom('journal_line as line')
    .innerJoin('journal_entry as entry', 'entry.id', 'line.journal_entry_id')
    .leftJoin('relation', 'relation.id', 'line.relation_id')
    .select([
      'line.id',
      'line.journal_entry_id',
      'line.date',
      'line.ledger_account_number',
      'line.description',
      'line.debit',
      'line.credit',
      'line.document',
      'line.cost_center',
      'line.tax_code',
      'line.tax_base',
      'line.tax_amount',
      'entry.journal',
      'entry.entry_number',
      'entry.description as entry_description',
      'relation.guid',
      'relation.name as relation_name',
    ])
    .where((eb) => eb.and(conditions))
    // The few lines of a document are sorted: by the index of days SQLite would go through those of all documents.
    .orderBy(document === undefined ? 'line.date' : sql`line.date || ''`)
    .orderBy('line.journal_entry_id')
    .orderBy('line.id')
    .limit(limit + 1);
  const rows = await lines.execute();
  const page = rows.slice(0, limit);
  const names = await accountsOf(db, administrationId, { of: new Set(page.map((row) => row.ledger_account_number)) });
  const end = page.at(-1);
  return {
    lines: page.map(
      (row): EntryLine => ({
        entry: String(row.journal_entry_id),
        journal: row.journal,
        entryNumber: row.entry_number,
        date: row.date,
        account: row.ledger_account_number,
        accountName: names.get(row.ledger_account_number)?.name ?? '',
        description: row.description || row.entry_description,
        debit: centsText(row.debit),
        credit: centsText(row.credit),
        relationGUID: row.guid === null ? null : String(row.guid),
        relationName: row.relation_name ?? '',
        document: row.document,
        costCenter: row.cost_center,
        taxCode: row.tax_code,
        taxBase: centsText(row.tax_base),
        taxAmount: centsText(row.tax_amount),
      }),
    ),
    next: rows.length > limit && end !== undefined ? `${end.date} ${end.journal_entry_id} ${end.id}` : null,
  };
}

/** A condition that a line is one of the first of each of some accounts. @param conditions on these lines */
function isFirstOf(numbers: readonly string[], conditions: RawBuilder<unknown>, limit: number): RawBuilder<SqlBool> {
  const each = numbers.map(
    (number) => sql`select id from (select line.id from journal_line as line
      where ${conditions} and line.ledger_account_number = ${number}
      order by line.date, line.journal_entry_id, line.id limit ${sql.lit(limit + 1)}) as first`,
  );
  return sql`line.id in (${sql.join(each, sql` union all `)})`;
}

/** A condition that a line comes after the last one of a page. @throws Problem when the text is no end of a page */
function isAfter(after: string) {
  const [, date, entry, line] = /^(\d{4}-\d{2}-\d{2}) (\d{1,18}) (\d{1,18})$/.exec(after) ?? [];
  if (date === undefined) throw refuseFields([fieldError('after', 'NOT_PAGE_MARK')]);
  return sql<SqlBool>`(line.date, line.journal_entry_id, line.id) > (${date}, ${BigInt(entry!)}, ${BigInt(line!)})`;
}
