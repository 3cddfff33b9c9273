import { abs, type Cents, centsText, divide, HUNDRED, ONE, sum } from '../../../../shared/money.ts';
import type { VatListingRow } from './vatListings.ts';
import type { VatLine, VatReturn } from './vatReturn.ts';

/** A remark on a return. It warns and never prevents anything. */
export type VatWarning = { code: string; message: string };

/** How far the Belgian controls let an amount be off: 62 euros. */
const TOLERANCE: Cents = 6200n;

/** The usual rates of a country, in per cent, on a date: a line with another one is named. */
const rates = { NL: ['21', '9', '0'], BE: ['21', '12', '6', '0'] } as const;

/** What is remarkable about a return. @param listing the listing of supplies within the EU of the same period */
export function vatWarnings(found: VatReturn, listing: readonly VatListingRow[]): VatWarning[] {
  const warnings: VatWarning[] = [];
  const warn = (code: string, message: string) => warnings.push({ code, message });
  for (const lines of Map.groupBy(found.unmapped, ({ taxType, taxCode }) => `${taxType} ${taxCode}`).values()) {
    const { taxType, taxCode } = lines[0]!;
    const what = taxCode === '' ? `${taxType} lines without a tax code` : `The ${taxType} tax code "${taxCode}"`;
    const base = centsText(sum(lines.map(({ base }) => base)));
    const tax = centsText(sum(lines.map(({ tax }) => tax)));
    warn('UNMAPPED', `${what}: no box is known for ${base} with ${tax} of VAT, in ${documents(lines)}.`);
  }
  for (const rule of new Set(found.entries.map(({ rule }) => rule))) {
    if (rule.doubt !== '') warn('DOUBTFUL', `${rule.taxType} ${rule.taxCode}: ${rule.doubt}`);
  }
  const unbooked = found.entries.flatMap(({ line, rule }) =>
    line.taxType === 'Purchase' && line.booked === undefined && (rule.selfAssessed > 0n || rule.share < HUNDRED)
      ? line
      : [],
  );
  if (unbooked.length > 0) {
    const what =
      'an earlier version booked what the invoice charges only; the return has what is owed and deducted too';
    warn('NOT_BOOKED', `${what}: ${documents(unbooked)}.`);
  }
  const inListing = new Set(['3b', '44', '46']);
  const withoutNumber = found.entries.filter(
    ({ box, line }) => (inListing.has(box) || box === '45') && line.relation.vatNumber === '',
  );
  for (const { line } of withoutNumber) {
    warn('NO_VAT_NUMBER', `${line.relation.name} has no VAT number: ${line.number} charges no VAT.`);
  }
  for (const line of unusualRates(found)) {
    warn('UNUSUAL_RATE', `${line.number}: ${centsText(line.tax)} of VAT on ${centsText(line.base)} is no usual rate.`);
  }
  for (const { box, amount } of found.carried) {
    warn('CARRIED', `Box ${box} would be ${centsText(amount)}: it is 0, and the rest counts in the next period.`);
  }
  const supplied = sum(found.entries.filter(({ box }) => inListing.has(box)).map(({ amount }) => amount));
  const credited = sum(found.entries.filter(({ box }) => box === '48').map(({ amount }) => amount));
  const listed = sum(listing.map(({ amount }) => amount));
  if (supplied - credited !== listed) {
    const boxes = found.country === 'NL' ? '3b' : '44 and 46 less 48';
    warn(
      'LISTING_DIFFERS',
      `${boxes}: ${centsText(supplied - credited)}, the listing within the EU: ${centsText(listed)}.`,
    );
  }
  if (found.country === 'BE') for (const one of belgianControls(found)) warn(one.code, one.message);
  return warnings;
}

const documents = (lines: readonly VatLine[]): string => {
  const numbers = [...new Set(lines.map(({ number }) => number))];
  return numbers.length > 3 ? `${numbers.slice(0, 3).join(', ')} and ${numbers.length - 3} more` : numbers.join(', ');
};

/** Lines whose VAT is no usual rate of their base, within a cent for each line and one for rounding. */
function unusualRates({ country, entries }: VatReturn): VatLine[] {
  const lines = new Set(entries.filter(({ rule }) => rule.selfAssessed === 0n).map(({ line }) => line));
  return [...lines].filter(
    ({ base, tax }) =>
      tax !== 0n &&
      rates[country].every((rate) => abs(divide(base * BigInt(rate) * ONE, HUNDRED) - tax) > 2n + abs(tax) / 1000n),
  );
}

/** The six controls of Intervat on what is declared (OCA l10n-belgium, mis_report_vat.xml). */
function belgianControls({ boxes }: VatReturn): VatWarning[] {
  const box = (number: string): Cents => {
    const { base, tax } = boxes.get(number)!;
    return (base ?? tax)!.declared;
  };
  const percent = (rate: bigint, ...numbers: string[]) => divide(sum(numbers.map(box)) * rate, 100n);
  const close = (code: string, rule: string, expected: Cents, actual: Cents) =>
    abs(expected - actual) < TOLERANCE
      ? []
      : [{ code, message: `${rule}: ${centsText(expected)} expected, ${centsText(actual)} declared.` }];
  const most = (code: string, rule: string, limit: Cents, actual: Cents) =>
    actual <= limit ? [] : [{ code, message: `${rule}: at most ${centsText(limit)}, ${centsText(actual)} declared.` }];
  return [
    ...close(
      'CONTROL_O',
      '54 against 6% of 01, 12% of 02 and 21% of 03',
      percent(6n, '01') + percent(12n, '02') + percent(21n, '03'),
      box('54'),
    ),
    ...close('CONTROL_P', '55 against 21% of 84, 86 and 88', percent(21n, '84', '86', '88'), box('55')),
    ...close('CONTROL_Q', '56 and 57 against 21% of 85 and 87', percent(21n, '85', '87'), box('56') + box('57')),
    ...most('CONTROL_S', '59 against half of 81 to 85', percent(50n, '81', '82', '83', '84', '85'), box('59')),
    ...most('CONTROL_T', '63 against 21% of 85', percent(21n, '85'), box('63')),
    ...most('CONTROL_U', '64 against 21% of 49', percent(21n, '49'), box('64')),
  ];
}
