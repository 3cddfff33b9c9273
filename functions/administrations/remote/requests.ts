import * as z from 'zod/mini';
import { type EndpointName, endpointOf } from '../../../shared/api.ts';
import type { Credential } from '../../../shared/client/client.ts';
import { isRepeatable } from '../../../shared/retry.ts';
import { encode } from '../../../shared/wire/encode.ts';
import { parseJson } from '../../../shared/wire/json.ts';
import { responseLimits } from './responseLimits.ts';
import type { OutgoingRequest } from './transport.ts';

/** The only path of the interface without a slash at its end. */
const WITHOUT_SLASH: EndpointName = 'listprojectmaterialbooking';

/** Fields for which the interface has no default. We have one, and always send it, so that pages are consistent. */
const OUR_DEFAULTS = new Set(['Sorting']);

/** A request in the form of the interface, with only the supplied fields. */
export function writeRequest(name: EndpointName, request: object, credential: Credential): OutgoingRequest {
  const { method, path, request: schema } = endpointOf(name);
  const json = encode(schema, withoutDefaults(schema, request) as z.output<typeof schema>);
  const isRead = method === 'GET';
  return {
    method,
    path: `${path}${name === WITHOUT_SLASH ? '' : '/'}${isRead ? queryText(name, json) : ''}`,
    headers: {
      ApiKey: credential.apiKey,
      Username: credential.username,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'Accept-Encoding': 'gzip, br',
    },
    ...(isRead ? {} : { body: json }),
    mayBeRepeated: isRepeatable(name, request),
    maxBytes: responseLimits(name, request).bytes,
  };
}

/** Leaves out fields that have their default value. */
function withoutDefaults(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodMiniOptional) return withoutDefaults(schema.def.innerType, value);
  if (schema instanceof z.ZodMiniPipe) return withoutDefaults(schema.def.out, value);
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    return value.map((item) => withoutDefaults(schema.def.element, item));
  }
  if (!(schema instanceof z.ZodMiniObject) || typeof value !== 'object' || value === null) return value;
  const shape = schema.shape as Record<string, z.core.$ZodType>;
  const supplied = Object.entries(value).filter(([field, member]) => {
    const kind = shape[field];
    return OUR_DEFAULTS.has(field) || !(kind instanceof z.ZodMiniDefault) || kind.def.defaultValue !== member;
  });
  return Object.fromEntries(supplied.map(([field, member]) => [field, withoutDefaults(shape[field]!, member)]));
}

/** The parameters of a query, under every spelling the interface has of them. */
function queryText(name: EndpointName, json: string): string {
  const spellings = Object.entries(endpointOf(name).aliases ?? {});
  const parameters = Object.entries(parseJson(json) as object).flatMap(([field, value]) =>
    [field, ...spellings.filter(([, of]) => of === field).map(([alias]) => alias)].map(
      (spelled) => `${encodeURIComponent(spelled)}=${encodeURIComponent(String(value).toWellFormed())}`,
    ),
  );
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}
