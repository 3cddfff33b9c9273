import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import { checkVAT, countries, cyprus } from 'jsvat';

/*
 * The numbers that identify companies, and their check digits.
 */

/** A number in upper case without separators: spaces, points, dashes and slashes. */
export const compact = (number: string): string => number.replace(/[\s./\-–]/g, '').toUpperCase();

/** Whether ten digits are a Belgian enterprise number: the last two are 97 less the remainder by 97 of the others. */
export const isBelgianEnterpriseNumber = (number: string): boolean => {
  const digits = compact(number);
  return /^[01]\d{9}$/.test(digits) && 97 - (Number(digits.slice(0, 8)) % 97) === Number(digits.slice(8));
};

/** What the key of a French VAT number may have: a letter counts from 10, and I and O are none. */
const FRENCH_KEY = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Whether the key before the nine digits of a French VAT number follows from them, where it has a letter. */
function hasFrenchKey(key: string, digits: string): boolean {
  const [first, second] = [FRENCH_KEY.indexOf(key[0]!), FRENCH_KEY.indexOf(key[1]!)] as const;
  const check = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100;
  return (Number(digits) + 1 + Math.floor(check / 11)) % 11 === check % 11;
}

/** The countries of the library, with the numbers of Cyprus that begin with 6: all new ones do since March 2023. */
const knownCountries = countries.map((country) =>
  country === cyprus ? { ...cyprus, rules: { ...cyprus.rules, regex: [/^(CY)([0-69]\d{7}[A-Z])$/] } } : country,
);

/**
 * Whether a VAT number of an EU country, Great Britain, Northern Ireland, Norway or Switzerland has a valid form and
 * check digits; the country's letters come first. The library does not know Belgian numbers that begin with 1, which
 * exist since 2023, and Northern Ireland, and takes any letters for the key of a French number.
 */
export function isVatNumber(number: string): boolean {
  const written = compact(number).replace(/^XI/, 'GB');
  if (written.startsWith('BE')) return isBelgianEnterpriseNumber(written.slice(2).padStart(10, '0'));
  const [, key, digits] = /^FR(?!\d\d)([0-9A-HJ-NP-Z]{2})(\d{9})$/.exec(written) ?? [];
  if (key !== undefined) return hasFrenchKey(key, digits!);
  return checkVAT(written, knownCountries).isValid;
}

const TWO_LETTERS_NINE_DIGITS = /^[A-HJ-NP-Z]{2}\d{9}$/;
/** Countries where nine digits may follow their letters. */
const WITH_NINE_DIGITS = /^(?:BE|BG|CZ|DE|EE|EL|GB|GR|LT|PT|RO)/;

/**
 * Whether it is a French VAT number without FR whose key is letters, which may be those of a country: of one where nine
 * digits follow too, it is a number of that country, unless it is valid in France only.
 */
const isFrenchWithLetters = (number: string): boolean =>
  TWO_LETTERS_NINE_DIGITS.test(number) &&
  (!WITH_NINE_DIGITS.test(number) || (isVatNumber(`FR${number}`) && !isVatNumber(number)));

/** The letters of VAT numbers where they are not the code of the country. Monaco is in the register of France. */
const vatLetters: Readonly<Record<string, string>> = { GR: 'EL', MC: 'FR' };
const lettersOf = (country: string): string => vatLetters[country] ?? country;

/**
 * A VAT number with its country's letters before it. Greece writes EL, Monaco FR, and Belgian numbers have ten digits.
 * @param country of who has it: two letters, or "" when unknown
 */
export function writtenVatNumber({ country, vatNumber }: { country: string; vatNumber: string }): string {
  // Many write "BTW" or "TVA" first, and the code of the country for Greece and Monaco.
  const number = compact(vatNumber)
    .replace(/^(?:BTW|TVA|VAT):?/, '')
    .replace(/^GR(?=\d{9}$)/, 'EL')
    .replace(/^MC(?=[A-Z\d]{2}\d{9}$)/, 'FR');
  if (number === '') return number;
  const hasLetters = /^[A-Z]{2}/.test(number) && !(lettersOf(country) === 'FR' && isFrenchWithLetters(number));
  const written = hasLetters ? number : `${lettersOf(country)}${number}`;
  return /^BE\d+$/.test(written) ? `BE${written.slice(2).padStart(10, '0')}` : written;
}

/** Eight digits; a KvK number has no check digit. */
export const isKvkNumber = (number: string): boolean => /^\d{8}$/.test(compact(number));
/** The identification of Dutch public bodies: twenty digits. */
export const isOin = (number: string): boolean => /^\d{20}$/.test(compact(number));

/** Whether a company number is valid in its country; for other countries than these two any is. */
export function isCompanyNumber(number: string, country: string): boolean {
  if (country === 'NL') return isKvkNumber(number) || isOin(number);
  if (country === 'BE') return isBelgianEnterpriseNumber(number);
  return number.trim() !== '';
}

/** An IBAN without spaces; `undefined` when its length or check digits are wrong. */
export function readIban(text: string): string | undefined {
  const iban = electronicFormatIBAN(text) ?? '';
  return isValidIBAN(iban) ? iban : undefined;
}

export const isBic = (text: string): boolean => isValidBIC(text.trim().toUpperCase());
