import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { listen } from '../listen.ts';

export type ReceivedRequest = {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
};
/** A response, and the milliseconds to wait before it. */
type Reply = { status?: number; headers?: Record<string, string>; body?: string | Buffer; wait?: number };
/** The reply to every request, one reply after another (the last one repeats), or a function. */
export type Script = Reply | Reply[] | ((received: ReceivedRequest, index: number) => Reply | Promise<Reply>);

export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>;

/** A real HTTP server that responds by a script. */
export async function startScriptedService() {
  let received: ReceivedRequest[] = [];
  let script: Script = {};
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    // Its caller is gone.
    if (body === undefined) return;
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const { method = '', headers, rawHeaders } = request;
    const one = { method, path, query, headers, rawHeaders, body };
    const index = received.push(one) - 1;
    const reply =
      typeof script === 'function'
        ? await script(one, index)
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
    /** Begins a script, and removes the requests received so far. */
    play(next: Script) {
      received = [];
      script = next;
    },
    close: async () => close(),
  };
}

/** The body of a request; undefined when the connection ended before it. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  let body = '';
  try {
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    return body;
  } catch {
    return undefined;
  }
}
