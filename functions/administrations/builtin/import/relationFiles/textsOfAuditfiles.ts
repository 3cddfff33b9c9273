import type { NewRow, Row } from '../../sql/schema.ts';

/** The most characters that an audit file has of a text of a relation; in the version that has the fewest. */
export const textLengths = {
  name: 50,
  phone: 30,
  registration_number: 100,
  vat_number: 30,
  street: 100,
  unit: 15,
  unit_appendix: 999,
  postal_code: 10,
  city: 50,
} as const;

/** What no XML may contain: control characters, and halves of surrogate pairs. */
const notInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A text as XML may have it. */
export const inXml = (text: string): string => text.replace(notInXml, '\uFFFD');

/** The texts of a relation that a file has in part, or without the characters that no file may have: they stay. */
export function storedTexts(read: Partial<NewRow<'relation'>>, stored: Row<'relation'>): Partial<Row<'relation'>> {
  const columns = Object.keys(textLengths) as (keyof typeof textLengths)[];
  return Object.fromEntries(
    columns.flatMap((column) => {
      const text = read[column];
      if (text === undefined) return [];
      const whole = inXml(stored[column]);
      const shortest = [...whole].slice(0, textLengths[column]).join('').trim();
      return whole.trim().startsWith(text) && text.length >= shortest.length ? [[column, stored[column]]] : [];
    }),
  );
}
