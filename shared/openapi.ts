import { z } from 'zod';
import { endpointNames, endpointOf } from './api.ts';
import { problemKinds } from './problem.ts';
import { kindOf } from './wire/field.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the interface, derived from the endpoint table. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const name of endpointNames) {
    const { method, path, summary, request, response, paging, repeat, aliases = {} } = endpointOf(name);
    const asked = describe(request);
    paths[path] = {
      [method.toLowerCase()]: {
        operationId: name,
        summary,
        'x-repeat': repeat,
        ...(paging === null ? {} : { 'x-paging': paging }),
        ...(method === 'GET'
          ? { parameters: parameters(asked, aliases) }
          : { requestBody: { required: true, content: { 'application/json': { schema: asked } } } }),
        responses: {
          200: { description: 'Done', content: { 'application/json': { schema: describe(response) } } },
          default: { $ref: '#/components/responses/Problem' },
        },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Business administration', version },
    security: [{ ApiKey: [], Username: [] }],
    paths,
    components: {
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'ApiKey' },
        Username: { type: 'apiKey', in: 'header', name: 'Username' },
      },
      responses: {
        Problem: {
          description: 'Refused or failed; nothing was changed by a refused request',
          content: { 'application/json': { schema: problemSchema } },
        },
      },
    },
  };
}

const text = { type: 'string' };
const problemSchema: Json = {
  type: 'object',
  required: ['errorCode', 'errorMessage', 'type', 'title', 'status'],
  properties: {
    errorCode: { type: 'string', enum: Object.keys(problemKinds) },
    errorMessage: text,
    errors: { type: 'array', items: { type: 'object', properties: { path: text, message: text } } },
    type: text,
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: text,
  },
};

function parameters(asked: Json, aliases: Readonly<Record<string, string>>): Json[] {
  const properties = (asked.properties ?? {}) as Record<string, Json>;
  const named = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: ((asked.required ?? []) as string[]).includes(name),
    schema,
  }));
  const aliasParameters = Object.entries(aliases).map(([alias, name]) => ({
    name: alias,
    in: 'query',
    required: false,
    description: `Another spelling of ${name}`,
    schema: properties[name],
  }));
  return [...named, ...aliasParameters];
}

function describe(schema: z.ZodType): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const kind = kindOf(zodSchema);
      if (kind !== undefined) Object.assign(jsonSchema, kind.schema);
      // A reader takes a missing field itself, to say what it expected: only what may be left out is not required.
      if (zodSchema instanceof z.ZodObject) jsonSchema.required = requiredOf(zodSchema);
      // A liberal reader stands before lists and objects of answers; what they are is behind it.
      if (zodSchema instanceof z.ZodPipe && kind === undefined)
        Object.assign(jsonSchema, describe(zodSchema.out as z.ZodType));
    },
  }) as Json;
  return described;
}

const requiredOf = ({ shape }: z.ZodObject): string[] =>
  Object.keys(shape).filter((name) => {
    const member: unknown = shape[name];
    return !(member instanceof z.ZodOptional || member instanceof z.ZodDefault);
  });
