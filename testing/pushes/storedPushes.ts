import { randomBytes, randomUUID } from 'node:crypto';
import { pushSecrets } from '../../functions/pushes/pushSecrets.ts';
import { newHead, openPushStore, type PushHead } from '../../functions/pushes/pushStore.ts';
import { CANCELLED } from '../../functions/pushes/sending/workPush.ts';
import type { PushedWrite, RowState } from '../../shared/resources/push.ts';
import { testStorage } from '../storage.ts';
import { readPush } from './readPush.ts';

const credential = { apiKey: 'key', username: 'anna@example.com' };

/** A kind of row: it adds to the stock of a product, sets it, or changes its price. */
export type Kind = 'adds' | 'sets' | 'prices';

/** Stored rows, each of another product. */
export const rowsOf = (kinds: readonly Kind[]): PushedWrite[] =>
  readPush({
    rows: kinds.map((kind, index) => ({
      row: index + 2,
      update: {
        ArticleNumber: `A${index}`,
        ...(kind === 'prices' ? { NewSalePrice: 1 } : { NewStockQty: 1 }),
        StockUpdateMode: kind === 'sets' ? 'Absolute' : 'Relative',
      },
    })),
  });

/** Pushes in a storage account that no worker has. */
export async function storedPushes() {
  const { storage } = await testStorage();
  const secrets = pushSecrets([randomBytes(32)]);
  const store = openPushStore(storage, secrets);

  async function begun(writes: readonly PushedWrite[]): Promise<PushHead> {
    const owner = secrets.ownersOf(credential)[0];
    const id = randomUUID().replaceAll('-', '');
    const encryptedText = secrets.encrypted(credential, `${owner}.${id}`);
    const push = { owner, id, total: writes.length, relative: 0, contentHash: '', credential: encryptedText };
    const head: PushHead = { ...newHead(push), state: 'waiting' };
    await store.saveRows(owner, id, writes);
    await store.create(head);
    return head;
  }

  /** The latest state of each row in the log. */
  async function statesOf({ owner, id, total }: PushHead): Promise<RowState[]> {
    const states: RowState[] = new Array(total).fill('waiting');
    for await (const { changes } of store.entries(owner, id, 0))
      for (const one of changes) states[one.index] = one.state;
    return states;
  }

  async function cancel({ owner, id }: PushHead): Promise<void> {
    for (;;) {
      const { head, version } = (await store.head(owner, id))!;
      if (head.state === 'ended' || head.stopped !== '') return;
      if ((await store.replace({ ...head, stopped: CANCELLED }, version)) !== undefined) return;
    }
  }

  return { store, secrets, begun, statesOf, cancel };
}
