import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Invoked, Loaded, Message, Specialisation } from './worker.ts';

/** A request to a function. */
export type HostRequest = {
  name: string;
  method: string;
  url: string;
  headers?: Record<string, string>;
  /** The named parts of the route. */
  params?: Record<string, string>;
  /** A text is sent with its length; a list as that many chunks, without a length. */
  body?: string | readonly string[];
};

export type FunctionsHost = Awaited<ReturnType<typeof startFunctionsHost>>;

/** Starts a worker process. @param folder left out: a placeholder, which waits for its app */
const forked = (
  folder: string | undefined,
  settings: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): ChildProcess =>
  fork(path.resolve(import.meta.dirname, 'worker.ts'), folder === undefined ? [] : [folder], {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { PATH: process.env.PATH, ...settings },
    execArgv: [...nodeOptions],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });

/**
 * A stand-in for the Functions host, with one worker.
 * @param folder the app, as it is deployed
 * @param settings its whole environment
 */
export const startFunctionsHost = (
  folder: string,
  settings: Readonly<Record<string, string>>,
  { nodeOptions = [] }: { nodeOptions?: readonly string[] } = {},
) => hostOf(forked(folder, settings, nodeOptions));

/** A worker that has started before it has an app: the platform keeps some ready for apps that are asked for. */
export async function startPlaceholder() {
  const worker = forked(undefined, {});
  await once(worker, 'message');
  return {
    specialise(folder: string, settings: Readonly<Record<string, string>>) {
      const host = hostOf(worker);
      worker.send({ kind: 'specialise', folder, settings } satisfies Specialisation);
      return host;
    },
  };
}

/** The host of a worker that loads its app. */
async function hostOf(worker: ChildProcess) {
  const exit = once(worker, 'exit');
  let printed = '';
  for (const stream of [worker.stdout!, worker.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const [loaded] = (await once(worker, 'message')) as [Loaded];
  // The host, too, uses a connection for many requests, of whichever callers.
  const agent = new Agent({ keepAlive: true });
  exit.then(() => agent.destroy());
  const waiting = new Map<string, (invoked: Invoked) => void>();
  worker.on('message', (invoked: Invoked) => waiting.get(invoked.id)?.(invoked));

  function invoked(message: Exclude<Message, { kind: 'terminate' }>): Promise<Invoked> {
    return new Promise((resolve, reject) => {
      waiting.set(message.id, resolve);
      exit.then(() => reject(new Error(`The worker ended:\n${printed}`)));
      worker.send(message);
    });
  }

  return {
    ...loaded,
    pid: worker.pid!,
    /** The output of the worker so far. */
    printed: (): string => printed,
    async request({ name, method, url, headers = {}, params = {}, body }: HostRequest) {
      const id = randomUUID();
      const { host, protocol, pathname, search } = new URL(url);
      const all = { ...headers, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) };
      const { hostname, port } = new URL(loaded.httpUri!);
      const length: Record<string, string> =
        typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
      const sent = httpRequest({
        hostname,
        port,
        method,
        path: pathname + search,
        agent,
        headers: { ...all, ...length, 'x-ms-invocation-id': id },
      });
      const [{ failure, logged }, response] = await Promise.all([
        invoked({ kind: 'http', id, name, headers: { ...all, ...length }, params }).then((one) => {
          // There will be no response.
          if (one.failure !== undefined) sent.destroy(new Error(`${name} threw: ${one.failure}`));
          return one;
        }),
        (async () => {
          for (const chunk of typeof body === 'string' ? [body] : (body ?? [])) sent.write(chunk);
          sent.end();
          const [received] = (await once(sent, 'response')) as [IncomingMessage];
          return { status: received.statusCode, headers: received.headers, bytes: await buffer(received) };
        })(),
      ]);
      if (failure !== undefined) throw new Error(failure);
      return { ...response, body: response.bytes.toString('utf8'), logged };
    },
    /** Sends a function a message of its queue, or calls a timer. @returns the logged lines @throws when it failed */
    async trigger(name: string, data: unknown): Promise<string[]> {
      const { failure, logged } = await invoked({ kind: 'trigger', id: randomUUID(), name, data });
      if (failure !== undefined) throw new Error(failure);
      return logged;
    },
    /** Stops the app as the platform does. @returns the duration in milliseconds */
    async terminate(): Promise<number> {
      const start = performance.now();
      worker.send({ kind: 'terminate' } satisfies Message);
      await exit;
      return performance.now() - start;
    },
    async kill(): Promise<void> {
      if (worker.exitCode !== null) return;
      worker.kill('SIGKILL');
      await exit;
    },
  };
}
