import * as z from 'zod/mini';
import { type FieldErrorCode, type FieldErrorParams, oneOf, type Refusal, refusal } from '../fieldErrors.ts';
import { decimalText, units } from '../money.ts';
import { type CalendarDate, readDate, writeDate } from './calendarDate.ts';
import { decimalsOf, padDecimals, readDecimal, wholeDigitsOf } from './decimal.ts';
import { describeValue } from './describeValue.ts';
import { issueOf } from './issues.ts';
import type { ValueKind } from './valueKind.ts';

/*
 * The kinds of field the interface has. Each knows how to read a value from the wire, liberal about its form (numbers
 * as strings, booleans as "True" or 1, values in another case) and strict about its meaning; how to write one as JSON
 * text, in the form the interface's examples show; and how to describe itself in OpenAPI.
 */

/** A refused value, with the reason. */
type Refused = { refused: Refusal };
const refused = <Code extends FieldErrorCode>(code: Code, ...params: FieldErrorParams<Code>): Refused => ({
  refused: refusal(code, ...params),
});
export const isRefused = (value: unknown): value is Refused =>
  typeof value === 'object' && value !== null && 'refused' in value;

export type Kind<T> = {
  of: ValueKind;
  /** The value in memory, or why it is refused. Never called with undefined or null. */
  read: (input: unknown) => T | Refused;
  /** JSON text of a value in memory. */
  write: (value: T) => string;
  /** Whether a text counts as left out: "" does, except for texts that may be empty. */
  isNothing: (text: string) => boolean;
  /** The reason when it is left out. */
  required: Refusal;
  /** The JSON Schema of the accepted values. */
  schema: Record<string, unknown>;
};

/** A field: a zod schema with a known kind, so that it can also be encoded and described. */
export type Field<T> = z.ZodMiniType<T, unknown>;

const kinds = new WeakMap<z.core.$ZodType, Kind<unknown>>();

const isEmpty = (text: string): boolean => text === '';
const isBlank = (text: string): boolean => text.trim() === '';
const isNever = (): boolean => false;

/** The kind behind a schema, if it is a field. */
export const kindOf = (schema: z.core.$ZodType): Kind<unknown> | undefined => kinds.get(schema);

function field<T>(kind: Kind<T>, whenNothing: { value: T } | 'refuse'): Field<T> {
  // A transform alone also gets a missing field, and can report what it expected.
  const schema = z.transform((input: unknown, context): T => {
    const nothing = input === undefined || input === null || (typeof input === 'string' && kind.isNothing(input));
    if (nothing && whenNothing !== 'refuse') return whenNothing.value;
    const value = nothing ? { refused: kind.required } : kind.read(input);
    if (!isRefused(value)) return value;
    context.issues.push({ ...issueOf(value.refused), input });
    return z.NEVER;
  });
  kinds.set(schema, kind as Kind<unknown>);
  return schema;
}

const required = <T>(kind: Kind<T>): Field<T> => field(kind, 'refuse');

/**
 * An object with these fields. They are made when they are first needed: making those of all endpoints takes a start of the
 * app ten milliseconds. The method `check` of a schema would make them, so the check is given here.
 * @param catchall the schema of other members; left out: they are removed
 * @param check reports what the fields together may not be
 */
export function object<Shape extends z.core.$ZodLooseShape, Config extends z.core.$ZodObjectConfig = z.core.$strip>(
  fields: () => Shape,
  {
    catchall,
    check,
  }: {
    catchall?: z.core.$ZodType;
    check?: (value: z.core.$InferObjectOutput<Shape, Config['out']>, context: z.core.$RefinementCtx) => void;
  } = {},
): z.ZodMiniObject<Shape, Config> {
  let made: Shape | undefined;
  return new z.ZodMiniObject({
    type: 'object',
    get shape() {
      made ??= fields();
      // A getter would make every later read of the object slower.
      Object.defineProperty(this, 'shape', { value: made });
      return made;
    },
    ...(catchall === undefined ? {} : { catchall }),
    ...(check === undefined ? {} : { checks: [z.superRefine(check)] }),
  }) as z.ZodMiniObject<Shape, Config>;
}

/** A schema whose input is changed before it reads it. */
export const prepared = <Schema extends z.core.$ZodType>(prepare: (input: unknown) => unknown, schema: Schema) =>
  z.pipe(z.transform(prepare), schema);

/** Text that counts as left out when it is "". */
export const optionalText = () => optional(text({ emptyIsNothing: true }));

/**
 * A field, or a list of them, that may be left out: null counts as left out, and so does "" where text is not meant.
 */
export function optional<T>(required: Field<T>): z.ZodMiniOptional<Field<T | undefined>> {
  const kind = kinds.get(required) as Kind<T | undefined> | undefined;
  if (kind === undefined) {
    const nothing = (input: unknown): boolean => input === null || input === '';
    return z.optional(prepared((input) => (nothing(input) ? undefined : input), z.optional(required)));
  }
  return z.optional(field<T | undefined>(kind, { value: undefined }));
}

/** A field that is `value` when it is left out. */
export function otherwise<T>(required: Field<T>, value: T): z.ZodMiniDefault<Field<T>> {
  const kind = kinds.get(required) as Kind<T>;
  const described = { ...kind, schema: { ...kind.schema, default: value } };
  return z._default(field<T>(described, { value }), value as z.core.util.NoUndefined<T>);
}

/**
 * A field of a response: nothing (left out, null, an empty string where text is not meant) is `value` in memory, written
 * as `nothing`, so that a response always has all its fields.
 */
export function inResponse<T, N>(required: Field<T>, value: N, nothing = 'null'): Field<T | N> {
  const kind = kinds.get(required) as Kind<T>;
  if (value !== null) return field<T | N>(kind as Kind<T | N>, { value });
  return field<T | N>(
    {
      ...kind,
      write: (value) => (value === null ? nothing : kind.write(value as T)),
      schema: { title: kind.schema.title, anyOf: [kind.schema, { const: JSON.parse(nothing) }] },
    },
    { value },
  );
}

/** The most characters of a text for which the interface has no limit. */
export const MAX_TEXT_LENGTH = 65_535;

/** The most characters of an indexed text, such as a name or a number. */
export const MAX_NAME_LENGTH = 255;

/** JSON text of a string; most need no escape, and the test is far cheaper than the call. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON must escape
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/;
const writeString = (value: string): string => (needsEscape.test(value) ? JSON.stringify(value) : `"${value}"`);

/**
 * Text; a number becomes its digits. `max` counts characters. `emptyIsNothing`: "" counts as left out.
 * `trimmed`: surrounding spaces are removed, and only spaces count as left out.
 */
export function text(rule: { max?: number; emptyIsNothing?: boolean; trimmed?: boolean } = {}): Field<string> {
  const max = rule.max ?? MAX_TEXT_LENGTH;
  return required<string>({
    of: 'text',
    read: (input) => {
      const text = typeof input === 'string' ? input : typeof input === 'boolean' ? undefined : readDecimal(input);
      if (text === undefined) return refused('NOT_TEXT', { given: describeValue(input) });
      const value = rule.trimmed ? text.trim() : text;
      const length = value.length > max ? characters(value) : value.length;
      if (length > max) return refused('TEXT_TOO_LONG', { max, length });
      if (value.includes('\u0000')) return refused('TEXT_WITH_NUL');
      // JSON can escape a lone surrogate, which a database cannot store unchanged.
      if (!value.isWellFormed()) return refused('TEXT_WITH_HALF_CHARACTER');
      return value;
    },
    write: writeString,
    isNothing: rule.trimmed ? isBlank : rule.emptyIsNothing ? isEmpty : isNever,
    required: refusal('REQUIRED_TEXT'),
    schema: { title: 'text', type: 'string', maxLength: max },
  });
}

/** Text of a response, of any length. Services also send booleans where the interface documents text. */
export function anyText(): Field<string> {
  return required<string>({
    of: 'text',
    read: (input) => word(input) ?? readDecimal(input) ?? refused('NOT_TEXT', { given: describeValue(input) }),
    write: writeString,
    isNothing: isNever,
    required: refusal('REQUIRED_TEXT'),
    schema: { title: 'text', type: 'string' },
  });
}

/** The number of characters of a text; a surrogate pair, such as an emoji, counts as one. */
function characters(value: string): number {
  let count = value.length;
  for (let index = 1; index < value.length; index++) {
    const isPair = (value.charCodeAt(index) & 0xfc00) === 0xdc00 && (value.charCodeAt(index - 1) & 0xfc00) === 0xd800;
    if (isPair) count--;
  }
  return count;
}

/**
 * A decimal number. More than `decimals` of them are rounded, half away from zero; `digits` is the most before the
 * point.
 * @param rule.form how it is written: a JSON number or a string, with at least `shown` decimals
 */
export function decimal(
  rule: {
    min?: number;
    max?: number;
    decimals?: number;
    digits?: number;
    form?: 'number' | 'string';
    shown?: number;
  } = {},
): Field<string> {
  const { min, max, decimals = 8, digits = 10, form = 'number', shown = 0 } = rule;
  return required<string>({
    of: 'decimal',
    read: (input) => {
      const read = readDecimal(input);
      if (read === undefined) return refused('NOT_DECIMAL', { given: describeValue(input) });
      // Callers that compute with floats send 36.300000000000004; further decimals are rounded.
      const value = decimalsOf(read) > decimals ? decimalText(units(read, decimals), decimals) : read;
      if (wholeDigitsOf(value) > digits)
        return refused('TOO_MANY_DIGITS', { max: digits, given: describeValue(input) });
      if (min !== undefined && Number(value) < min) return refused('TOO_LOW', { min, given: value });
      if (max !== undefined && Number(value) > max) return refused('TOO_HIGH', { max, given: value });
      return value;
    },
    write: (value) => (form === 'number' ? padDecimals(value, shown) : `"${padDecimals(value, shown)}"`),
    isNothing: isEmpty,
    required: refusal('REQUIRED_DECIMAL'),
    schema: {
      title: 'a decimal number',
      type: ['number', 'string'],
      format: 'decimal',
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
    },
  });
}

/** A whole number that a float holds exactly. `clamped`: a larger value counts as `max`. */
export function integer(rule: { min?: number; max?: number; clamped?: boolean } = {}): Field<number> {
  const { min = -2_147_483_648, max = 2_147_483_647, clamped = false } = rule;
  return required<number>({
    of: 'integer',
    read: (input) => {
      const value = readDecimal(input);
      if (value === undefined || decimalsOf(value) > 0)
        return refused('NOT_WHOLE_NUMBER', { given: describeValue(input) });
      if (Number(value) < min) return refused('TOO_LOW', { min, given: value });
      if (Number(value) > max && !clamped) return refused('TOO_HIGH', { max, given: value });
      return Math.min(Number(value), max);
    },
    write: String,
    isNothing: isEmpty,
    required: refusal('REQUIRED_WHOLE_NUMBER'),
    schema: {
      title: 'a whole number',
      type: ['integer', 'string'],
      minimum: min,
      ...(clamped ? {} : { maximum: max }),
    },
  });
}

const MAX_LONG = 2n ** 63n - 1n;

/** A whole number of up to 64 bits; in memory its digits, written as a JSON number with every digit. */
export function long(rule: { min?: bigint } = {}): Field<string> {
  const { min = -MAX_LONG - 1n } = rule;
  return required<string>({
    of: 'long',
    read: (input) => {
      const value = readDecimal(input);
      if (value === undefined || decimalsOf(value) > 0)
        return refused('NOT_WHOLE_NUMBER', { given: describeValue(input) });
      if (BigInt(value) < min || BigInt(value) > MAX_LONG) {
        return refused('NOT_BETWEEN', { min: String(min), max: String(MAX_LONG), given: value });
      }
      return value;
    },
    write: (value) => value,
    isNothing: isEmpty,
    required: refusal('REQUIRED_WHOLE_NUMBER'),
    schema: { title: 'a whole number', type: ['integer', 'string'], format: 'int64' },
  });
}

const yes = new Set(['true', '1', 'yes']);
const no = new Set(['false', '0', 'no']);

/** True or false; also "True", "1" and 1. `emptyIsFalse`: "" means false, as PHP sends it. */
export function boolean(rule: { emptyIsFalse?: boolean } = {}): Field<boolean> {
  return required<boolean>({
    of: 'boolean',
    read: (input) => {
      if (typeof input === 'boolean') return input;
      const text = word(input)?.trim().toLowerCase() ?? '';
      if (yes.has(text)) return true;
      if (no.has(text) || (rule.emptyIsFalse && input === '')) return false;
      return refused('NOT_BOOLEAN', { given: describeValue(input) });
    },
    write: String,
    isNothing: rule.emptyIsFalse ? isNever : isEmpty,
    required: refusal('REQUIRED_BOOLEAN'),
    schema: { title: 'true or false', type: ['boolean', 'string', 'integer'] },
  });
}

/** A day of the calendar, dd-MM-yyyy. */
export function date(): Field<CalendarDate> {
  return required<CalendarDate>({
    of: 'date',
    read: (input) =>
      (typeof input === 'string' ? readDate(input) : undefined) ?? refused('NOT_DATE', { given: describeValue(input) }),
    write: (value) => `"${writeDate(value)}"`,
    isNothing: isEmpty,
    required: refusal('REQUIRED_DATE'),
    schema: { title: 'a date as dd-MM-yyyy', type: 'string', pattern: '^\\d{2}-\\d{2}-\\d{4}$' },
  });
}

/** A date that is used only with other fields: an invalid one is null, and the caller decides whether it is an error. */
export function dateOrNull(): Field<CalendarDate | null> {
  const strict = kinds.get(date()) as Kind<CalendarDate>;
  const write = (value: CalendarDate | null) => (value === null ? 'null' : strict.write(value));
  return lenient<CalendarDate | null>({ ...strict, write }, () => null);
}

/** A field of a kind, which reads a refused value in another way. */
function lenient<T>(kind: Kind<T>, readRefused: (input: unknown) => T | Refused): Field<T> {
  const read = (input: unknown) => {
    const value = kind.read(input);
    return isRefused(value) ? readRefused(input) : value;
  };
  return required<T>({ ...kind, read });
}

/** A country, by the two letters of ISO 3166, in capitals. */
export function countryCode(): Field<string> {
  return required<string>({
    of: 'text',
    read: (input) => {
      const code = word(input)?.trim().toUpperCase() ?? '';
      return /^[A-Z]{2}$/.test(code) ? code : refused('NOT_COUNTRY', { given: describeValue(input) });
    },
    write: writeString,
    isNothing: isEmpty,
    required: refusal('REQUIRED_COUNTRY'),
    schema: { title: 'a country code of two letters (ISO 3166)', type: 'string', pattern: '^[A-Za-z]{2}$' },
  });
}

/** One of a list of words, in any case; in memory as spelled here. */
export function choice<const Word extends string>(...words: readonly Word[]): Field<Word> {
  const byFolded = new Map(words.map((word) => [word.toLowerCase(), word]));
  return required<Word>({
    of: 'choice',
    read: (input) =>
      words.find((word) => word === input) ??
      byFolded.get(word(input)?.trim().toLowerCase() ?? '') ??
      refused('NOT_CHOICE', { choices: words, given: describeValue(input) }),
    write: writeString,
    isNothing: isEmpty,
    required: refusal('REQUIRED_CHOICE', { choices: words }),
    schema: { title: oneOf(words), type: 'string', enum: [...words] },
  });
}

/** A choice for which an unknown word means the default, as the interface's clients expect of SortDir. */
export const choiceOr = <const Word extends string>(
  fallback: Word,
  ...words: readonly Word[]
): z.ZodMiniDefault<Field<Word>> =>
  otherwise(
    lenient(kinds.get(choice(fallback, ...words)) as Kind<Word>, () => fallback),
    fallback,
  );

/** A choice of a response: an unknown word is left unchanged. */
export function choiceOrOther<const Word extends string>(...words: readonly Word[]): Field<Word | (string & {})> {
  const other = kinds.get(anyText()) as Kind<string>;
  return lenient(kinds.get(choice(...words)) as Kind<Word | (string & {})>, other.read);
}

/** A string, number or boolean as text. `String` must not be called on an object: its `toString` may be data. */
const word = (input: unknown): string | undefined =>
  typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean' ? String(input) : undefined;
