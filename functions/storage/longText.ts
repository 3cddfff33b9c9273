/*
 * Text in an entity of a table: a property holds 64 KiB in UTF-16, an entity a megabyte in all.
 */

const PART = 32_000;
/** Characters an entity can hold. */
export const LONGEST_TEXT = 14 * PART;

/** A text as properties of an entity. */
export const inParts = (text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: Math.ceil(text.length / PART) }, (_, index) => [
      `text${index}`,
      text.slice(index * PART, (index + 1) * PART),
    ]),
  );

/** The text in the properties of an entity. */
export function fromParts(entity: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (let index = 0; typeof entity[`text${index}`] === 'string'; index++) text += entity[`text${index}`];
  return text;
}
