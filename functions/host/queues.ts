import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueFunction } from '../http/definition.ts';
import { poisonOf, type QueueMessage, sent } from '../storage/queue.ts';
import type { Storage } from '../storage/storage.ts';
import { type Log, newContext } from './context.ts';

const { queues: options } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../host.json'), 'utf8'))
  .extensions as {
  queues: { batchSize: number; maxDequeueCount: number; maxPollingInterval: string; visibilityTimeout: string };
};

/** Seconds for which a received message is hidden; renewed after a third of it. */
const VISIBILITY_SECONDS = 30;
/** Seconds until a message that failed is tried again. */
const RETRY_DELAY_SECONDS = secondsOf(options.visibilityTimeout);
const MIN_POLL_MS = 50;
const MAX_POLL_MS = secondsOf(options.maxPollingInterval) * 1000;

function secondsOf(span: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = span.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}

/**
 * Calls functions with the messages of their queues, as Azure does: decodes base64, parses JSON, delivers again when
 * the function throws, and moves a message to the poison queue after `maxDequeueCount` times.
 * @returns a function that stops it and waits for running functions
 */
export function pollQueues(functions: readonly QueueFunction[], storage: Storage, log: Log): () => Promise<void> {
  const stopping = new AbortController();
  const polls = functions.map((one) => poll(one, storage, log, stopping.signal));
  return async () => {
    stopping.abort();
    await Promise.all(polls);
  };
}

async function poll(one: QueueFunction, storage: Storage, log: Log, signal: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>();
  let delay = MIN_POLL_MS;
  let waiting = new AbortController();
  const wake = () => waiting.abort();
  sent.on(one.queue, wake);
  while (!signal.aborted) {
    // A message that comes from here on is found by this poll, or ends the wait for the next one.
    waiting = new AbortController();
    try {
      const free = options.batchSize - running.size;
      const messages = free > 0 ? await storage.queue(one.queue).receive(free, VISIBILITY_SECONDS) : [];
      for (const message of messages) {
        const work = handle(one, message, storage, log)
          .catch((failure) => log(`${one.name}: a message could not be put back or away: ${failure}`))
          .finally(() => running.delete(work));
        running.add(work);
      }
      delay = messages.length > 0 ? MIN_POLL_MS : Math.min(delay * 1.5, MAX_POLL_MS);
    } catch (failure) {
      log(`${one.name}: its queue cannot be read: ${failure instanceof Error ? failure.message : failure}`);
      delay = MAX_POLL_MS;
    }
    await sleep(delay, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }).catch(() => {});
  }
  sent.off(one.queue, wake);
  await Promise.all(running);
}

async function handle(one: QueueFunction, message: QueueMessage, storage: Storage, log: Log): Promise<void> {
  let renewal: Promise<unknown> = Promise.resolve();
  const renewing = setInterval(
    () => {
      renewal = message.hide(VISIBILITY_SECONDS).catch(() => {});
    },
    (VISIBILITY_SECONDS * 1000) / 3,
  );
  let failure: unknown;
  try {
    await one.handler(contentOf(message.text), newContext(one.name, log));
  } catch (thrown) {
    failure = thrown ?? new Error('nothing');
  } finally {
    clearInterval(renewing);
    await renewal;
  }
  if (failure !== undefined) {
    log(`${one.name} failed: ${failure instanceof Error ? failure.stack : failure}`);
    if (message.dequeueCount < options.maxDequeueCount) return void (await message.hide(RETRY_DELAY_SECONDS));
    await storage.queue(poisonOf(one.queue)).sendText(message.text);
  }
  await message.remove();
}

function contentOf(text: string): unknown {
  const content = Buffer.from(text, 'base64').toString('utf8');
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
