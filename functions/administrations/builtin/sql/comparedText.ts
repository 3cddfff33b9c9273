/** Text as names and e-mail addresses are compared: in lower case of every language, which no database does alike. */
export const folded = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/**
 * What VAT numbers begin with: the member states' own prefixes (Greece is EL), Northern Ireland's, and near neighbours'.
 * Seven characters or more follow, but in Romania two digits are enough.
 */
const vatPrefix =
  /^(?:CHE(?=\d{9})|RO(?=\d{2,10}$)|(?:AT|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|SE|SI|SK|XI)(?=[A-Z0-9]{7}))/;

/** What comes after nine digits: a Dutch B01, "VAT" in the languages of Switzerland and of Norway. */
const vatAddition = /^(\d{9})(?:B\d{2}|MWST|TVA|IVA|MVA)$/;

const withoutSeparators = (vatNumber: string): string => vatNumber.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** A VAT number as it is compared: without country code, separators and additions. */
export const comparedVatNumber = (text: string): string =>
  withoutSeparators(text).replace(vatPrefix, '').replace(vatAddition, '$1');

/**
 * What a VAT number may have been stored as. Without its country code it can begin like a code all the same: the French
 * SE123456789 is FRSE123456789 in full.
 */
export const soughtVatNumbers = (text: string): string[] => [
  ...new Set([comparedVatNumber(text), withoutSeparators(text)]),
];
