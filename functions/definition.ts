import type { HttpMethod, HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions';

/**
 * A function as plain data. Outside a Functions worker `@azure/functions` drops every registration, so folders export
 * these; `main.ts` registers them and `host/` serves them, the same ones.
 */
export type HttpFunction = {
  /** Routes are matched in the alphabetical order of these. */
  name: string;
  methods: HttpMethod[];
  /** Without a leading slash: `rest/listrelations`, `taskpane/{*file}`. */
  route: string;
  handler: (request: HttpRequest, context: InvocationContext) => Promise<HttpResponseInit>;
};

export const everyMethod: HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
