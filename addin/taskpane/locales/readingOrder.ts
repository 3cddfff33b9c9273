/** Characters that reverse what comes after them, or begin and end another order: nothing shows that they are there. */
const REVERSING = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text that reverses nothing. Letters of a language that is written from the right keep their own order. */
export const inReadingOrder = (text: string): string => text.replace(REVERSING, '');

/** Texts of a language that no name, file or message of a service inside them reverses. */
export function withReadingOrder<Texts>(texts: Texts): Texts {
  if (typeof texts === 'function') return ((...given: unknown[]) => texts(...given.map(ordered))) as Texts;
  return mapped(texts, withReadingOrder);
}

const ordered = (given: unknown): unknown =>
  typeof given === 'string' ? inReadingOrder(given) : mapped(given, ordered);

/** A list or an object with its members changed; anything else as it is. */
function mapped<Value>(value: Value, change: (member: unknown) => unknown): Value {
  if (Array.isArray(value)) return value.map(change) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)])) as Value;
}
