import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import path from 'node:path';

/*
 * A stand-in for Azure's Node worker, as a process. It provides `@azure/functions-core` by `require`, loads the app
 * that its first argument names, or without one waits as a placeholder for its app; it reports the registered functions, invokes them through the app's programming model,
 * and runs the hooks for the end of the app. `functionsHost.ts` sends it messages. Requests and responses go over HTTP,
 * to the address of the programming model (`HttpUri`), as from the host; when a function throws, there is no response.
 */

/** What the worker tells the host of an app. */
export type Loaded = {
  functions: { name: string; route: string; methods: string[]; authLevel: string }[];
  queues: { name: string; queue: string; connection: string }[];
  timers: { name: string; schedule: string; atStart: boolean }[];
  programmingModel: string | undefined;
  /** The address for requests; undefined when the app has not turned streams on. */
  httpUri: string | undefined;
  /** Whether the app sends what it logs to a collector by itself. */
  sendsLogs: boolean;
  /** Why its entry failed. */
  failure: string | undefined;
};

/** Makes a placeholder the worker of an app. */
export type Specialisation = { kind: 'specialise'; folder: string; settings: Readonly<Record<string, string>> };

export type Message =
  /** The request itself comes over HTTP, with the same id. */
  | { kind: 'http'; id: string; name: string; headers: Record<string, string>; params: Record<string, string> }
  /** A message of a queue, or the data of a timer. */
  | { kind: 'trigger'; id: string; name: string; data: unknown }
  /** Runs the hooks for the end of the app, then ends the process. */
  | { kind: 'terminate' };

export type Invoked = { id: string; failure: string | undefined; logged: string[] };

type Binding = {
  type: string;
  direction: string;
  route?: string;
  methods?: string[];
  authLevel?: string;
  queueName?: string;
  connection?: string;
  schedule?: string;
  runOnStartup?: boolean;
};
type Metadata = { name: string; bindings: Record<string, Binding> };
type Model = {
  name: string;
  getCapabilities(capabilities: object): Promise<{ HttpUri?: string; WorkerOpenTelemetryEnabled?: string }>;
  getInvocationModel(context: object): {
    getArguments(): Promise<{ context: unknown; inputs: unknown[] }>;
    invokeFunction(context: unknown, inputs: unknown[], handler: unknown): Promise<unknown>;
    getResponse(context: unknown, result: unknown): Promise<unknown>;
  };
};

const registered = new Map<string, { metadata: Metadata; handler: unknown }>();
const hooks: Record<string, ((context: object) => unknown)[]> = {};
let model: Model | undefined;

const hooksOf = (name: string) => hooks[name] ?? [];
const hookData = { hookData: {}, appHookData: {} };

const core = {
  version: '3.12.0',
  hostVersion: '4.1000.0',
  registerFunction(metadata: Metadata, handler: unknown) {
    registered.set(metadata.name, { metadata, handler });
    return { dispose: () => registered.delete(metadata.name) };
  },
  setProgrammingModel(registered: Model) {
    model = registered;
  },
  getProgrammingModel: () => model,
  registerHook(name: string, callback: (context: object) => unknown) {
    hooks[name] = [...hooksOf(name), callback];
    return { dispose() {} };
  },
  log() {},
};

const prototype = Module.prototype as unknown as { require: (id: string) => unknown };
const original = prototype.require;
prototype.require = function (id) {
  return id === '@azure/functions-core' ? core : original.call(this, id);
};

async function load(folder: string): Promise<Loaded> {
  let failure: string | undefined;
  let httpUri: string | undefined;
  let sendsLogs = false;
  try {
    const { main } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    createRequire(path.join(folder, 'package.json'))(path.join(folder, main));
    for (const hook of hooksOf('appStart')) await hook({ ...hookData, functionAppDirectory: folder });
    const capabilities = await model?.getCapabilities({});
    httpUri = capabilities?.HttpUri;
    sendsLogs = capabilities?.WorkerOpenTelemetryEnabled === 'true';
  } catch (thrown) {
    console.error(thrown);
    // The worker tells the host of it only when a function is registered; otherwise the app has no functions.
    if (registered.size > 0) failure = String(thrown);
  }
  const triggeredBy = (type: string) =>
    [...registered.values()].flatMap(({ metadata: { name, bindings } }) =>
      Object.values(bindings)
        .filter((binding) => binding.type === type)
        .map((binding) => ({ ...binding, name })),
    );
  const functions = triggeredBy('httpTrigger').map(({ name, route = '', methods = [], authLevel = '' }) => ({
    name,
    route,
    methods,
    authLevel,
  }));
  const queues = triggeredBy('queueTrigger').map(({ name, queueName = '', connection = '' }) => ({
    name,
    queue: queueName,
    connection,
  }));
  const timers = triggeredBy('timerTrigger').map(({ name, schedule = '', runOnStartup = false }) => ({
    name,
    schedule,
    atStart: runOnStartup,
  }));
  return { functions, queues, timers, programmingModel: model?.name, httpUri, sendsLogs, failure };
}

async function invoke(message: Exclude<Message, { kind: 'terminate' }>): Promise<Invoked> {
  const { id, name } = message;
  const { metadata, handler } = registered.get(name)!;
  const [trigger] = Object.entries(metadata.bindings).find(([, { direction }]) => direction === 'in')!;
  const logged: string[] = [];
  const data =
    message.kind === 'http'
      ? {
          // The host sends the headers and the parts of the route here, and the request over HTTP.
          inputData: [{ name: trigger, data: {} }],
          triggerMetadata: {
            Headers: { json: JSON.stringify(message.headers) },
            ...Object.fromEntries(Object.entries(message.params).map(([part, value]) => [part, { string: value }])),
          },
        }
      : { inputData: [{ name: trigger, data: { json: JSON.stringify(message.data) } }], triggerMetadata: {} };
  const invocation = model!.getInvocationModel({
    invocationId: id,
    metadata,
    request: { invocationId: id, ...data, traceContext: { traceParent: spanIn(message), traceState: '' } },
    log(level: string, category: string, line: string) {
      for (const hook of hooksOf('log')) hook({ ...hookData, level, category, message: line });
      if (category === 'user') logged.push(line);
    },
  });
  try {
    const { context, inputs } = await invocation.getArguments();
    const before = { ...hookData, invocationContext: context, functionCallback: handler, inputs };
    for (const hook of hooksOf('preInvocation')) await hook(before);
    const result = await invocation.invokeFunction(context, before.inputs, before.functionCallback);
    await invocation.getResponse(context, result);
    return { id, failure: undefined, logged };
  } catch (thrown) {
    return { id, failure: String(thrown), logged };
  }
}

/** A span of the host for an invocation: in the trace of the caller, if there is one. */
function spanIn(message: Exclude<Message, { kind: 'terminate' }>): string {
  const caller = message.kind === 'http' ? message.headers.traceparent : undefined;
  const trace = caller?.split('-')[1] ?? randomBytes(16).toString('hex');
  return `00-${trace}-${randomBytes(8).toString('hex')}-01`;
}

process.on('message', async (message: Message | Specialisation) => {
  if (message.kind === 'specialise') {
    Object.assign(process.env, message.settings);
    return void process.send!(await load(message.folder));
  }
  if (message.kind !== 'terminate') return void process.send!(await invoke(message));
  for (const hook of hooksOf('appTerminate')) await hook(hookData);
  process.exit(0);
});
const folder = process.argv[2];
process.send!(folder === undefined ? 'placeholder' : await load(folder));
