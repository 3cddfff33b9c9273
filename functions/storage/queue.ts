import { EventEmitter } from 'node:events';
import type { QueueClient } from '@azure/storage-queue';
import { currentTraceparent } from '../telemetry/telemetry.ts';
import { unless } from './failure.ts';

export type Queue = ReturnType<typeof queueOver>;
/** A received message. */
export type QueueMessage = Awaited<ReturnType<Queue['receive']>>[number];

/** Emits the name of a queue when this process adds a message, so that a poll in this process need not wait. */
export const sent = new EventEmitter<Record<string, []>>();

/** The queue of messages that failed too often, as the platform names it. */
export const poisonOf = (queue: string): string => `${queue}-poison`;

/** A queue of a storage account. @param client resolves when the queue exists */
export const queueOver = (name: string, client: () => Promise<QueueClient>) => ({
  /** Adds a message in the form that the platform's triggers read. @param delay seconds until it is visible */
  async send(message: object, delay = 0): Promise<void> {
    const traceparent = currentTraceparent();
    const traced = traceparent === undefined ? message : { ...message, traceparent };
    const text = Buffer.from(JSON.stringify(traced)).toString('base64');
    await (await client()).sendMessage(text, { visibilityTimeout: delay });
    if (delay === 0) sent.emit(name);
  },
  /** Adds the stored text of a message from another queue. */
  async sendText(text: string): Promise<void> {
    await (await client()).sendMessage(text);
  },
  /** @param count of messages, at most @param seconds for which they are hidden from others */
  async receive(count: number, seconds: number) {
    const queue = await client();
    const options = { numberOfMessages: count, visibilityTimeout: seconds };
    const { receivedMessageItems } = await queue.receiveMessages(options);
    return receivedMessageItems.map(({ messageId, messageText, popReceipt, dequeueCount }) => {
      let receipt = popReceipt;
      return {
        /** The stored text: base64 of JSON. */
        text: messageText,
        /** How often it was received, this time included. */
        dequeueCount,
        /** Hides it for that many seconds more. @returns false when another receiver has it */
        async hide(hidden: number): Promise<boolean> {
          // 404 and 400: it was visible again, and another receiver has it.
          const updated = await queue.updateMessage(messageId, receipt, messageText, hidden).catch(unless(404, 400));
          receipt = updated?.popReceipt ?? receipt;
          return updated !== undefined;
        },
        /** Removes it, unless another receiver has it. */
        async remove(): Promise<void> {
          await queue.deleteMessage(messageId, receipt).catch(unless(404, 400));
        },
      };
    });
  },
  /** The approximate number of messages; 0 when somebody removed the queue: the platform makes it again. */
  async length(): Promise<number> {
    const properties = await (await client()).getProperties().catch(unless(404));
    return properties?.approximateMessagesCount ?? 0;
  },
});
