import { centsText } from '../../../../../shared/money.ts';
import type { CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import { fiscalYearsOf, openingOf } from '../../balances/balances.ts';
import type { Period, StoredYear } from '../../balances/fiscalYears.ts';
import type { Database } from '../../sql/database.ts';
import { insertRows } from '../../sql/insertRows.ts';
import type { YearContext } from './storeYear.ts';

/** How the opening balance of a file is to that of its year. */
export type OpeningChange = 'none' | 'added' | 'unchanged' | 'replaced';

/**
 * Stores the fiscal year of a file with its opening balance. An opening balance that was entered here stays: another one
 * is a problem.
 * @param opening by account, positive for debit; undefined: the file has none, and it follows from the year before, also
 * where an earlier file had one
 * @param at the line of the opening balance
 */
export async function storeOpening(
  { db, administration, report }: Pick<YearContext, 'db' | 'administration' | 'report'>,
  { first, last }: Period,
  opening: ReadonlyMap<string, bigint> | undefined,
  at: number,
): Promise<OpeningChange> {
  await removeLeftYears(db, administration, { first, last });
  const years = await fiscalYearsOf(db, administration);
  const overlapping = overlappingIn(years.stored, { first, last });
  const other = overlapping.find((year) => isOther(year, { first, last }));
  if (other !== undefined) {
    const expected = `expected the fiscal year ${other.start_date} to ${other.end_date}, which the books have`;
    report(1, 'startDate', `${expected}, got ${first} to ${last}`);
    return 'none';
  }
  const usual = years.beginningIn(Number(first.slice(0, 4)));
  const isUsual = usual.first === first && usual.last === last;
  const stored = overlapping.length > 0 ? await yearFrom(db, administration.id, first) : undefined;
  const refuse = (message: string): OpeningChange => {
    report(at, 'openingBalance', message);
    return 'none';
  };
  const closed = administration.closed_until;
  const refuseClosed = () => refuse(`the books are closed until ${closed}: expected no other opening of ${first}`);
  const hasOpening = stored?.has_opening === 1n;
  if (opening === undefined) {
    if (!isUsual && stored === undefined)
      await addYear(db, administration.id, { first, last }, { has_opening: 0n, is_imported: 0n });
    // An earlier file brought one, and this one takes its place.
    if (!hasOpening || stored.is_imported === 0n) return 'none';
    if (first <= closed) return refuseClosed();
    await removeOpening(db, stored.id);
    return 'replaced';
  }
  const lines = hasOpening ? await openingLines(db, stored.id) : new Map<string, bigint>();
  const amountsOf = (number: string) => [opening.get(number) ?? 0n, lines.get(number) ?? 0n] as const;
  const different = [...opening.keys(), ...lines.keys()].find((number) => {
    const [now, before] = amountsOf(number);
    return now !== before;
  });
  if (hasOpening && different === undefined) return 'unchanged';
  if (hasOpening && stored.is_imported === 0n) {
    const [now, before] = amountsOf(different!).map(centsText);
    return refuse(`expected ${before} on account ${different}, as it was entered here for ${first}, got ${now}`);
  }
  if (first <= closed) return refuseClosed();
  const marks = { has_opening: 1n, is_imported: 1n };
  if (stored !== undefined) {
    await db.updateTable('fiscal_year').set(marks).where('id', '=', stored.id).execute();
    await db.deleteFrom('opening_line').where('fiscal_year_id', '=', stored.id).execute();
  }
  const fiscal_year_id = stored?.id ?? (await addYear(db, administration.id, { first, last }, marks));
  const rows = [...opening].map(([ledger_account_number, amount]) => ({
    fiscal_year_id,
    ledger_account_number,
    debit: amount > 0n ? amount : 0n,
    credit: amount < 0n ? -amount : 0n,
  }));
  await insertRows(db, 'opening_line', rows);
  return hasOpening ? 'replaced' : 'added';
}

/** Removes the opening balance that a file brought: the year follows from the one before. */
export async function removeOpening(db: Database, yearId: bigint): Promise<void> {
  await db.deleteFrom('opening_line').where('fiscal_year_id', '=', yearId).execute();
  await db.updateTable('fiscal_year').set({ has_opening: 0n, is_imported: 0n }).where('id', '=', yearId).execute();
}

const overlappingIn = (years: readonly StoredYear[], { first, last }: Period): StoredYear[] =>
  years.filter(({ start_date, end_date }) => start_date <= last && end_date >= first);

const isOther = ({ start_date, end_date }: StoredYear, { first, last }: Period): boolean =>
  start_date !== first || end_date !== last;

/** Removes the years with other days that a withdrawn file left: nothing of what it said of them is there any more. */
async function removeLeftYears(db: Database, administration: YearContext['administration'], days: Period) {
  for (const year of overlappingIn((await fiscalYearsOf(db, administration)).stored, days)) {
    if (!isOther(year, days) || year.has_opening === 1n) continue;
    const imported = await db
      .selectFrom('journal_entry')
      .where('administration_id', '=', administration.id)
      .where('is_imported', '=', 1n)
      .where('date', '>=', year.start_date)
      .where('date', '<=', year.end_date)
      .limit(1)
      .select('id')
      .executeTakeFirst();
    if (imported === undefined) await db.deleteFrom('fiscal_year').where('id', '=', year.id).execute();
  }
}

const yearFrom = (db: Database, administrationId: bigint, first: CalendarDate) =>
  db
    .selectFrom('fiscal_year')
    .where('administration_id', '=', administrationId)
    .where('start_date', '=', first)
    .selectAll()
    .executeTakeFirst();

async function addYear(
  db: Database,
  administrationId: bigint,
  { first, last }: Period,
  marks: { has_opening: bigint; is_imported: bigint },
): Promise<bigint> {
  const year = { administration_id: administrationId, start_date: first, end_date: last, ...marks };
  return (await db.insertInto('fiscal_year').values(year).returning('id').executeTakeFirstOrThrow()).id;
}

async function openingLines(db: Database, yearId: bigint): Promise<Map<string, bigint>> {
  return new Map((await openingOf(db, yearId)).map(({ number, amount }) => [number, amount]));
}
