import { type DocumentParty, type FieldError, fieldError, type PartyDetail } from '../../../../shared/fieldErrors.ts';
import type { Address, InvoiceDocument } from '../invoiceDocument.ts';
import {
  compact,
  isBelgianEnterpriseNumber,
  isKvkNumber,
  isOin,
  isVatNumber,
  writtenVatNumber,
} from '../partyNumbers.ts';

/*
 * The two parties for Peppol: an electronic address, a VAT number with its country, a company number with its
 * scheme. Errors about missing values use bookkeeping terms.
 */

export type Identifier = { scheme: string | null; value: string };

export type EInvoiceParty = {
  endpoint: Identifier;
  name: string;
  address: Address;
  /** With the country's letters; "" for none. */
  vatNumber: string;
  companyNumber: Identifier | null;
  contact: { name: string; phone: string; email: string };
};

/** The schemes by which VAT numbers are electronic addresses: the first letters of a number -> scheme. */
const vatSchemes: Record<string, string> = {
  AD: '9922',
  AL: '9923',
  AT: '9914',
  BA: '9924',
  BE: '9925',
  BG: '9926',
  CH: '9927',
  CY: '9928',
  CZ: '9929',
  DE: '9930',
  DK: '0184',
  EE: '9931',
  EL: '9933',
  ES: '9920',
  FI: '0213',
  FR: '9957',
  GB: '9932',
  HR: '9934',
  HU: '9910',
  IE: '9935',
  IT: '0211',
  LI: '9936',
  LT: '9937',
  LU: '9938',
  LV: '9939',
  MC: '9940',
  ME: '9941',
  MK: '9942',
  MT: '9943',
  NL: '9944',
  NO: '0192',
  PL: '9945',
  PT: '9946',
  RO: '9947',
  RS: '9948',
  SE: '0007',
  SI: '9949',
  SK: '9950',
  SM: '9951',
  TR: '9952',
  VA: '9953',
};

/** Where the address is the company number, which is a part of the VAT number. */
const companyParts: Readonly<Record<string, [number, number]>> = { NO: [2, 11], SE: [2, 12] };

type Numbers = { country: string; vatNumber: string; companyNumber: string };

/** The number of a Belgian enterprise, which is also in its VAT number. */
function belgianNumber(numbers: Numbers): string | undefined {
  const candidates = [numbers.companyNumber, writtenVatNumber(numbers)].map((number) =>
    compact(number).replace(/^BE/, '').padStart(10, '0'),
  );
  return candidates.find(isBelgianEnterpriseNumber);
}

/** The company number and its scheme; without a scheme of other countries. */
function companyIdentifier(numbers: Numbers): Identifier | null {
  const { country, companyNumber } = numbers;
  const number = compact(companyNumber);
  if (country === 'BE') {
    const value = belgianNumber(numbers);
    return value === undefined ? null : { scheme: '0208', value };
  }
  if (country === 'NL') {
    if (isKvkNumber(number)) return { scheme: '0106', value: number };
    return isOin(number) ? { scheme: '0190', value: number } : null;
  }
  return number === '' ? null : { scheme: null, value: number };
}

/** The Peppol address: the company number in the Netherlands and Belgium, the VAT number elsewhere. */
function endpointOf(numbers: Numbers): Identifier | undefined {
  const company = companyIdentifier(numbers);
  if (company !== null && company.scheme !== null) return { scheme: company.scheme, value: company.value };
  const vatNumber = writtenVatNumber(numbers);
  const letters = vatNumber.slice(0, 2);
  const scheme = vatSchemes[letters];
  return scheme === undefined ? undefined : { scheme, value: vatNumber.slice(...(companyParts[letters] ?? [0])) };
}

/** Codes that Intl knows beside those of ISO 3166: of unions, islands, and for tests. */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' '));

/** Whether a code is one of ISO 3166 today; UK, and codes of countries that are no more, have others now. */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  !NO_COUNTRIES.has(code) &&
  regions.of(code) !== undefined &&
  new Intl.Locale('und', { region: code }).region === code;
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** The party whose errors are added to a list. */
type PartyErrors = { party: DocumentParty; errors: FieldError[] };

const requireDetail = ({ party, errors }: PartyErrors, path: string, detail: PartyDetail): void => {
  errors.push(fieldError(`${party}.${path}`, 'REQUIRED_OF_PARTY', { party, detail }));
};

function checkAddress(address: Address, isWhole: boolean, into: PartyErrors): void {
  const { countryCode, street, postalCode, city } = address;
  if (countryCode === '') requireDetail(into, 'address.countryCode', 'country');
  else if (!isCountry(countryCode)) {
    const { party, errors } = into;
    errors.push(fieldError(`${party}.address.countryCode`, 'NOT_COUNTRY_OF_PARTY', { party, given: countryCode }));
  }
  if (!isWhole) return;
  if (street === '') requireDetail(into, 'address.street', 'street');
  if (postalCode === '') requireDetail(into, 'address.postalCode', 'postalCode');
  if (city === '') requireDetail(into, 'address.city', 'town');
}

/** Countries whose VAT numbers `isVatNumber` does not know, or not all of them. */
const UNCHECKED = new Set('AD AL BA LI ME MK SM TR VA'.split(' '));

/** Whether a VAT number may be one: of its check digits where they are known, and else of how it begins. */
function mayBeVatNumber(number: string): boolean {
  const letters = number.slice(0, 2);
  if (vatSchemes[letters] !== undefined) return UNCHECKED.has(letters) || isVatNumber(number);
  if (letters === 'XI') return isVatNumber(number);
  // Of a country without such addresses; not a word such as "unknown".
  return isCountry(letters) && /^\d/.test(number.slice(2));
}

/** The company number of a country, where Peppol knows it as an address. */
const companyDetails: Readonly<Record<string, PartyDetail>> = { NL: 'kvkNumber', BE: 'enterpriseNumber' };

/** @param errors gets what is missing or wrong */
export function sellerOf({ issuer }: InvoiceDocument, errors: FieldError[]): EInvoiceParty {
  const { name, phone, email } = issuer;
  const { party, endpoint, detail } = partyOf('issuer', issuer, true, errors);
  const required = (missing: PartyDetail) => requireDetail({ party: 'issuer', errors }, 'companyNumber', missing);
  if (party.companyNumber === null && detail !== undefined) required(detail);
  if (endpoint === undefined && errors.length === 0) required('companyNumber');
  return { ...party, name, contact: { name: '', phone, email } };
}

/** @param errors gets what is missing or wrong */
export function buyerOf({ customer, issuer }: InvoiceDocument, errors: FieldError[]): EInvoiceParty {
  const { name, registrationNumber: companyNumber, contact, email } = customer;
  const bothDutch = [customer, issuer].every(({ address }) => address.countryCode === 'NL');
  const { party, endpoint, detail = '' } = partyOf('customer', { ...customer, companyNumber }, bothDutch, errors);
  if (endpoint === undefined) {
    errors.push(fieldError('customer.registrationNumber', 'NO_PEPPOL_ADDRESS', { detail }));
  }
  return { ...party, name, contact: { name: contact, phone: '', email } };
}

/** What both parties need. @param isWhole whether every part of the address is required */
function partyOf(
  party: DocumentParty,
  { name, address, vatNumber, companyNumber }: Omit<Numbers, 'country'> & { name: string; address: Address },
  isWhole: boolean,
  errors: FieldError[],
) {
  const into: PartyErrors = { party, errors };
  const numbers = { country: address.countryCode, vatNumber, companyNumber };
  if (name.trim() === '') requireDetail(into, 'name', 'name');
  checkAddress(address, isWhole, into);
  const writtenNumber = writtenVatNumber(numbers);
  const endpoint = endpointOf(numbers);
  // Without an address another error says what is missing.
  if (endpoint !== undefined && writtenNumber !== '' && !mayBeVatNumber(writtenNumber)) {
    errors.push(fieldError(`${party}.vatNumber`, 'NOT_VAT_NUMBER', { party, given: writtenNumber }));
  }
  return {
    party: {
      endpoint: endpoint ?? { scheme: null, value: '' },
      address,
      vatNumber: writtenNumber,
      companyNumber: companyIdentifier(numbers),
    },
    endpoint,
    detail: companyDetails[numbers.country],
  };
}
