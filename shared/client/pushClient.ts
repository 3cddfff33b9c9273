import {
  type Push,
  type PushChanges,
  type PushChoices,
  type PushedRowInput,
  type PushPage,
  type PushRows,
  pushChanges,
  pushList,
  pushResponse,
  pushRows,
} from '../resources/push.ts';
import { ask, type Service } from './client.ts';

export type PushClient = ReturnType<typeof createPushClient>;

/**
 * Pushes as functions. They throw a Problem for every refusal.
 * @param service whose base is the address of the app
 */
export function createPushClient(service: Service) {
  const pathOf = (id: string) => `/pushes/${encodeURIComponent(id)}`;
  const queryOf = (after: string) => (after === '' ? '' : `?after=${encodeURIComponent(after)}`);
  const page = (after: string, signal?: AbortSignal): Promise<PushPage> =>
    ask(service, { method: 'GET', target: `/pushes${queryOf(after)}`, signal }, pushList);
  return {
    /**
     * Begins a push. A second call with the same key returns the push that the first one began.
     * @throws Problem INVALID_REQUEST with one error per row, `rows[i]...`; nothing is pushed then
     */
    async begin(
      rows: readonly PushedRowInput[],
      idempotencyKey: string,
      signal?: AbortSignal,
      choices: PushChoices = {},
    ): Promise<Push> {
      const headers = { 'Idempotency-Key': idempotencyKey };
      const question = { method: 'POST', target: '/pushes', headers, body: { rows, ...choices }, signal };
      return (await ask(service, question, pushResponse)).push;
    },
    /**
     * Some pushes of the administration, of a remote one those of the credential, the latest first.
     * @param after the cursor of an earlier response; "" for the latest
     */
    page,
    /** All of them. */
    async list(signal?: AbortSignal): Promise<Push[]> {
      const all: Push[] = [];
      let after = '';
      for (;;) {
        const { pushes, cursor, more } = await page(after, signal);
        all.push(...pushes);
        if (more !== true) return all;
        after = cursor;
      }
    },
    /** @param after the cursor of an earlier response; "" for all rows that are not waiting */
    changes: (id: string, after: string, signal?: AbortSignal): Promise<PushChanges> =>
      ask(service, { method: 'GET', target: `${pathOf(id)}${queryOf(after)}`, signal }, pushChanges),
    /** The rows as they were pushed. @param after the cursor of an earlier response; "" for the first rows */
    rows: (id: string, after: string, signal?: AbortSignal): Promise<PushRows> =>
      ask(service, { method: 'GET', target: `${pathOf(id)}/rows${queryOf(after)}`, signal }, pushRows),
    /** Cancels a push: no further row is sent; sent rows are waited for. */
    async cancel(id: string, signal?: AbortSignal): Promise<Push> {
      const question = { method: 'POST', target: `${pathOf(id)}/cancel`, body: {}, signal };
      return (await ask(service, question, pushResponse)).push;
    },
    /** Looks once more for the documents of an ended push whose outcome is unknown; `changes` tells what was found. */
    async lookAgain(id: string, signal?: AbortSignal): Promise<Push> {
      const question = { method: 'POST', target: `${pathOf(id)}/look-again`, body: {}, signal };
      return (await ask(service, question, pushResponse)).push;
    },
  };
}
