import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { deeper } from '../testing/deep.ts';
import { endpointNames, endpointOf } from './api.ts';
import { openApiDocument } from './openapi.ts';
import { Problem } from './problem.ts';
import { readRequest } from './readRequest.ts';
import { kindOf } from './wire/field.ts';

/* Every list of a request has a greatest number of items, and every text a greatest length. */

type Described = { path: string; schema: Record<string, unknown> };

/** Every part of a described request, from its fields down to the items of their lists. */
function partsOf(path: string, schema: Record<string, unknown>): Described[] {
  const members = Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>);
  const options = [schema.anyOf, schema.allOf, schema.oneOf].flatMap(
    (list) => (list ?? []) as Record<string, unknown>[],
  );
  return [
    { path, schema },
    ...members.flatMap(([name, member]) => partsOf(`${path}.${name}`, member)),
    ...options.flatMap((option) => partsOf(path, option)),
    ...(schema.items === undefined ? [] : partsOf(`${path}[]`, schema.items as Record<string, unknown>)),
  ];
}

const { paths } = openApiDocument('1') as { paths: Record<string, Record<string, Record<string, never>>> };
const requests = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .map(({ operationId, requestBody, parameters }): Described => {
    const body = (requestBody as { content: Record<string, { schema: Record<string, unknown> }> } | undefined)?.content;
    const queried = (parameters ?? []) as { name: string; schema: Record<string, unknown> }[];
    const query = { properties: Object.fromEntries(queried.map(({ name, schema }) => [name, schema])) };
    return { path: String(operationId), schema: body?.['application/json']?.schema ?? query };
  });
const parts = requests.flatMap(({ path, schema }) => partsOf(path, schema));
const typesOf = ({ type }: Record<string, unknown>): unknown[] => (Array.isArray(type) ? type : [type]);

describe('every request', () => {
  it('is examined, including its lists', () => {
    expect(requests.map(({ path }) => path).sort()).toEqual([...endpointNames].sort());
    const lists = parts.filter(({ schema }) => typesOf(schema).includes('array')).map(({ path }) => path);
    expect(lists).toEqual(
      expect.arrayContaining([
        'updateproduct.Product_Batch',
        'updateproduct.Product_CustomField',
        'addorder.Order_Address',
        'addsalesinvoice.Invoice_Address',
        'addsalesinvoice.Invoice_Attachment',
        'addpurchasetransaction.Invoice_InvoiceLine',
      ]),
    );
  });

  it('has a maximum number of items for each list', () => {
    const without = parts.filter(({ schema }) => typesOf(schema).includes('array') && schema.maxItems === undefined);
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  it('has a maximum length or a choice for each text', () => {
    const isText = ({ schema }: Described) => typesOf(schema).includes('string') && !('format' in schema);
    const isBound = ({ schema }: Described) =>
      schema.maxLength !== undefined ||
      schema.enum !== undefined ||
      schema.pattern !== undefined ||
      typesOf(schema).length > 1;
    const texts = parts.filter(isText);
    expect(texts.length).toBeGreaterThan(60);
    expect(texts.filter((part) => !isBound(part)).map(({ path }) => path)).toEqual([]);
  });

  it('accepts no text of a million characters in any field', () => {
    const fields = new Set<z.core.$ZodType>();
    const collect = (schema: z.core.$ZodType): void => {
      if (kindOf(schema) !== undefined) fields.add(schema);
      else if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault) collect(schema.def.innerType);
      else if (schema instanceof z.ZodMiniPipe) collect(schema.def.out);
      else if (schema instanceof z.ZodMiniArray) collect(schema.def.element);
      else if (schema instanceof z.ZodMiniObject)
        for (const member of Object.values(schema.shape)) collect(member as z.core.$ZodType);
    };
    for (const name of endpointNames) collect(endpointOf(name).request);
    // The content of a file is the one long text there is.
    for (const field of fields) if (Number(kindOf(field)!.schema.maxLength) > 1_000_000) fields.delete(field);
    expect(fields.size).toBeGreaterThan(60);
    for (const unit of deeper([' ', '1'], [' ', '1', 'a', '0', '-', '.'])) {
      const text = `${unit.repeat(1_000_000)}!`;
      for (const field of fields) {
        const { success, data } = z.safeParse(field, text);
        // What means its default, or nothing, is short by then.
        if (success) expect(String(data).length).toBeLessThan(1000);
      }
    }
  });
});

describe('a list that is too long', () => {
  it.each([
    ['updateproduct', 'Product_Batch', 100],
    ['updateproduct', 'Product_CustomField', 100],
    ['addorder', 'Order_Address', 10],
    ['addsalesinvoice', 'Invoice_Address', 10],
    ['addsalesinvoice', 'Invoice_InvoiceLine', 75],
    ['addsalesinvoice', 'Invoice_Attachment', 20],
  ] as const)('of %s, in %s, is refused with its maximum length, and its items are not read', (name, field, max) => {
    const refusal = (items: unknown[]) => {
      try {
        readRequest(name, { [field]: items });
      } catch (problem) {
        if (problem instanceof Problem) return problem.errors.filter(({ path }) => path.startsWith(field));
        throw problem;
      }
      throw new Error('It was taken.');
    };
    // Each of them is wrong.
    const errors = refusal(Array.from({ length: max + 1 }, () => 1));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ path: field, message: expect.stringContaining(`at most ${max}`) });
    expect(refusal(Array.from({ length: max }, () => 1)).length).toBeGreaterThan(1);
  });
});
