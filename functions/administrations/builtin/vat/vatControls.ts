import { abs, type Cents, centsText, divide, HUNDRED, ONE, sum } from '../../../../shared/money.ts';
import type { VatRemark } from '../../../../shared/resources/vatReturn/vatRemarkTexts.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { VatCountry } from './vatBoxes.ts';
import { numberOf, type VatListingRow } from './vatListings.ts';
import type { VatLine, VatReturn } from './vatReturn.ts';

/** How far the Belgian controls let an amount be off: 62 euros. */
const TOLERANCE: Cents = 6200n;

/** The letters of VAT numbers in the EU: Greece has EL; Northern Ireland, for goods, XI; Monaco those of France. */
const euLetters = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
);

/** The usual rates of a country on a date, in per cent. */
function ratesOn(country: VatCountry, date: CalendarDate): readonly bigint[] {
  if (country === 'BE') return [21n, 12n, 6n, 0n];
  return [date < '2012-10-01' ? 19n : 21n, date < '2019-01-01' ? 6n : 9n, 0n];
}

/** What is remarkable about a return. @param listing the listing of supplies within the EU of the same period */
export function vatWarnings(found: VatReturn, listing: readonly VatListingRow[]): VatRemark[] {
  const remarks: VatRemark[] = [];
  for (const lines of Map.groupBy(found.unmapped, ({ taxType, taxCode }) => `${taxType} ${taxCode}`).values()) {
    const { taxType, taxCode } = lines[0]!;
    const base = centsText(sum(lines.map(({ base }) => base)));
    const tax = centsText(sum(lines.map(({ tax }) => tax)));
    remarks.push({ code: 'UNMAPPED', values: [taxType, taxCode, base, tax, ...someOf(lines)] });
  }
  for (const { taxType, taxCode, doubt } of new Set(found.entries.map(({ rule }) => rule))) {
    if (doubt !== '') remarks.push({ code: 'DOUBTFUL', values: [taxType, taxCode, doubt] });
  }
  const unbooked = found.entries.flatMap(({ line, rule }) =>
    line.taxType === 'Purchase' && line.booked === undefined && (rule.selfAssessed > 0n || rule.share < HUNDRED)
      ? line
      : [],
  );
  if (unbooked.length > 0) remarks.push({ code: 'NOT_BOOKED', values: someOf(unbooked) });
  const inListing = new Set(['3b', '44', '46']);
  const withoutNumber = found.entries.filter(
    ({ box, line }) => (inListing.has(box) || box === '45') && numberOf(line) === '',
  );
  for (const { line } of withoutNumber) {
    remarks.push({ code: 'NO_VAT_NUMBER', values: [line.relation.name, line.number] });
  }
  for (const { rule, part, line } of found.entries) {
    const vatNumber = numberOf(line);
    if (rule.listing === '' || part !== 'base' || vatNumber === '') continue;
    const letters = vatNumber.slice(0, 2);
    if (letters !== found.country && euLetters.has(letters)) continue;
    remarks.push({ code: 'NO_EU_NUMBER', values: [line.relation.name, vatNumber, line.number] });
  }
  for (const { number, tax, base } of unusualRates(found)) {
    remarks.push({ code: 'UNUSUAL_RATE', values: [number, centsText(tax), centsText(base)] });
  }
  for (const { box, amount } of found.carried) {
    remarks.push({ code: 'CARRIED', values: [box, centsText(amount)] });
  }
  const supplied = sum(found.entries.filter(({ box }) => inListing.has(box)).map(({ amount }) => amount));
  const credited = sum(found.entries.filter(({ box }) => box === '48').map(({ amount }) => amount));
  const listed = sum(listing.map(({ amount }) => amount));
  if (supplied - credited !== listed) {
    const boxes = found.country === 'NL' ? '3b' : '44 + 46 - 48';
    remarks.push({ code: 'LISTING_DIFFERS', values: [boxes, centsText(supplied - credited), centsText(listed)] });
  }
  if (found.country === 'BE') remarks.push(...belgianControls(found));
  return remarks;
}

/** The numbers of the first documents of some lines, and how many others there are. */
export function someOf(lines: readonly Pick<VatLine, 'number'>[]): [documents: string, more: string] {
  const numbers = [...new Set(lines.map(({ number }) => number))];
  return [numbers.slice(0, 3).join(', '), String(Math.max(numbers.length - 3, 0))];
}

/** Lines whose VAT is no usual rate of their base, within a cent for each line and one for rounding. */
function unusualRates({ country, entries }: VatReturn): VatLine[] {
  const lines = new Set(entries.filter(({ rule }) => rule.selfAssessed === 0n).map(({ line }) => line));
  return [...lines].filter(
    ({ base, tax, date }) =>
      tax !== 0n &&
      ratesOn(country, date).every((rate) => abs(divide(base * rate * ONE, HUNDRED) - tax) > 2n + abs(tax) / 1000n),
  );
}

/** The six controls of Intervat on what is declared (OCA l10n-belgium, mis_report_vat.xml). */
function belgianControls({ boxes }: VatReturn): VatRemark[] {
  const box = (number: string): Cents => {
    const { base, tax } = boxes.get(number)!;
    return (base ?? tax)!.declared;
  };
  type Control = Extract<VatRemark['code'], `CONTROL_${string}`>;
  const percent = (rate: bigint, ...numbers: string[]) => divide(sum(numbers.map(box)) * rate, 100n);
  const remark = (isRight: boolean, code: Control, expected: Cents, actual: Cents): VatRemark[] =>
    isRight ? [] : [{ code, values: [centsText(expected), centsText(actual)] }];
  const close = (code: Control, expected: Cents, actual: Cents) =>
    remark(abs(expected - actual) < TOLERANCE, code, expected, actual);
  const most = (code: Control, limit: Cents, actual: Cents) => remark(actual <= limit, code, limit, actual);
  return [
    ...close('CONTROL_O', percent(6n, '01') + percent(12n, '02') + percent(21n, '03'), box('54')),
    ...close('CONTROL_P', percent(21n, '84', '86', '88'), box('55')),
    ...close('CONTROL_Q', percent(21n, '85', '87'), box('56') + box('57')),
    ...most('CONTROL_S', percent(50n, '81', '82', '83', '84', '85'), box('59')),
    ...most('CONTROL_T', percent(21n, '85'), box('63')),
    ...most('CONTROL_U', percent(21n, '49'), box('64')),
  ];
}
