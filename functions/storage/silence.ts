import { type ClientRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

/** Milliseconds that a storage service may be silent: it answers within one or two seconds, or says that it is busy. */
export const SILENCE_MS = 15_000;

/**
 * Options of Azure's clients, more than all their types say: a try of a request ends when the service is silent for too
 * long, as after a failover that drops packets. The clients try again then, as after a reset.
 * @param isSecure whether the service uses HTTPS
 */
export const endingWhenSilent = (isSecure: boolean): object =>
  // With a proxy the clients need an agent of their own.
  proxyVariables.some((name) => process.env[name] || process.env[name.toLowerCase()])
    ? {}
    : { agent: isSecure ? secure : insecure };

const proxyVariables = ['HTTPS_PROXY', 'ALL_PROXY', 'HTTP_PROXY'];

/** All clients use the same connections. One that nobody uses for as long is closed: it may be dead too. */
const options = { keepAlive: true, timeout: SILENCE_MS };
const secure = listening(new HttpsAgent(options));
const insecure = listening(new HttpAgent(options));

function listening<Agent extends HttpAgent>(agent: Agent): Agent {
  const { addRequest } = agent as unknown as AgentParts;
  const listened: AgentParts['addRequest'] = (request, ...rest) => {
    request.once('socket', (socket) => endSilentTry(request, socket));
    addRequest.call(agent, request, ...rest);
  };
  return Object.assign(agent, { addRequest: listened });
}

function endSilentTry(request: ClientRequest, socket: Socket): void {
  let response: IncomingMessage | undefined;
  const end = () => {
    // The service waits for a reader that has enough for now.
    if (response?.isPaused()) return void socket.setTimeout(SILENCE_MS);
    const silent = new Error('The storage account was silent for too long.');
    socket.destroy(Object.assign(silent, { code: 'ETIMEDOUT' }));
  };
  request.once('response', (message) => {
    response = message;
  });
  // One that is used again still has the shorter limit of an unused one, which the service may name.
  socket.setTimeout(SILENCE_MS);
  socket.on('timeout', end);
  request.once('close', () => socket.off('timeout', end));
}

/** What the types of Node leave out. */
type AgentParts = { addRequest(request: ClientRequest, ...rest: unknown[]): void };
