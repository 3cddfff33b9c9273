import type { HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions';
import { Problem, problemBody } from '../../shared/problem.ts';
import { jsonResponse } from './json.ts';
import type { Middleware } from './middleware.ts';

/**
 * The defaults of every response. When a handler throws, its caller could wait until the platform gives up, so every
 * error gets an error body here. A response without Cache-Control becomes private.
 */
export const responseDefaults: Middleware = (next) => async (request, context) => {
  let response: HttpResponseInit;
  try {
    response = await next(request, context);
  } catch (thrown) {
    response = errorResponse(thrown, request, context);
  }
  return { ...response, headers: headersOf(request, response.headers as Record<string, string>) };
};

/** Seconds after which a caller may try again while something that the app needs is not available. */
const RETRY_SECONDS = '5';

/** An error that is not a Problem, or the cause of a 503, is logged in full; the caller does not see its text. */
function errorResponse(thrown: unknown, request: HttpRequest, context: InvocationContext): HttpResponseInit {
  const problem =
    thrown instanceof Problem ? thrown : new Problem('INTERNAL', 'Something went wrong here.', { cause: thrown });
  if (problem.status === 500 || problem.status === 503) context.error(problem.cause ?? problem);
  const body = JSON.stringify(problemBody(problem, new URL(request.url).pathname));
  const headers = problem.status === 503 ? { 'Retry-After': RETRY_SECONDS, ...problem.headers } : problem.headers;
  return jsonResponse(body, { status: problem.status, headers });
}

/** Whether the caller uses HTTPS, to the app or to a proxy in front of it. */
const isSecure = ({ url, headers }: HttpRequest): boolean =>
  url.startsWith('https:') || headers.get('X-Forwarded-Proto')?.split(',')[0]?.trim() === 'https';

function headersOf(request: HttpRequest, headers: Record<string, string> = {}): Record<string, string> {
  const isPublic = headers['Cache-Control']?.startsWith('public') === true;
  return {
    'X-Content-Type-Options': 'nosniff',
    // A cache must not return a stored private response to another credential.
    ...(isPublic ? {} : { 'Cache-Control': 'no-store', Vary: 'ApiKey, Username' }),
    ...(isSecure(request) ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    ...headers,
  };
}
