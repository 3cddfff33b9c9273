import type { HttpRequest } from '@azure/functions';
import { type EndpointName, endpointNames, endpointOf, MEGABYTE, maxBodyOf } from '../../shared/api.ts';
import { type OwnOperation, openApiDocument } from '../../shared/openapi.ts';
import { Problem } from '../../shared/problem.ts';
import { readRequest } from '../../shared/readRequest.ts';
import { EncodedList, encode } from '../../shared/wire/encode.ts';
import type { Administration, Administrations } from '../administrations/administration.ts';
import { credentialOf } from '../http/credential.ts';
import { everyMethod, type HttpFunction } from '../http/definition.ts';
import { bytesOfList, jsonResponse, readJsonBody } from '../http/json.ts';
import { refuseLongTexts } from './textsBesideFiles.ts';

/**
 * The eleven endpoints as functions, and a response for every other path under /rest.
 * @param administrations opened when the first request needs them
 */
export const restFunctions = (administrations: () => Promise<Administrations>): HttpFunction[] => [
  ...endpointNames.map((name) => endpointFunction(name, administrations)),
  {
    // Named to come after every endpoint: functions are tried in alphabetical order.
    name: 'withoutEndpoint',
    methods: everyMethod,
    route: 'rest/{*path}',
    async handler(request) {
      throw withoutEndpoint(request);
    },
  },
];

/**
 * The document that describes the interface and the paths beside it, itself included.
 * @param others functions with paths of their own
 */
export function openApiFunction(version: string, others: readonly HttpFunction[]): HttpFunction {
  const itself: OwnOperation = {
    path: '/rest/openapi.json',
    method: 'GET',
    summary: 'This document',
    isPublic: true,
    response: { 'application/json': { type: 'object' } },
  };
  let text: string | undefined;
  return {
    name: 'openapi',
    methods: ['GET'],
    route: 'rest/openapi.json',
    described: () => [itself],
    async handler() {
      const beside = others.flatMap(({ described }) => described?.() ?? []);
      text ??= JSON.stringify(openApiDocument(version, [...beside, itself]));
      return jsonResponse(text);
    },
  };
}

function endpointFunction(name: EndpointName, administrations: () => Promise<Administrations>): HttpFunction {
  const { method, path, response, repeat } = endpointOf(name);
  const options = { writes: repeat !== 'safe' };
  return {
    name,
    methods: [method],
    route: path.slice(1),
    async handler(request) {
      const administration = await (await administrations()).open(credentialOf(request), options);
      const maxBody = maxBodyOf(name);
      const input = method === 'GET' ? firstOfEach(request.query) : await readJsonBody(request, maxBody);
      if (maxBody > MEGABYTE) refuseLongTexts(input);
      const { request: read, ignored } = readRequest(name, input);
      const result = await call(administration, name, read);
      const isList = result instanceof EncodedList;
      const body = isList ? await bytesOfList(result.elements) : encode(response, result);
      return jsonResponse(body, { headers: { ...ignoredHeader(ignored), ...(isList ? result.headers : {}) } });
    },
  };
}

/** The types of the table pair each request with its response; a handler is looked up by the name of both. */
const call = (administration: Administration, name: EndpointName, request: unknown): Promise<unknown> =>
  (administration[name] as (request: unknown) => Promise<unknown>)(request);

function firstOfEach(query: URLSearchParams): Record<string, string> {
  const first = new Map<string, string>();
  for (const [name, value] of query) if (!first.has(name)) first.set(name, value);
  return Object.fromEntries(first);
}

/** The unknown names in a request, percent-encoded except for brackets, since they may contain any character. */
const ignoredHeader = (names: readonly string[]): Record<string, string> =>
  names.length === 0
    ? {}
    : {
        'Ignored-Fields': names
          .map((name) =>
            encodeURI(name.toWellFormed()).replaceAll(',', '%2C').replaceAll('%5B', '[').replaceAll('%5D', ']'),
          )
          .join(', ')
          .slice(0, 4000),
      };

function withoutEndpoint(request: HttpRequest): Problem {
  const path = new URL(request.url).pathname.replace(/(?<!\/)\/+$/, '').toLowerCase();
  const name = endpointNames.find((candidate) => endpointOf(candidate).path === path);
  const method = path === '/rest/openapi.json' ? 'GET' : name && endpointOf(name).method;
  if (method === undefined) return new Problem('NOT_FOUND', `There is no endpoint at ${path}.`);
  return new Problem('METHOD_NOT_ALLOWED', `Expected ${method} for ${path}, got ${request.method}.`, {
    headers: { Allow: method },
  });
}
