import type { HttpFunction } from './definition.ts';

export type HttpHandler = HttpFunction['handler'];

/**
 * What happens before and after a handler. It is called once for each function, when the app is put together.
 * @param next the handler, or the next middleware
 * @param definition the function that it belongs to
 * @returns the handler to call instead
 */
export type Middleware = (next: HttpHandler, definition: HttpFunction) => HttpHandler;

/** Functions with middleware around their handlers. @param chain in the order in which a request passes through it */
export const withMiddleware = (functions: readonly HttpFunction[], ...chain: Middleware[]): HttpFunction[] =>
  functions.map((one) => ({
    ...one,
    handler: chain.reduceRight((next, middleware) => middleware(next, one), one.handler),
  }));
