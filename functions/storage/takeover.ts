import { backoffMs, retries } from '../../shared/retry.ts';
import type { Queue } from './queue.ts';
import type { Storage } from './storage.ts';

/** Says that there may be work for an owner, which one worker does at a time. */
export type WorkMessage = {
  owner: string;
  /** How often the work was found with another worker. */
  tries?: number;
  /** For when the worker was killed: see `withTakeover`. */
  takeover?: boolean;
};

/** Reads a message. @throws Error for one without an owner */
export function readWorkMessage(message: unknown, queue: string): WorkMessage {
  const { owner, tries, takeover } = Object(message) as Record<string, unknown>;
  if (typeof owner !== 'string') throw new Error(`Expected an owner in a message of the queue ${queue}.`);
  return { owner, ...(typeof tries === 'number' ? { tries } : {}), takeover: takeover === true };
}

/** Milliseconds between two messages. */
const INTERVAL_MS = 30_000;
/** Seconds until a message is visible: then the lease of a killed worker has run out, and that of a living one has not. */
const DELAY = 45;

/**
 * Does work that another instance is to take over within a minute if this one is killed: meanwhile messages are sent
 * that are not visible yet. One that arrives while the work still goes on, or after it, does no harm.
 * @param message says `takeover`: who works on it sends no other message at once, or one would lead to the next for ever
 */
export async function withTakeover<T>(
  queue: Pick<Queue, 'send'>,
  message: Readonly<Record<string, unknown>>,
  work: () => Promise<T>,
): Promise<T> {
  const send = () =>
    void queue
      .send({ ...message, takeover: true }, DELAY)
      .catch((failure) => console.warn(`Nobody is told to take over: ${failure}`));
  if (message.takeover !== true) send();
  const timer = setInterval(send, INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/**
 * Does the work of a message while holding a lease, which one worker at a time has. If another one has it, the message is
 * sent again later: that worker continues by itself, but it may be about to end, or have crashed.
 * @param work its signal is aborted when the lease is lost, or over
 * @returns what the work returns; undefined if another worker has the lease
 */
export async function withLease<T>(
  { storage, queue }: { storage: Pick<Storage, 'lease'>; queue: Pick<Queue, 'send'> },
  name: string,
  { owner, tries = 0, takeover = false }: WorkMessage,
  over: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const lease = await storage.lease(name);
  if (lease === undefined) {
    const next = tries + 1;
    if (!takeover && next < retries.pushMessage.maxAttempts)
      await queue.send({ owner, tries: next }, backoffMs(next, retries.pushMessage) / 1000);
    return undefined;
  }
  try {
    return await work(AbortSignal.any([lease.lost, over]));
  } finally {
    await lease.release();
  }
}
