import { readFieldError } from '../fieldErrors.ts';
import { Problem, type ProblemCode, problemStatuses } from '../problem.ts';
import { parseJson } from '../wire/json.ts';

/**
 * The refusal in a response: from the interface's error body, or as far as possible from another body.
 * @param retryAfter its header of that name
 */
export function readProblem(status: number, text: string, retryAfter: string | null): Problem {
  let body: { errorCode?: unknown; errorMessage?: unknown; errors?: unknown } = {};
  try {
    // A service may answer a list, as after a success.
    body = Object([parseJson(text)].flat()[0]);
  } catch {
    // Another body, such as a page of a proxy: only the status is used.
  }
  const message = typeof body.errorMessage === 'string' ? body.errorMessage : `The service answered ${status}.`;
  const errors = Array.isArray(body.errors) ? body.errors.flatMap((error) => readFieldError(error) ?? []) : [];
  return new Problem(codeOf(body.errorCode, status), message, {
    errors,
    ...(retryAfter === null ? {} : { headers: { 'Retry-After': retryAfter } }),
  });
}

function codeOf(errorCode: unknown, status: number): ProblemCode {
  const codes = Object.keys(problemStatuses) as ProblemCode[];
  return (
    codes.find((code) => code === errorCode) ??
    // FORBIDDEN says that a key may only read: a page of a proxy with its status does not.
    codes.find((code) => problemStatuses[code] === status && code !== 'FORBIDDEN') ??
    (status < 500 ? 'INVALID_REQUEST' : 'REMOTE_FAILED')
  );
}
