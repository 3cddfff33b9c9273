import type { HttpMethod, HttpRequest, HttpResponseInit, InvocationContext, Timer } from '@azure/functions';
import type { OwnOperation } from '../../shared/openapi.ts';

/*
 * Functions as plain data. Outside a Functions worker `@azure/functions` drops every registration, so folders export
 * these; `main.ts` registers them and `host/` serves them, the same ones.
 */

export type HttpFunction = {
  /** Routes are matched in the alphabetical order of these. */
  name: string;
  methods: HttpMethod[];
  /** Without a leading slash: `rest/listrelations`, `taskpane/{*file}`. */
  route: string;
  /** How the OpenAPI document describes it. */
  described?: () => OwnOperation[];
  handler: (request: HttpRequest, context: InvocationContext) => Promise<HttpResponseInit>;
};

export type QueueFunction = {
  name: string;
  /** A message that failed too often moves to the queue with this name and `-poison` behind it. */
  queue: string;
  /** May be called more than once for a message. When it throws, the message is delivered again. */
  handler: (message: unknown, context: InvocationContext) => Promise<void>;
};

export type TimerFunction = {
  name: string;
  /** Six fields, seconds first. A platform may skip, delay or repeat a call, so the handler must catch up. */
  schedule: string;
  /** Whether it is also called when the app starts. */
  atStart?: boolean;
  handler: (timer: Timer, context: InvocationContext) => Promise<void>;
};

/** The functions of an app, or of a part of it. */
export type AppFunctions = { http: HttpFunction[]; queues: QueueFunction[]; timers: TimerFunction[] };

export const everyMethod: HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
