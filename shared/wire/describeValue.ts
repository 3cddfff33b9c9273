import { isLosslessNumber } from 'lossless-json';

/** The most characters of a value in an error. */
const MAX_SHOWN = 60;

/** A value of a request for an error: JSON text, cut when it is long; `{}` for any object, `[]` for any list. */
export function describeValue(input: unknown): string {
  return cut(textOf(input));
}

/** A text for an error, with no more characters than a length: by default that of a value. */
export const cut = (text: string, length = MAX_SHOWN): string =>
  text.length > length ? `${text.slice(0, length - 3).toWellFormed()}...` : text;

function textOf(input: unknown): string {
  if (typeof input === 'string') return JSON.stringify(input);
  if (Array.isArray(input)) return '[]';
  // A number of many digits is an object in memory.
  return typeof input === 'object' && input !== null && !isLosslessNumber(input) ? '{}' : String(input);
}
