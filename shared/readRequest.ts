import type * as z from 'zod/mini';
import { type EndpointName, endpointOf, operationOf, type PushedName, type RequestOf } from './api.ts';
import { type FieldError, fieldError } from './fieldErrors.ts';
import { memoized } from './memoized.ts';
import { Problem, refuseFields } from './problem.ts';
import { ignoredFields } from './wire/ignoredFields.ts';
import { errorOfIssue } from './wire/issues.ts';

type ReadRequest<Name extends EndpointName | PushedName> = {
  request: RequestOf<Name>;
  /** Unknown field names of the request. */
  ignored: string[];
};

/**
 * Reads a request of an endpoint. Names of query parameters match in any case, names in bodies exactly.
 * @param input the query string's parameters, or the body as `parseJson` gives it
 * @throws Problem INVALID_REQUEST with one error per field
 */
export function readRequest<Name extends EndpointName>(name: Name, input: unknown): ReadRequest<Name> {
  const isQuery = endpointOf(name).method === 'GET' && typeof input === 'object' && input !== null;
  return readOperation(name, isQuery ? byParameterName(name, input) : input);
}

/**
 * Reads the request of a write, as a row of a push has it.
 * @throws Problem INVALID_REQUEST with one error per field
 */
export const readWrite = <Name extends PushedName>(name: Name, input: unknown): ReadRequest<Name> =>
  readOperation(name, input);

function readOperation<Name extends EndpointName | PushedName>(name: Name, input: unknown): ReadRequest<Name> {
  const { request: schema } = operationOf(name);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Problem('INVALID_REQUEST', 'Expected a JSON object.', {
      errors: [fieldError('', 'NOT_JSON_OBJECT')],
    });
  }
  return { request: readFields(schema, input) as RequestOf<Name>, ignored: ignoredFields(schema, input) };
}

/**
 * Reads the fields of a request.
 * @throws Problem INVALID_REQUEST with one error per field
 */
export function readFields<Schema extends z.ZodMiniType>(schema: Schema, fields: unknown): z.output<Schema> {
  const result = schema.safeParse(fields, { reportInput: true });
  if (result.success) return result.data;
  throw refuseFields(onePerField(result.error.issues.map(errorOfIssue)));
}

/** The names of the parameters of an endpoint, by their lower-case spellings. */
const parameterNames = memoized((name: EndpointName): ReadonlyMap<string, string> => {
  const { request, aliases = {} } = endpointOf(name);
  const spellings = [...Object.keys(request.shape).map((field) => [field, field]), ...Object.entries(aliases)];
  return new Map(spellings.map(([spelling, field]) => [spelling!.toLowerCase(), field!]));
});

/**
 * Query parameters under the names of the table, from any case or spelling. Of a repeated one the first is used.
 */
function byParameterName(name: EndpointName, parameters: object): Record<string, unknown> {
  const names = parameterNames(name);
  const fields: Record<string, unknown> = {};
  for (const [parameter, value] of Object.entries(parameters)) {
    const field = names.get(parameter.toLowerCase()) ?? parameter;
    if (!Object.hasOwn(fields, field)) fields[field] = value;
  }
  return fields;
}

/** The first error of each field. */
const onePerField = (errors: readonly FieldError[]): FieldError[] => {
  const first = new Map<string, FieldError>();
  for (const error of errors) if (!first.has(error.path)) first.set(error.path, error);
  return [...first.values()];
};
