import { errorsText, type FieldError, type FieldErrorCode, type FieldErrorParams, fieldError } from './fieldErrors.ts';
import { cut } from './wire/describeValue.ts';

/** The errors of the interface: stable code -> HTTP status and title. */
export const problemKinds = {
  INVALID_REQUEST: { status: 400, title: 'The request was refused' },
  INVALID_JSON: { status: 400, title: 'The body is not JSON' },
  NOT_APPLIED: { status: 400, title: 'The service behind this one did not carry it out' },
  UNAUTHORIZED: { status: 401, title: 'Not authenticated' },
  FORBIDDEN: { status: 403, title: 'Not allowed' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  CONFLICT: { status: 409, title: 'It contradicts what came before' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Unsupported media type' },
  RATE_LIMIT: { status: 429, title: 'Too many requests' },
  INTERNAL: { status: 500, title: 'Something went wrong here' },
  NOT_IMPLEMENTED: { status: 501, title: 'Not available yet' },
  REMOTE_FAILED: { status: 502, title: 'The service behind this one failed' },
  OUTCOME_UNKNOWN: { status: 502, title: 'It is unknown whether this was carried out' },
  UNAVAILABLE: { status: 503, title: 'Not available at the moment' },
  REMOTE_TIMEOUT: { status: 504, title: 'The service behind this one did not answer in time' },
} as const;

export type ProblemCode = keyof typeof problemKinds;

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
    return problemKinds[this.code].status;
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
      title: problemKinds[problem.code].title,
      status: problem.status,
      detail: message,
      instance: cut(instance, MAX_MESSAGE),
    };
    if (count === 0 || new TextEncoder().encode(JSON.stringify(body)).length <= MAX_BODY) return body;
  }
}
