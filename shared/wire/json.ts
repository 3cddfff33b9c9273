import { LosslessNumber, parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';
import { Problem } from '../problem.ts';

/** Numbers with more digits, or a larger exponent, than a float can represent exactly. */
const LONG_NUMBER = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/** The deepest nesting, and the most values of a list or object: far above any body of the interface. */
const MAX_DEPTH = 500;
const MAX_VALUES = 100_000;
/** The longest text that the slower parser may search for an error. */
const MAX_SEARCHED = 1_000_000;

/** A text with more values than its reader takes. */
export class TooManyValues extends Error {}

/**
 * JSON as values with every digit: numbers of up to 15 digits are numbers, which print unchanged; longer ones are
 * lossless numbers with their text, which `readDecimal` and the fields read.
 * @param maxValues of the whole text, 100,000 or more: left out where its bytes were counted before
 * @throws Problem INVALID_JSON naming the position; TooManyValues
 */
export function parseJson(text: string, maxValues = Number.POSITIVE_INFINITY): unknown {
  const steps = parseJsonInSteps(text, maxValues);
  while (true) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Parses in two steps, so that a server can handle other requests between them: the longest texts take a while. */
export function* parseJsonInSteps(text: string, maxValues = Number.POSITIVE_INFINITY): Generator<void, unknown> {
  // Most need no scan: a text of this length holds neither too many values nor too deep ones.
  if (text.length <= MAX_VALUES && !LONG_NUMBER.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // The scan finds the reason.
    }
  }
  const { longNumbers, deepAt, isTooDeep, manyAt, count } = scan(text, maxValues);
  if (count > maxValues) throw new TooManyValues();
  yield;
  if (manyAt !== undefined) throw invalid(`A list or object holds more than ${MAX_VALUES} values`, manyAt);
  const deep = deepAt === undefined ? undefined : invalid('Lists and objects are nested too deeply', deepAt);
  if (deep !== undefined && (longNumbers.length > 0 || isTooDeep)) throw deep;
  try {
    if (longNumbers.length === 0) return JSON.parse(text);
    const mark = `\u0000${Math.random()} `;
    return withLongNumbers(JSON.parse(markedIn(text, longNumbers, mark)), mark);
  } catch (cause) {
    throw deep ?? jsonProblem(text, cause as Error);
  }
}

const invalid = (reason: string, position: number, cause?: unknown): Problem =>
  new Problem('INVALID_JSON', `The body is not valid JSON: ${reason} at position ${position}`, { cause });

/** The built-in parser does not always report the position of an error; the lossless one does. */
function jsonProblem(text: string, failure: Error): Problem {
  if (text.length > MAX_SEARCHED) {
    return invalid(
      'It is cut off or misspelt',
      Number(/position (\d+)/.exec(failure.message)?.[1] ?? text.length),
      failure,
    );
  }
  try {
    parseLossless(text);
  } catch (cause) {
    return new Problem('INVALID_JSON', `The body is not valid JSON: ${(cause as Error).message}`, { cause });
  }
  return invalid(failure.message, 0, failure);
}

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

type ScanResult = {
  longNumbers: { start: number; end: number }[];
  deepAt?: number;
  isTooDeep?: boolean;
  manyAt?: number;
  /** Values so far; one more than the most of them, where the scan ended for that. */
  count: number;
};

/** Scans a text once, outside its strings, for long numbers, too deep nesting, and too many values. */
function scan(text: string, maxValues: number): ScanResult {
  const found: ScanResult = { longNumbers: [], count: 0 };
  const values: number[] = [];
  let between = 0;
  const look = (end: number) => {
    const part = text.slice(between, end);
    if (!LONG_NUMBER.test(part)) return;
    for (const { 0: number, index } of part.matchAll(/-?\d[\d.eE+-]*/g)) {
      const start = between + index;
      if (LONG_NUMBER.test(number)) found.longNumbers.push({ start, end: start + number.length });
      if (found.longNumbers.length > MAX_VALUES) return;
    }
  };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      look(index);
      if (found.longNumbers.length > MAX_VALUES) break;
      index = endOfString(text, index);
      between = index;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++found.count > maxValues) return found;
      if (values.push(0) > MAX_DEPTH) found.deepAt ??= index;
      if (values.length > MAX_VALUES) return { ...found, isTooDeep: true };
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      values.pop();
    } else if (code === COMMA && values.length > 0) {
      if (++found.count > maxValues) return found;
      if (++values[values.length - 1]! >= MAX_VALUES) return { ...found, manyAt: index };
    }
  }
  look(text.length);
  return found.longNumbers.length > MAX_VALUES ? { ...found, manyAt: found.longNumbers.at(-1)!.start } : found;
}

/** The end of the string that begins at a position. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** A JSON text whose long numbers are strings that begin with a mark. */
function markedIn(text: string, longNumbers: ScanResult['longNumbers'], mark: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of longNumbers) {
    const number = text.slice(start, end);
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number)) throw new SyntaxError(`at position ${start}`);
    parts.push(text.slice(from, start), JSON.stringify(mark + number));
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** A value whose marked strings are lossless numbers. */
function withLongNumbers(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? new LosslessNumber(value.slice(mark.length)) : value;
  if (Array.isArray(value)) return value.map((item) => withLongNumbers(item, mark));
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === 'string' || typeof member === 'object') members[name] = withLongNumbers(member, mark);
  }
  return members;
}

/** JSON text of any value, lossless numbers with the digits they came with. */
export const stringifyJson = (value: unknown): string => stringifyLossless(value) ?? 'null';
