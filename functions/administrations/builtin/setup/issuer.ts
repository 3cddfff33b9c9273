import { isMailAddress } from '../../invoiceDocuments/mail/mailAddress.ts';
import { compact, isBic, isCompanyNumber, isVatNumber, readIban } from '../../invoiceDocuments/partyNumbers.ts';
import type { Row } from '../sql/schema.ts';

const MAX_TEXT = 200;
export const MAX_PAYMENT_DAYS = 366n;

type Country = Row<'administration'>['country'];
type Rule = {
  expected: string;
  holds: (value: string, country: Country) => boolean;
  store?: (value: string) => string;
};

const filled: Rule = { expected: `text of at most ${MAX_TEXT} characters`, holds: (value) => value.length <= MAX_TEXT };

const rules = {
  street: filled,
  unit: filled,
  unit_appendix: filled,
  postal_code: filled,
  city: filled,
  phone: filled,
  vat_number: {
    expected: "a VAT number with its country's letters and right check digits",
    holds: (value) => /^[A-Za-z]{2}/.test(value) && isVatNumber(value),
    store: compact,
  },
  company_number: {
    expected: 'a KvK number of eight digits, or a Belgian enterprise number of ten with right check digits',
    holds: isCompanyNumber,
    store: compact,
  },
  iban: {
    expected: 'an IBAN with right check digits',
    holds: (value) => readIban(value) !== undefined,
    store: (value) => readIban(value) ?? value,
  },
  bic: { expected: 'a BIC of eight or eleven characters', holds: isBic, store: compact },
  email: {
    expected: 'an e-mail address',
    holds: (value) => isMailAddress(value) && value.length <= MAX_TEXT,
  },
} satisfies Partial<Record<keyof Row<'administration'>, Rule>>;
type TextColumn = keyof typeof rules;

/** The data of an administration as the sender of invoices, beside its name and country. */
export type IssuerColumns = Partial<Pick<Row<'administration'>, TextColumn | 'payment_days'>>;

/** The stored form of a value, or what was expected. An empty value is always valid and means unknown. */
export function readIssuerColumn(
  column: TextColumn,
  text: string,
  country: Country,
): { value: string } | { expected: string } {
  const value = text.trim();
  const { expected, holds, store = (text) => text }: Rule = rules[column];
  if (value === '') return { value };
  return holds(value, country) ? { value: store(value) } : { expected };
}

/** The errors in the data of an administration as a sender, by column. */
export const wrongIssuerColumns = (administration: Row<'administration'>): { column: string; expected: string }[] =>
  (Object.keys(rules) as TextColumn[]).flatMap((column) => {
    const read = readIssuerColumn(column, administration[column], administration.country);
    return 'expected' in read ? [{ column, expected: read.expected }] : [];
  });
