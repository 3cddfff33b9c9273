import { type Cents, sum } from '../../../../shared/money.ts';
import { writtenVatNumber } from '../../invoiceDocuments/partyNumbers.ts';
import type { VatEntry, VatLine, VatReturn } from './vatReturn.ts';
import type { VatListing } from './vatRules.ts';

/** What a customer in another country of the EU was supplied with in a period. Credits are subtracted. */
export type VatListingRow = { vatNumber: string; name: string; nature: Exclude<VatListing, ''>; amount: Cents };

/** The boxes whose entries are in the listing of supplies within the EU. */
const SUPPLIED = new Set(['3b', '44', '46']);
const CREDITED = '48';

/**
 * The listing of supplies within the EU: a row for each VAT number and nature, without rows of zero. Customers without
 * a number have a row under their name: the return warns of them.
 */
export function euListing({ entries }: Pick<VatReturn, 'entries'>): VatListingRow[] {
  const listed = entries.filter(
    ({ rule, box, part }) => rule.listing !== '' && part === 'base' && (SUPPLIED.has(box) || box === CREDITED),
  );
  const groups = Map.groupBy(listed, ({ line, rule }) => `${customerOf(line)} ${rule.listing}`);
  return [...groups.values()]
    .map((group) => {
      const { line, rule } = group[0]!;
      return {
        vatNumber: numberOf(line),
        name: line.relation.name,
        nature: rule.listing as Exclude<VatListing, ''>,
        amount: sum(group.map(signed)),
      };
    })
    .filter(({ amount }) => amount !== 0n);
}

const signed = ({ box, amount }: VatEntry): Cents => (box === CREDITED ? -amount : amount);

/** Codes of the Belgian listing. */
export const natureCodes = { goods: 'L', services: 'S', triangular: 'T' } as const;

/** What a Belgian customer with a VAT number bought in a year. */
export type ClientListingRow = { vatNumber: string; name: string; turnover: Cents; tax: Cents };

/** Customers below this turnover are not in the yearly listing: 250 euros without VAT. */
const MIN_TURNOVER: Cents = 25_000n;

/**
 * The yearly listing of Belgian customers with a VAT number: turnover of 00, 01, 02, 03 and 45 less 49, VAT of 54 less
 * 64. Those with a credit note are in it below 250 euros as well.
 */
export function clientListing({ entries }: Pick<VatReturn, 'entries'>): ClientListingRow[] {
  const factors: Record<string, bigint> = {
    '00': 1n,
    '01': 1n,
    '02': 1n,
    '03': 1n,
    '45': 1n,
    '49': -1n,
    '54': 1n,
    '64': -1n,
  };
  const counted = entries.filter(
    ({ box, line }) => factors[box] !== undefined && line.taxType === 'Sales' && isBelgian(line),
  );
  const groups = Map.groupBy(counted, ({ line }) => numberOf(line));
  return [...groups].flatMap(([vatNumber, group]) => {
    const of = (part: 'base' | 'tax') =>
      sum(group.filter((one) => one.part === part).map(({ box, amount }) => factors[box]! * amount));
    const [turnover, tax] = [of('base'), of('tax')];
    const hasCredit = group.some(({ box }) => box === '49');
    if (turnover <= MIN_TURNOVER && !hasCredit) return [];
    return [{ vatNumber, name: group[0]!.line.relation.name, turnover, tax }];
  });
}

/** The VAT number of a customer with the letters of its country: relations may have it without them. "" for none. */
export function numberOf({ relation: { country, vatNumber } }: VatLine): string {
  // Some write a word, such as "requested".
  if (!/\d/.test(vatNumber)) return '';
  return writtenVatNumber({ country: country.toUpperCase(), vatNumber: withoutPunctuation(vatNumber) });
}

const isBelgian = (line: VatLine): boolean => numberOf(line).startsWith('BE');

const customerOf = (line: VatLine): string => numberOf(line) || `name ${line.relation.name}`;

/** A VAT number in capitals, without dots and spaces. */
export const withoutPunctuation = (vatNumber: string): string => vatNumber.toUpperCase().replace(/[^A-Z0-9]/g, '');
