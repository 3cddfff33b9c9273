import {
  type Push,
  type PushChanges,
  type PushedRowInput,
  pushAnswer,
  pushChanges,
  pushList,
} from '../resources/push.ts';
import { ask, type Service } from './client.ts';

/** Pushes as functions. They throw a Problem for every refusal. */
export type PushClient = {
  /**
   * Begins a push. A second call with the same key returns the push that the first one began.
   * @throws Problem INVALID_REQUEST with one error per row, `rows[i]...`; nothing is pushed then
   */
  begin(rows: readonly PushedRowInput[], idempotencyKey: string, signal?: AbortSignal): Promise<Push>;
  /** The pushes of the credential, the latest first. */
  list(signal?: AbortSignal): Promise<Push[]>;
  /** @param after the cursor of an earlier answer; "" for all rows that are not waiting */
  changes(id: string, after: string, signal?: AbortSignal): Promise<PushChanges>;
  /** Cancels a push: no further row is sent; sent rows are waited for. */
  cancel(id: string, signal?: AbortSignal): Promise<Push>;
};

/** @param service whose base is the address of the app */
export function createPushClient(service: Service): PushClient {
  const pathOf = (id: string) => `/pushes/${encodeURIComponent(id)}`;
  return {
    async begin(rows, idempotencyKey, signal) {
      const headers = { 'Idempotency-Key': idempotencyKey };
      const question = { method: 'POST', target: '/pushes', headers, body: { rows }, signal };
      return (await ask(service, question, pushAnswer)).push;
    },
    async list(signal) {
      const all: Push[] = [];
      let query = '';
      for (;;) {
        const question = { method: 'GET', target: `/pushes${query}`, signal };
        const { pushes, cursor, more } = await ask(service, question, pushList);
        all.push(...pushes);
        if (more !== true) return all;
        query = `?after=${encodeURIComponent(cursor)}`;
      }
    },
    changes(id, after, signal) {
      const query = after === '' ? '' : `?after=${encodeURIComponent(after)}`;
      return ask(service, { method: 'GET', target: `${pathOf(id)}${query}`, signal }, pushChanges);
    },
    async cancel(id, signal) {
      const question = { method: 'POST', target: `${pathOf(id)}/cancel`, body: {}, signal };
      return (await ask(service, question, pushAnswer)).push;
    },
  };
}
