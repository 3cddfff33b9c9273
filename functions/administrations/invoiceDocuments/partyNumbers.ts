import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import { checkVAT, countries } from 'jsvat';

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

/**
 * Whether a VAT number of an EU country, Great Britain, Norway or Switzerland has a valid form and check digits; the
 * country's letters come first. The library does not know Belgian numbers that begin with 1, which exist since 2023.
 */
export function isVatNumber(number: string): boolean {
  const written = compact(number);
  if (written.startsWith('BE')) return isBelgianEnterpriseNumber(written.slice(2).padStart(10, '0'));
  return checkVAT(written, countries).isValid;
}

/**
 * A French VAT number without FR whose key of two characters is letters, which may be those of a country: of one where
 * nine digits follow too, it is a number of that country.
 */
const frenchWithLetters = /^(?!BE|BG|CZ|DE|EE|EL|GB|GR|LT|PT|RO)[A-HJ-NP-Z]{2}\d{9}$/;

/**
 * A VAT number with its country's letters before it. Greece writes EL, and Belgian numbers have ten digits.
 * @param country of who has it: two letters, or "" when unknown
 */
export function writtenVatNumber({ country, vatNumber }: { country: string; vatNumber: string }): string {
  // Many write "BTW" or "TVA" first, and the code of the country for Greece.
  const number = compact(vatNumber)
    .replace(/^(?:BTW|TVA|VAT):?/, '')
    .replace(/^GR(?=\d{9}$)/, 'EL');
  if (number === '') return number;
  const hasLetters = /^[A-Z]{2}/.test(number) && !(country === 'FR' && frenchWithLetters.test(number));
  const written = hasLetters ? number : `${country === 'GR' ? 'EL' : country}${number}`;
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
