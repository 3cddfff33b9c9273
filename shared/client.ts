import type { z } from 'zod';
import { type AnswerOf, type EndpointName, endpointNames, endpointOf } from './api.ts';
import { Problem } from './problem.ts';
import { readProblem } from './readProblem.ts';
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
    if (!response.ok) throw readProblem(response.status, text, response.headers.get('Retry-After'));
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

function queryText(request: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
