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

/**
 * Fields for which the interface has no default. We have one, and send it, so that pages are consistent, and that nothing
 * is mailed by a service that has another. Each with the field without which it means nothing, if there is one.
 */
const OUR_DEFAULTS = new Map([
  ['Sorting', undefined],
  ['Periodic_AutomaticMailing', 'PeriodicInvoiceTemplate'],
  ['Periodic_SkipWeekends', 'PeriodicInvoiceTemplate'],
  ['BatchMatchMode', 'Product_Batch'],
]);

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

/** Leaves out fields that have their default value, where the interface has the same. */
function withoutDefaults(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodMiniOptional) return withoutDefaults(schema.def.innerType, value);
  if (schema instanceof z.ZodMiniPipe) return withoutDefaults(schema.def.out, value);
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    return value.map((item) => withoutDefaults(schema.def.element, item));
  }
  if (!(schema instanceof z.ZodMiniObject) || typeof value !== 'object' || value === null) return value;
  const shape = schema.shape as Record<string, z.core.$ZodType>;
  const members = value as Readonly<Record<string, unknown>>;
  const isSent = (field: string) => {
    const kind = shape[field];
    if (!(kind instanceof z.ZodMiniDefault) || kind.def.defaultValue !== members[field]) return true;
    const only = OUR_DEFAULTS.get(field);
    return OUR_DEFAULTS.has(field) && (only === undefined || Boolean(members[only]));
  };
  const supplied = Object.entries(members).filter(([field]) => isSent(field));
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
