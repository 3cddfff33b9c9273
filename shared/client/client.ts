import type * as z from 'zod/mini';
import { type EndpointName, endpointNames, endpointOf, type ResponseOf } from '../api.ts';
import { Problem } from '../problem.ts';
import { parseJson, stringifyJson } from '../wire/json.ts';
import type { Language } from '../wire/language.ts';
import { readProblem } from './readProblem.ts';

/** A user name and an API key: the two headers of the interface. */
export type Credential = { apiKey: string; username: string };

/** A request as a caller writes it: any wire form of each field. */
export type RequestInput<Name extends EndpointName> = Partial<
  Record<keyof typeof import('../api.ts').endpoints[Name]['request']['shape'], unknown>
>;

export type Client = {
  [Name in EndpointName]: (request: RequestInput<Name>, signal?: AbortSignal) => Promise<ResponseOf<Name>>;
};

/** There was no response, or it broke off: the network or the service failed. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** Sends requests: the platform's `fetch`, or a compatible function. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The interface as functions, one per endpoint of the table.
 * They throw a Problem for every refusal, with its code and fields, and for a response that does not match the
 * interface.
 * @param base address of the service, without `/rest`
 */
export function createClient(base: string, credential: Credential, fetch: Fetch): Client {
  const call = (name: EndpointName, request: object, signal?: AbortSignal): Promise<unknown> => {
    const { method, path, response } = endpointOf(name);
    const isRead = method === 'GET';
    const question = {
      method,
      target: `${path}${isRead ? queryText(request) : ''}`,
      ...(isRead ? {} : { body: request }),
    };
    return ask({ base, credential, fetch }, { ...question, signal }, response);
  };
  return Object.fromEntries(
    endpointNames.map((name) => [name, (request: object, signal?: AbortSignal) => call(name, request, signal)]),
  ) as unknown as Client;
}

/** A service with the credential to use. */
export type Service = {
  base: string;
  credential: Credential;
  fetch: Fetch;
  /** Of what it has for people; left out: that of the program. */
  language?: Language;
};

export type Question = {
  method: string;
  /** Path and query, relative to the base. */
  target: string;
  /** Sent as JSON. */
  body?: object;
  /** Sent as they are; `headers` say what they are. */
  bytes?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
};

/**
 * Sends a request in the form of the interface, and reads the response.
 * @throws Problem for every refusal, and REMOTE_FAILED for a response that does not match the schema
 */
export async function ask<Schema extends z.ZodMiniType>(
  service: Service,
  question: Question,
  schema: Schema,
): Promise<z.output<Schema>> {
  const response = await send(service, question);
  return readResponse(schema, await received(response.text()));
}

/**
 * Sends a request and waits for the headers of its response.
 * @throws Problem for every refusal
 */
export async function send(
  { base, credential, fetch, language }: Service,
  { method, target, body, bytes, headers = {}, signal }: Question,
): Promise<Response> {
  const { apiKey, username } = credential;
  const response = await fetch(`${base.replace(/(?<!\/)\/+$/, '')}${target}`, {
    method,
    headers: {
      ApiKey: apiKey,
      Username: username,
      'Content-Type': 'application/json',
      traceparent: newTraceparent(),
      ...(language === undefined ? {} : { 'Accept-Language': language }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: stringifyJson(body) }),
    ...(bytes === undefined ? {} : { body: bytes }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) return response;
  throw readProblem(response.status, await received(response.text()), response.headers.get('Retry-After'));
}

/** The body of a response, which is being read. @throws Unreachable when it breaks off */
export const received = <Body>(body: Promise<Body>): Promise<Body> =>
  body.catch((cause: unknown) => {
    throw cause instanceof TypeError ? new Unreachable(cause.message, { cause }) : cause;
  });

/** Begins a trace (W3C Trace Context): the app, and the service behind it, log the request under this identifier. */
function newTraceparent(): string {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0'));
  return `00-${digits.slice(0, 16).join('')}-${digits.slice(16).join('')}-01`;
}

/** The value of a JSON text. @throws Problem REMOTE_FAILED when it does not match the schema */
export function readResponse<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> {
  let value: unknown;
  try {
    value = text.trim() === '' ? undefined : parseJson(text);
  } catch (cause) {
    throw new Problem('REMOTE_FAILED', 'The service answered something that is not JSON.', { cause });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Problem(
    'REMOTE_FAILED',
    `The service's answer cannot be read: ${issue?.path.join('.')} ${issue?.message}.`,
  );
}

function queryText(request: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
