import { readDecimal } from './decimal.ts';

/** Characters of a value that an error shows. */
const MAX_SHOWN = 60;

/** A value of a request as an error shows it: JSON text, cut when it is long; `{}` is any object, `[]` any list. */
export function describeValue(input: unknown): string {
  const text = textOf(input);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
}

function textOf(input: unknown): string {
  if (typeof input === 'string') return JSON.stringify(input);
  if (Array.isArray(input)) return '[]';
  // A number of many digits is an object in memory.
  return typeof input === 'object' && input !== null ? (readDecimal(input) ?? '{}') : String(input);
}
