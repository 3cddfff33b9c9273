import type { HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions';
import type { HttpFunction, QueueFunction, TimerFunction } from '../http/definition.ts';
import type { HttpHandler, Middleware } from '../http/middleware.ts';
import { withNotes } from './requestNotes.ts';
import { inSpan, isTelemetryOn, logRecord, type Span, telemetryReady } from './telemetry.ts';

/** Gives each request a span and a line in the log, while telemetry is on. */
export const traced: Middleware = (next, definition) => (request, context) =>
  isTelemetryOn() ? inRequestSpan(definition, request, context, next) : next(request, context);

async function inRequestSpan(
  one: HttpFunction,
  request: HttpRequest,
  context: InvocationContext,
  handler: HttpHandler,
): Promise<HttpResponseInit> {
  await telemetryReady();
  // The platform continues the caller's trace with a span of its own.
  const parent = context.traceContext?.traceParent ?? request.headers.get('traceparent') ?? undefined;
  const attributes = {
    'faas.name': one.name,
    'http.request.method': request.method,
    'http.route': `/${one.route}`,
  };
  const name = `${request.method} /${one.route}`;
  return inSpan(name, { kind: 'server', parent, attributes }, (span) =>
    withNotes(async (notes) => {
      const started = performance.now();
      const response = await handler(request, context);
      const { status = 200 } = response;
      span.set({ 'http.response.status_code': status });
      const { administration = '', attempts } = notes;
      if (administration !== '') span.set({ 'ledgerline.administration': administration });
      const duration = Math.round(performance.now() - started);
      logLine(context, span, { endpoint: one.name, administration, status, duration, attempts });
      return response;
    }),
  );
}

/** Gives each call of a queue function a span and a line in the log, while telemetry is on. */
export function tracedQueue(one: QueueFunction): QueueFunction {
  return {
    ...one,
    async handler(message, context) {
      if (!isTelemetryOn()) return one.handler(message, context);
      await telemetryReady();
      const { traceparent } = Object(message) as { traceparent?: unknown };
      const links = typeof traceparent === 'string' ? [traceparent] : [];
      return inBackground(one.name, context, links, () => one.handler(message, context));
    },
  };
}

/** Gives each call of a timer function a span and a line in the log, while telemetry is on. */
export function tracedTimer(one: TimerFunction): TimerFunction {
  return {
    ...one,
    async handler(timer, context) {
      if (!isTelemetryOn()) return one.handler(timer, context);
      await telemetryReady();
      return inBackground(one.name, context, [], () => one.handler(timer, context));
    },
  };
}

const inBackground = (
  name: string,
  context: InvocationContext,
  links: readonly string[],
  work: () => Promise<void>,
): Promise<void> =>
  inSpan(name, { kind: 'consumer', attributes: { 'faas.name': name }, links }, async (span) => {
    const started = performance.now();
    let outcome = 'failed';
    try {
      await work();
      outcome = 'done';
    } finally {
      logLine(context, span, { function: name, outcome, duration: Math.round(performance.now() - started) });
    }
  });

/** Writes one line of JSON to the log of the app, and the same record to the collector. */
function logLine(context: InvocationContext, { traceparent }: Span, what: Record<string, string | number>): void {
  const trace = traceparent?.split('-')[1] ?? '';
  const line = JSON.stringify({ ...what, trace });
  logRecord('endpoint' in what ? 'request' : 'work', what, line);
  context.log(line);
}
