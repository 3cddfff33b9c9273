import { EventEmitter } from 'node:events';
import type { QueueClient } from '@azure/storage-queue';
import { currentTraceparent } from '../telemetry/telemetry.ts';
import { unless } from './failure.ts';

/** A received message. */
export type QueueMessage = {
  /** Its stored text: base64 of JSON. */
  text: string;
  /** How often it was received, this time included. */
  dequeueCount: number;
  /** Hides it for that many seconds more. @returns false when another receiver has it */
  hide(seconds: number): Promise<boolean>;
  /** Removes it, unless another receiver has it. */
  remove(): Promise<void>;
};

/** A queue of a storage account, made when it is first used. */
export type Queue = {
  /** Adds a message in the form that the platform's triggers read. @param delay seconds until it can be seen */
  send(message: object, delay?: number): Promise<void>;
  /** Adds the stored text of a message from another queue. */
  sendText(text: string): Promise<void>;
  /** @param count at most so many @param seconds they are hidden from others */
  receive(count: number, seconds: number): Promise<QueueMessage[]>;
  /** The approximate number of messages. */
  length(): Promise<number>;
};

/** Emits the name of a queue when this process adds a message, so that a poll in this process need not wait. */
export const sent = new EventEmitter<Record<string, []>>();

/** The queue of messages that failed too often, as the platform names it. */
export const poisonOf = (queue: string): string => `${queue}-poison`;

export const queueOver = (name: string, client: () => Promise<QueueClient>): Queue => ({
  async send(message, delay = 0) {
    const traceparent = currentTraceparent();
    const traced = traceparent === undefined ? message : { ...message, traceparent };
    const text = Buffer.from(JSON.stringify(traced)).toString('base64');
    await (await client()).sendMessage(text, { visibilityTimeout: delay });
    if (delay === 0) sent.emit(name);
  },
  async sendText(text) {
    await (await client()).sendMessage(text);
  },
  async receive(count, seconds) {
    const queue = await client();
    const options = { numberOfMessages: count, visibilityTimeout: seconds };
    const { receivedMessageItems } = await queue.receiveMessages(options);
    return receivedMessageItems.map(({ messageId, messageText, popReceipt, dequeueCount }) => {
      let receipt = popReceipt;
      return {
        text: messageText,
        dequeueCount,
        async hide(hidden) {
          // 404 and 400: it was held too long, and another receiver has it.
          const held = await queue.updateMessage(messageId, receipt, messageText, hidden).catch(unless(404, 400));
          receipt = held?.popReceipt ?? receipt;
          return held !== undefined;
        },
        async remove() {
          await queue.deleteMessage(messageId, receipt).catch(unless(404, 400));
        },
      };
    });
  },
  async length() {
    return (await (await client()).getProperties()).approximateMessagesCount ?? 0;
  },
});
