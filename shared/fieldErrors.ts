/*
 * Every error of a request's field: its code, and the English sentence made from its parameters. A code is permanent,
 * so that clients can translate it; the sentence follows the name of the field.
 *
 * `given` is the value in the request: JSON text, cut when it is long, `{}` for any object and `[]` for any list.
 */

const got = (given: string): string => `got ${given === '{}' ? 'an object' : given === '[]' ? 'a list' : given}`;
/** `a, b or c`. The app needs it to start, and `Intl.ListFormat` takes ten milliseconds the first time. */
export const oneOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

type Given = { given: string };
type ErrorText = { path: string; message: string };
type Side = 'Sales' | 'Purchase';
type Role = 'Customer' | 'Supplier';

/** Whose detail a document lacks: the administration's own, or the customer's. */
export type DocumentParty = 'issuer' | 'customer';
const whose: Readonly<Record<DocumentParty, string>> = {
  issuer: "the administration's own",
  customer: "the customer's",
};
const partyDetails = {
  name: 'name',
  street: 'street',
  postalCode: 'postal code',
  town: 'town',
  country: 'country',
  vatNumber: 'VAT number',
  companyNumber: 'company number',
  kvkNumber: 'KvK number (eight digits)',
  enterpriseNumber: 'enterprise number (ten digits)',
  iban: 'IBAN',
} as const;
export type PartyDetail = keyof typeof partyDetails;

/** What the invoices of a template copy: characters of texts, or bytes of files. */
type CopiedByTemplate = { what: 'characters' | 'bytes'; copies: number; copied: number; max: number };
const copiedWords = { characters: 'texts', bytes: 'attachments' } as const;

/** A value that a row shares with other ones. */
type SharedByRows = { row: number; field: string; value: string; rows: readonly string[] };

export const fieldErrorTexts = {
  // What a value is not.
  REQUIRED_TEXT: () => 'is required: text',
  REQUIRED_DECIMAL: () => 'is required: a decimal number',
  REQUIRED_WHOLE_NUMBER: () => 'is required: a whole number',
  REQUIRED_BOOLEAN: () => 'is required: true or false',
  REQUIRED_DATE: () => 'is required: a date as dd-MM-yyyy',
  REQUIRED_COUNTRY: () => 'is required: a country code of two letters (ISO 3166)',
  REQUIRED_CHOICE: ({ choices }: { choices: readonly string[] }) => `is required: ${oneOf(choices)}`,
  REQUIRED_LIST: () => 'is required: a list',
  REQUIRED_OBJECT: () => 'is required: an object',
  NOT_TEXT: ({ given }: Given) => `expected text, ${got(given)}`,
  TEXT_TOO_LONG: ({ max, length }: { max: number; length: number }) =>
    `expected at most ${max} characters, got ${length}`,
  TEXT_WITH_NUL: () => 'expected text without the character U+0000',
  TEXT_WITH_HALF_CHARACTER: () => 'expected whole characters, got half of one (a lone surrogate)',
  NOT_DECIMAL: ({ given }: Given) => `expected a decimal number such as 12.50, ${got(given)}`,
  TOO_MANY_DIGITS: ({ max, given }: Given & { max: number }) =>
    `expected at most ${max} digits before the point, ${got(given)}`,
  TOO_LOW: ({ min, given }: Given & { min: number }) => `expected at least ${min}, ${got(given)}`,
  TOO_HIGH: ({ max, given }: Given & { max: number }) => `expected at most ${max}, ${got(given)}`,
  NOT_WHOLE_NUMBER: ({ given }: Given) => `expected a whole number, ${got(given)}`,
  NOT_BETWEEN: ({ min, max, given }: Given & { min: string; max: string }) =>
    `expected a whole number from ${min} to ${max}, ${got(given)}`,
  NOT_BOOLEAN: ({ given }: Given) => `expected true or false, ${got(given)}`,
  NOT_DATE: ({ given }: Given) => `expected a date as dd-MM-yyyy, ${got(given)}`,
  NOT_COUNTRY: ({ given }: Given) => `expected a country code of two letters, ${got(given)}`,
  NOT_CHOICE: ({ choices, given }: Given & { choices: readonly string[] }) =>
    `expected ${oneOf(choices)}, ${got(given)}`,
  NOT_LIST: ({ given }: Given) => `expected a list, ${got(given)}`,
  NOT_OBJECT: ({ given }: Given) => `expected an object, ${got(given)}`,
  NOT_JSON_OBJECT: () => 'expected a JSON object',

  // Documents.
  REQUIRED_LINES: () => 'is required: a list of lines',
  NOT_LINES: ({ type }: { type: string }) =>
    `expected a list of lines, got ${type === 'object' ? 'an object' : `a ${type}`}`,
  NO_LINES: () => 'expected at least one line',
  TOO_MANY_ITEMS: ({ max, count }: { max: number; count: number }) => `expected a list of at most ${max}, got ${count}`,
  TOO_MANY_LINES: ({ max }: { max: number }) => `expected at most ${max} lines`,
  TOO_MANY_ATTACHMENTS: ({ max }: { max: number }) => `expected at most ${max} attachments`,
  REQUIRED_PARTY: ({ role }: { role: Role }) =>
    `is required, or ${role}Name or ${role}Email, to find the ${role.toLowerCase()}`,
  REQUIRED_PRODUCT: () => 'is required, or ProductEAN, on a line that is not a text line',
  REQUIRED_PRICE: () => 'is required, or SubTotalInclTax, unless UseArticlePrice is true',
  REQUIRED_TAX: () => 'is required, or TaxCode',
  REQUIRED_TAX_OF_ARTICLE: ({ articleNumber }: { articleNumber: string }) =>
    `is required, or TaxCode: article ${articleNumber} has no tax of its own`,
  REQUIRED_FILE: () => 'is required, or FileContent',
  REQUIRED_FILE_NAME: () => 'is required with FileContent',
  REQUIRED_DUE_DATE: () => 'expected a date as dd-MM-yyyy, or InvoiceDueDays',
  REQUIRED_FOR_TEMPLATE: () => 'is required for a periodic invoice template',
  REQUIRED_FREQUENCY: () => 'is required for a periodic invoice template: a whole number from 1',
  REQUIRED_ACCOUNT: ({ side }: { side: 'revenue' | 'cost' }) =>
    `is required: the administration has no default ${side} account`,
  BEFORE_STARTING_DATE: () => 'expected a date not before Periodic_StartingDate',
  TWO_DISCOUNTS: () => 'expected either this or DiscountPc, not both',
  NEGATIVE_DISCOUNT: ({ given }: Given) => `expected at least 0 on a line that is not negative, ${got(given)}`,
  DEBIT_OR_CREDIT: () => 'expected an amount above 0 as either Debit or Credit',
  NOT_BALANCED: ({ side, missing }: { side: 'debit' | 'credit'; missing: string }) =>
    `expected as much debit as credit: ${missing} ${side} is missing`,
  CUSTOMER_OR_SUPPLIER: () => 'expected either this or CustomerNumber, not both',
  TAX_WITH_BASE: () => 'expected TaxCode and TaxBase together on a line of tax',
  DISCOUNT_OVER_LINE: ({ max, given }: Given & { max: string }) =>
    `expected no more than the line, ${max} with tax, ${got(given)}`,
  AMOUNTS_TOO_LARGE: () => 'expected a price, a quantity and a discount of usual size',
  TOTAL_TOO_LARGE: () => 'expected a total of at most 13 digits before the point',
  DUE_DATE_TOO_LATE: () => 'expected a due date before the year 10000',
  NOT_OGM: ({ ogm }: { ogm: string }) => `expected twelve digits of which the last two are the check, got "${ogm}"`,
  NUMBER_TOO_LONG: ({ number }: { number: string }) => `expected a number of at most 18 digits, got ${number}`,
  INVOICE_NUMBER_TAKEN: ({ number }: { number: string }) => `expected a number no invoice has yet, got ${number}`,
  OUTSIDE_BOOKING_DATES: ({ date, first, last }: { date: string; first: string; last: string }) =>
    `expected a date from ${first} to ${last}, outside of which nothing is booked, got ${date}`,
  PERIOD_CLOSED: ({ date, until }: { date: string; until: string }) =>
    `expected a date after ${until}, until when the books are closed, got ${date}`,
  PERIOD_FILED: ({ date, period }: { date: string; period: string }) =>
    `expected a date outside of ${period}, whose VAT return was filed, got ${date}`,
  NOT_PERIOD: ({ given }: Given) =>
    `expected a fiscal year as 2026, a quarter as 2026-Q1, a month as 2026-03 or a day as 2026-03-31, ${got(given)}`,
  NOT_FISCAL_YEAR: ({ given }: Given) =>
    `expected a fiscal year by the year in which it begins as 2026, or by the month as 2026-07, ${got(given)}`,
  NOT_VAT_PERIOD: ({ given }: Given) =>
    `expected a year as 2026, a quarter as 2026-Q3 or a month as 2026-07, ${got(given)}`,
  NOT_BELGIAN_RETURN: () => 'only a Belgian return is a file for Intervat',
  NOT_MONTH_OR_QUARTER: ({ given }: Given) => `expected a month or a quarter, ${got(given)}`,
  BOX_BELOW_ZERO: ({ amount }: { amount: string }) => `a file for Intervat has no amount below zero, got ${amount}`,
  NEEDED_FOR_INTERVAT: () => 'a file for Intervat needs it of the administration, which has none',
  NOT_PERIODS: ({ given }: Given) => `expected two periods as 2026-01..2026-Q1, or one as ..2026, ${got(given)}`,
  PERIOD_BEFORE_START: ({ from, to }: { from: string; to: string }) =>
    `expected a period that ends on ${from} or later, got one that ends on ${to}`,
  NOT_PAGE_MARK: () => 'expected what the page before has as next',
  TEMPLATE_STARTS_TOO_EARLY: ({ first, date }: { first: string; date: string }) =>
    `expected a date from ${first}: a template starts at most a year before today, got ${date}`,
  TEMPLATE_COPIES_TOO_MUCH: ({ what, copies, copied, max }: CopiedByTemplate) =>
    `expected ${copiedWords[what]} of at most ${max} ${what} in all invoices of the coming year, got ${copied}: ${copies} invoices`,
  NOT_ON_TEMPLATE: () => 'expected nothing: the dates of periodic invoices follow from their starting date',
  NOT_BEFORE_FIRST_DATE: () => 'expected nothing: it is of one invoice, and none is made today',
  ONLY_IN_BELGIUM: () => 'expected nothing: only Belgian administrations have it',
  ADDRESS_TYPE_TWICE: ({ type }: { type: string }) => `expected at most one address of the type ${type}`,
  EMPTY_ADDRESS: () => 'expected an address, got one without any part',
  NO_SUCH_PARTY_NUMBER: ({ role, number }: { role: Role; number: number }) =>
    `expected the number of a ${role.toLowerCase()} of this administration, got ${number}`,
  NO_SUCH_PARTY: ({ role, name }: { role: Role; name: string }) =>
    `expected a ${role.toLowerCase()} of this administration, got "${name}"`,
  NO_SUCH_PROJECT: ({ project }: { project: string }) =>
    `expected the number or name of a project of this administration, got "${project}"`,
  NO_SUCH_PROJECT_NUMBER: ({ project }: { project: string }) =>
    `expected the number of a project of this administration, got "${project}"`,
  NO_SUCH_PROJECT_NAME: ({ project }: { project: string }) =>
    `expected the name of a project of this administration, got "${project}"`,
  NO_SUCH_ACCOUNT: ({ number }: { number: string }) =>
    `expected a ledger account of this administration, got "${number}"`,
  NO_SUCH_TAX_CODE: ({ side, code }: { side: Side; code: string }) =>
    `expected a ${side} tax code of this administration, got "${code}"`,
  UNKNOWN_TAX_CODE: ({ code }: { code: string }) => `expected a tax code of this administration, got "${code}"`,
  NO_SUCH_TAX_CODE_OF: ({ side, percentage, code }: { side: Side; percentage: string; code: string }) =>
    `expected a ${side} tax code of ${percentage} per cent, got "${code}"`,
  NO_SUCH_TAX_PERCENTAGE: ({ side, percentage }: { side: Side; percentage: string }) =>
    `expected the percentage of a ${side} tax code, got ${percentage}`,

  // Files.
  FILE_NAME_TOO_LONG: ({ max }: { max: number }) => `expected at most ${max} characters`,
  FILE_NAME_ENDING: ({ endings }: { endings: readonly string[] }) => `expected a file name ending in ${oneOf(endings)}`,
  NOT_BASE64: () => 'expected base64',
  FILE_EMPTY: () => 'the file is empty',
  FILE_TOO_LARGE: ({ megabytes }: { megabytes: number }) => `the file is larger than ${megabytes} MB`,
  FILES_UNPACK_TOO_LARGE: () => 'the office documents of the request unpack to more than is read: send fewer at a time',
  FILE_OF_ANOTHER_KIND: ({ kind }: { kind: string }) => `the content is not that of a .${kind} file`,

  // Products.
  REQUIRED_PRODUCT_NAME: () => 'is required, or EAN, to select the product',
  NO_SUCH_ARTICLE_NUMBER: ({ articleNumber }: { articleNumber: string }) =>
    `expected the article number of a product, got "${articleNumber}"`,
  NO_SUCH_EAN: ({ ean }: { ean: string }) => `expected the EAN of a product, got "${ean}"`,
  EAN_OF_ANOTHER: ({ articleNumber, other }: { articleNumber: string; other: string }) =>
    `expected the EAN of article ${articleNumber}, got that of article ${other}`,
  ARTICLE_WITH_ANOTHER_EAN: ({ ean, articleNumber }: { ean: string; articleNumber: string }) =>
    `expected the article with EAN ${ean}, got "${articleNumber}"`,
  PRODUCT_TAKEN: ({ value }: { value: string }) => `expected one that no product has yet, got "${value}"`,
  STOCK_TOO_LARGE: ({ max, stock }: { max: number; stock: string }) =>
    `expected a stock of at most ${max} digits, got ${stock}`,
  NO_SUCH_CATEGORY: ({ name }: { name: string }) =>
    `expected a category of this administration, or CategoryCreateIfMissing true, got "${name}"`,
  NO_SUCH_CUSTOM_FIELD: ({ label }: { label: string }) =>
    `expected the label of a configured product field, got "${label}"`,
  CUSTOM_FIELD_OF_ANOTHER_TYPE: ({ type, label }: { type: string; label: string }) =>
    `expected ${type}, as "${label}" is configured`,
  REQUIRED_CUSTOM_VALUE: ({ type }: { type: string }) => `is required for a field of type ${type}`,

  // Pushes.
  NOT_ROWS: () => 'expected a list of rows',
  NO_ROWS: () => 'expected at least one row',
  TOO_MANY_ROWS: ({ max, count }: { max: number; count: number }) => `expected at most ${max} rows, got ${count}`,
  NO_ROW_NUMBER: () => 'expected the number of the row, a whole number that no other row has',
  ROW_NUMBER_TWICE: ({ row, index }: { row: number; index: number }) =>
    `row ${row}: the number stands at rows[${index}] too`,
  NOT_ONE_REQUEST: ({ row }: { row: number }) =>
    `row ${row}: expected endpoint and request, or either update or addition`,
  NOT_PUSHED: ({ row, endpoints }: { row: number; endpoints: readonly string[] }) =>
    `row ${row}: expected ${oneOf(endpoints)}`,
  NOT_CONFIRMED: ({ mails, periodicInvoices }: { mails: number; periodicInvoices: number }) =>
    `expected { "mails": ${mails}, "periodicInvoices": ${periodicInvoices} }: the numbers of rows that send mail to customers, and that begin periodic invoices`,
  PRODUCT_TWICE: ({ row, field, value, rows }: SharedByRows) =>
    `row ${row}: expected each product in one row, but ${field} "${value}" is in row ${rows.join(', ')} too`,
  INVOICE_NUMBER_TWICE: ({ row, field, value, rows }: SharedByRows) =>
    `row ${row}: expected each invoice number in one row, but ${field} "${value}" is in row ${rows.join(', ')} too`,
  /** The errors in the fields of a row. */
  ROW_REFUSED: ({ row, errors }: { row: number; errors: readonly ErrorText[] }) =>
    `row ${row}: ${errors.length === 1 ? `${errors[0]!.path} ${errors[0]!.message}` : errorsText(errors)}`,
  NOT_CURSOR: () => 'expected the cursor of an earlier response',

  // Why a PDF or an e-invoice cannot be made.
  REQUIRED_OF_PARTY: ({ party, detail }: { party: DocumentParty; detail: PartyDetail }) =>
    `expected ${whose[party]} ${partyDetails[detail]}`,
  NOT_COUNTRY_OF_PARTY: ({ party, given }: Given & { party: DocumentParty }) =>
    `expected the country of ${whose[party]} address as two letters of ISO 3166, got "${given}"`,
  NOT_VAT_NUMBER: ({ party, given }: Given & { party: DocumentParty }) =>
    `expected ${whose[party]} VAT number with its country's letters and right check digits, got "${given}"`,
  NO_PEPPOL_ADDRESS: ({ detail }: { detail: PartyDetail | '' }) =>
    `expected the customer's ${detail === '' ? '' : `${partyDetails[detail]} or `}VAT number: it is the address on Peppol. A private customer has none`,
  REQUIRED_FOR_INTRA_EU: () => "expected the customer's VAT number: it is a supply to another EU country",
  REQUIRED_FOR_REVERSE_CHARGE: () => "expected the customer's VAT number: the VAT is reversed to the customer",
  E_INVOICE_OF_DRAFT: () => 'expected a final invoice: this is a draft',
  NO_LINE_WITH_AMOUNT: () => 'expected at least one line with an amount',
  UNIT_WITHOUT_PEPPOL_CODE: ({ articleNumber, unit }: { articleNumber: string; unit: string }) =>
    `expected a unit Peppol has a code for, such as stuk, uur, kg or doos; article ${articleNumber} has "${unit}"`,
  REQUIRED_CREDITED_INVOICE: () =>
    'expected the number of the invoice that is credited: a Dutch credit note must name it',
  LINES_OUTSIDE_SCOPE_AMONG_OTHERS: () =>
    'expected either lines outside the scope of VAT or other lines, not both in one e-invoice',
  DOCUMENT_TEXTS_TOO_LONG: ({ max, length }: { max: number; length: number }) =>
    `expected texts of at most ${max} characters together, got ${length}`,

  /** The message of another service. */
  SAID_BY_SERVICE: ({ words }: { words: string }) => words,
};

export type FieldErrorCode = keyof typeof fieldErrorTexts;

/** The parameters of a code's sentence; none for a code without parameters. */
export type FieldErrorParams<Code extends FieldErrorCode> = Parameters<(typeof fieldErrorTexts)[Code]>;

/** The sentences of a language: the compiler requires one for every code. */
export type FieldErrorTexts = { readonly [Code in FieldErrorCode]: (...params: FieldErrorParams<Code>) => string };

/** Why a value is refused, before its field is known. */
export type Refusal = {
  [Code in FieldErrorCode]: { code: Code } & (FieldErrorParams<Code> extends [infer Params]
    ? { params: Params }
    : { params?: undefined });
}[FieldErrorCode];

/**
 * An error in a request: its path (`Invoice_InvoiceLine[2].Quantity`), code and parameters. `message` is the English
 * sentence.
 */
export type FieldError = Refusal & { path: string; message: string };

/** @param params of the code's sentence */
export const refusal = <Code extends FieldErrorCode>(code: Code, ...[params]: FieldErrorParams<Code>): Refusal =>
  (params === undefined ? { code } : { code, params }) as Refusal;

/** The sentence of a refusal in a language. */
export const refusalText = ({ code, params }: Refusal, texts: FieldErrorTexts = fieldErrorTexts): string =>
  // The types of a union of functions do not pair a code with its parameters.
  (texts[code] as (params: unknown) => string)(params);

export const fieldErrorOf = (path: string, reason: Refusal): FieldError => ({
  path,
  message: refusalText(reason),
  ...reason,
});

/** The error of a field. @param path as `Invoice_InvoiceLine[2].Quantity`, "" for the request itself */
export const fieldError = <Code extends FieldErrorCode>(
  path: string,
  code: Code,
  ...params: FieldErrorParams<Code>
): FieldError => fieldErrorOf(path, refusal(code, ...params));

/** `EAN: expected ...; NewName: is required ...` */
export const errorsText = (errors: readonly ErrorText[]): string =>
  errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');

/** Reads an error from the wire; one without a known code is the message of a service. */
export function readFieldError(input: unknown): FieldError | undefined {
  const { path, message, code, params } = Object(input) as Record<string, unknown>;
  if (typeof path !== 'string' || typeof message !== 'string') return undefined;
  const words = fieldError(path, 'SAID_BY_SERVICE', { words: message });
  if (typeof code !== 'string' || !Object.hasOwn(fieldErrorTexts, code)) return words;
  const read = readParams(params);
  if (read === undefined) return words;
  if (!makes({ code, params: read } as Refusal, message)) return words;
  return { path, message, code, ...(params === undefined ? {} : { params: read }) } as FieldError;
}

/** Whether a sentence is that of a refusal: another version may have other parameters for its code. */
function makes(refusal: Refusal, sentence: string): boolean {
  try {
    return refusalText(refusal) === sentence;
  } catch {
    // A parameter is missing, or of another type.
    return false;
  }
}

/** Parameters by name; undefined when one is neither a text nor a number. */
function readParams(input: unknown): Record<string, unknown> | undefined {
  const params: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(Object(input))) {
    if (name === 'errors' && Array.isArray(value)) params[name] = value.flatMap((one) => readFieldError(one) ?? []);
    else if (isTextOrNumber(value) || (Array.isArray(value) && value.every(isTextOrNumber))) params[name] = value;
    else return undefined;
  }
  return params;
}

const isTextOrNumber = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/** A value, or why there is none: what a reference of a request names, what a file is. */
export type Found<Value, Reason = FieldError> = { kind: 'found'; value: Value } | { kind: 'refused'; reason: Reason };

export const found = <Value>(value: Value): { kind: 'found'; value: Value } => ({ kind: 'found', value });
export const refused = <Reason>(reason: Reason): { kind: 'refused'; reason: Reason } => ({ kind: 'refused', reason });

/** A value if there is one, else why there is none. */
export const foundOr = <Value, Reason>(value: Value | undefined, reason: () => Reason): Found<Value, Reason> =>
  value === undefined ? refused(reason()) : found(value);
