import { z } from 'zod';
import { endpointNames, endpointOf } from './api.ts';
import { problemKinds } from './problem.ts';
import { kindOf } from './wire/field.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the interface, derived from the endpoint table. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const name of endpointNames) {
    const { method, path, summary, request, response, paging, repeat } = endpointOf(name);
    const asked = describe(request);
    paths[path] = {
      [method.toLowerCase()]: {
        operationId: name,
        summary,
        'x-repeat': repeat,
        ...(paging === null ? {} : { 'x-paging': paging }),
        ...(method === 'GET'
          ? { parameters: parameters(asked) }
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

const parameters = (asked: Json): Json[] =>
  Object.entries((asked.properties ?? {}) as Record<string, Json>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: ((asked.required ?? []) as string[]).includes(name),
    schema,
  }));

function describe(schema: z.ZodType): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const kind = kindOf(zodSchema);
      if (kind !== undefined) Object.assign(jsonSchema, kind.schema);
      // A liberal reader stands before lists and objects of answers; what they are is behind it.
      if (zodSchema instanceof z.ZodPipe && kind === undefined)
        Object.assign(jsonSchema, describe(zodSchema.out as z.ZodType));
    },
  }) as Json;
  return described;
}
