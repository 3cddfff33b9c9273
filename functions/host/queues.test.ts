import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testStorage } from '../../testing/storage.ts';
import type { QueueFunction } from '../http/definition.ts';
import { poisonOf } from '../storage/queue.ts';
import { pollQueues } from './queues.ts';

const { storage } = await testStorage();

let made = 0;
/** A function on a new queue, which is polled until the end of the test. */
async function polled(handler: QueueFunction['handler']) {
  const name = `queue-${++made}`;
  const logged: string[] = [];
  const queue = await storage.queueClient(name);
  const stop = pollQueues([{ name, queue: name, handler }], storage, (line) => logged.push(line));
  onTestFinished(stop);
  return { name, queue, logged, stop };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

describe('a message on a queue', () => {
  it.each([
    ['{"owner":"anna","tries":2}', { owner: 'anna', tries: 2 }],
    ['[1,2]', [1, 2]],
    ['hello', 'hello'],
  ])('%s arrives as %j, once, and is removed', async (text, content) => {
    const got: unknown[] = [];
    const { queue } = await polled(async (message) => void got.push(message));
    await queue.sendMessage(Buffer.from(text).toString('base64'));
    await until(() => got.length > 0);
    expect(got).toEqual([content]);
    await until(async () => (await queue.getProperties()).approximateMessagesCount === 0);
    expect(got).toHaveLength(1);
  });

  it('whose function fails is delivered again, and then moves to the poison queue', async () => {
    const tries: unknown[] = [];
    const { name, queue, logged } = await polled(async (message) => {
      tries.push(message);
      throw new Error('not today');
    });
    // As after four failures, without the delays of host.json.
    await storage.queue(name).send({ number: 1 });
    await until(() => tries.length === 1);
    await until(() => logged.length === 1);
    expect(logged[0]).toContain('not today');
    const { peekedMessageItems } = await (await storage.queueClient(poisonOf(name))).peekMessages();
    expect(peekedMessageItems).toEqual([]);
    for (let attempt = 2; attempt <= 5; attempt++) await until(() => tries.length === attempt);
    const poison = await storage.queueClient(poisonOf(name));
    await until(async () => (await poison.getProperties()).approximateMessagesCount === 1);
    const [poisoned] = (await poison.peekMessages()).peekedMessageItems;
    expect(Buffer.from(poisoned!.messageText, 'base64').toString()).toBe('{"number":1}');
    expect(tries).toHaveLength(5);
    expect((await queue.getProperties()).approximateMessagesCount).toBe(0);
  });

  it('does not delay the others', async () => {
    const ended: number[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { name } = await polled(async (message) => {
      const { number } = message as { number: number };
      if (number === 0) await held;
      ended.push(number);
    });
    for (let number = 0; number < 5; number++) await storage.queue(name).send({ number });
    await until(() => ended.length === 4);
    expect(ended.toSorted()).toEqual([1, 2, 3, 4]);
    release();
    await until(() => ended.length === 5);
  });

  it('is completed before the app stops', async () => {
    const steps: string[] = [];
    const { promise: isStopping, resolve: startStopping } = Promise.withResolvers<void>();
    const { name, queue, stop } = await polled(async () => {
      steps.push('begun');
      await isStopping;
      await queue.getProperties();
      steps.push('ended');
    });
    await storage.queue(name).send({});
    await until(() => steps.length > 0);
    const stopping = stop().then(() => steps.push('stopped'));
    startStopping();
    await stopping;
    expect(steps).toEqual(['begun', 'ended', 'stopped']);
  });
});
