import { setImmediate as turn } from 'node:timers/promises';
import { abs, type Cents, centsText, sum } from '../../../../shared/money.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { VatRemark } from '../../../../shared/resources/vatReturn/vatRemarkTexts.ts';
import { addDays, LAST_DAY } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { vatRulesOf } from './administrationRules.ts';
import type { Days } from './bookedTax/documentVatLines.ts';
import { type AccountMovement, accountMovement, taxToPay, vatAccounts } from './bookedTax/vatAccounts.ts';
import { type BookedVatLine, filedDaysBefore, type LineSource, linesOfDays, portionsOf } from './bookedTax/vatLines.ts';
import {
  changedDocuments,
  changedSince,
  changedTax,
  type FiledPeriod,
  filedReturns,
  filedRounding,
} from './filedReturns.ts';
import { someOf, vatWarnings } from './vatControls.ts';
import { clientListing, euListing } from './vatListings.ts';
import type { VatPeriod } from './vatPeriod.ts';
import { type BoxEntries, boxEntries, ruleFinder, totalled, type VatReturn, type VatRounding } from './vatReturn.ts';
import type { VatPaper } from './vatWorkbook.ts';

/** The documents that are read together. */
const PORTION = 1000;

/** The most lines of one return: it is computed in memory. */
const MAX_LINES = 500_000;

/** The most remarks of one code. */
const MAX_REMARKS = 100;

type Options = {
  rounding?: VatRounding | undefined;
  /** The VAT, in cents, above which a correction is a supplement; left out: as it is set. */
  supplementAbove?: Cents | undefined;
  /** The figures of a supplement: as if it had not been filed. */
  isSupplement?: boolean | undefined;
};

/**
 * The return of a period of an administration, with its listings and what is remarkable about it.
 * @returns with the stored return when it was filed
 * @throws Problem INVALID_REQUEST for more lines than one return can have
 * @throws Problem CONFLICT for a supplement with documents that a later return has been filed with
 */
export async function vatPaper(
  db: Database,
  administration: Row<'administration'>,
  period: VatPeriod,
  { rounding, supplementAbove = supplementLimit(administration), isSupplement = false }: Options = {},
): Promise<{ paper: VatPaper; filed: Row<'vat_return'> | undefined }> {
  const { id, name, country } = administration;
  const ruleOf = ruleFinder(await vatRulesOf(db, administration));
  const allFiled = await filedReturns(db, id);
  const stored = allFiled.find((one) => one.period === period.name);
  const ofAll = { db, administration, ruleOf, filed: allFiled };
  const later = stored === undefined ? [] : await laterDocuments(ofAll, stored, daysOf(stored));
  if (isSupplement && stored !== undefined) {
    refuseCounted(later, allFiled);
    // A supplement also has what came later of the periods before.
    for (const days of filedDaysBefore(period, allFiled)) {
      refuseCounted(await laterDocuments(ofAll, stored, days), allFiled);
    }
  }
  const source = {
    db,
    administration,
    ruleOf,
    filed: isSupplement ? allFiled.filter((one) => one !== stored) : allFiled,
  };
  const accounts = await vatAccounts(db, administration, period);
  const movement: AccountMovement = { moved: 0n, expected: 0n, differences: [] };
  const lines: BookedVatLine[] = [];
  const inBoxes: BoxEntries = { entries: [], unmapped: [] };
  for (const days of await portionsOf(source, period, PORTION)) {
    const some = await linesOfDays(source, period, days);
    if (lines.length + some.length > MAX_LINES) {
      throw new Problem('INVALID_REQUEST', `The period has more than ${MAX_LINES} lines with VAT: take a shorter one.`);
    }
    const { entries, unmapped } = boxEntries(ruleOf, some);
    const { moved, expected, differences } = await accountMovement(db, id, accounts, days, some);
    movement.moved += moved;
    movement.expected += expected;
    for (const difference of differences) movement.differences.push(difference);
    for (const line of some) lines.push(line);
    for (const entry of entries) inBoxes.entries.push(entry);
    for (const line of unmapped) inBoxes.unmapped.push(line);
    await turn();
  }
  const how = rounding ?? roundingOf(administration);
  const found = totalled(country, inBoxes, how);
  const listing = euListing(found);
  return {
    filed: stored,
    paper: {
      title: `${name}: VAT return of ${period.name}`,
      found,
      rounding: how,
      listing,
      ...(country === 'BE' && period.kind === 'year' ? { clients: clientListing(found) } : {}),
      remarks: bounded([
        ...(stored === undefined || isSupplement ? [] : filedRemarks(stored, found, later, supplementAbove)),
        ...lineRemarks(lines, supplementAbove),
        ...vatWarnings(found, listing),
        ...accountRemarks(movement),
      ]),
    },
  };
}

/** How amounts of the return of an administration become whole euros. */
export const roundingOf = ({ vat_rounding }: Pick<Row<'administration'>, 'vat_rounding'>): VatRounding =>
  vat_rounding === '' ? 'nearest' : vat_rounding;

/** The first remarks of each code, and how many others there are. */
const bounded = (remarks: readonly VatRemark[]): VatRemark[] =>
  [...Map.groupBy(remarks, ({ code }) => code)].flatMap(([code, group]): VatRemark[] =>
    group.length <= MAX_REMARKS
      ? group
      : [...group.slice(0, MAX_REMARKS), { code: 'MORE', values: [String(group.length - MAX_REMARKS), code] }],
  );

/** What is remarkable about how lines were read. */
function* lineRemarks(lines: readonly BookedVatLine[], supplementAbove: Cents | undefined): Generator<VatRemark> {
  const derived = new Set(lines.filter(({ isKindDerived }) => isKindDerived).map(({ document }) => document));
  if (derived.size > 0) yield { code: 'KIND_DERIVED', values: [String(derived.size)] };
  const withoutBase = lines.filter(({ isBaseDerived }) => isBaseDerived);
  if (withoutBase.length > 0) yield { code: 'BASE_DERIVED', values: someOf(withoutBase) };
  const late = lines.filter(({ date, countsOn }) => countsOn !== date);
  if (late.length === 0) return;
  const tax = sum(late.map(taxToPay));
  const count = new Set(late.map(({ document }) => document)).size;
  yield { code: 'LATE', values: [String(count), centsText(tax), dueOf(tax, supplementAbove)] };
}

/** The VAT above which a correction is a supplement: 1,000 euros in the Netherlands; in Belgium there is none. */
const supplementLimit = ({ country, vat_supplement_above }: Row<'administration'>): Cents | undefined =>
  vat_supplement_above ?? (country === 'NL' ? 100_000n : undefined);

const dueOf = (tax: Cents, supplementAbove: Cents | undefined): 'supplement' | 'next' =>
  supplementAbove !== undefined && abs(tax) > supplementAbove ? 'supplement' : 'next';

const daysOf = ({ first_day, last_day, filed_on }: FiledPeriod): Days => ({
  first: first_day,
  last: last_day,
  after: filed_on,
});

/** What of some days counts after the period of a filed return: it was entered after that had been filed. */
const laterDocuments = (source: LineSource, { last_day }: FiledPeriod, days: Days): Promise<BookedVatLine[]> =>
  linesOfDays(source, { from: addDays(last_day, 1), to: LAST_DAY }, days);

/** A document of a filed return that came later counts in another one: it would be in two. */
function refuseCounted(later: readonly BookedVatLine[], filed: readonly Row<'vat_return'>[]): void {
  for (const { number, countsOn } of later) {
    const other = filed.find(({ first_day, last_day }) => first_day <= countsOn && countsOn <= last_day);
    if (other !== undefined) {
      throw new Problem('CONFLICT', `${number} was declared in the return of ${other.period}, which was filed.`);
    }
  }
}

/** What has changed since a return was filed: by box, by document, and what is to be done about it. */
function* filedRemarks(
  stored: Row<'vat_return'>,
  found: VatReturn,
  later: readonly BookedVatLine[],
  supplementAbove: Cents | undefined,
): Generator<VatRemark> {
  const rounding = filedRounding(found.country, stored);
  const boxes = changedSince(stored, rounding === undefined ? found : totalled(found.country, found, rounding));
  for (const { box, part, filed, now } of boxes) {
    yield { code: 'CHANGED', values: [box, part, centsText(filed), centsText(now)] };
  }
  const changes = changedDocuments(stored, found);
  for (const { number, date, place, filed, now } of changes ?? []) {
    const [box, part] = place.split(' ') as [string, string];
    yield { code: 'DOCUMENT_CHANGED', values: [number, date, box, part, centsText(filed), centsText(now)] };
  }
  const lateTax: Cents[] = [];
  for (const lines of Map.groupBy(later, ({ document }) => document).values()) {
    const { number, date, countsOn } = lines[0]!;
    const tax = sum(lines.map(taxToPay));
    lateTax.push(tax);
    yield { code: 'LATE_DOCUMENT', values: [number, date, centsText(tax), countsOn] };
  }
  const isChanged = boxes.length + (changes ?? []).length > 0;
  if (!isChanged && later.length === 0) return;
  // A return of an earlier version stored its boxes only.
  const ofBoxes = boxes.map(({ box, part, filed, now }) => ({ place: `${box} ${part}`, filed, now }));
  const ofChanges = changedTax(found.country, changes ?? ofBoxes);
  const tax = ofChanges + sum(lateTax);
  // What came later counts in the next return without anybody's doing: corrected there, it would be declared twice.
  const inNext = later.length === 0 ? 'next' : isChanged ? 'both' : 'late';
  const due = dueOf(tax, supplementAbove) === 'supplement' ? 'supplement' : inNext;
  yield { code: 'CORRECTION', values: [centsText(tax), due, centsText(ofChanges)] };
}

/** Where the VAT accounts moved otherwise than the return has it. */
function accountRemarks({ moved, expected, differences }: AccountMovement): VatRemark[] {
  if (differences.length === 0) return [];
  return [
    { code: 'ACCOUNTS_DIFFER', values: [centsText(moved), centsText(expected)] },
    ...differences.sort(byDate).map(
      ({ date, document, moved, expected }): VatRemark => ({
        code: 'ENTRY_DIFFERS',
        values: [date, document, centsText(moved), centsText(expected)],
      }),
    ),
  ];
}

const byDate = (one: { date: string }, other: { date: string }): number =>
  one.date < other.date ? -1 : Number(one.date > other.date);
