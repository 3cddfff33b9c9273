import type * as AzureFunctions from '@azure/functions';

/*
 * Traces, metrics and logs. Nothing here does anything until `startTelemetry` has loaded OpenTelemetry, which it does
 * only when the settings turn telemetry on.
 */

type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanOptions = {
  kind: 'server' | 'client' | 'consumer' | 'internal';
  attributes?: Attributes;
  /** The W3C traceparent of the caller; left out: the active span. */
  parent?: string | undefined;
  /** The traceparents of the work that caused this work. */
  links?: readonly string[];
};

export type Span = {
  set(attributes: Attributes): void;
  /** Another process continues the trace with it; undefined when there is no trace. */
  readonly traceparent: string | undefined;
};

/** The functions that record traces, metrics and logs. */
export type Instruments = {
  inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** The traceparent of the active span. */
  traceparent(): string | undefined;
  /** Adds to a counter. */
  add(name: string, value: number, attributes?: Attributes): void;
  /** Adds to a counter that may go down too. */
  addUpDown(name: string, value: number, attributes?: Attributes): void;
  /** Records a value of a histogram. */
  record(name: string, value: number, unit: string, attributes?: Attributes): void;
  /** Records the present value of a gauge. */
  set(name: string, value: number, unit: string, attributes?: Attributes): void;
  /** @param line the same as text, if it is in the log of the functions as well */
  log(message: string, attributes: Attributes, line: string): void;
  /** Continues traces of the platform, and sends what functions log, in the Functions worker. */
  instrument(functions: typeof AzureFunctions): Promise<void>;
  /** Sends what was not sent yet, and ends. */
  stop(): Promise<void>;
};

const noSpan: Span = { set: () => {}, traceparent: undefined };

const none: Instruments = {
  inSpan: (_name, _options, work) => work(noSpan),
  traceparent: () => undefined,
  add: () => {},
  addUpDown: () => {},
  record: () => {},
  set: () => {},
  log: () => {},
  instrument: async () => {},
  stop: async () => {},
};

let instruments = none;
let loading: Promise<void> | undefined;

/** Whether the settings turn telemetry on. */
export const isTelemetryOn = (): boolean => loading !== undefined;

/** Resolves when telemetry is loaded; undefined when it is off. */
export const telemetryReady = (): Promise<void> | undefined => loading;

/**
 * Loads OpenTelemetry when a setting names a collector or Application Insights. The platform itself sends the log to
 * Application Insights.
 */
export function startTelemetry(env: Readonly<Record<string, string | undefined>>, version: string): void {
  const isExported = Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT);
  if (!isExported && !env.APPLICATIONINSIGHTS_CONNECTION_STRING) return;
  loading = import('./openTelemetry.ts').then(
    ({ openInstruments }) => {
      instruments = openInstruments(version, isExported);
    },
    (failure) => console.error(`Telemetry could not be started: ${failure}`),
  );
}

/**
 * Instruments the functions of a Functions worker, when telemetry is loaded. Called before the worker states its
 * capabilities: the host then leaves it to the app to send what it logs.
 */
export async function instrumentFunctions(functions: typeof AzureFunctions): Promise<void> {
  await loading;
  try {
    await instruments.instrument(functions);
  } catch (failure) {
    // An old host lacks the hooks. The app runs without them.
    console.error(`The functions could not be instrumented: ${failure}`);
  }
}

/** Sends what was not sent yet, and turns telemetry off. */
export async function stopTelemetry(): Promise<void> {
  await loading;
  await instruments.stop();
  instruments = none;
  loading = undefined;
}

/** Does work in a new span. Attributes never contain a key, a body or the name of a person. */
export const inSpan: Instruments['inSpan'] = (name, options, work) => instruments.inSpan(name, options, work);

export const currentTraceparent: Instruments['traceparent'] = () => instruments.traceparent();

/** The metrics of the app, each with its name at the collector. */
export const metrics = {
  /** The milliseconds that a request to a remote service waited for the rate limiter. */
  remoteWait: (milliseconds: number) => instruments.record('ledgerline.remote.wait', milliseconds, 'ms'),
  /** A request was sent to a remote service. */
  remoteRequest: (endpoint: string, outcome: string) =>
    instruments.add('ledgerline.remote.requests', 1, { endpoint, outcome }),
  /** Rows of pushes got their outcome. */
  pushRows: (outcome: string, rows: number) => instruments.add('ledgerline.push.rows', rows, { outcome }),
  /** The change of the number of waiting rows; negative when fewer wait. */
  pushRowsWaiting: (rows: number) => instruments.addUpDown('ledgerline.push.rows.waiting', rows),
  exportDuration: (seconds: number) => instruments.record('ledgerline.export.duration', seconds, 's'),
  exportLateness: (administration: string, seconds: number) =>
    instruments.set('ledgerline.export.lateness', seconds, 's', { administration }),
  mail: (outcome: string) => instruments.add('ledgerline.mail', 1, { outcome }),
  mailWaiting: (mails: number) => instruments.set('ledgerline.mail.waiting', mails, '{mail}'),
};

/** Sends a log record with its attributes to the collector. */
export const logRecord: Instruments['log'] = (message, attributes, line) => instruments.log(message, attributes, line);
