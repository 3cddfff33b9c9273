import { hash } from 'node:crypto';
import { type EndpointName, endpointNames } from '../../../shared/api.ts';
import type { Credential } from '../../../shared/client.ts';
import type { FieldError } from '../../../shared/fieldErrors.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Product } from '../../../shared/resources/product.ts';
import { isRepeatable } from '../../../shared/retry.ts';
import {
  type Administration,
  type Administrations,
  LONGEST_WAIT,
  type ProductWriter,
  type Waiting,
  type WriteOutcome,
} from '../administration.ts';
import { readReply, type Said } from './answers.ts';
import { type BreakerOptions, createBreaker, DEFAULT_BREAKER, type Pass, type Verdict } from './breaker.ts';
import { type Clock, systemClock } from './clock.ts';
import { textOf } from './decode.ts';
import { afterFailure, writeOutcome } from './outcome.ts';
import { createPacer, HeldBack, type Wish } from './pacer.ts';
import { writeRequest } from './requests.ts';
import { createTransport, type Delivery, type Transport } from './transport.ts';
import { createSharing, type TurnRecord } from './turnBook.ts';

/** Where the service is, and how it is to be treated. */
export type RemoteSettings = {
  url: string;
  /** Requests of one credential; 0 is without limit. */
  perSecond: number;
  perMinute: number;
  /** Milliseconds an attempt may take, and a caller waits for its turn. */
  timeout: number;
  /** Writes of a push that may be under way at a time. */
  atATime: number;
};

export type RemoteOptions = {
  /** Where the instances of the app write down whose turn is when; left out: each has a pace of its own. */
  turns?: TurnRecord;
  clock?: Clock;
  /** From 0 up to 1. */
  random?: () => number;
  transport?: Transport;
  breaker?: BreakerOptions;
  log?: (line: string) => void;
};

/** Bytes of an answer at the most, packed or unpacked: what Azure lets through. */
export const MOST_ANSWER = 100 * 1024 * 1024;

/** The administrations of a service elsewhere that speaks the interface. */
export function remoteAdministrations(settings: RemoteSettings, options: RemoteOptions = {}): Administrations {
  const { clock = systemClock, random = Math.random, log = console.warn } = options;
  const { url, timeout } = settings;
  const transport = options.transport ?? createTransport({ url, timeout, mostBytes: MOST_ANSWER });
  const sharing = options.turns && createSharing(options.turns, clock, log);
  const pacer = createPacer(settings, clock, sharing);
  let closed = false;
  const breaker = createBreaker(options.breaker ?? DEFAULT_BREAKER, clock, log);

  /**
   * One attempt, once it has its turn.
   * @param onSending what is to be done before the first byte leaves
   * @throws HeldBack when it was not made
   */
  async function attempt(
    name: EndpointName,
    request: object,
    credential: Credential,
    wish: Wish,
    onSending?: () => Promise<void>,
  ): Promise<Said> {
    // Nobody waits for a turn that will not be used, nor gets ready for it.
    checkService();
    const turn = await pacer.turn(keyOf(credential), wish);
    checkService();
    // Written only now: who waits for a turn holds little.
    const message = writeRequest(name, request, credential);
    await onSending?.();
    await turn.depart();
    const pass = entered();
    let said: Said | undefined;
    try {
      said = await readDelivery(name, await transport.send(message));
      return said;
    } finally {
      pass(verdictOn(said));
    }
  }

  /** A request, for as many attempts as make sense. */
  async function call(name: EndpointName, request: object, credential: Credential, waiting: Waiting): Promise<unknown> {
    const { priority = 'interactive', patience = timeout, signal } = waiting;
    const until = clock.now() + patience;
    let unknownBefore = false;
    /** What is told when no further attempt is made. */
    let problem: Problem | undefined;
    for (let number = 1; ; number++) {
      let said: Said;
      try {
        said = await attempt(name, request, credential, { priority, patience: until - clock.now(), signal });
      } catch (refusal) {
        throw problem ?? refusal;
      }
      if (said.kind === 'answer') return said.answer;
      const next = afterFailure(name, request, said, { number, unknownBefore, random: random() });
      problem = withoutKey(next.problem, credential);
      if (next.hold !== undefined) pacer.hold(keyOf(credential), next.hold);
      if (next.after === undefined || clock.now() + next.after > until || closed) throw problem;
      unknownBefore ||= said.kind === 'unknown';
      // A hold needs no pause: the next turn comes after it.
      if (next.hold === undefined && !(await paused(next.after, signal))) throw problem;
    }
  }

  /** Sends writes one by one, each once: whoever keeps account of them decides what is sent again. */
  function writerFor(credential: Credential): ProductWriter {
    /** How many in a row were put off by the service. */
    let putOff = 0;
    const writeOne: (...given: Parameters<ProductWriter['write']>) => Promise<WriteOutcome> = async (
      [write],
      onSending,
      signal,
    ) => {
      const { name, request } = write!;
      const wish = {
        priority: 'background',
        patience: Number.POSITIVE_INFINITY,
        sitsOut: LONGEST_WAIT,
        signal,
      } as const;
      let said: Said;
      try {
        said = await attempt(name, request, credential, wish, onSending);
      } catch (reason) {
        if (!(reason instanceof HeldBack)) throw reason;
        return { kind: 'deferred', problem: reason, after: reason.after };
      }
      if (said.kind === 'answer') {
        putOff = 0;
        return { kind: 'applied', product: productIn(said.answer) };
      }
      const { hold, ...outcome } = writeOutcome(write!, said, { number: putOff + 1, random: random() });
      putOff = outcome.kind === 'deferred' ? putOff + 1 : 0;
      if (hold !== undefined) pacer.hold(keyOf(credential), hold);
      return { ...outcome, problem: withoutKey(outcome.problem, credential) };
    };
    return {
      together: 1,
      atATime: settings.atATime,
      hasPace: settings.perSecond > 0 || settings.perMinute > 0,
      isRepeatable: ({ name, request }) => isRepeatable(name, request),
      write: async (...given) => [await writeOne(...given)],
    };
  }

  /** @throws HeldBack while the service is left alone */
  function checkService(): void {
    if (breaker.pause() > 0) throw leftAlone(breaker.pause());
  }

  /** Leave to make an attempt. @throws HeldBack while the service is left alone */
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
      checkSendable(credential);
      return Object.fromEntries(
        endpointNames.map((name) => [name, (request: object) => call(name, request, credential, waiting)]),
      ) as unknown as Administration;
    },
    async writer(credential) {
      checkSendable(credential);
      return writerFor(credential);
    },
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

/** Never throws: what became of a request that was sent is always told, were it that it is unknown. */
async function readDelivery(name: EndpointName, delivery: Delivery): Promise<Said> {
  if (delivery.kind === 'not sent') return delivery;
  if (delivery.kind === 'lost') return { ...delivery, kind: 'unknown' };
  let text: string;
  try {
    text = await textOf(delivery.reply, MOST_ANSWER);
  } catch {
    return { kind: 'unknown', reason: 'its answer cannot be unpacked', timedOut: false };
  }
  try {
    return readReply(name, delivery.reply, text, Date.now());
  } catch {
    // Lists within lists, deeper than anybody can follow.
    return { kind: 'unknown', reason: 'its answer cannot be read', timedOut: false, lasting: true };
  }
}

const leftAlone = (pause: number): HeldBack =>
  new HeldBack('REMOTE_FAILED', 'The service failed several times in a row and is left alone for a moment.', pause);

/** A refusal is the work of a service that works. */
const verdictOn = (said: Said | undefined): Verdict => {
  if (said === undefined) return 'given up';
  const isFailure = said.kind === 'not sent' || (said.kind === 'unknown' && !said.lasting);
  return isFailure ? 'failed' : 'succeeded';
};

/** What a credential is known by here: never the key itself. */
const keyOf = ({ apiKey, username }: Credential): string => hash('sha256', `${username}\n${apiKey}`, 'base64url');

/** @throws Problem UNAUTHORIZED for what does not fit in a header */
function checkSendable({ apiKey, username }: Credential): void {
  for (const value of [apiKey, username]) {
    if (!/^[\t\x20-\x7e\x80-\xff]+$/.test(value)) {
      throw new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
    }
  }
}

/** The product in the answer to a write: alone, or in a list of one. */
const productIn = (answer: unknown): Product => (Array.isArray(answer) ? answer[0] : answer) as Product;

/** A service may say the key it refuses. */
function withoutKey(problem: Problem, { apiKey }: Credential): Problem {
  const clean = (text: string) => text.replaceAll(apiKey, '***');
  const cleaned = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return value.map(cleaned);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(member)]));
  };
  return new Problem(problem.code, clean(problem.message), {
    errors: cleaned(problem.errors) as FieldError[],
    headers: problem.headers,
  });
}
