import { addDays, type CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import type { Database } from '../../sql/database.ts';
import type { Row } from '../../sql/schema.ts';
import { type FiledPeriod, vatDate } from '../filedReturns.ts';
import type { RuleFinder, VatLine } from '../vatReturn.ts';
import { type Days, type DocumentRow, documentLines } from './documentVatLines.ts';
import { withCostAccounts } from './entryCosts.ts';
import { entryVatLines, type SideAccounts } from './entryVatLines.ts';

/** A line, and what is remarkable about it. */
export type BookedVatLine = VatLine & {
  /** Its kind was derived from its account. */
  isKindDerived: boolean;
  /** The day that it counts on: a later one when the return of its own had been filed before it was entered. */
  countsOn: CalendarDate;
  /** Its base was computed from its tax. */
  isBaseDerived: boolean;
};

/** The days of a period. */
type Span = { from: CalendarDate; to: CalendarDate };

/** What lines of a return are read with. */
export type LineSource = {
  db: Database;
  administration: Pick<Row<'administration'>, 'id' | 'country'> & SideAccounts;
  ruleOf: RuleFinder;
  /** In the order of their days. */
  filed: readonly FiledPeriod[];
};

/** What documents and entries of some days of a period book on tax codes, and count in that period. */
export async function linesOfDays(source: LineSource, period: Span, days: Days): Promise<BookedVatLine[]> {
  const { db, administration, ruleOf, filed } = source;
  const ofEntries = await entryVatLines(db, administration, ruleOf, days);
  const rows: DocumentRow[] = [
    ...(await documentLines(db, administration.id, 'sales', days)),
    ...(await documentLines(db, administration.id, 'purchases', days)),
    // Belgian purchases have a kind, which follows from the account.
    ...(administration.country === 'BE' ? await withCostAccounts(db, ofEntries) : ofEntries),
  ];
  return rows.flatMap((row) => {
    const { created_on, isImported, account, classification, total_incl, ...named } = row;
    const { relation_name, country_code, vat_number, ...line } = named;
    const counted = vatDate(row, filed);
    if (counted < period.from || counted > period.to) return [];
    const isKindDerived = administration.country === 'BE' && line.taxType === 'Purchase' && classification === '';
    return {
      isBaseDerived: false,
      ...line,
      isCredit: total_incl < 0n,
      classification: isKindDerived ? kindOfAccount(account) : classification,
      relation: { name: relation_name, country: country_code, vatNumber: vat_number },
      isKindDerived,
      countsOn: counted,
    };
  });
}

/**
 * The days of a return in portions: those of its period, and then what was entered after the returns of earlier periods
 * had been filed.
 * @param size the documents of a portion, unless one day has more
 * @param from a later day to begin on
 */
export async function portionsOf(
  { db, administration, filed }: Pick<LineSource, 'db' | 'administration' | 'filed'>,
  period: Span,
  size: number,
  from: CalendarDate = period.from,
): Promise<Days[]> {
  const counts = await db
    .selectFrom('journal_entry')
    .where('administration_id', '=', administration.id)
    .where('date', '>=', from)
    .where('date', '<=', period.to)
    .groupBy('date')
    .orderBy('date')
    .select(['date', (eb) => eb.fn.countAll<bigint>().as('count')])
    .execute();
  const portions: Days[] = [];
  let first = from;
  let total = 0n;
  for (const { date, count } of counts) {
    if (total > 0n && total + count > BigInt(size)) {
      portions.push({ first, last: addDays(date, -1) });
      first = date;
      total = 0n;
    }
    total += count;
  }
  return [...portions, { first, last: period.to }, ...filedDaysBefore(period, filed)];
}

/**
 * The days before a period whose returns had been filed, each once, and when the first return of them was filed: a month
 * may have been filed, and its quarter too.
 */
export function filedDaysBefore(period: Span, filed: LineSource['filed']): Days[] {
  const found: { first: CalendarDate; last: CalendarDate; after: bigint }[] = [];
  for (const { first_day: first, last_day: last, filed_on: after } of filed) {
    if (last >= period.from) continue;
    const before = found.at(-1);
    if (before === undefined || before.last < first) {
      found.push({ first, last, after });
      continue;
    }
    if (last > before.last) before.last = last;
    if (after < before.after) before.after = after;
  }
  return found;
}

/** The kind of a purchase by its account in the Belgian chart: 2 investment goods, 60 goods, and else services. */
function kindOfAccount(account: string): string {
  if (account.startsWith('2')) return '83';
  return account.startsWith('60') ? '81' : '82';
}
