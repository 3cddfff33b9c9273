import type { Command } from 'commander';
import { DEFAULT_FIRST, DEFAULT_LAST } from '../ledger/bookingDates.ts';
import type { Row } from '../sql/schema.ts';
import { camelCase, date } from './arguments.ts';

/** Options for the booking dates of an administration, and the column each sets. */
const options = [
  {
    option: 'first-booking-date',
    column: 'first_booking_date',
    meaning: `nothing is booked before that day; "" for ${DEFAULT_FIRST}`,
  },
  {
    option: 'last-booking-date',
    column: 'last_booking_date',
    meaning: `nothing is booked after that day; "" for ${DEFAULT_LAST}`,
  },
  {
    option: 'closed-until',
    column: 'closed_until',
    meaning: 'close the books up to and including that day; an earlier one, or "", opens them again',
  },
] as const;

type BookingDates = Partial<Pick<Row<'administration'>, (typeof options)[number]['column']>>;

/** Adds the options to a command. */
export function addBookingDateOptions(command: Command): void {
  for (const { option, meaning } of options) command.option(`--${option} <yyyy-mm-dd>`, meaning, dateOrNone);
}

/** The columns of the options on the command line. */
export const bookingDatesFromOptions = (commandOptions: Readonly<Record<string, unknown>>): BookingDates =>
  Object.fromEntries(
    options.flatMap(({ option, column }) => {
      const value = commandOptions[camelCase(option)];
      return value === undefined ? [] : [[column, value]];
    }),
  );

const dateOrNone = (text: string): string => (text.trim() === '' ? '' : date(text));
