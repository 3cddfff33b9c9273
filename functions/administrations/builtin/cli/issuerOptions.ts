import { type Command, InvalidArgumentError } from 'commander';
import { CommandError } from '../files/commandError.ts';
import { type IssuerColumns, MAX_PAYMENT_DAYS, readIssuerColumn } from '../setup/issuer.ts';
import type { Row } from '../sql/schema.ts';
import { camelCase } from './arguments.ts';

/** Options for the sender of an administration's invoices, and the column each sets. */
const options = [
  { option: 'street', column: 'street', meaning: 'street of its address' },
  { option: 'house-number', column: 'unit', meaning: 'house number' },
  { option: 'house-number-addition', column: 'unit_appendix', meaning: 'what follows the house number' },
  { option: 'postal-code', column: 'postal_code', meaning: 'postal code' },
  { option: 'city', column: 'city', meaning: 'town' },
  { option: 'vat-number', column: 'vat_number', meaning: 'VAT number, with the letters of its country' },
  { option: 'company-number', column: 'company_number', meaning: 'KvK number, or Belgian enterprise number' },
  { option: 'iban', column: 'iban', meaning: 'bank account that customers pay to' },
  { option: 'bic', column: 'bic', meaning: 'BIC of its bank' },
  { option: 'email', column: 'email', meaning: 'e-mail address on its invoices' },
  { option: 'phone', column: 'phone', meaning: 'telephone number on its invoices' },
] as const;

const PAYMENT_DAYS = 'payment-days';

/** Adds the options to a command. "" takes a value away. */
export function addIssuerOptions(command: Command): void {
  for (const { option, meaning } of options) command.option(`--${option} <text>`, meaning);
  command.option(`--${PAYMENT_DAYS} <days>`, 'days in which customers usually pay; 0 for none', days);
}

/** The values of the options. @throws CommandError for an invalid one, by the rules of the country */
export function issuerFromOptions(
  commandOptions: Readonly<Record<string, unknown>>,
  country: Row<'administration'>['country'],
): IssuerColumns {
  const issuer: IssuerColumns = {};
  for (const { option, column } of options) {
    const text = commandOptions[camelCase(option)];
    if (typeof text !== 'string') continue;
    const read = readIssuerColumn(column, text, country);
    if ('expected' in read) throw new CommandError(`--${option}: expected ${read.expected}, got "${text}".`);
    issuer[column] = read.value;
  }
  if (typeof commandOptions.paymentDays === 'bigint') issuer.payment_days = commandOptions.paymentDays;
  return issuer;
}

function days(text: string): bigint {
  const count = /^\d{1,3}$/.test(text.trim()) ? BigInt(text.trim()) : MAX_PAYMENT_DAYS + 1n;
  if (count > MAX_PAYMENT_DAYS) throw new InvalidArgumentError(`Expected days from 0 to ${MAX_PAYMENT_DAYS}.`);
  return count;
}
