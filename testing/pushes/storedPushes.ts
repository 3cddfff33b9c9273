import { randomBytes, randomUUID } from 'node:crypto';
import { pushSecrets } from '../../functions/pushes/pushSecrets.ts';
import { newHead, openPushStore, type PushHead } from '../../functions/pushes/pushStore.ts';
import { CANCELLED } from '../../functions/pushes/sending/workPush.ts';
import type { PushedWrite, RowState } from '../../shared/resources/push.ts';
import { testStorage } from '../storage.ts';
import { readPush } from './readPush.ts';

const credential = { apiKey: 'key', username: 'anna@example.com' };

const updateOf = (index: number, more: object) => ({
  endpoint: 'updateproduct',
  request: { ArticleNumber: `A${index}`, ...more },
});
/** Its total tells it from the documents of other rows. */
const documentOf = (endpoint: string, lines: string, index: number, article: number) => ({
  endpoint,
  request: {
    CustomerNumber: 7,
    SupplierNumber: 7,
    [lines]: [{ ProductNumber: `A${article}`, Quantity: 1, SubTotalInclTax: index + 1, TaxPc: 21 }],
  },
});

/** The kinds of rows; each changes or makes a product of its own, `A{index}`, or sells that of the row before. */
const kinds = {
  /** Adds to a stock. */
  adds: (index: number) => updateOf(index, { NewStockQty: 1 }),
  /** Sets a stock. */
  sets: (index: number) => updateOf(index, { NewStockQty: 1, StockUpdateMode: 'Absolute' }),
  prices: (index: number) => updateOf(index, { NewSalePrice: 1 }),
  makes: (index: number) => ({
    endpoint: 'addproduct',
    request: { ArticleNumber: `A${index}`, NewName: 'Kruk', CategoryName: 'Meubels' },
  }),
  sells: (index: number) => documentOf('addsalesinvoice', 'Invoice_InvoiceLine', index, index - 1),
  orders: (index: number) => documentOf('addorder', 'Order_Orderline', index, index - 1),
  books: (index: number) => documentOf('addsalestransaction', 'Invoice_InvoiceLine', index, index),
  buys: (index: number) => documentOf('addpurchasetransaction', 'Invoice_InvoiceLine', index, index),
  enters: (index: number) => ({
    endpoint: 'addjournalentry' as const,
    request: {
      EntryDescription: `Entry ${index}`,
      JournalEntry_Line: [
        { LedgerAccountNumber: '4000', Debit: index + 1 },
        { LedgerAccountNumber: '1000', Credit: index + 1 },
      ],
    },
  }),
};
export type Kind = keyof typeof kinds;
export const everyKind = Object.keys(kinds) as Kind[];

/** Stored rows of these kinds. */
export const rowsOf = (chosen: readonly Kind[]): PushedWrite[] =>
  readPush({ rows: chosen.map((kind, index) => ({ row: index + 2, ...kinds[kind](index) })) });

/** Pushes in a storage account that no worker has. */
export async function storedPushes() {
  const { storage } = await testStorage();
  const secrets = pushSecrets([randomBytes(32)]);
  const store = openPushStore(storage, secrets);

  async function begun(writes: readonly PushedWrite[], { inOrder = true } = {}): Promise<PushHead> {
    const owner = secrets.ownersOf(credential)[0];
    const id = randomUUID().replaceAll('-', '');
    const encryptedText = secrets.encrypted(credential, `${owner}.${id}`);
    const push = { owner, id, total: writes.length, relative: 0, contentHash: '', credential: encryptedText };
    const head: PushHead = { ...newHead({ ...push, ...(inOrder ? {} : { inOrder }) }), state: 'waiting' };
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
