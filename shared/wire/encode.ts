import { z } from 'zod';
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

  constructor(elements: readonly string[]) {
    super('');
    this.elements = elements;
  }

  /** Joined only on request: a large page is sent and exported by its elements. */
  override get json(): string {
    return `[${this.elements.join(',')}]`;
  }
}

/**
 * The JSON text of an answer, or of a request, as its schema says: decimals and longs with every digit, dates as
 * dd-MM-yyyy. An optional field without a value is left out; an unknown field is written unchanged.
 * The encoder of a schema is compiled once, so that encoding a page costs little.
 */
export function encode<Schema extends z.ZodType>(
  schema: Schema,
  value: z.output<Schema> | Encoded<z.output<Schema>>,
): string {
  return value instanceof Encoded ? value.json : encoderOf(schema)(value);
}

/** The JSON text of each element of a list. */
export function encodeEach<Schema extends z.ZodType>(
  element: Schema,
  list: readonly z.output<Schema>[] | Encoded<z.output<Schema>[]>,
): readonly string[] {
  if (list instanceof EncodedList) return list.elements;
  if (list instanceof Encoded) return (parseJson(list.json) as unknown[]).map(stringifyJson);
  return list.map(encoderOf(element));
}

const encoderOf = memoized(makeEncoder, new WeakMap());

function makeEncoder(schema: z.core.$ZodType): Encoder {
  const kind = kindOf(schema);
  if (kind !== undefined) return kind.write;
  if (schema instanceof z.ZodObject) return objectEncoder(schema.shape as Record<string, z.core.$ZodType>);
  if (schema instanceof z.ZodArray) return arrayEncoder(encoderOf(schema.element));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return encoderOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return encoderOf(schema.out);
  throw new Error(`An answer cannot hold a ${schema._zod.def.type}.`);
}

function arrayEncoder(element: Encoder): Encoder {
  return (value) => {
    const items = value as unknown[];
    let json = '[';
    for (let index = 0; index < items.length; index++) {
      json += index === 0 ? element(items[index]) : `,${element(items[index])}`;
    }
    return `${json}]`;
  };
}

function objectEncoder(shape: Record<string, z.core.$ZodType>): Encoder {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    prefix: `${JSON.stringify(name)}:`,
    write: encoderOf(schema),
  }));
  return (value) => {
    const object = value as Record<string, unknown>;
    let json = '';
    let known = 0;
    for (const { name, prefix, write } of fields) {
      const member = object[name];
      if (member === undefined) continue;
      known++;
      json += json === '' ? prefix + write(member) : `,${prefix}${write(member)}`;
    }
    if (Object.keys(object).length > known) {
      for (const [name, member] of Object.entries(object)) {
        if (Object.hasOwn(shape, name) || member === undefined) continue;
        json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${stringifyJson(member)}`;
      }
    }
    return `{${json}}`;
  };
}
