import { type SqlBool, sql } from 'kysely';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import { centsText } from '../../../../shared/money.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import { selectedAccounts } from '../../../../shared/resources/generalLedger/accountSelection.ts';
import type { EntryLine, EntryPage, EntryQuery } from '../../../../shared/resources/generalLedger/ledgerEntry.ts';
import type { Database } from '../sql/database.ts';
import { accountsOf } from './balances.ts';
import type { Period } from './fiscalYears.ts';

type Selection = Pick<EntryQuery, 'account' | 'entry' | 'relation' | 'document' | 'after' | 'limit'> & Partial<Period>;

/**
 * A page of lines of the journal, by date, entry and line. It begins after the last line of the page before, so that
 * each line is in one page, whatever is booked meanwhile.
 */
export async function entryLines(
  db: Database,
  administrationId: bigint,
  { account, entry, relation, document, first, last, after, limit }: Selection,
): Promise<EntryPage> {
  const accounts = await accountsOf(db, administrationId);
  let lines = db
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
    .where('line.administration_id', '=', administrationId)
    .orderBy('line.date')
    .orderBy('line.journal_entry_id')
    .orderBy('line.id')
    .limit(limit + 1);
  if (account.length > 0) {
    const numbers = selectedAccounts(account, accounts.keys());
    if (numbers.length === 0) return { lines: [], next: null };
    lines = lines.where('line.ledger_account_number', 'in', numbers);
  }
  if (relation !== undefined) {
    const relations = db.selectFrom('relation').where('administration_id', '=', administrationId);
    lines = lines.where('line.relation_id', 'in', relations.where('guid', '=', BigInt(relation)).select('id'));
  }
  if (entry !== undefined) {
    const id = BigInt(entry);
    const entries = db.selectFrom('journal_entry').where('administration_id', '=', administrationId);
    const found = await entries.where('id', '=', id).select('date').executeTakeFirst();
    if (found === undefined) return { lines: [], next: null };
    // The index of days has the lines of an entry together.
    lines = lines.where('line.date', '=', found.date).where('line.journal_entry_id', '=', id);
  }
  if (document !== undefined) lines = lines.where('line.document', '=', document);
  if (first !== undefined) lines = lines.where('line.date', '>=', first);
  if (last !== undefined) lines = lines.where('line.date', '<=', last);
  if (after !== undefined) lines = lines.where(isAfter(after));
  const rows = await lines.execute();
  const page = rows.slice(0, limit);
  const end = page.at(-1);
  return {
    lines: page.map(
      (row): EntryLine => ({
        entry: String(row.journal_entry_id),
        journal: row.journal,
        entryNumber: row.entry_number,
        date: row.date,
        account: row.ledger_account_number,
        accountName: accounts.get(row.ledger_account_number)?.name ?? '',
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

/** A condition that a line comes after the last one of a page. @throws Problem when the text is no end of a page */
function isAfter(after: string) {
  const [, date, entry, line] = /^(\d{4}-\d{2}-\d{2}) (\d{1,18}) (\d{1,18})$/.exec(after) ?? [];
  if (date === undefined) throw refuseFields([fieldError('after', 'NOT_PAGE_MARK')]);
  return sql<SqlBool>`(line.date, line.journal_entry_id, line.id) > (${date}, ${BigInt(entry!)}, ${BigInt(line!)})`;
}
