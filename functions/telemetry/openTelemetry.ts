import {
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
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
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(propagator);
  /** Lines of the log that are sent with their attributes, and so not once more as text. */
  const sentLines = new Set<string>();
  let isInstrumented = false;
  const counter = madeOnce((name) => meter.createCounter(name));
  const upDownCounter = madeOnce((name) => meter.createUpDownCounter(name));
  const histogram = madeOnce((name, unit) => meter.createHistogram(name, { unit }));
  const gauge = madeOnce((name, unit) => meter.createGauge(name, { unit }));

  return {
    async inSpan(name, { kind, attributes = {}, parent, links = [] }, work) {
      const remote = parent === undefined ? ROOT_CONTEXT : contextOf(parent);
      const outer = trace.getSpanContext(remote) === undefined ? context.active() : remote;
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes,
          links: links.flatMap((link) => {
            const linked = trace.getSpanContext(contextOf(link));
            return linked === undefined ? [] : { context: linked };
          }),
        },
        outer,
      );
      try {
        const set = (more: typeof attributes) => void span.setAttributes(more);
        const inner = trace.setSpan(outer, span);
        return await context.with(inner, () => work({ set, traceparent: traceparentOf(inner) }));
      } catch (failure) {
        // The message may contain what somebody typed: only the type of the error is recorded.
        const errorType = failure instanceof Error ? failure.name : 'unknown';
        span.setAttributes({ 'error.type': errorType }).setStatus({ code: SpanStatusCode.ERROR });
        throw failure;
      } finally {
        span.end();
      }
    },
    traceparent: () => traceparentOf(context.active()),
    add: (name, value, attributes) => counter(name).add(value, attributes),
    addUpDown: (name, value, attributes) => upDownCounter(name).add(value, attributes),
    record: (name, value, unit, attributes) => histogram(name, unit).record(value, attributes),
    set: (name, value, unit, attributes) => gauge(name, unit).record(value, attributes),
    log(body, attributes, line) {
      logger.emit({ body, attributes, context: context.active() });
      if (isInstrumented) sentLines.add(line);
    },
    async instrument(functions) {
      if (!isExported) return;
      const { AzureFunctionsInstrumentationESM } = await import('@azure/functions-opentelemetry-instrumentation');
      isInstrumented = true;
      // The package is bundled, so nothing can be patched when it is loaded: it is handed over instead.
      const instrumentation = new AzureFunctionsInstrumentationESM({ enabled: false });
      instrumentation.setLoggerProvider({
        getLogger(name, version) {
          const ofFunctions = loggers.getLogger(name, version);
          return {
            emit(record) {
              if (!sentLines.delete(String(record.body))) ofFunctions.emit(record);
            },
          };
        },
      });
      instrumentation.registerAzFunc(functions);
    },
    async stop() {
      // The app also ends when the collector cannot be reached.
      await Promise.allSettled([tracers.shutdown(), meters.shutdown(), loggers.shutdown()]);
      context.disable();
      propagation.disable();
    },
  };
}

const propagator = new W3CTraceContextPropagator();

/** The W3C traceparent of the span of a context; undefined when it has none. */
function traceparentOf(one: Context): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagator.inject(one, carrier, defaultTextMapSetter);
  return carrier.traceparent;
}

/** The context that a W3C traceparent names; without a span when it is none. */
const contextOf = (traceparent: string): Context =>
  propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);

function madeOnce<Made>(make: (name: string, unit: string) => Made): (name: string, unit?: string) => Made {
  const made = new Map<string, Made>();
  return (name, unit = '') => {
    const one = made.get(name) ?? make(name, unit);
    made.set(name, one);
    return one;
  };
}
