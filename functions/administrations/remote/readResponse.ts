import type { z } from 'zod';
import { type EndpointName, endpointOf } from '../../../shared/api.ts';
import { readProblem } from '../../../shared/client/readProblem.ts';
import { Problem } from '../../../shared/problem.ts';
import { readRetryAfter } from '../../../shared/retry.ts';
import { encode } from '../../../shared/wire/encode.ts';
import { parseJson } from '../../../shared/wire/json.ts';
import { headerOf } from './decode.ts';
import type { Failure } from './failure.ts';
import type { IncomingResponse } from './transport.ts';

/** What a response says: an answer as the endpoint's schema has it, or a failure. */
export type Result = { kind: 'answer'; answer: unknown } | Failure;

/**
 * Reads a response as services really send them.
 * @param text the body, unpacked and decoded
 * @param now milliseconds since 1970, for a Retry-After that is a date
 */
export function readResponse(
  name: EndpointName,
  { status, headers }: IncomingResponse,
  text: string,
  now: number,
): Result {
  if (status >= 200 && status < 300) return readSuccess(name, text);
  const retryAfter = readRetryAfter(headerOf(headers, 'retry-after'), now);
  const problem = readProblem(status, text, null);
  const mayMeanRateLimit = status === 401 || status === 403;
  if (status === 429 || (mayMeanRateLimit && rateLimitWords.test(problem.message))) {
    return { kind: 'rate limited', retryAfter };
  }
  if (status === 401) {
    return { kind: 'refused', problem: new Problem('UNAUTHORIZED', 'Invalid authentication credentials') };
  }
  if ((status >= 400 && status < 500) || (status === 501 && problem.code === 'NOT_IMPLEMENTED')) {
    return { kind: 'refused', problem };
  }
  if (status < 400) {
    return { kind: 'unknown', reason: `it points elsewhere (status ${status})`, timedOut: false, isLasting: true };
  }
  const reason = `it answered ${status}${problem.message === `The service answered ${status}.` ? '' : `, ${problem.message.replace(/\.$/, '')}`}`;
  return { kind: 'unknown', reason, timedOut: status === 504, retryAfter };
}

function readSuccess(name: EndpointName, text: string): Result {
  const { response: schema, repeat } = endpointOf(name);
  const isRead = repeat === 'safe';
  let value: unknown;
  try {
    value = text.trim() === '' ? undefined : parseJson(text);
  } catch {
    const what = text.trimStart().startsWith('<') ? 'a web page' : 'something that is not JSON';
    return { kind: 'unknown', reason: `it answered ${what}`, timedOut: false };
  }
  if (!isRead && isAbsent(value)) {
    const message = 'The service did not carry this out, and gave no reason.';
    return { kind: 'refused', problem: new Problem('NOT_APPLIED', message) };
  }
  if (isErrorBody(value)) {
    const problem = readProblem(400, text, null);
    // Further on in its text they may be a quote of the request.
    const isRateLimit = problem.message.search(rateLimitWords) === 0;
    return isRateLimit ? { kind: 'rate limited' } : { kind: 'refused', problem };
  }
  const result = schema.safeParse(value);
  const answer = result.success || isRead ? result : schema.safeParse(withoutUnreadable(value, result.error));
  if (answer.success) {
    // What cannot be written down again nobody can be told: better to know here, where it can be said of a write.
    if (!isRead) encode(schema, answer.data);
    return { kind: 'answer', answer: answer.data };
  }
  const [issue] = answer.error.issues;
  const reason = `its answer cannot be read: ${issue?.path.join('.')} ${issue?.message}`;
  return { kind: 'unknown', reason, timedOut: false, isLasting: true };
}

/** How services refuse for their rate limit, where the status does not say it. */
const rateLimitWords = /\brate[\s_-]?limit(s|ed|ing)?\b|too many requests/i;

/** Nothing at all, whatever it is wrapped in. */
const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.every(isAbsent)) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);

/** An error under a status of success. */
const isErrorBody = (value: unknown): boolean => {
  const { errorCode, errorMessage } = Object(value);
  return typeof errorMessage === 'string' && (typeof errorCode === 'string' || Object.keys(Object(value)).length <= 2);
};

/**
 * What of the answer to a write can be read: it was carried out, and that is worth more than a complaint about the rest.
 * When nothing can be, the answer as it is: then nothing says that it was carried out.
 */
function withoutUnreadable(value: unknown, { issues }: z.ZodError): unknown {
  // From the last to the first: what is left of a list keeps its place.
  const left = issues.map(({ path }) => path).reduceRight(without, value);
  return isAbsent(left) ? value : left;
}

/** A value without its member at a path; undefined when it has no members, so that it is unreadable itself. */
function without(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) {
    // An object that stands for a list of one is its element.
    if (typeof step === 'number') return without(value, rest);
    return { ...value, [step]: without(Reflect.get(value, step), rest) };
  }
  // A list of one that stands for an object is that.
  if (typeof step !== 'number') return without(value[0], [step, ...rest]);
  const left = without(value[step], rest);
  return value.toSpliced(step, 1, ...(left === undefined ? [] : [left]));
}
