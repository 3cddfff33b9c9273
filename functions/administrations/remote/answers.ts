import { type EndpointName, endpointOf } from '../../../shared/api.ts';
import { Problem } from '../../../shared/problem.ts';
import { readProblem } from '../../../shared/readProblem.ts';
import { parseJson } from '../../../shared/wire/json.ts';
import { headerOf } from './decode.ts';
import type { Failure } from './outcome.ts';
import type { Reply } from './transport.ts';

/** What a reply says: an answer as the endpoint's schema has it, or a failure. */
export type Said = { kind: 'answer'; answer: unknown } | Failure;

/**
 * Reads a reply as services really send them.
 * @param text the body, unpacked and decoded
 * @param now milliseconds since 1970, for a Retry-After that is a date
 */
export function readReply(name: EndpointName, { status, headers }: Reply, text: string, now: number): Said {
  if (status >= 200 && status < 300) return readSuccess(name, text);
  const retryAfter = readRetryAfter(headerOf(headers, 'retry-after'), now);
  const problem = readProblem(status, text, null);
  if (status === 429 || (status < 500 && isRateLimit(problem.message))) return { kind: 'rate limited', retryAfter };
  if (status === 401) {
    return { kind: 'refused', problem: new Problem('UNAUTHORIZED', 'Invalid authentication credentials') };
  }
  if ((status >= 400 && status < 500) || (status === 501 && problem.code === 'NOT_IMPLEMENTED')) {
    return { kind: 'refused', problem };
  }
  if (status < 400) {
    return { kind: 'unknown', reason: `it points elsewhere (status ${status})`, timedOut: false, lasting: true };
  }
  const reason = `it answered ${status}${problem.message === `The service answered ${status}.` ? '' : `, ${problem.message.replace(/\.$/, '')}`}`;
  return { kind: 'unknown', reason, timedOut: status === 504, retryAfter };
}

function readSuccess(name: EndpointName, text: string): Said {
  const { response: schema, repeat } = endpointOf(name);
  const isRead = repeat === 'safe';
  let value: unknown;
  try {
    value = text.trim() === '' ? undefined : parseJson(text);
  } catch {
    const what = text.trimStart().startsWith('<') ? 'a web page' : 'something that is not JSON';
    return { kind: 'unknown', reason: `it answered ${what}`, timedOut: false };
  }
  if (!isRead && isNothing(value)) {
    const message = 'The service did not carry this out, and gave no reason.';
    return { kind: 'refused', problem: new Problem('NOT_APPLIED', message) };
  }
  if (isErrorBody(value)) {
    const problem = readProblem(400, text, null);
    return isRateLimit(problem.message) ? { kind: 'rate limited' } : { kind: 'refused', problem };
  }
  const result = schema.safeParse(value);
  if (result.success) return { kind: 'answer', answer: result.data };
  const [issue] = result.error.issues;
  if (!isRead) {
    // It was carried out: what of the answer can be read is worth more than a complaint about the rest.
    const unreadable = result.error.issues.map(({ path }) => path);
    const readable = schema.safeParse(takeOut(value, unreadable));
    if (readable.success) return { kind: 'answer', answer: readable.data };
  }
  const reason = `its answer cannot be read: ${issue?.path.join('.')} ${issue?.message}`;
  return { kind: 'unknown', reason, timedOut: false, lasting: true };
}

const isRateLimit = (message: string): boolean => /rate[\s_-]*limit|too many requests/i.test(message);

/** Nothing at all, whatever it is wrapped in. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.every(isNothing)) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);

/** An error under a status of success. */
const isErrorBody = (value: unknown): boolean => {
  const { errorCode, errorMessage } = Object(value);
  return typeof errorMessage === 'string' && (typeof errorCode === 'string' || Object.keys(Object(value)).length <= 2);
};

/** Takes members out of a value; where an object stands for a list of one, its index means the object. */
function takeOut(value: unknown, paths: readonly PropertyKey[][]): unknown {
  for (const path of paths) {
    let owner = value as Record<PropertyKey, unknown>;
    for (const step of path.slice(0, -1)) {
      const standsForList = typeof step === 'number' && !Array.isArray(owner);
      if (!standsForList) owner = Object(owner[step]);
    }
    delete owner[path.at(-1) ?? ''];
  }
  return value;
}

/** Milliseconds. */
function readRetryAfter(header: string, now: number): number | undefined {
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
