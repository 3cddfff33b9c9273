import { LosslessNumber, parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';
import { Problem } from '../problem.ts';

/**
 * A run of digits that a float may not hold to the last one, or an exponent that may be past its range. Within strings it
 * only costs the slower parser.
 */
const LONG_NUMBER = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/** So many lists and objects within each other no body of the interface comes near. */
const DEEP = 500;

/**
 * JSON as values, no digit lost: numbers of up to 15 digits are numbers (which print as they were), longer ones keep their
 * text as lossless numbers, which `readDecimal` and the fields understand.
 * @throws Problem INVALID_JSON naming the position
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // The parser below says where; the built-in one does not always.
    }
  }
  try {
    return parseLossless(text, undefined, {
      parseNumber: (digits) => (LONG_NUMBER.test(digits) ? new LosslessNumber(digits) : Number(digits)),
      onDuplicateKey: ({ newValue }) => newValue,
    });
  } catch (cause) {
    const message =
      cause instanceof RangeError
        ? `Lists and objects are nested too deeply at position ${deepPosition(text)}`
        : (cause as Error).message;
    throw new Problem('INVALID_JSON', `The body is not valid JSON: ${message}`, { cause });
  }
}

/** Where a text is nested more than DEEP levels. */
function deepPosition(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]+|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
    if (depth > DEEP) return index;
  }
  return text.length;
}

/** JSON text of any value, lossless numbers with the digits they came with. */
export const stringifyJson = (value: unknown): string => stringifyLossless(value) ?? 'null';
