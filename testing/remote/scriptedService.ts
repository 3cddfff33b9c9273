import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen } from '../listen.ts';

/** A request as it arrived. */
export type ReceivedRequest = {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
};
/** What is to be answered; `wait` milliseconds before it. */
type Reply = { status?: number; headers?: Record<string, string>; body?: string | Buffer; wait?: number };
/** A reply for each request, or one after the other; the last one goes on. */
export type Script = Reply | Reply[] | ((received: ReceivedRequest, index: number) => Reply);

export type ScriptedService = {
  url: string;
  received: ReceivedRequest[];
  /** Forgets what was heard and begins a script. */
  play(script: Script): void;
  close(): Promise<void>;
};

/** A real HTTP server that answers what it is told to. */
export async function startScriptedService(): Promise<ScriptedService> {
  let received: ReceivedRequest[] = [];
  let script: Script = {};
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const { method = '', headers, rawHeaders } = request;
    const one = { method, path, query, headers, rawHeaders, body };
    const index = received.push(one) - 1;
    const reply =
      typeof script === 'function'
        ? script(one, index)
        : Array.isArray(script)
          ? script[Math.min(index, script.length - 1)]!
          : script;
    if (reply.wait !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.wait));
    response.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers });
    response.end(reply.body ?? '');
  });
  const { url, close } = await listen(server);
  return {
    url,
    get received() {
      return received;
    },
    play(next) {
      received = [];
      script = next;
    },
    close: async () => close(),
  };
}
