import * as z from 'zod/mini';
import { type EndpointName, endpointNames, endpointOf } from './api.ts';
import { problemStatuses } from './problem.ts';
import { kindOf } from './wire/field.ts';
import { fieldError } from './wire/response.ts';

type Json = Record<string, unknown>;

/** What each endpoint does. Not in the table of endpoints, which the pane loads. */
const summaries: Readonly<Record<EndpointName, string>> = {
  listprojectmaterialbooking: 'Material booked on projects',
  updateproduct: 'Change a product: prices, stock, tax, custom fields, batches',
  addproduct: 'Make a product',
  listtaxcodes: 'Tax codes of purchases and sales',
  addsalesinvoice: 'Make a sales invoice, a draft or a periodic template in the invoicing module',
  addorder: 'Make an order or a quote',
  addpurchasetransaction: 'Book a purchase invoice',
  addsalestransaction: 'Book a sales invoice without the invoicing module',
  listledgeraccounts: 'Ledger accounts of a fiscal year',
  listrelations: 'Customers, suppliers and other relations',
  listsalesinvoices: 'Sales invoices of both modules, the highest number first',
};

type OwnParameter = {
  name: string;
  in: 'query' | 'header';
  description: string;
  required?: boolean;
  /** Of the query: whether it may be there several times, with a value each. */
  many?: boolean;
};

/** An operation of the app that is not in the interface, for the document. */
export type OwnOperation = {
  /** With its parameters in braces: `/pushes/{id}`. */
  path: string;
  method: 'GET' | 'POST';
  summary: string;
  /** Needs no credential. */
  isPublic?: boolean;
  /** Parameters of the query and the headers; those of the path follow from it. */
  parameters?: readonly OwnParameter[];
  /** JSON Schema of the body. */
  body?: Json;
  /** Bytes of it at the most; left out: as many as a push. */
  maxBody?: number;
  /** Its content type; left out: JSON. */
  bodyType?: string;
  /** Status of the response; 200 when left out. */
  status?: number;
  /** Content type -> JSON Schema of the response. */
  response: Readonly<Record<string, Json>>;
  /** By their status, further responses that are no Problem; those with content have that of `response`. */
  further?: Readonly<Record<number, { description: string; hasContent: boolean }>>;
};

/**
 * The OpenAPI 3.1 document: the interface, derived from the endpoint table, and the other operations of the app.
 */
export function openApiDocument(version: string, operations: readonly OwnOperation[] = []): Json {
  const paths: Record<string, Json> = {};
  for (const name of endpointNames) {
    const { method, path, request, response, paging, repeat, aliases = {} } = endpointOf(name);
    const requestSchema = describeSchema(request);
    paths[path] = {
      [method.toLowerCase()]: {
        operationId: name,
        summary: summaries[name],
        'x-repeat': repeat,
        ...(paging === undefined ? {} : { 'x-paging': paging }),
        ...(method === 'GET'
          ? { parameters: parameters(requestSchema, aliases) }
          : { requestBody: { required: true, content: { 'application/json': { schema: requestSchema } } } }),
        responses: {
          200: { description: 'Done', content: { 'application/json': { schema: describeSchema(response) } } },
          default: { $ref: '#/components/responses/Problem' },
        },
      },
    };
  }
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation) };
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

function describeOperation(operation: OwnOperation): Json {
  const { path, summary, isPublic = false, parameters: declared = [], body, status = 200, response } = operation;
  const { bodyType = 'application/json', further = {} } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true }));
  const content = Object.fromEntries(Object.entries(response).map(([type, schema]) => [type, { schema }]));
  const others = Object.entries(further).map(([other, { description, hasContent }]) => [
    other,
    { description, ...(hasContent ? { content } : {}) },
  ]);
  return {
    summary,
    ...(isPublic ? { security: [] } : {}),
    parameters: [
      ...inPath.map((parameter) => ({ ...parameter, schema: text })),
      ...declared.map(({ many, ...parameter }) => ({ ...parameter, schema: many ? texts : text })),
    ],
    ...(body === undefined ? {} : { requestBody: { required: true, content: { [bodyType]: { schema: body } } } }),
    responses: {
      [status]: { description: 'Done', content },
      ...Object.fromEntries(others),
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

const text = { type: 'string' };
const texts = { type: 'array', items: text };
/** Of `FieldError`, whose parameters follow from its code. */
const fieldErrorSchema: Json = {
  type: 'object',
  required: ['path', 'message', 'code'],
  properties: { path: text, message: text, code: text, params: { type: 'object' } },
};
const problemSchema: Json = {
  type: 'object',
  required: ['errorCode', 'errorMessage', 'type', 'title', 'status'],
  properties: {
    errorCode: { type: 'string', enum: Object.keys(problemStatuses) },
    errorMessage: text,
    errors: { type: 'array', items: fieldErrorSchema },
    type: text,
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: text,
  },
};

function parameters(schema: Json, aliases: Readonly<Record<string, string>>): Json[] {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const named = Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'query',
    required: ((schema.required ?? []) as string[]).includes(name),
    schema: property,
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

/** The JSON Schema of a schema's input. */
export function describeSchema(schema: z.ZodMiniType): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const kind = kindOf(zodSchema);
      if (kind !== undefined) Object.assign(jsonSchema, kind.schema);
      if (zodSchema === fieldError) Object.assign(jsonSchema, fieldErrorSchema);
      // Readers accept undefined to report what they expected, so a field is optional only if its schema says so.
      if (zodSchema instanceof z.ZodMiniObject) jsonSchema.required = requiredOf(zodSchema);
      // Lists and objects of responses have a liberal reader in front; the schema is behind it.
      if (zodSchema instanceof z.ZodMiniPipe && kind === undefined)
        Object.assign(jsonSchema, describeSchema(zodSchema.def.out as z.ZodMiniType));
    },
  }) as Json;
  return described;
}

const requiredOf = ({ shape }: z.ZodMiniObject): string[] =>
  Object.keys(shape).filter((name) => {
    const member: unknown = shape[name];
    return !(member instanceof z.ZodMiniOptional || member instanceof z.ZodMiniDefault);
  });
