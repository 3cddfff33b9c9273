import * as z from 'zod/mini';
import { type FieldError, readFieldError } from '../fieldErrors.ts';
import * as field from './field.ts';
import { parseJson } from './json.ts';

/*
 * The fields of responses. They read what a remote service may send (numbers as strings, an object instead of a list)
 * and always write the form of the interface's examples. An absent value is null in memory, or "" for text.
 */

/** Fields with the same options are one schema: making hundreds of them takes long when the app starts. */
function shared<Options extends (string | number | undefined)[], T>(
  make: (...options: Options) => field.Field<T>,
): (...options: Options) => field.Field<T> {
  const made = new Map<string, field.Field<T>>();
  return (...options) => {
    const key = options.join();
    const one = made.get(key) ?? make(...options);
    made.set(key, one);
    return one;
  };
}

export const text = shared(() => field.inResponse<string, string>(field.anyText(), ''));
/** Text that is null, not "", when there is none. */
export const textOrNull = shared(() => field.inResponse(field.anyText(), null));

/** A decimal. @param form written as a JSON number or as a string, with at least `shown` decimals */
export const decimal = shared((form: 'number' | 'string' = 'number', shown: number = 0) =>
  field.inResponse(field.decimal({ decimals: 40, digits: 40, form, shown }), null),
);

export const integer = shared(() =>
  field.inResponse(field.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }), null),
);
export const long = shared(() => field.inResponse(field.long(), null));
export const boolean = shared(() => field.inResponse(field.boolean(), null));
/** A date, an empty string on the wire when there is none. */
export const date = shared(() => field.inResponse(field.date(), null, '""'));
/** A date that is null on the wire when there is none. */
export const dateOrNull = shared(() => field.inResponse(field.date(), null));
/** One of a list of words; an undocumented word is left unchanged. */
export const choice = <const Word extends string>(
  ...words: readonly Word[]
): field.Field<Word | (string & {}) | null> => field.inResponse(field.choiceOrOther(...words), null);

const anything = z.unknown();
/** An object of a response; undocumented fields are preserved. */
export const record = <Shape extends z.core.$ZodLooseShape>(
  fields: () => Shape,
): z.ZodMiniObject<Shape, z.core.$loose> => field.object(fields, { catchall: anything });

const isEmpty = (input: unknown): boolean =>
  input === undefined ||
  input === null ||
  input === '' ||
  (typeof input === 'object' && !Array.isArray(input) && Object.keys(input).length === 0);

/** A list; services also send `{}`, null or nothing for an empty list, and the element itself for a list of one. */
export const list = <Element extends z.ZodMiniType>(element: Element) =>
  field.prepared((input) => (isEmpty(input) ? [] : Array.isArray(input) ? input : [input]), z.array(element));

/**
 * A list that the interface documents as text and shows as a list. Text with a JSON list of objects is that list; any
 * other text becomes one member of its only element, so that no value is lost.
 */
export const listOrText = <Element extends z.ZodMiniType>(element: Element, member: keyof z.output<Element>) =>
  field.prepared((input) => (typeof input === 'string' ? readList(input, member) : input), list(element));

function readList(text: string, member: PropertyKey): unknown[] {
  if (text.trim() === '') return [];
  return listIn(text) ?? [{ [member]: text }];
}

function listIn(json: string): unknown[] | undefined {
  if (!/^\s*[[{]/.test(json)) return undefined;
  try {
    const value = parseJson(json);
    const elements = Array.isArray(value) ? value : [value];
    return elements.every((one) => typeof one === 'object' && one !== null) ? elements : undefined;
  } catch {
    return undefined;
  }
}

/** A nested object; a missing one has no values. */
export const part = <Element extends z.ZodMiniType>(element: Element) =>
  field.prepared((input) => (isEmpty(input) ? {} : input), element);

/** An object; services also send a list of one. */
export const one = <Element extends z.ZodMiniType>(element: Element) =>
  field.prepared((input) => (Array.isArray(input) && input.length === 1 ? input[0] : input), element);

export const fieldError = z.custom<FieldError>();

/** Errors in fields; what is none is left out. */
export const fieldErrors = () =>
  field.prepared(
    (input) => (Array.isArray(input) ? input.flatMap((one) => readFieldError(one) ?? []) : []),
    z.array(fieldError),
  );
