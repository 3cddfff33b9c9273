import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import type { Invoked, Loaded, Message } from './worker.ts';

/** A request as it reaches the host. */
export type HostRequest = {
  /** Of the function. */
  name: string;
  method: string;
  url: string;
  headers?: Record<string, string>;
  /** The parts of the route that have names. */
  params?: Record<string, string>;
  /** Sent whole with its length; a list is sent in as many chunks, without one. */
  body?: string | readonly string[];
};

type HostResponse = {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  body: string;
  /** What the function logged. */
  logged: string[];
};

export type FunctionsHost = Loaded & {
  pid: number;
  /** What the worker printed so far. */
  printed: () => string;
  request(request: HostRequest): Promise<HostResponse>;
  /** Hands a function a message of its queue, or calls a timer. @returns what it logged @throws Error when it failed */
  trigger(name: string, data: unknown): Promise<string[]>;
  /** Has the app end as the platform does. @returns the milliseconds that took */
  terminate(): Promise<number>;
  /** Ends the worker where it stands. */
  kill(): Promise<void>;
};

/**
 * A stand-in for the Functions host, with one worker.
 * @param folder the app, as it is deployed
 * @param settings its environment; there are no others
 */
export async function startFunctionsHost(
  folder: string,
  settings: Readonly<Record<string, string>>,
  { nodeOptions = [] }: { nodeOptions?: readonly string[] } = {},
): Promise<FunctionsHost> {
  const worker = fork(path.resolve(import.meta.dirname, 'worker.ts'), [folder], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...settings },
    execArgv: [...nodeOptions],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exit = once(worker, 'exit');
  let printed = '';
  for (const stream of [worker.stdout!, worker.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const [loaded] = (await once(worker, 'message')) as [Loaded];
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
    printed: () => printed,
    async request({ name, method, url, headers = {}, params = {}, body }) {
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
        agent: false,
        headers: { ...all, ...length, 'x-ms-invocation-id': id },
      });
      const [{ failure, logged }, answer] = await Promise.all([
        invoked({ kind: 'http', id, name, headers: { ...all, ...length }, params }).then((one) => {
          // Nothing ever comes of it then.
          if (one.failure !== undefined) sent.destroy(new Error(`${name} threw, and its caller waits: ${one.failure}`));
          return one;
        }),
        (async () => {
          for (const chunk of typeof body === 'string' ? [body] : (body ?? [])) sent.write(chunk);
          sent.end();
          const [response] = await once(sent, 'response');
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk);
          return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
        })(),
      ]);
      if (failure !== undefined) throw new Error(failure);
      return { ...answer, body: answer.bytes.toString('utf8'), logged };
    },
    async trigger(name, data) {
      const { failure, logged } = await invoked({ kind: 'trigger', id: randomUUID(), name, data });
      if (failure !== undefined) throw new Error(failure);
      return logged;
    },
    async terminate() {
      const start = performance.now();
      worker.send({ kind: 'terminate' } satisfies Message);
      await exit;
      return performance.now() - start;
    },
    async kill() {
      if (worker.exitCode !== null) return;
      worker.kill('SIGKILL');
      await exit;
    },
  };
}
