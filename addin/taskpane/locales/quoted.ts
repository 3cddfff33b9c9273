import { type CalendarDate, writeDate } from '../../../shared/wire/calendarDate.ts';

/** A refused value, which is JSON text, in the quotation marks of a language. */
export const quoted = (value: string, open = '“', close = '”'): string =>
  `${open}${value.replace(/^"(.*)"$/s, '$1')}${close}`;

/** A name that ends a sentence: that of a "B.V." has its full stop already. */
export const ended = (name: string): string => (name.endsWith('.') ? name : `${name}.`);

/** A day of the interface, as every language here writes it. */
export const day = (text: string): string => writeDate(text as CalendarDate);
