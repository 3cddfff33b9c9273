import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { messagesOf } from '../../addin/taskpane/locales/messages.ts';
import { Problem, type ProblemCode, problemBody } from '../../shared/problem.ts';
import { stringifyJson } from '../../shared/wire/json.ts';
import { listen } from '../listen.ts';

/** What happens to a request on its way to the app and back. @returns what the caller receives */
type Disturb = (forward: () => Promise<Response>, response: ServerResponse) => Promise<Response | 'closed'>;

/** A failure between the pane and the app. */
export type Fault = {
  title: string;
  disturb: Disturb;
  /** What the pane says. */
  told: string;
};

const { problems } = messagesOf.en;

const refuse =
  (code: ProblemCode, headers: Record<string, string> = {}): Disturb =>
  async () => {
    const problem = new Problem(code, 'x', { headers });
    return new Response(stringifyJson(problemBody(problem, '/')), {
      status: problem.status,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  };

const offline: Disturb = async (_, response) => {
  response.destroy();
  return 'closed';
};

export const rateLimited = refuse('RATE_LIMIT', { 'Retry-After': '7' });

/** The failures that a pane meets. None of them ends by itself. */
export const faults: readonly Fault[] = [
  { title: 'no network', disturb: offline, told: problems.offline },
  {
    title: 'responses that are lost',
    told: problems.offline,
    async disturb(forward, response) {
      await forward();
      return offline(forward, response);
    },
  },
  {
    title: 'responses that break off',
    told: problems.offline,
    async disturb(forward, response) {
      const whole = await forward();
      const body = Buffer.from(await whole.arrayBuffer());
      response.writeHead(whole.status, { ...headersOf(whole), 'Content-Length': body.length + 1 });
      // The headers have to arrive before the connection ends.
      response.write(body.subarray(0, body.length / 2), () => response.destroy());
      return 'closed';
    },
  },
  {
    title: 'a gateway that waited too long',
    disturb: async () => new Response('', { status: 504 }),
    told: problems.service.REMOTE_TIMEOUT,
  },
  { title: 'a rate limit that does not end', disturb: rateLimited, told: problems.rateLimit('7') },
  { title: 'a key that is refused', disturb: refuse('UNAUTHORIZED'), told: problems.service.UNAUTHORIZED },
  { title: 'an error of the server', disturb: refuse('INTERNAL'), told: problems.service.INTERNAL },
];

/** A server between the pane and the app. */
export type FaultyService = {
  url: string;
  /** The requests since the last `disturb`. */
  requests: number;
  /** Disturbs requests from now on; all are forwarded unchanged where none is given. @param from how many are not */
  disturb: (how?: Disturb, from?: number) => void;
  close: () => void;
};

export async function startFaultyService(app: string): Promise<FaultyService> {
  let disturb: { how: Disturb; from: number } | undefined;
  const server = createServer((request, response) => void answer(request, response));
  const { url, close } = await listen(server);
  const service: FaultyService = {
    url,
    requests: 0,
    disturb(how, from = 0) {
      service.requests = 0;
      disturb = how === undefined ? undefined : { how, from };
    },
    close,
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { host, connection, 'content-length': length, 'transfer-encoding': coding, ...headers } = request.headers;
    const forward = () =>
      fetch(`${app}${request.url}`, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(body.length === 0 ? {} : { body }),
      });
    const isDisturbed = disturb !== undefined && service.requests >= disturb.from;
    service.requests++;
    const result = isDisturbed ? await disturb!.how(forward, response) : await forward();
    if (result === 'closed') return;
    response.writeHead(result.status, headersOf(result));
    response.end(Buffer.from(await result.arrayBuffer()));
  }
  return service;
}

/** The headers that are passed on. No connection is used twice: one that was closed is no failure of the next request. */
const headersOf = ({ headers }: Response): Record<string, string> => ({
  ...Object.fromEntries(
    [...headers].filter(([name]) => !['content-length', 'content-encoding', 'transfer-encoding'].includes(name)),
  ),
  Connection: 'close',
});
