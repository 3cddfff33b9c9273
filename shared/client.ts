import type { z } from 'zod';
import { type AnswerOf, type EndpointName, endpointNames, endpointOf } from './api.ts';
import { type FieldError, Problem, type ProblemCode, problemKinds } from './problem.ts';
import { parseJson, stringifyJson } from './wire/json.ts';

/** Who asks: the two headers of the interface. */
export type Credential = { apiKey: string; username: string };

/** A request as a caller writes it: any wire form of each field. */
export type RequestInput<Name extends EndpointName> = Partial<
  Record<keyof typeof import('./api.ts').endpoints[Name]['request']['shape'], unknown>
>;

export type Client = {
  [Name in EndpointName]: (request: RequestInput<Name>, signal?: AbortSignal) => Promise<AnswerOf<Name>>;
};

/** What a client sends over: the platform's `fetch`, or anything like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The interface as functions, one per endpoint of the table.
 * They throw a Problem for every refusal, with its code and fields, and for an answer that is not the interface's.
 * @param base address of the service, without `/rest`
 */
export function createClient(base: string, credential: Credential, fetch: Fetch): Client {
  const call = async (name: EndpointName, request: object, signal?: AbortSignal): Promise<unknown> => {
    const { method, path, response: schema } = endpointOf(name);
    const query = method === 'GET' ? queryText(request) : '';
    const response = await fetch(`${base.replace(/\/+$/, '')}${path}${query}`, {
      method,
      headers: { ApiKey: credential.apiKey, Username: credential.username, 'Content-Type': 'application/json' },
      ...(method === 'GET' ? {} : { body: stringifyJson(request) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    if (!response.ok) throw problemFrom(response, text);
    return readAnswer(schema, text);
  };
  return Object.fromEntries(
    endpointNames.map((name) => [name, (request: object, signal?: AbortSignal) => call(name, request, signal)]),
  ) as unknown as Client;
}

/** The answer in a body. @throws Problem REMOTE_FAILED when it is not what the endpoint answers */
function readAnswer<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
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

/** The refusal in a body: the interface's own error body, or what can be made of another one. */
function problemFrom(response: Response, text: string): Problem {
  let body: { errorCode?: unknown; errorMessage?: unknown; errors?: unknown } = {};
  try {
    body = Object(parseJson(text));
  } catch {
    // Not ours: a proxy's page, say. The status tells what can be told.
  }
  const message =
    typeof body.errorMessage === 'string' ? body.errorMessage : `The service answered ${response.status}.`;
  const errors = Array.isArray(body.errors) ? body.errors.filter(isFieldError) : [];
  const retryAfter = response.headers.get('Retry-After');
  return new Problem(codeOf(body.errorCode, response.status), message, {
    errors,
    ...(retryAfter === null ? {} : { headers: { 'Retry-After': retryAfter } }),
  });
}

const isFieldError = (error: unknown): error is FieldError => {
  const { path, message } = Object(error);
  return typeof path === 'string' && typeof message === 'string';
};

function codeOf(errorCode: unknown, status: number): ProblemCode {
  const codes = Object.keys(problemKinds) as ProblemCode[];
  return (
    codes.find((code) => code === errorCode) ??
    codes.find((code) => problemKinds[code].status === status) ??
    (status < 500 ? 'INVALID_REQUEST' : 'REMOTE_FAILED')
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
