import { createHash } from 'node:crypto';
import { type EndpointName, endpointNames } from '../../../shared/api.ts';
import type { Credential } from '../../../shared/client.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Administration, Administrations, Waiting } from '../administration.ts';
import { readReply, type Said } from './answers.ts';
import { type BreakerRule, createBreaker, type Pass, usualRule, type Verdict } from './breaker.ts';
import { type Clock, systemClock } from './clock.ts';
import { textOf } from './decode.ts';
import { afterFailure } from './outcome.ts';
import { createPacer } from './pacer.ts';
import { writeRequest } from './requests.ts';
import { createTransport, type Delivery, type Transport } from './transport.ts';

/** Where the service is, and how it is to be treated. */
export type RemoteSettings = {
  url: string;
  /** Requests of one credential; 0 is without limit. */
  perSecond: number;
  perMinute: number;
  /** Milliseconds an attempt may take, and a caller waits for its turn. */
  timeout: number;
};

export type RemoteOptions = {
  clock?: Clock;
  /** From 0 up to 1. */
  random?: () => number;
  transport?: Transport;
  breaker?: BreakerRule;
  log?: (line: string) => void;
};

/** Bytes of an answer at the most, packed or unpacked: what Azure lets through. */
export const MOST_ANSWER = 100 * 1024 * 1024;

/** The administrations of a service elsewhere that speaks the interface. */
export function remoteAdministrations(settings: RemoteSettings, options: RemoteOptions = {}): Administrations {
  const { clock = systemClock, random = Math.random, log = console.warn } = options;
  const { url, timeout } = settings;
  const transport = options.transport ?? createTransport({ url, timeout, mostBytes: MOST_ANSWER });
  const pacer = createPacer(settings, clock);
  let closed = false;
  const breaker = createBreaker(options.breaker ?? usualRule, clock, log);

  /** One attempt, once it has its turn and its pass. */
  async function attempt(name: EndpointName, request: object, credential: Credential, pass: Pass): Promise<Said> {
    let said: Said | undefined;
    try {
      // Written only now: who waits for a turn holds little.
      said = await readDelivery(name, await transport.send(writeRequest(name, request, credential)));
      return said;
    } finally {
      pass(verdictOn(said));
    }
  }

  /** A request, for as many attempts as make sense. */
  async function call(name: EndpointName, request: object, credential: Credential, waiting: Waiting): Promise<unknown> {
    const { priority = 'interactive', patience = timeout, signal } = waiting;
    const key = keyOf(credential);
    const until = clock.now() + patience;
    let unknownBefore = false;
    /** What is told when no further attempt is made. */
    let problem: Problem | undefined;
    for (let number = 1; ; number++) {
      let pass: Pass;
      try {
        // Nobody waits for a turn that will not be used.
        if (breaker.pause() > 0) throw leftAlone(breaker.pause());
        await pacer.turn(key, { priority, patience: until - clock.now(), signal });
        pass = entered();
      } catch (refusal) {
        throw problem ?? refusal;
      }
      const said = await attempt(name, request, credential, pass);
      if (said.kind === 'answer') return said.answer;
      const next = afterFailure(name, request, said, { number, unknownBefore, random: random() });
      problem = withoutKey(next.problem, credential);
      if (next.hold !== undefined) pacer.hold(key, next.hold);
      if (next.after === undefined || clock.now() + next.after > until || closed) throw problem;
      unknownBefore ||= said.kind === 'unknown';
      // A hold needs no pause: the next turn comes after it.
      if (next.hold === undefined && !(await paused(next.after, signal))) throw problem;
    }
  }

  /** Leave to make an attempt. @throws Problem while the service is left alone */
  function entered(): Pass {
    const pass = breaker.enter();
    if (pass === undefined) throw leftAlone(breaker.pause());
    return pass;
  }

  /** Whether the pause was sat out. */
  const paused = (milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> =>
    new Promise((resolve) => {
      const stop = () => {
        cancel();
        resolve(false);
      };
      const cancel = clock.after(milliseconds, () => {
        signal?.removeEventListener('abort', stop);
        resolve(true);
      });
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });

  return {
    async open(credential, waiting = {}) {
      if (!isSendable(credential.apiKey) || !isSendable(credential.username)) {
        throw new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
      }
      return Object.fromEntries(
        endpointNames.map((name) => [name, (request: object) => call(name, request, credential, waiting)]),
      ) as unknown as Administration;
    },
    async writer() {
      throw new Problem('NOT_IMPLEMENTED', 'Pushes to a service elsewhere are not available yet.');
    },
    // A service elsewhere remembers no keys.
    forgetWrites: async () => {},
    async health() {
      const { state, consecutiveFailures } = breaker.health();
      return {
        status: state === 'closed' ? 'ok' : 'degraded',
        kind: 'remote',
        service: new URL(url).host,
        breaker: { state, consecutiveFailures },
        waiting: pacer.waiting(),
      };
    },
    async close() {
      closed = true;
      pacer.close();
      await transport.close();
    },
  };
}

async function readDelivery(name: EndpointName, delivery: Delivery): Promise<Said> {
  if (delivery.kind === 'not sent') return delivery;
  if (delivery.kind === 'lost') return { ...delivery, kind: 'unknown' };
  let text: string;
  try {
    text = await textOf(delivery.reply, MOST_ANSWER);
  } catch {
    return { kind: 'unknown', reason: 'its answer cannot be unpacked', timedOut: false };
  }
  return readReply(name, delivery.reply, text, Date.now());
}

const leftAlone = (pause: number): Problem =>
  new Problem('REMOTE_FAILED', 'The service failed several times in a row and is left alone for a moment.', {
    headers: { 'Retry-After': String(Math.ceil(pause / 1000)) },
  });

/** A refusal is the work of a service that works. */
const verdictOn = (said: Said | undefined): Verdict => {
  if (said === undefined) return 'given up';
  const isFailure = said.kind === 'not sent' || (said.kind === 'unknown' && !said.lasting);
  return isFailure ? 'failed' : 'succeeded';
};

/** What a credential is known by here: never the key itself. */
const keyOf = ({ apiKey, username }: Credential): string =>
  createHash('sha256').update(`${username}\n${apiKey}`).digest('base64');

/** What fits in a header. */
const isSendable = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]+$/.test(value);

/** A service may say the key it refuses. */
function withoutKey(problem: Problem, { apiKey }: Credential): Problem {
  const clean = (text: string) => text.replaceAll(apiKey, '***');
  return new Problem(problem.code, clean(problem.message), {
    errors: problem.errors.map(({ path, message }) => ({ path: clean(path), message: clean(message) })),
    headers: problem.headers,
  });
}
