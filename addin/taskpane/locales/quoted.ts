import { type CalendarDate, writeDate } from '../../../shared/wire/calendarDate.ts';

/** A refused value, which is JSON text and may have been cut, in the quotation marks of a language. */
export function quoted(value: string, open = '“', close = '”'): string {
  const [, json, cut = ''] = /^"(.*?)(?:"|(\.\.\.))$/s.exec(value) ?? [];
  const text = json === undefined ? value : json.replace(/\\(["\\])/g, '$1');
  return `${open}${text}${cut}${close}`;
}

/** A name that ends a sentence: that of a "B.V." has its full stop already. */
export const ended = (name: string): string => (name.endsWith('.') ? name : `${name}.`);

/** A day of the interface, as every language here writes it. */
export const day = (text: string): string => writeDate(text as CalendarDate);
