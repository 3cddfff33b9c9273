import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DequeuedMessageItem, QueueClient } from '@azure/storage-queue';
import type { QueueFunction } from '../http/definition.ts';
import { answered, enqueued, poisonOf, type Storage } from '../storage/storage.ts';
import { type Log, newContext } from './context.ts';

const { queues: options } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../host.json'), 'utf8'))
  .extensions as {
  queues: { batchSize: number; maxDequeueCount: number; maxPollingInterval: string; visibilityTimeout: string };
};

/** Seconds a message is held while it is worked on; renewed at a third of it. */
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
 * Hands the messages of queues to their functions, as Azure does: base64, one that looks like JSON parsed, again when the
 * function throws, and into the poison queue after `maxDequeueCount` times.
 * @returns what stops it, once the functions that run have ended
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
  enqueued.on(one.queue, wake);
  while (!signal.aborted) {
    // Whatever comes from here on is seen by this poll, or ends the wait for the next.
    waiting = new AbortController();
    try {
      const queue = await storage.queue(one.queue);
      const free = options.batchSize - running.size;
      const { receivedMessageItems } =
        free > 0
          ? await queue.receiveMessages({ numberOfMessages: free, visibilityTimeout: VISIBILITY_SECONDS })
          : { receivedMessageItems: [] };
      for (const item of receivedMessageItems) {
        const work = handle(one, queue, item, storage, log)
          .catch((failure) => log(`${one.name}: a message could not be put back or away: ${failure}`))
          .finally(() => running.delete(work));
        running.add(work);
      }
      delay = receivedMessageItems.length > 0 ? MIN_POLL_MS : Math.min(delay * 1.5, MAX_POLL_MS);
    } catch (failure) {
      log(`${one.name}: its queue cannot be read: ${failure instanceof Error ? failure.message : failure}`);
      delay = MAX_POLL_MS;
    }
    await sleep(delay, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }).catch(() => {});
  }
  enqueued.off(one.queue, wake);
  await Promise.all(running);
}

async function handle(
  one: QueueFunction,
  queue: QueueClient,
  item: DequeuedMessageItem,
  storage: Storage,
  log: Log,
): Promise<void> {
  let receipt = item.popReceipt;
  const hold = async (seconds: number) => {
    const held = await queue.updateMessage(item.messageId, receipt, item.messageText, seconds);
    receipt = held.popReceipt ?? receipt;
  };
  let renewal = Promise.resolve();
  const renewing = setInterval(
    () => {
      renewal = hold(VISIBILITY_SECONDS).catch(() => {});
    },
    (VISIBILITY_SECONDS * 1000) / 3,
  );
  let failure: unknown;
  try {
    await one.handler(contentOf(item.messageText), newContext(one.name, log));
  } catch (thrown) {
    failure = thrown ?? new Error('nothing');
  } finally {
    clearInterval(renewing);
    await renewal;
  }
  try {
    if (failure !== undefined) {
      log(`${one.name} failed: ${failure instanceof Error ? failure.stack : failure}`);
      if (item.dequeueCount < options.maxDequeueCount) return await hold(RETRY_DELAY_SECONDS);
      await (await storage.queue(poisonOf(one.queue))).sendMessage(item.messageText);
    }
    await queue.deleteMessage(item.messageId, receipt);
  } catch (gone) {
    // Somebody else has it by now: it was held too long.
    if (!answered(gone, 404, 400)) throw gone;
  }
}

function contentOf(text: string): unknown {
  const content = Buffer.from(text, 'base64').toString('utf8');
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
