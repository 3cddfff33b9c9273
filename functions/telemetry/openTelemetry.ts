import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Instruments, SpanOptions } from './telemetry.ts';

/* Loaded only when the settings turn telemetry on: loading it takes long. */

const kinds: Record<SpanOptions['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/**
 * Traces, metrics and logs by OpenTelemetry. Its own settings name the collector.
 * @param isExported whether there is a collector; without one, spans only provide identifiers and nothing is sent
 */
export function openInstruments(version: string, isExported: boolean): Instruments {
  const { OTEL_SERVICE_NAME = 'ledgerline', OTEL_METRIC_EXPORT_INTERVAL } = process.env;
  const resource = resourceFromAttributes({ 'service.name': OTEL_SERVICE_NAME, 'service.version': version });
  const interval = Number(OTEL_METRIC_EXPORT_INTERVAL) || 60_000;
  const tracers = new TracerProvider({
    resource,
    spanProcessors: isExported ? [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })] : [],
  });
  const meters = new MeterProvider({
    resource,
    readers: isExported
      ? [
          new PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter(),
            exportIntervalMillis: interval,
            exportTimeoutMillis: Math.min(interval, 30_000),
          }),
        ]
      : [],
  });
  const loggers = new LoggerProvider({
    resource,
    processors: isExported ? [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })] : [],
  });
  const tracer = tracers.getTracer('ledgerline', version);
  const meter = meters.getMeter('ledgerline', version);
  const logger = loggers.getLogger('ledgerline', version);
  const active = new AsyncLocalStorage<Context>();
  const activeContext = () => active.getStore() ?? ROOT_CONTEXT;
  const counter = madeOnce((name) => meter.createCounter(name));
  const upDownCounter = madeOnce((name) => meter.createUpDownCounter(name));
  const histogram = madeOnce((name, unit) => meter.createHistogram(name, { unit }));
  const gauge = madeOnce((name, unit) => meter.createGauge(name, { unit }));

  return {
    async inSpan(name, { kind, attributes = {}, parent, links = [] }, work) {
      const remote = parent === undefined ? undefined : spanContextOf(parent);
      const context = remote === undefined ? activeContext() : trace.setSpanContext(ROOT_CONTEXT, remote);
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes,
          links: links.flatMap((link) => {
            const linked = spanContextOf(link);
            return linked === undefined ? [] : { context: linked };
          }),
        },
        context,
      );
      try {
        const set = (more: typeof attributes) => void span.setAttributes(more);
        const traceparent = traceparentOf(span.spanContext());
        return await active.run(trace.setSpan(context, span), () => work({ set, traceparent }));
      } catch (failure) {
        // The message may contain what somebody typed: only the type of the error is recorded.
        const errorType = failure instanceof Error ? failure.name : 'unknown';
        span.setAttributes({ 'error.type': errorType }).setStatus({ code: SpanStatusCode.ERROR });
        throw failure;
      } finally {
        span.end();
      }
    },
    traceparent() {
      const span = trace.getSpanContext(activeContext());
      return span === undefined ? undefined : traceparentOf(span);
    },
    add: (name, value, attributes) => counter(name).add(value, attributes),
    addUpDown: (name, value, attributes) => upDownCounter(name).add(value, attributes),
    record: (name, value, unit, attributes) => histogram(name, unit).record(value, attributes),
    set: (name, value, unit, attributes) => gauge(name, unit).record(value, attributes),
    log: (body, attributes) => logger.emit({ body, attributes, context: activeContext() }),
    async stop() {
      // The app also ends when the collector cannot be reached.
      await Promise.allSettled([tracers.shutdown(), meters.shutdown(), loggers.shutdown()]);
    },
  };
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

/** The span in a W3C traceparent; undefined when it is not a valid one. */
function spanContextOf(traceparent: string): SpanContext | undefined {
  const match = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/.exec(traceparent);
  if (match === null) return undefined;
  const [, traceId, spanId, flags] = match as unknown as [string, string, string, string];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

function madeOnce<Made>(make: (name: string, unit: string) => Made): (name: string, unit?: string) => Made {
  const made = new Map<string, Made>();
  return (name, unit = '') => {
    const one = made.get(name) ?? make(name, unit);
    made.set(name, one);
    return one;
  };
}
