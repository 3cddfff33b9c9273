import { XMLBuilder } from 'fast-xml-parser';
import {
  type FieldError,
  type FieldErrorCode,
  type FieldErrorParams,
  fieldError,
} from '../../../../shared/fieldErrors.ts';
import { type Cents, centsText, DECIMAL_SCALE, type Decimal8, decimalText } from '../../../../shared/money.ts';
import { plainText } from '../../../../shared/plainText.ts';
import { Problem } from '../../../../shared/problem.ts';
import { type Address, articleLines, type InvoiceDocument, isCredit, type Language } from '../invoiceDocument.ts';
import { readIban } from '../partyNumbers.ts';
import { paymentText } from '../paymentText.ts';
import {
  type Adjustment,
  type EInvoiceAmounts,
  type EInvoiceLine,
  type EInvoiceVat,
  eInvoiceAmounts,
} from './amounts.ts';
import { buyerOf, type EInvoiceParty, type Identifier, isCountry, sellerOf } from './parties.ts';
import { unitCode } from './unitCodes.ts';
import { type CategoryOfLine, exemptionReason } from './vat.ts';

/*
 * The e-invoice of a document: Peppol BIS Billing 3.0, an Invoice or a CreditNote of UBL 2.1. Undefined values are left
 * out: elements may not be empty. The order of the members is the order of the elements, which UBL fixes.
 */

type Element = { [name: string]: Content };
type Content = string | Element | Element[] | undefined;

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true });

/**
 * @throws Problem INVALID_REQUEST with one error for each field that Peppol cannot express
 */
export function eInvoice(document: InvoiceDocument): string {
  const { errors, seller, buyer } = checked(document);
  if (errors.length > 0) throw refusalOf(errors);
  return builder.build(documentElement(document, seller, buyer, eInvoiceAmounts(document, articleLines(document))));
}

/** An error for each field that Peppol cannot express. */
export const eInvoiceErrors = (document: InvoiceDocument): readonly FieldError[] => checked(document).errors;

function checked(document: InvoiceDocument) {
  const errors: FieldError[] = [];
  const seller = sellerOf(document, errors);
  const buyer = buyerOf(document, errors);
  checkDocument(document, seller, buyer, errors);
  return { errors, seller, buyer };
}

function refusalOf(errors: readonly FieldError[]): Problem {
  const [first] = errors;
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  return new Problem('INVALID_REQUEST', `No e-invoice can be made. ${first!.path}: ${first!.message}${more}.`, {
    errors,
  });
}

function checkDocument(
  document: InvoiceDocument,
  seller: EInvoiceParty,
  buyer: EInvoiceParty,
  errors: FieldError[],
): void {
  const refuse = <Code extends FieldErrorCode>(path: string, code: Code, ...params: FieldErrorParams<Code>) =>
    errors.push(fieldError(path, code, ...params));
  const lines = articleLines(document);
  const categories = new Set(lines.map(({ category }) => category));
  const { delivery } = document;
  if (delivery !== null && delivery.countryCode !== '' && !isCountry(delivery.countryCode)) {
    refuse('delivery.countryCode', 'NOT_COUNTRY_OF_PARTY', { party: 'customer', given: delivery.countryCode });
  }
  if (document.isDraft) refuse('isDraft', 'E_INVOICE_OF_DRAFT');
  if (lines.length === 0) refuse('lines', 'NO_LINE_WITH_AMOUNT');
  document.lines.forEach((line, index) => {
    if (line.kind === 'text' || unitCode(line.unit) !== undefined) return;
    const { productNumber: articleNumber, unit } = line;
    refuse(`lines[${index}].unit`, 'UNIT_WITHOUT_PEPPOL_CODE', { articleNumber, unit });
  });
  if (isCredit(document)) {
    if (document.credited === '' && document.issuer.address.countryCode === 'NL') {
      refuse('reference', 'REQUIRED_CREDITED_INVOICE');
    }
  } else if (document.incl > 0n && readIban(document.issuer.iban) === undefined) {
    refuse('issuer.iban', 'REQUIRED_OF_PARTY', { party: 'issuer', detail: 'iban' });
  }
  if (categories.has('O') && categories.size > 1) refuse('lines', 'LINES_OUTSIDE_SCOPE_AMONG_OTHERS');
  if (!categories.has('O') && seller.vatNumber === '') {
    refuse('issuer.vatNumber', 'REQUIRED_OF_PARTY', { party: 'issuer', detail: 'vatNumber' });
  }
  if (categories.has('K') && buyer.vatNumber === '') refuse('customer.vatNumber', 'REQUIRED_FOR_INTRA_EU');
  if (categories.has('AE') && buyer.vatNumber === '' && buyer.companyNumber === null) {
    refuse('customer.vatNumber', 'REQUIRED_FOR_REVERSE_CHARGE');
  }
}

function documentElement(
  document: InvoiceDocument,
  seller: EInvoiceParty,
  buyer: EInvoiceParty,
  amounts: EInvoiceAmounts,
): Element {
  const credit = isCredit(document);
  const root = credit ? 'CreditNote' : 'Invoice';
  const { language, project } = document;
  // An invoice outside the scope of VAT may contain no VAT number.
  const named = !amounts.vat.some(({ category }) => category === 'O');
  const projectName = project === null ? undefined : oneLine(project.number || project.name);
  return {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    [root]: {
      '@xmlns': `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
      '@xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
      '@xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
      'cbc:CustomizationID': 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
      'cbc:ProfileID': 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
      'cbc:ID': document.number,
      'cbc:IssueDate': document.date,
      'cbc:DueDate': credit ? undefined : (document.dueDate ?? undefined),
      [credit ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode']: credit ? '381' : '380',
      'cbc:Note': text(plainText(document.notes)),
      'cbc:DocumentCurrencyCode': 'EUR',
      // A reference is required: without one of the customer, the customer's number or name is used.
      'cbc:BuyerReference': [document.reference, document.customer.number, document.customer.name]
        .map(oneLine)
        .find((reference) => reference !== undefined),
      'cac:BillingReference':
        credit && document.credited !== ''
          ? { 'cac:InvoiceDocumentReference': { 'cbc:ID': oneLine(document.credited) } }
          : undefined,
      // A credit note has no element for a project.
      'cac:AdditionalDocumentReference':
        credit && projectName !== undefined ? { 'cbc:ID': projectName, 'cbc:DocumentTypeCode': '50' } : undefined,
      'cac:ProjectReference': !credit && projectName !== undefined ? { 'cbc:ID': projectName } : undefined,
      'cac:AccountingSupplierParty': { 'cac:Party': partyElement(seller, named) },
      'cac:AccountingCustomerParty': { 'cac:Party': partyElement(buyer, named) },
      'cac:Delivery': deliveryElement(document),
      'cac:PaymentMeans': credit ? undefined : paymentMeans(document),
      'cac:PaymentTerms': withText('cbc:Note', paymentText(document)),
      'cac:AllowanceCharge': amounts.vat.flatMap((vat) =>
        vat.adjustment === null
          ? []
          : { ...adjustmentElement(vat.adjustment, language), 'cac:TaxCategory': taxCategory(vat) },
      ),
      'cac:TaxTotal': {
        'cbc:TaxAmount': euros(amounts.tax),
        'cac:TaxSubtotal': amounts.vat.map((vat) => vatElement(vat, language)),
      },
      'cac:LegalMonetaryTotal': {
        'cbc:LineExtensionAmount': euros(amounts.sumOfLines),
        'cbc:TaxExclusiveAmount': euros(amounts.excl),
        'cbc:TaxInclusiveAmount': euros(amounts.incl),
        'cbc:AllowanceTotalAmount': amounts.allowances === 0n ? undefined : euros(amounts.allowances),
        'cbc:ChargeTotalAmount': amounts.charges === 0n ? undefined : euros(amounts.charges),
        'cbc:PayableAmount': euros(amounts.incl),
      },
      [`cac:${root}Line`]: lineElements(document, amounts.lines),
    },
  };
}

function partyElement(party: EInvoiceParty, namesVatNumber: boolean): Element {
  const name = oneLine(party.name)!;
  const { contact } = party;
  const contactElement = {
    'cbc:Name': oneLine(contact.name),
    'cbc:Telephone': oneLine(contact.phone),
    'cbc:ElectronicMail': oneLine(contact.email),
  };
  return {
    'cbc:EndpointID': identifier(party.endpoint),
    'cac:PartyName': { 'cbc:Name': name },
    'cac:PostalAddress': addressElement(party.address),
    'cac:PartyTaxScheme':
      namesVatNumber && party.vatNumber !== ''
        ? { 'cbc:CompanyID': party.vatNumber, 'cac:TaxScheme': vatScheme }
        : undefined,
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': name,
      'cbc:CompanyID': party.companyNumber === null ? undefined : identifier(party.companyNumber),
    },
    'cac:Contact': isEmpty(contactElement) ? undefined : contactElement,
  };
}

const addressElement = (address: Address): Element => ({
  'cbc:StreetName': oneLine([address.street, address.unit, address.unitAppendix].filter(Boolean).join(' ')),
  'cbc:CityName': oneLine(address.city),
  'cbc:PostalZone': oneLine(address.postalCode),
  'cac:Country': { 'cbc:IdentificationCode': address.countryCode },
});

/** Where and when goods were delivered; a supply to another EU country must contain both. */
function deliveryElement(document: InvoiceDocument): Element | undefined {
  const lines = articleLines(document);
  const isIntraCommunity = lines.some(({ category }) => category === 'K');
  const dates = lines.flatMap(({ deliveryDate }) => deliveryDate ?? []).sort();
  const date = dates.at(-1) ?? (isIntraCommunity ? document.date : undefined);
  const address = document.delivery ?? (isIntraCommunity ? document.customer.address : undefined);
  const isKnown = address !== undefined && address.countryCode !== '';
  if (date === undefined && !isKnown) return undefined;
  return {
    'cbc:ActualDeliveryDate': date,
    'cac:DeliveryLocation': isKnown ? { 'cac:Address': addressElement(address) } : undefined,
  };
}

function paymentMeans({ issuer, ogm }: InvoiceDocument): Element | undefined {
  const iban = readIban(issuer.iban);
  if (iban === undefined) return undefined;
  return {
    'cbc:PaymentMeansCode': { '@name': 'Credit transfer', '#text': '30' },
    'cbc:PaymentID': oneLine(ogm),
    'cac:PayeeFinancialAccount': {
      'cbc:ID': iban,
      'cbc:Name': oneLine(issuer.name),
      'cac:FinancialInstitutionBranch': withText('cbc:ID', issuer.bic.replace(/\s/g, '').toUpperCase()),
    },
  };
}

/**
 * Text lines have no amount, which every line of an e-invoice has: they are notes of the line after them, or of the
 * last.
 */
function lineElements(document: InvoiceDocument, lines: readonly EInvoiceLine[]): Element[] {
  const { language } = document;
  const notes: string[][] = lines.map(() => []);
  let next = 0;
  for (const line of document.lines) {
    if (line.kind === 'article') next++;
    else notes[Math.min(next, lines.length - 1)]!.push(plainText(line.description));
  }
  const quantity = isCredit(document) ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity';
  return lines.map((eLine, index): Element => {
    const { line, adjustment } = eLine;
    const code = unitCode(line.unit)!;
    const { name, description } = called(plainText(line.description), line.productNumber);
    return {
      'cbc:ID': String(index + 1),
      'cbc:Note': text(notes[index]!.join('\n')),
      [quantity]: { '@unitCode': code, '#text': decimal8(eLine.quantity) },
      'cbc:LineExtensionAmount': euros(eLine.net),
      'cac:AllowanceCharge': adjustment === null ? undefined : adjustmentElement(adjustment, language),
      'cac:Item': {
        'cbc:Description': description,
        'cbc:Name': name,
        'cac:SellersItemIdentification': withText('cbc:ID', line.productNumber),
        'cac:StandardItemIdentification': isGtin(line.ean)
          ? { 'cbc:ID': { '@schemeID': '0160', '#text': line.ean } }
          : undefined,
        'cac:ClassifiedTaxCategory': taxCategory(line),
      },
      'cac:Price': {
        'cbc:PriceAmount': { '@currencyID': 'EUR', '#text': decimalText(eLine.price, DECIMAL_SCALE, 2) },
        'cbc:BaseQuantity':
          eLine.baseQuantity === null ? undefined : { '@unitCode': code, '#text': decimal8(eLine.baseQuantity) },
      },
    };
  });
}

/** The name of an item is the first line of its description; the rest is its description. */
function called(description: string, productNumber: string): { name: string; description: string | undefined } {
  const [first = '', ...rest] = (text(description) ?? '').split('\n');
  return { name: oneLine(first) ?? oneLine(productNumber) ?? '-', description: text(rest.join('\n')) };
}

function adjustmentElement({ isCharge, amount, share }: Adjustment, language: Language): Element {
  const words = isCharge
    ? { nl: 'Correctie van korting', fr: 'Correction de remise', en: 'Correction of discount' }
    : { nl: 'Korting', fr: 'Remise', en: 'Discount' };
  return {
    'cbc:ChargeIndicator': String(isCharge),
    'cbc:AllowanceChargeReasonCode': isCharge ? undefined : '95',
    'cbc:AllowanceChargeReason': words[language],
    'cbc:MultiplierFactorNumeric': share === null ? undefined : decimal8(share.percentage),
    'cbc:Amount': euros(amount),
    'cbc:BaseAmount': share === null ? undefined : euros(share.of),
  };
}

function vatElement(vat: EInvoiceVat, language: Language): Element {
  const reason = exemptionReason(vat.category);
  const { 'cac:TaxScheme': scheme, ...category } = taxCategory(vat);
  return {
    'cbc:TaxableAmount': euros(vat.base),
    'cbc:TaxAmount': euros(vat.tax),
    'cac:TaxCategory': {
      ...category,
      'cbc:TaxExemptionReasonCode': reason?.code ?? undefined,
      'cbc:TaxExemptionReason': reason?.[language],
      'cac:TaxScheme': scheme,
    },
  };
}

const vatScheme: Element = { 'cbc:ID': 'VAT' };

const taxCategory = ({ category, rate }: CategoryOfLine): Element => ({
  'cbc:ID': category,
  'cbc:Percent': category === 'O' ? undefined : decimal8(rate),
  'cac:TaxScheme': vatScheme,
});

const euros = (cents: Cents): Element => ({ '@currencyID': 'EUR', '#text': centsText(cents) });

const decimal8 = (value: Decimal8): string => decimalText(value, DECIMAL_SCALE);

const identifier = ({ scheme, value }: Identifier): Element => ({
  '@schemeID': scheme ?? undefined,
  '#text': value,
});

const withText = (name: string, value: string): Element | undefined => {
  const content = text(value);
  return content === undefined ? undefined : { [name]: content };
};

const isEmpty = (element: Element): boolean => Object.values(element).every((content) => content === undefined);

// Characters that XML 1.0 cannot contain, not even as an entity.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters are meant
const invalidInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The text of an element; `undefined` for an empty one. */
function text(value: string): string | undefined {
  const cleaned = value.toWellFormed().replace(invalidInXml, '').replace(/\r\n?/g, '\n').trim();
  return cleaned === '' ? undefined : cleaned;
}

const oneLine = (value: string): string | undefined => text(value.replace(/\s+/g, ' '));

function isGtin(ean: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(ean)) return false;
  const sum = [...ean].reverse().reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
