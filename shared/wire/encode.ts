import * as z from 'zod/mini';
import { memoized } from '../memoized.ts';
import { kindOf } from './field.ts';
import { parseJson, stringifyJson } from './json.ts';

type Encoder = (value: unknown) => string;

/** A value that is JSON text already, so that it need not be parsed to be sent. */
export class Encoded<Value> {
  readonly #json: string;
  /** For types only, without a value at run time: the type that the text encodes. */
  declare readonly value: Value;

  constructor(json: string) {
    this.#json = json;
  }

  get json(): string {
    return this.#json;
  }
}

/** A list whose elements are JSON texts already. */
export class EncodedList<Element> extends Encoded<Element[]> {
  readonly elements: readonly string[];
  /** Headers of its response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(elements: readonly string[], headers: Readonly<Record<string, string>> = {}) {
    super('');
    this.elements = elements;
    this.headers = headers;
  }

  /** Joined only on request: a large page is sent and exported by its elements. */
  override get json(): string {
    return `[${this.elements.join(',')}]`;
  }
}

/**
 * The JSON text of a response, or of a request, as its schema says: decimals and longs with every digit, dates as
 * dd-MM-yyyy. An optional field without a value is left out; an unknown field is written unchanged.
 * The encoder of a schema is compiled once, so that encoding a page costs little.
 */
export function encode<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: z.output<Schema> | Encoded<z.output<Schema>>,
): string {
  return value instanceof Encoded ? value.json : encoderOf(schema)(value);
}

/** The JSON text of each element of a list. */
export function encodeEach<Schema extends z.ZodMiniType>(
  element: Schema,
  list: readonly z.output<Schema>[] | Encoded<z.output<Schema>[]>,
): readonly string[] {
  if (list instanceof EncodedList) return list.elements;
  if (list instanceof Encoded) return (parseJson(list.json) as unknown[]).map(stringifyJson);
  return list.map(encoderOf(element));
}

/**
 * The JSON text of each element of a received list: what `encodeEach` writes of the list that the schema reads, without
 * the values in between.
 * @returns undefined when it is not a list, or the schema refuses the input and has to say why
 */
export function transcodeList(schema: z.core.$ZodType, input: unknown): EncodedList<unknown> | undefined {
  if (!(schema instanceof z.ZodMiniPipe && schema.def.out instanceof z.ZodMiniArray)) return undefined;
  try {
    return new EncodedList(
      (transformOf(schema.def.in)(input) as unknown[]).map(transcoderOf(schema.def.out.def.element)),
    );
  } catch {
    return undefined;
  }
}

const encoderOf = memoized((schema: z.core.$ZodType) => makeEncoder(schema, false), new WeakMap());
/** The encoder of received values, which it reads first. It throws where the schema refuses one. */
const transcoderOf = memoized((schema: z.core.$ZodType) => makeEncoder(schema, true), new WeakMap());

function makeEncoder(schema: z.core.$ZodType, reads: boolean): Encoder {
  const memberOf = reads ? transcoderOf : encoderOf;
  const after = (transform: z.core.$ZodType, write: Encoder): Encoder => {
    if (!reads) return write;
    const read = transformOf(transform);
    return (input) => write(read(input));
  };
  const kind = kindOf(schema);
  if (kind !== undefined) return after(schema, kind.write);
  if (schema instanceof z.ZodMiniObject) return objectEncoder(schema.shape as Record<string, z.core.$ZodType>, reads);
  if (schema instanceof z.ZodMiniArray) return arrayEncoder(memberOf(schema.def.element));
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault) return memberOf(schema.def.innerType);
  if (schema instanceof z.ZodMiniPipe) return after(schema.def.in, memberOf(schema.def.out));
  throw new Error(`A response cannot hold a ${schema._zod.def.type}.`);
}

/** A transform adds the reason why it refuses its input to these issues, which throws. */
const noIssues = { issues: Object.freeze([]) } as never;

const transformOf = (schema: z.core.$ZodType) => {
  const { transform } = (schema as z.ZodMiniTransform).def;
  return (input: unknown): unknown => transform(input, noIssues);
};

function arrayEncoder(element: Encoder): Encoder {
  return (value) => {
    if (!Array.isArray(value)) throw new TypeError('Expected a list.');
    let json = '[';
    for (let index = 0; index < value.length; index++) {
      json += index === 0 ? element(value[index]) : `,${element(value[index])}`;
    }
    return `${json}]`;
  };
}

function objectEncoder(shape: Record<string, z.core.$ZodType>, reads: boolean): Encoder {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    prefix: `${JSON.stringify(name)}:`,
    write: (reads ? transcoderOf : encoderOf)(schema),
    // Every other field of a response is written, also when it was not received.
    isOptional: !reads || schema instanceof z.ZodMiniOptional,
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('Expected an object.');
    const object = value as Record<string, unknown>;
    let json = '';
    let known = 0;
    for (const { name, prefix, write, isOptional } of fields) {
      const member = object[name];
      if (member !== undefined) known++;
      else if (isOptional) continue;
      json += json === '' ? prefix + write(member) : `,${prefix}${write(member)}`;
    }
    if (Object.keys(object).length > known) {
      for (const [name, member] of Object.entries(object)) {
        if (Object.hasOwn(shape, name) || member === undefined || name === '__proto__') continue;
        json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${stringifyJson(member)}`;
      }
    }
    return `{${json}}`;
  };
}
