import { errorsText, type FieldError, type FieldErrorCode, type FieldErrorParams, fieldError } from './fieldErrors.ts';
import { cut } from './wire/describeValue.ts';

/** The errors of the interface: stable code -> HTTP status. */
export const problemStatuses = {
  INVALID_REQUEST: 400,
  INVALID_JSON: 400,
  NOT_APPLIED: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMIT: 429,
  INTERNAL: 500,
  NOT_IMPLEMENTED: 501,
  REMOTE_FAILED: 502,
  OUTCOME_UNKNOWN: 502,
  UNAVAILABLE: 503,
  REMOTE_TIMEOUT: 504,
} as const;

export type ProblemCode = keyof typeof problemStatuses;

/** Apart from the statuses, which the pane loads. */
const titles: Readonly<Record<ProblemCode, string>> = {
  INVALID_REQUEST: 'The request was refused',
  INVALID_JSON: 'The body is not JSON',
  NOT_APPLIED: 'The service behind this one did not carry it out',
  UNAUTHORIZED: 'Not authenticated',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
  METHOD_NOT_ALLOWED: 'Method not allowed',
  CONFLICT: 'It contradicts what came before',
  BODY_TOO_LARGE: 'The body is too large',
  UNSUPPORTED_MEDIA_TYPE: 'Unsupported media type',
  RATE_LIMIT: 'Too many requests',
  INTERNAL: 'Something went wrong here',
  NOT_IMPLEMENTED: 'Not available yet',
  REMOTE_FAILED: 'The service behind this one failed',
  OUTCOME_UNKNOWN: 'It is unknown whether this was carried out',
  UNAVAILABLE: 'Not available at the moment',
  REMOTE_TIMEOUT: 'The service behind this one did not answer in time',
};

/**
 * The error for callers. Any other error that is thrown is unexpected
 * and is reported as INTERNAL, without its text.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    message: string,
    more: { errors?: readonly FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return problemStatuses[this.code];
  }
}

/** A request refused for one field. */
export const refuseField = <Code extends FieldErrorCode>(
  path: string,
  code: Code,
  ...params: FieldErrorParams<Code>
): Problem => refuseFields([fieldError(path, code, ...params)]);

/** Errors of fields that one refusal names. */
export const MAX_ERRORS = 100;

/** A request refused for its fields; the message names the first. @param errors at least one */
export function refuseFields(errors: readonly FieldError[]): Problem {
  const first = errors.slice(0, MAX_ERRORS);
  return new Problem('INVALID_REQUEST', errorsText(first), { errors: first });
}

/** The error body: the members that existing clients read, together with those of RFC 9457. */
type ProblemBody = {
  errorCode: ProblemCode;
  errorMessage: string;
  errors?: readonly FieldError[];
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
};

/** The most bytes of an error body, and the most characters of its message. */
const MAX_BODY = 100_000;
const MAX_MESSAGE = 4000;

/** The error body, with as many of the errors as fit. @param instance the requested path */
export function problemBody(problem: Problem, instance: string): ProblemBody {
  const message = cut(problem.message, MAX_MESSAGE);
  for (let count = Math.min(problem.errors.length, MAX_ERRORS); ; count = count >> 1) {
    const body: ProblemBody = {
      errorCode: problem.code,
      errorMessage: message,
      ...(count > 0 ? { errors: problem.errors.slice(0, count) } : {}),
      type: 'about:blank',
      title: titles[problem.code],
      status: problem.status,
      detail: message,
      instance: cut(instance, MAX_MESSAGE),
    };
    if (count === 0 || new TextEncoder().encode(JSON.stringify(body)).length <= MAX_BODY) return body;
  }
}
