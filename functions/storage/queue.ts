import { EventEmitter } from 'node:events';
import type { QueueClient } from '@azure/storage-queue';
import { unless } from './failure.ts';

/** A message in the hands of whoever received it. */
export type QueueMessage = {
  /** As it lies in the queue: base64 of JSON. */
  text: string;
  /** How often it was received. */
  dequeueCount: number;
  /** Hides it for so many seconds more. @returns whether it is still its receiver's */
  hide(seconds: number): Promise<boolean>;
  /** Removes it, if it is still its receiver's. */
  remove(): Promise<void>;
};

/** A queue of a storage account, made when it is first used. */
export type Queue = {
  /** In the form the platform's triggers read. @param delay seconds until it can be seen */
  send(message: object, delay?: number): Promise<void>;
  /** Puts a message in as it lay in another queue. */
  sendText(text: string): Promise<void>;
  /** @param count at most so many @param seconds they are hidden from others */
  receive(count: number, seconds: number): Promise<QueueMessage[]>;
  /** How many messages there are, about. */
  length(): Promise<number>;
};

/** Emits the name of a queue when this process has put a message on it: whoever polls it here need not wait. */
export const sent = new EventEmitter<Record<string, []>>();

/** The queue of messages that failed too often, as the platform names it. */
export const poisonOf = (queue: string): string => `${queue}-poison`;

export const queueOver = (name: string, client: () => Promise<QueueClient>): Queue => ({
  async send(message, delay = 0) {
    const text = Buffer.from(JSON.stringify(message)).toString('base64');
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
          // 404 and 400: somebody else has it by now, it was held too long.
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
