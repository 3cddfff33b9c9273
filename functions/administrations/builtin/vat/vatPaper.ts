import { setImmediate as turn } from 'node:timers/promises';
import { centsText, sum } from '../../../../shared/money.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { VatRemark } from '../../../../shared/resources/vatReturn/vatRemark.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { vatRulesOf } from './administrationRules.ts';
import { accountMovement, taxToPay } from './bookedTax/vatAccounts.ts';
import { type BookedVatLine, linesOfDays, portionsOf } from './bookedTax/vatLines.ts';
import { changedSince, filedReturns } from './filedReturns.ts';
import { someOf, vatWarnings } from './vatControls.ts';
import { clientListing, euListing } from './vatListings.ts';
import type { VatPeriod } from './vatPeriod.ts';
import { type BoxEntries, boxEntries, ruleFinder, totalled, type VatRounding } from './vatReturn.ts';
import type { VatPaper } from './vatWorkbook.ts';

/** The documents that are read together. */
const PORTION = 1000;

/** The most lines of one return: it is computed in memory. */
const MAX_LINES = 500_000;

/** The most remarks of one code. */
const MAX_REMARKS = 100;

/**
 * The return of a period of an administration, with its listings and what is remarkable about it.
 * @param supplementAbove the difference, in cents, from which a supplement is due
 * @returns with the stored return when it was filed
 * @throws Problem INVALID_REQUEST for more lines than one return can have
 */
export async function vatPaper(
  db: Database,
  administration: Row<'administration'>,
  period: VatPeriod,
  { rounding, supplementAbove }: { rounding?: VatRounding | undefined; supplementAbove: bigint },
): Promise<{ paper: VatPaper; filed: Row<'vat_return'> | undefined }> {
  const { id, name, country } = administration;
  const ruleOf = ruleFinder(await vatRulesOf(db, administration));
  const filed = await filedReturns(db, id);
  const source = { db, administration, ruleOf, filed };
  const lines: BookedVatLine[] = [];
  const inBoxes: BoxEntries = { entries: [], unmapped: [] };
  for (const days of await portionsOf(source, period, PORTION)) {
    const some = await linesOfDays(source, period, days);
    if (lines.length + some.length > MAX_LINES) {
      throw new Problem('INVALID_REQUEST', `The period has more than ${MAX_LINES} lines with VAT: take a shorter one.`);
    }
    const { entries, unmapped } = boxEntries(ruleOf, some);
    for (const line of some) lines.push(line);
    for (const entry of entries) inBoxes.entries.push(entry);
    for (const line of unmapped) inBoxes.unmapped.push(line);
    await turn();
  }
  const how = rounding ?? roundingOf(administration);
  const found = totalled(country, inBoxes, how);
  const listing = euListing(found);
  const stored = filed.find((one) => one.period === period.name);
  const changes = stored === undefined ? [] : changedSince(stored, found);
  return {
    filed: stored,
    paper: {
      title: `${name}: VAT return of ${period.name}`,
      found,
      rounding: how,
      listing,
      ...(country === 'BE' && period.kind === 'year' ? { clients: clientListing(found) } : {}),
      remarks: bounded([
        ...changes.map(
          ({ box, part, filed: was, now }): VatRemark => ({
            code: 'CHANGED',
            values: [box, part, centsText(was), centsText(now)],
          }),
        ),
        ...lineRemarks(lines, supplementAbove),
        ...vatWarnings(found, listing),
        ...(await accountRemarks(db, administration, period, lines)),
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
function* lineRemarks(lines: readonly BookedVatLine[], supplementAbove: bigint): Generator<VatRemark> {
  const derived = new Set(lines.filter(({ isKindDerived }) => isKindDerived).map(({ document }) => document));
  if (derived.size > 0) yield { code: 'KIND_DERIVED', values: [String(derived.size)] };
  const withoutBase = lines.filter(({ isBaseDerived }) => isBaseDerived);
  if (withoutBase.length > 0) yield { code: 'BASE_DERIVED', values: someOf(withoutBase) };
  const late = lines.filter(({ isLate }) => isLate);
  if (late.length === 0) return;
  const tax = sum(late.map(taxToPay));
  const due = tax > supplementAbove || -tax > supplementAbove ? 'supplement' : 'next';
  const count = new Set(late.map(({ document }) => document)).size;
  yield { code: 'LATE', values: [String(count), centsText(tax), due] };
}

/** Where the VAT accounts moved otherwise than the return has it. */
async function accountRemarks(
  db: Database,
  administration: Row<'administration'>,
  period: VatPeriod,
  lines: readonly BookedVatLine[],
): Promise<VatRemark[]> {
  const { moved, expected, differences } = await accountMovement(db, administration, period, lines);
  if (differences.length === 0) return [];
  return [
    { code: 'ACCOUNTS_DIFFER', values: [centsText(moved), centsText(expected)] },
    ...differences.map(
      ({ date, document, moved, expected }): VatRemark => ({
        code: 'ENTRY_DIFFERS',
        values: [date, document, centsText(moved), centsText(expected)],
      }),
    ),
  ];
}
