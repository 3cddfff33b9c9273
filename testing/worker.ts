import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import path from 'node:path';

/*
 * A stand-in for Azure's Node worker, in a process of its own: it hands out `@azure/functions-core` by `require`, loads an
 * app by the `main` of its package.json, tells what was registered, and invokes functions through the programming model the
 * app brought along. Started with the app's folder; speaks by messages.
 */

/** What an app registered, or why its entry failed. */
export type Loaded = {
  functions: { name: string; route: string; methods: string[]; authLevel: string }[];
  queues: { name: string; queue: string; connection: string }[];
  timers: { name: string; schedule: string; atStart: boolean }[];
  programmingModel: string | undefined;
  failure: string | undefined;
};
/** An HTTP request as the host hands it to the worker. */
export type Invocation = {
  name: string;
  method: string;
  url: string;
  headers?: Record<string, string>;
  params?: Record<string, string>;
  body?: string;
};
export type Invoked = { status: number; headers: Record<string, string>; body: string; logged: string[] };

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
  getCapabilities(capabilities: object): Promise<object>;
  getInvocationModel(context: object): {
    getArguments(): Promise<{ context: unknown; inputs: unknown[] }>;
    invokeFunction(context: unknown, inputs: unknown[], handler: unknown): Promise<unknown>;
    getResponse(context: unknown, result: unknown): Promise<{ returnValue?: { http: RpcHttp } }>;
  };
};
type RpcHttp = { statusCode: string; headers: Record<string, string>; body?: { bytes?: Uint8Array; string?: string } };

const registered = new Map<string, { metadata: Metadata; handler: unknown }>();
let model: Model | undefined;

const core = {
  version: '3.12.0',
  hostVersion: '4.1000.0',
  registerFunction(metadata: Metadata, handler: unknown) {
    registered.set(metadata.name, { metadata, handler });
    return { dispose: () => registered.delete(metadata.name) };
  },
  setProgrammingModel(given: Model) {
    model = given;
  },
  getProgrammingModel: () => model,
  registerHook: () => ({ dispose() {} }),
  log() {},
};

const prototype = Module.prototype as unknown as { require: (id: string) => unknown };
const original = prototype.require;
prototype.require = function (id) {
  return id === '@azure/functions-core' ? core : original.call(this, id);
};

async function load(folder: string): Promise<Loaded> {
  let failure: string | undefined;
  try {
    const { main } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    createRequire(path.join(folder, 'package.json'))(path.join(folder, main));
    await model?.getCapabilities({});
  } catch (thrown) {
    failure = String(thrown);
  }
  const triggeredBy = (type: string) =>
    [...registered.values()].flatMap(({ metadata: { name, bindings } }) =>
      Object.values(bindings)
        .filter((binding) => binding.type === type)
        .map((trigger) => ({ name, trigger })),
    );
  const functions = triggeredBy('httpTrigger').map(({ name, trigger }) => ({
    name,
    route: trigger.route ?? '',
    methods: trigger.methods ?? [],
    authLevel: trigger.authLevel ?? '',
  }));
  const queues = triggeredBy('queueTrigger').map(({ name, trigger }) => ({
    name,
    queue: trigger.queueName ?? '',
    connection: trigger.connection ?? '',
  }));
  const timers = triggeredBy('timerTrigger').map(({ name, trigger }) => ({
    name,
    schedule: trigger.schedule ?? '',
    atStart: trigger.runOnStartup ?? false,
  }));
  return { functions, queues, timers, programmingModel: model?.name, failure };
}

async function invoke({ name, method, url, headers = {}, params = {}, body }: Invocation): Promise<Invoked> {
  const { metadata, handler } = registered.get(name)!;
  const [trigger] = Object.entries(metadata.bindings).find(([, { direction }]) => direction === 'in')!;
  const logged: string[] = [];
  const http = {
    method,
    url,
    headers,
    params,
    ...(body === undefined ? {} : { body: { bytes: Buffer.from(body) } }),
  };
  const invocation = model!.getInvocationModel({
    invocationId: '1',
    metadata,
    request: { invocationId: '1', inputData: [{ name: trigger, data: { http } }], triggerMetadata: {} },
    log: (_level: string, category: string, message: string) => category === 'user' && logged.push(message),
  });
  const { context, inputs } = await invocation.getArguments();
  const result = await invocation.invokeFunction(context, inputs, handler);
  const { http: response } = (await invocation.getResponse(context, result)).returnValue!;
  const { bytes, string } = response.body ?? {};
  return {
    status: Number(response.statusCode),
    headers: response.headers,
    body: bytes === undefined ? (string ?? '') : Buffer.from(bytes).toString('utf8'),
    logged,
  };
}

process.on('message', async (invocation: Invocation) => {
  process.send!(await invoke(invocation));
});
process.send!(await load(process.argv[2]!));
