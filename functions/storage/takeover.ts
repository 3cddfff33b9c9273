import type { Queue } from './queue.ts';

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
