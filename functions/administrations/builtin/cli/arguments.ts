import { InvalidArgumentError } from 'commander';
import { type CalendarDate, calendarDate } from '../../../../shared/wire/calendarDate.ts';
import { isMailAddress } from '../../invoiceDocuments/mail/mailAddress.ts';
import { CommandError } from '../files/commandError.ts';

/** Parsers of options and arguments; each throws InvalidArgumentError for a wrong value. */

/** The number of an administration, a key or an invoice. */
export function id(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new InvalidArgumentError('Expected a number, as the list shows it.');
  return BigInt(text);
}

export function filled(text: string): string {
  const value = text.trim();
  if (value === '') throw new InvalidArgumentError('Expected a text that is not empty.');
  return value;
}

export function mailAddress(text: string): string {
  const address = text.trim();
  if (!isMailAddress(address)) throw new InvalidArgumentError('Expected an e-mail address, such as jan@example.com.');
  return address;
}

export function date(text: string): CalendarDate {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim()) ?? [];
  const found = calendarDate(Number(year), Number(month), Number(day));
  if (found === undefined) throw new InvalidArgumentError('Expected a date, such as 2026-12-31.');
  return found;
}

export function years(text: string): number[] {
  const list = text.split(',').map((year) => year.trim());
  if (!list.every((year) => /^(19|[2-9]\d)\d{2}$/.test(year))) {
    throw new InvalidArgumentError('Expected years, such as 2025,2026.');
  }
  return [...new Set(list.map(Number))];
}

/** Commander's name of an option: `vatNumber` for `vat-number`. */
export const camelCase = (option: string): string =>
  option.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** The administration of a command: an argument with its id or name, or an option with its id. */
export function oneAdministration(idOrName: string | undefined, administrationId: bigint | undefined): string {
  const administration = idOrName ?? administrationId?.toString();
  if (administration === undefined) throw new CommandError('Expected the number or the name of an administration.');
  return administration;
}

/** A month of the year, from 1. */
export function month(text: string): bigint {
  if (!/^(0?[1-9]|1[0-2])$/.test(text.trim())) throw new InvalidArgumentError('Expected a month, from 1 to 12.');
  return BigInt(text.trim());
}

/** Whole euros, as cents. */
export function euros(text: string): bigint {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('Expected whole euros, such as 1000.');
  return BigInt(text) * 100n;
}
