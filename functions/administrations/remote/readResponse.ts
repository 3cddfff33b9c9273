import * as z from 'zod/mini';
import { type EndpointName, endpointNames, endpointOf } from '../../../shared/api.ts';
import { readProblem } from '../../../shared/client/readProblem.ts';
import { Problem } from '../../../shared/problem.ts';
import { readRetryAfter } from '../../../shared/retry.ts';
import { encode, transcodeList } from '../../../shared/wire/encode.ts';
import { parseJsonInSteps, TooManyValues } from '../../../shared/wire/json.ts';
import { headerOf } from './decode.ts';
import type { Failure } from './failure.ts';
import type { ResponseLimits } from './responseLimits.ts';
import type { IncomingResponse } from './transport.ts';

/** The result of a response: the value of the endpoint's schema, encoded if it is a list that was read; or a failure. */
export type Result = { kind: 'response'; response: unknown } | Failure;

/** The most characters of an error that is read: of a longer one the status says enough. */
const MAX_ERROR_LENGTH = 100_000;

/** Characters of a text that is read and encoded in separate steps. */
export const LONG_TEXT = 1_000_000;

const unlimited = { items: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/**
 * Reads a response, with the known deviations of services, in steps if it is long.
 * @param text the body, decompressed and decoded
 * @param now milliseconds since 1970, for a Retry-After that is a date
 * @param limits of a response: a larger one is refused
 */
export function* readResponse(
  name: EndpointName,
  { status, headers }: IncomingResponse,
  text: string,
  now: number,
  limits: Pick<ResponseLimits, 'items' | 'values'> = unlimited,
): Generator<void, Result> {
  if (status >= 200 && status < 300) return yield* readSuccess(name, text, limits);
  const retryAfter = readRetryAfter(headerOf(headers, 'retry-after'), now);
  const problem = readProblem(status, text.length > MAX_ERROR_LENGTH ? '' : text, null);
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
    return {
      kind: 'unknown',
      reason: `it answered with a redirect (status ${status})`,
      timedOut: false,
      isLasting: true,
    };
  }
  const reason = `it answered ${status}${problem.message === `The service answered ${status}.` ? '' : `, ${problem.message.replace(/\.$/, '')}`}`;
  return { kind: 'unknown', reason, timedOut: status === 504, retryAfter };
}

function* readSuccess(
  name: EndpointName,
  text: string,
  limits: Pick<ResponseLimits, 'items' | 'values'>,
): Generator<void, Result> {
  const { response: schema, repeat } = endpointOf(name);
  const isRead = repeat === 'safe';
  let value: unknown;
  try {
    value = text.trim() === '' ? undefined : yield* parseJsonInSteps(text, limits.values);
  } catch (failure) {
    if (failure instanceof TooManyValues) {
      const reason = 'it answered more values than any page has';
      return { kind: 'unknown', reason, timedOut: false, isLasting: true };
    }
    const what = text.trimStart().startsWith('<') ? 'a web page' : 'something that is not JSON';
    return { kind: 'unknown', reason: `it answered ${what}`, timedOut: false };
  }
  if (!isRead && isAbsent(value)) {
    const message = 'The service did not carry this out, and gave no reason.';
    return { kind: 'refused', problem: new Problem('NOT_APPLIED', message) };
  }
  if (isErrorBody(value)) {
    const problem = readProblem(400, text, null);
    // Later in the text they may be a quotation from the request.
    const isRateLimit = problem.message.search(rateLimitWords) === 0;
    return isRateLimit ? { kind: 'rate limited' } : { kind: 'refused', problem };
  }
  if (hasNoField(value)) {
    const reason = 'its answer has no field of the interface';
    return { kind: 'unknown', reason, timedOut: false, isLasting: true };
  }
  if (isRead && Array.isArray(value) && value.length > limits.items) {
    const reason = `it answered ${value.length} items instead of at most ${limits.items}`;
    return { kind: 'unknown', reason, timedOut: false, isLasting: true };
  }
  if (text.length > LONG_TEXT) yield;
  const list = isRead ? transcodeList(schema, value) : undefined;
  if (list !== undefined) return { kind: 'response', response: list };
  const result = schema.safeParse(value);
  const read = result.success || isRead ? result : schema.safeParse(withoutUnreadable(value, result.error));
  if (read.success) {
    // A value that cannot be encoded again could not be returned. Found here, it is an outcome of the write.
    if (!isRead) encode(schema, read.data);
    return { kind: 'response', response: read.data };
  }
  const [issue] = read.error.issues;
  const reason = `its answer cannot be read: ${issue?.path.join('.')} ${issue?.message}`;
  return { kind: 'unknown', reason, timedOut: false, isLasting: true };
}

/** Messages of rate limit refusals that have another status than 429. */
const rateLimitWords = /\brate[\s_-]?limit(s|ed|ing)?\b|too many requests/i;

/** An empty body, list or object. */
const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.every(isAbsent)) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);

/** An error with a status of success, also in a list. */
const isErrorBody = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0 && value.every(isErrorBody);
  const { errorCode, errorMessage } = Object(value);
  return typeof errorMessage === 'string' && (typeof errorCode === 'string' || Object.keys(Object(value)).length <= 2);
};

/**
 * Whether a value consists of objects without any field that the interface documents for a response, such as a refusal in
 * another form, or a list within an object. Nothing of it can be read: it shows neither an empty row nor that a write was
 * applied.
 */
function hasNoField(value: unknown): boolean {
  const elements = Array.isArray(value) ? value : [value];
  const isOther = (one: unknown) =>
    typeof one === 'object' && !Array.isArray(one) && !Object.keys(Object(one)).some((name) => fieldNames.has(name));
  return !isAbsent(value) && elements.every(isOther);
}

const fieldsOf = (schema: z.core.$ZodType): string[] => {
  if (schema instanceof z.ZodMiniPipe) return fieldsOf(schema.def.out);
  if (schema instanceof z.ZodMiniArray) return fieldsOf(schema.def.element);
  return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
};

/** The fields of every response: of which one a service answers is found out afterwards. */
const fieldNames = new Set(endpointNames.flatMap((name) => fieldsOf(endpointOf(name).response)));

/**
 * The readable part of the response to a write: it was applied, so unreadable members are left out instead of reported.
 * When nothing is readable, the whole response is returned: it does not show that the write was applied.
 */
function withoutUnreadable(value: unknown, { issues }: z.core.$ZodError): unknown {
  // From the last to the first, since removal changes the positions of later members.
  const left = issues.map(({ path }) => path).reduceRight(without, value);
  return isAbsent(left) ? value : left;
}

/** A value without its member at a path; undefined when the value itself is unreadable. */
function without(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) {
    // An object instead of a list is its only element.
    if (typeof step === 'number') return without(value, rest);
    return { ...value, [step]: without(Reflect.get(value, step), rest) };
  }
  // A list of one element instead of an object is that element.
  if (typeof step !== 'number') return without(value[0], [step, ...rest]);
  const left = without(value[step], rest);
  return value.toSpliced(step, 1, ...(left === undefined ? [] : [left]));
}
