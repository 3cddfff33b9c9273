import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import type { Address, Customer, InvoiceDocument, Issuer } from '../invoiceDocument.ts';
import { compact, isBelgianEnterpriseNumber, isKvkNumber, isOin, isVatNumber } from '../partyNumbers.ts';

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
  PL: '9945',
  PT: '9946',
  RO: '9947',
  RS: '9948',
  SI: '9949',
  SK: '9950',
  SM: '9951',
  TR: '9952',
  VA: '9953',
};

type Numbers = { country: string; vatNumber: string; companyNumber: string };

/** A VAT number with its country's letters before it. Greece writes EL. */
function writtenVatNumber({ country, vatNumber }: Numbers): string {
  const number = compact(vatNumber);
  if (number === '' || /^[A-Z]{2}/.test(number)) return number;
  return `${country === 'GR' ? 'EL' : country}${country === 'BE' ? number.padStart(10, '0') : number}`;
}

/** The number of a Belgian enterprise: of its own or in its VAT number. */
function belgianNumber({ companyNumber, vatNumber }: Numbers): string | undefined {
  const candidates = [companyNumber, vatNumber].map((number) => compact(number).replace(/^BE/, '').padStart(10, '0'));
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
  // A Swedish address is the company number; a Danish one begins with its letters.
  if (letters === 'SE' && isVatNumber(vatNumber)) return { scheme: '0007', value: vatNumber.slice(2, 12) };
  if (letters === 'DK' && isVatNumber(vatNumber)) return { scheme: '0184', value: vatNumber };
  const scheme = vatSchemes[letters];
  return scheme === undefined ? undefined : { scheme, value: vatNumber };
}

const isCountry = (code: string): boolean => {
  if (!/^[A-Z]{2}$/.test(code) || ['EU', 'EZ', 'UN', 'XA', 'XB', 'XK', 'QO', 'ZZ'].includes(code)) return false;
  return regions.of(code) !== undefined;
};
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

type Refuse = (path: string, message: string) => void;

function checkAddress(address: Address, path: string, whose: string, isWhole: boolean, refuse: Refuse): void {
  if (!isCountry(address.countryCode)) {
    const got = address.countryCode === '' ? 'none is filled in' : `"${address.countryCode}" is none`;
    refuse(`${path}.countryCode`, `expected the country of ${whose} address as two letters, ${got}`);
  }
  if (!isWhole) return;
  if (address.street === '') refuse(`${path}.street`, `expected the street of ${whose} address`);
  if (address.postalCode === '') refuse(`${path}.postalCode`, `expected the postal code of ${whose} address`);
  if (address.city === '') refuse(`${path}.city`, `expected the town of ${whose} address`);
}

function checkVatNumber(number: string, path: string, whose: string, refuse: Refuse): void {
  if (number !== '' && !isVatNumber(number) && vatSchemes[number.slice(0, 2)] !== undefined) {
    refuse(path, `expected ${whose} VAT number with its country's letters and right check digits, got "${number}"`);
  }
}

/** @param errors is added to */
export function sellerOf(document: InvoiceDocument, errors: FieldError[]): EInvoiceParty {
  const { issuer } = document;
  const refuse: Refuse = (path, words) => errors.push(fieldError(path, 'UNFIT_FOR_DOCUMENT', { words }));
  const numbers = { country: issuer.address.countryCode, ...pickNumbers(issuer, issuer.companyNumber) };
  const whose = "the administration's own";
  if (issuer.name.trim() === '') refuse('issuer.name', `expected ${whose} name`);
  checkAddress(issuer.address, 'issuer.address', whose, true, refuse);
  const vatNumber = writtenVatNumber(numbers);
  checkVatNumber(vatNumber, 'issuer.vatNumber', whose, refuse);
  const companyNumber = companyIdentifier(numbers);
  if (companyNumber === null && ['NL', 'BE'].includes(numbers.country)) {
    const kind = numbers.country === 'BE' ? 'enterprise number (ten digits)' : 'KvK number (eight digits)';
    refuse('issuer.companyNumber', `expected ${whose} ${kind}`);
  }
  const endpoint = endpointOf(numbers);
  if (endpoint === undefined && errors.length === 0) {
    refuse('issuer.companyNumber', `expected ${whose} company number or VAT number, as its address on Peppol`);
  }
  return {
    endpoint: endpoint ?? { scheme: null, value: '' },
    name: issuer.name,
    address: issuer.address,
    vatNumber,
    companyNumber,
    contact: { name: '', phone: issuer.phone, email: issuer.email },
  };
}

/** @param errors gets what is missing or wrong */
export function buyerOf(document: InvoiceDocument, errors: FieldError[]): EInvoiceParty {
  const { customer, issuer } = document;
  const refuse: Refuse = (path, words) => errors.push(fieldError(path, 'UNFIT_FOR_DOCUMENT', { words }));
  const numbers = { country: customer.address.countryCode, ...pickNumbers(customer, customer.registrationNumber) };
  const whose = "the customer's";
  if (customer.name.trim() === '') refuse('customer.name', `expected ${whose} name`);
  const bothDutch = numbers.country === 'NL' && issuer.address.countryCode === 'NL';
  checkAddress(customer.address, 'customer.address', whose, bothDutch, refuse);
  const vatNumber = writtenVatNumber(numbers);
  checkVatNumber(vatNumber, 'customer.vatNumber', whose, refuse);
  const endpoint = endpointOf(numbers);
  if (endpoint === undefined) {
    const needed = {
      NL: 'KvK number (eight digits) or VAT number',
      BE: 'enterprise number (ten digits) or VAT number',
    }[numbers.country];
    refuse(
      'customer.registrationNumber',
      `expected ${whose} ${needed ?? 'VAT number'}: it is the address on Peppol. A private customer has none`,
    );
  }
  return {
    endpoint: endpoint ?? { scheme: null, value: '' },
    name: customer.name,
    address: customer.address,
    vatNumber,
    companyNumber: companyIdentifier(numbers),
    contact: { name: customer.contact, phone: '', email: customer.email },
  };
}

const pickNumbers = ({ vatNumber }: Issuer | Customer, companyNumber: string) => ({ vatNumber, companyNumber });
