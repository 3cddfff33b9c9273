import type * as AzureFunctions from '@azure/functions';

/*
 * Traces, metrics and logs, as far as somebody collects them. Until `startTelemetry` has loaded what makes them, and when
 * nobody asked for them, none of this does anything.
 */

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanOptions = {
  kind: 'server' | 'client' | 'consumer' | 'internal';
  attributes?: Attributes;
  /** The W3C traceparent of who asked for the work; left out: the span that is under way. */
  parent?: string | undefined;
  /** The traceparents of work that led to this one. */
  links?: readonly string[];
};

export type Span = {
  set(attributes: Attributes): void;
  /** By which others, elsewhere, continue the trace; undefined when there is none. */
  readonly traceparent: string | undefined;
};

/** What traces, metrics and logs go through. */
export type Instruments = {
  inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** The traceparent of the span that is under way. */
  traceparent(): string | undefined;
  /** Adds to a counter. */
  add(name: string, value: number, attributes?: Attributes): void;
  /** Adds to a number that may go up and down. */
  addUpDown(name: string, value: number, attributes?: Attributes): void;
  /** Records one of many values, of which the distribution counts. */
  record(name: string, value: number, unit: string, attributes?: Attributes): void;
  /** Records what something is now. */
  set(name: string, value: number, unit: string, attributes?: Attributes): void;
  /** @param line the same as text, if it is in the log of the functions as well */
  log(message: string, attributes: Attributes, line: string): void;
  /** Has traces of the platform continued, and what functions log sent, while they run in the Functions worker. */
  instrument(functions: typeof AzureFunctions): Promise<void>;
  /** Sends what is not sent yet, and ends. */
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

/** Whether traces, metrics and logs are asked for. */
export const isTelemetryOn = (): boolean => loading !== undefined;

/** Resolves once telemetry, where it is asked for, is loaded. */
export const telemetryReady = (): Promise<void> | undefined => loading;

/**
 * Loads what makes traces, metrics and logs, when a setting asks for them: a collector's address, by the names that
 * OpenTelemetry gives its settings, or Application Insights, to which the platform sends what is logged.
 * @param version of the app
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
 * Instruments the functions of a Functions worker, when telemetry is loaded. Called before the worker states what it is
 * capable of: the host then leaves it to the app to send what it logs.
 */
export async function instrumentFunctions(functions: typeof AzureFunctions): Promise<void> {
  await loading;
  try {
    await instruments.instrument(functions);
  } catch (failure) {
    // Such as on a host that is too old. The app runs without.
    console.error(`The functions could not be instrumented: ${failure}`);
  }
}

/** Sends what was collected and not sent yet. */
export async function stopTelemetry(): Promise<void> {
  await loading;
  await instruments.stop();
  instruments = none;
  loading = undefined;
}

/** Does work in a span of its own. Attributes are names and numbers: never a key, a body or what a person is called. */
export const inSpan: Instruments['inSpan'] = (name, options, work) => instruments.inSpan(name, options, work);

export const currentTraceparent: Instruments['traceparent'] = () => instruments.traceparent();

/** The metrics of the app, each under the name by which a collector knows it. */
export const metrics = {
  /** Milliseconds that a request to a remote service waited for the rate limiter. */
  remoteWait: (milliseconds: number) => instruments.record('ledgerline.remote.wait', milliseconds, 'ms'),
  /** A request was sent to a remote service. */
  remoteRequest: (endpoint: string, outcome: string) =>
    instruments.add('ledgerline.remote.requests', 1, { endpoint, outcome }),
  /** Rows of pushes were given an outcome. */
  pushRows: (outcome: string, rows: number) => instruments.add('ledgerline.push.rows', rows, { outcome }),
  /** So many more rows of pushes wait, or fewer. */
  pushRowsWaiting: (rows: number) => instruments.addUpDown('ledgerline.push.rows.waiting', rows),
  exportDuration: (seconds: number) => instruments.record('ledgerline.export.duration', seconds, 's'),
  exportLateness: (administration: string, seconds: number) =>
    instruments.set('ledgerline.export.lateness', seconds, 's', { administration }),
  mail: (outcome: string) => instruments.add('ledgerline.mail', 1, { outcome }),
  mailWaiting: (mails: number) => instruments.set('ledgerline.mail.waiting', mails, '{mail}'),
};

/** Logs a line with its attributes beside the traces. */
export const logRecord: Instruments['log'] = (message, attributes, line) => instruments.log(message, attributes, line);
