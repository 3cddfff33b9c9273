import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import { centsText } from '../../../../shared/money.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import { selectedAccounts } from '../../../../shared/resources/generalLedger/accountSelection.ts';
import type { EntryLine, EntryPage, EntryQuery } from '../../../../shared/resources/generalLedger/ledgerEntry.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import { type ListedValues, listed, preparedForms, valuesOf } from '../sql/prepared.ts';
import { accountsOf } from './balances.ts';
import type { Period } from './fiscalYears.ts';
import { taxedWithoutLine } from './taxedWithoutLine.ts';

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
  let numbers: readonly string[] = [];
  if (account.length > 0) {
    numbers = selectedAccounts(account, (await accountsOf(db, administrationId)).keys());
    if (numbers.length === 0) return { lines: [], taxedWithoutLine: [], next: null };
  }
  const mark = after === undefined ? undefined : markIn(after);
  const rows = await linesOf(
    db,
    {
      ...{ administrationId, document, first, last, ...mark, ...valuesOf(numbers) },
      relation: relation === undefined ? undefined : BigInt(relation),
      entry: entry === undefined ? undefined : BigInt(entry),
    },
    {
      accounts: numbers.length,
      ofRelation: relation !== undefined,
      ofEntry: entry !== undefined,
      ofDocument: document !== undefined,
      hasFirst: first !== undefined,
      hasLast: last !== undefined,
      hasMark: mark !== undefined,
      limit,
    },
  );
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
    taxedWithoutLine: entry === undefined ? [] : await taxedWithoutLine(db, administrationId, BigInt(entry)),
    next: rows.length > limit && end !== undefined ? `${end.date} ${end.journal_entry_id} ${end.id}` : null,
  };
}

/** What lines are looked for by; what the form has no condition for is left out. */
type Values = { administrationId: bigint; relation: bigint | undefined; entry: bigint | undefined } & Partial<Mark> &
  Pick<Selection, 'document' | 'first' | 'last'> &
  ListedValues;

/** Which conditions there are, for how many accounts (0: all), and how many lines the page has. */
type Form = Record<'ofRelation' | 'ofEntry' | 'ofDocument' | 'hasFirst' | 'hasLast' | 'hasMark', boolean> &
  Record<'accounts' | 'limit', number>;

const linesOf = preparedForms((db, values: Values, form: Form) => {
  const { administrationId } = values;
  const conditions = [sql<SqlBool>`line.administration_id = ${administrationId}`];
  // One value: the index has its lines in their order.
  if (form.ofRelation) {
    conditions.push(sql`line.relation_id = (select id from relation
      where administration_id = ${administrationId} and guid = ${values.relation})`);
  }
  // The index of days has the lines of an entry together.
  if (form.ofEntry) {
    conditions.push(sql`line.date = (select date from journal_entry
      where administration_id = ${administrationId} and id = ${values.entry}) and line.journal_entry_id = ${values.entry}`);
  }
  if (form.ofDocument) conditions.push(sql`line.document = ${values.document}`);
  if (form.hasFirst) conditions.push(sql`line.date >= ${values.first}`);
  if (form.hasLast) conditions.push(sql`line.date <= ${values.last}`);
  if (form.hasMark) {
    conditions.push(sql`(line.date, line.journal_entry_id, line.id)
      > (${values.markedDate}, ${values.markedEntry}, ${values.markedLine})`);
  }
  const numbers = listed<string>(values, form.accounts);
  if (numbers.length === 1) conditions.push(sql`line.ledger_account_number = ${numbers[0]}`);
  else if (numbers.length > 0) {
    const all = sql.join(conditions, sql` and `);
    const isSearched = numbers.length <= MAX_SEARCHED_ACCOUNTS;
    // SQLite would go through the lines of all accounts by date, of which there may be a million.
    conditions.push(
      isSearched ? isFirstOf(numbers, all, form.limit) : sql`line.ledger_account_number in (${sql.join(numbers)})`,
    );
  }
  return (
    db
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
      .orderBy(form.ofDocument ? sql`line.date || ''` : 'line.date')
      .orderBy('line.journal_entry_id')
      .orderBy('line.id')
      .limit(form.limit + 1)
  );
});

/** A condition that a line is one of the first of each of some accounts. @param conditions on these lines */
function isFirstOf(numbers: readonly string[], conditions: RawBuilder<unknown>, limit: number): RawBuilder<SqlBool> {
  const each = numbers.map(
    (number) => sql`select id from (select line.id from journal_line as line
      where ${conditions} and line.ledger_account_number = ${number}
      order by line.date, line.journal_entry_id, line.id limit ${sql.lit(limit + 1)}) as first`,
  );
  return sql`line.id in (${sql.join(each, sql` union all `)})`;
}

/** The last line of a page. */
type Mark = { markedDate: CalendarDate; markedEntry: bigint; markedLine: bigint };

/** @throws Problem when the text is no end of a page */
function markIn(after: string): Mark {
  const [, date, entry, line] = /^(\d{4}-\d{2}-\d{2}) (\d{1,18}) (\d{1,18})$/.exec(after) ?? [];
  if (date === undefined) throw refuseFields([fieldError('after', 'NOT_PAGE_MARK')]);
  return { markedDate: date, markedEntry: BigInt(entry!), markedLine: BigInt(line!) };
}
