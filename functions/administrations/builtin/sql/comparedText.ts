/** The form in which names and e-mail addresses are compared: lower case, which databases do differently. */
export const folded = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/**
 * The prefixes of VAT numbers: of the member states (Greece is EL, and many write GR), Northern Ireland, and near
 * neighbours. Seven characters or more follow, but in Romania two digits are enough.
 */
const vatPrefix =
  /^(?:CHE(?=\d{9})|RO(?=\d{2,10}$)|(?:AT|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|SE|SI|SK|XI)(?=[A-Z0-9]{7}))/;

/** Suffixes after nine digits: a Dutch B01, "VAT" in the languages of Switzerland and of Norway. */
const vatAddition = /^(\d{9})(?:B\d{2}|MWST|TVA|IVA|MVA)$/;

/** A word for "VAT" that some write before the number. */
const vatWord = /^(?:BTW|TVA|VAT)(?=[A-Z]{0,4}\d)/;

const withoutSeparators = (vatNumber: string): string => vatNumber.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** The form in which VAT numbers are compared: without a word before them, country code, separators and suffixes. */
export const comparedVatNumber = (text: string): string =>
  withoutSeparators(text).replace(vatWord, '').replace(vatPrefix, '').replace(vatAddition, '$1');

/**
 * The compared forms that a VAT number may be stored in. Without its country code it can still begin like one: the
 * French SE123456789 is FRSE123456789 in full. Belgian numbers of ten digits were written with nine.
 */
export function soughtVatNumbers(text: string): string[] {
  const number = withoutSeparators(text).replace(vatWord, '');
  const [, digits] = /^(?:BE)?0?([2-9]\d{8})$/.exec(number) ?? [];
  const belgian = digits === undefined ? [] : [digits, `0${digits}`];
  return [...new Set([comparedVatNumber(text), number, ...belgian])];
}
