import { decimalText, FINE_SCALE } from '../../../../../shared/money.ts';
import type { taxTypes } from '../../../../../shared/resources/taxCode.ts';
import { MAX_PARTY_NUMBER } from '../../documents/numbering.ts';

/** An element with what stands directly in it, and where. */
export type XmlRecord = { line: number; values: Map<string, { text: string; line: number }>; parts: XmlPart[] };
export type XmlPart = { name: string; values: Map<string, string> };

export type ControlColumn = 'debtor_account' | 'creditor_account' | 'vat_payable_account' | 'vat_receivable_account';

/** The custom field for the identification of a relation that the file does not number. */
export const ID_FIELD = 'Auditfile ID';

/** Bank accounts of one relation there is room for. */
export const maxBankAccounts = 20;
const bankAccountNumbers = Array.from({ length: maxBankAccounts }, (_, index) =>
  index === 0 ? '' : String(index + 1),
);

/** The columns of a relation import that a customerSupplier fills. */
export const partyHeadings: readonly string[] = [
  ...['Name', 'CustomerNumber', 'SupplierNumber', 'IsCustomer', 'IsSupplier', 'IsOther'],
  ...['Email', 'Phone', 'RegistrationNumber', 'TaxIdentificationNumber', 'Contact_LastName'],
  ...['Address_Street', 'Address_Unit', 'Address_UnitAppendix', 'Address_PostalCode', 'Address_City'],
  'Address_CountryCode',
  ...bankAccountNumbers.flatMap((number) => [`BankAccount${number}_IBAN`, `BankAccount${number}_BIC`]),
];

const roles: Readonly<Record<string, { customer: boolean; supplier: boolean }>> = {
  C: { customer: true, supplier: false },
  S: { customer: false, supplier: true },
  B: { customer: true, supplier: true },
  O: { customer: false, supplier: false },
};
/** Of one whose kind the file does not tell: it can be used either way. */
const BOTH_ROLES = { customer: true, supplier: true };

/** The customer or supplier number a record gives. */
export type PartyNumber = {
  number: string;
  /** Whether its identification has zeros before it: then another may have the same number. */
  hasZeros: boolean;
  /** What it is the number of, with the number. */
  uses: string[];
};

/** None when its identification is no number, or one that is too high, or it is neither customer nor supplier. */
export function numberOf({ values }: XmlRecord): PartyNumber | undefined {
  const id = values.get('custSupID')?.text ?? '';
  const { customer, supplier } = roles[values.get('custSupTp')?.text ?? ''] ?? BOTH_ROLES;
  const [, zeros, number] = /^(0*)([1-9]\d{0,9})$/.exec(id) ?? [];
  if (!(customer || supplier) || number === undefined || Number(number) > MAX_PARTY_NUMBER) return undefined;
  const uses = [...(customer ? [`customer ${number}`] : []), ...(supplier ? [`supplier ${number}`] : [])];
  return { number, hasZeros: zeros !== '', uses };
}

/** The cells of a relation, under `partyHeadings`; without a number it is to be known by something else. */
export function customerSupplierRow(record: XmlRecord, number = ''): string[] {
  const text = (element: string) => record.values.get(element)?.text ?? '';
  const { customer, supplier } = roles[text('custSupTp')] ?? BOTH_ROLES;
  const address = addressOf(record.parts);
  const banks = record.parts
    .filter(({ name, values }) => name === 'bankAccount' && (values.get('bankAccNr') ?? '') !== '')
    .slice(0, maxBankAccounts);
  return [
    text('custSupName') || text('custSupID'),
    customer ? number : '',
    supplier ? number : '',
    String(customer),
    String(supplier),
    String(!customer && !supplier),
    text('eMail'),
    text('telephone'),
    text('commerceNr'),
    text('taxRegIdent'),
    text('contact'),
    address.get('streetname') ?? '',
    address.get('number') ?? '',
    [address.get('numberExtension') ?? '', address.get('property') ?? ''].join(' ').trim(),
    address.get('postalCode') ?? '',
    address.get('city') ?? '',
    address.get('country') || text('taxRegistrationCountry'),
    ...bankAccountNumbers.flatMap((_, index) => {
      const bank = banks[index]?.values;
      return [bank?.get('bankAccNr') ?? '', bank?.get('bankIdCd') ?? ''];
    }),
  ];
}

/** The first street address with more than a country in it, else such a postal address, else whatever there is. */
function addressOf(parts: readonly XmlPart[]): ReadonlyMap<string, string> {
  const kinds = ['streetAddress', 'postalAddress'].flatMap((kind) => parts.filter(({ name }) => name === kind));
  const filled = kinds.find(({ values }) =>
    ['streetname', 'postalCode', 'city'].some((element) => (values.get(element) ?? '') !== ''),
  );
  return (filled ?? kinds[0])?.values ?? new Map();
}

export type AccountRecord = {
  record: XmlRecord;
  /** Debit less credit of opening balance and transactions, in cents. */
  balance: bigint;
  isCarriedForward: boolean;
};

/** What says on which side an account is. */
export type SideRule = 'RGS code' | 'balance' | 'account number' | 'type';

/** A code of the Dutch reference chart: balance or income, the group, and what of it. */
const rgsCode = /^([BW])[A-Z][a-z]{2}(?:[A-Z][a-z]{2})*/;

/** Groups of the reference chart whose accounts are on one side, all but a few. */
const creditGroups = new Set(['BEiv', 'BVrz', 'BLas', 'BSch', 'WOmz', 'WOvb', 'WOvt', 'WNer']);
const debitGroups = new Set(['BIva', 'BMva', 'BVas', 'BVrd', 'BPro', 'BVor', 'BEff', 'BLim']);
for (const group of ['WKpr', 'WPer', 'WAfs', 'WBed', 'WBel']) debitGroups.add(group);

/** What kind of account it is, and on which side, by the first rule that applies. */
export function accountRow({ record, balance, isCarriedForward }: AccountRecord): {
  type: string;
  side: 'debet' | 'credit';
  rule: SideRule;
} {
  const text = (element: string) => record.values.get(element)?.text ?? '';
  const rgs = rgsCode.exec(text('leadReference'));
  const type = typeOf(text('accTp'), rgs?.[1], isCarriedForward);
  const group = rgs?.[0].slice(0, 4) ?? '';
  // Depreciation so far of what is owned.
  const isDepreciation = /^B(Iva|Mva|Vas)[A-Z][a-z]{2}C/.test(rgs?.[0] ?? '');
  if (creditGroups.has(group) || isDepreciation) return { type, side: 'credit', rule: 'RGS code' };
  if (debitGroups.has(group)) return { type, side: 'debet', rule: 'RGS code' };
  if (balance !== 0n) return { type, side: balance > 0n ? 'debet' : 'credit', rule: 'balance' };
  // Revenue in the usual Dutch numbering.
  if (type === 'IncomeStatement' && text('accID').startsWith('8')) {
    return { type, side: 'credit', rule: 'account number' };
  }
  return { type, side: 'debet', rule: 'type' };
}

/** A mixed account is of the balance sheet when its balance was carried forward into the year. */
function typeOf(accTp: string, rgs: string | undefined, isCarriedForward: boolean): string {
  if (accTp === 'B') return 'BalanceSheet';
  if (accTp === 'P') return 'IncomeStatement';
  if (accTp !== 'M') return accTp;
  return rgs === 'B' || (rgs === undefined && isCarriedForward) ? 'BalanceSheet' : 'IncomeStatement';
}

export type VatRecord = {
  record: XmlRecord;
  /** Percentage -> how many transaction lines have the code with it. */
  uses: Map<bigint, number>;
};

/** Tax codes of VAT codes, and the VAT codes whose percentage is unknown. */
export function vatRows(
  codes: readonly VatRecord[],
  year: number,
): { rows: { record: XmlRecord; cells: string[] }[]; unknown: string[] } {
  const rows: { record: XmlRecord; cells: string[] }[] = [];
  const unknown: string[] = [];
  const taken = new Set<string>();
  for (const { record, uses } of codes) {
    const text = (element: string) => record.values.get(element)?.text ?? '';
    const [id, name] = [text('vatID'), text('vatDesc')];
    const toPay = text('vatToPayAccID') !== '';
    const toClaim = text('vatToClaimAccID') !== '';
    const sides: Side[] = [
      ...(toPay || !toClaim ? ['Sales' as const] : []),
      ...(toClaim || !toPay ? ['Purchase' as const] : []),
    ];
    const known = sides.flatMap((side) => {
      const percentage = mostUsed(uses) ?? percentageIn(name, year, side) ?? (toPay || toClaim ? undefined : '0');
      return percentage === undefined ? [] : { side, percentage };
    });
    if (known.length === 0) unknown.push(`${id} ${name}`);
    for (const { side, percentage } of known) {
      const exempt = percentage === '0' && /vrijgesteld|exempt/i.test(name);
      // Two codes may be called the same.
      const key = `${side} ${percentage} ${name || id}`;
      const called = taken.has(key) ? `${name} (${id})` : name || id;
      taken.add(key);
      rows.push({ record, cells: [percentage, called, side, String(exempt)] });
    }
  }
  return { rows, unknown };
}

/** The percentage most lines have; of equals the highest. */
function mostUsed(uses: ReadonlyMap<bigint, number>): string | undefined {
  const [best] = [...uses].sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? 1 : -1));
  return best === undefined ? undefined : decimalText(best[0], FINE_SCALE);
}

type Side = (typeof taxTypes)[number];

/**
 * What a description says: a percentage, that nothing is charged, or high or low as they were in that year. Of what is
 * sold with the tax reversed the percentage is the buyer's.
 */
function percentageIn(name: string, year: number, side: Side): string | undefined {
  if (side === 'Sales' && /verlegd|vrijgesteld/i.test(name)) return '0';
  const ofTax = name.replace(/(?<![\d.,])\d+(?:[.,]\d+)?\s*%\s*(?:niet\s+)?aftrekbaar/gi, '');
  const written = /(?<![\d.,])(\d{1,2}(?:[.,]\d+)?)\s*%/.exec(ofTax)?.[1];
  if (written !== undefined) return written.replace(',', '.');
  if (/verlegd|vrijgesteld|geen btw|buiten de EU|binnen de EU|in de EU|export|uitvoer|invoer|intracomm/i.test(name)) {
    return '0';
  }
  if (/\bhoog/i.test(name)) return year <= 2012 ? '19' : '21';
  if (/\blaag/i.test(name)) return year <= 2018 ? '6' : '9';
  return undefined;
}

/** The accounts that sales and purchase journals, and most VAT codes, are booked on. */
export function controlAccounts(
  journals: readonly { type: string; account: string }[],
  codes: readonly VatRecord[],
): { column: ControlColumn; number: string }[] {
  const ofJournal = (type: string) => commonest(journals.filter((one) => one.type === type).map((one) => one.account));
  const ofVat = (element: string) => commonest(codes.map(({ record }) => record.values.get(element)?.text ?? ''));
  const found: [ControlColumn, string | undefined][] = [
    ['debtor_account', ofJournal('S')],
    ['creditor_account', ofJournal('P')],
    ['vat_payable_account', ofVat('vatToPayAccID')],
    ['vat_receivable_account', ofVat('vatToClaimAccID')],
  ];
  return found.flatMap(([column, number]) => (number === undefined ? [] : { column, number }));
}

/** The one that is there most; of equals the first. */
function commonest(texts: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(texts, (text) => text)].filter(([text]) => text !== '');
  return groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}
