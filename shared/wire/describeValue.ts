import { isLosslessNumber } from 'lossless-json';

/** The most characters of a value in an error. */
const MAX_SHOWN = 60;

/** A value of a request for an error: JSON text, cut when it is long; `{}` for any object, `[]` for any list. */
export function describeValue(input: unknown): string {
  const text = textOf(input);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
}

function textOf(input: unknown): string {
  if (typeof input === 'string') return JSON.stringify(input);
  if (Array.isArray(input)) return '[]';
  // A number of many digits is an object in memory.
  return typeof input === 'object' && input !== null && !isLosslessNumber(input) ? '{}' : String(input);
}
