import { randomUUID } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Credential } from '../../shared/client.ts';
import { createPushClient, type PushClient } from '../../shared/pushClient.ts';
import type { Push, PushRow } from '../../shared/resources/push.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { testStorage } from '../testing/storage.ts';

const { connectionString } = await testStorage();
let app: TestApp;
let pushes: PushClient;
const clientOf = (credential: Credential) => createPushClient({ base: app.url, credential, fetch });

beforeAll(async () => {
  app = await startApp({ storage: connectionString });
  pushes = clientOf(app.credential);
});
afterAll(() => app.close());

/** Waits until a push has ended; its rows as they are then, by number. */
async function ended(id: string, client = pushes): Promise<{ push: Push; rows: Map<number, PushRow> }> {
  const rows = new Map<number, PushRow>();
  for (let after = ''; ; ) {
    const changes = await client.changes(id, after);
    for (const row of changes.rows) rows.set(row.row!, row);
    after = changes.cursor;
    if (changes.push.state === 'ended' && !changes.more) return { push: changes.push, rows };
    await passed(50);
  }
}

const push = async (rows: Parameters<PushClient['begin']>[0], key: string = randomUUID()) =>
  ended((await pushes.begin(rows, key)).id);

/** The stock of a product, as the interface tells it. */
const stockOf = async (article: string): Promise<string | null> =>
  (await app.client.updateproduct({ ArticleNumber: article })).StockQty;

let made = 0;
async function newProduct(stock = '0'): Promise<string> {
  const articleNumber = `P-${++made}`;
  await app.addProduct({ articleNumber, name: `Product ${made}`, stock });
  return articleNumber;
}

describe('a push', () => {
  it('applies every row and tells the product of each', async () => {
    const [one, other] = [await newProduct('10'), await newProduct('5.5')];
    const begun = await pushes.begin(
      [
        { row: 2, update: { ArticleNumber: one, NewStockQty: '2.5' } },
        {
          row: 7,
          update: {
            ArticleNumber: other,
            NewStockQty: 3,
            StockUpdateMode: 'Absolute',
            NewSalePrice: '12,50'.replace(',', '.'),
          },
        },
      ],
      randomUUID(),
    );
    expect(begun).toMatchObject({ state: 'waiting', total: 2, relative: 1, counts: { waiting: 2, applied: 0 } });
    const { push: told, rows } = await ended(begun.id);
    expect(told).toMatchObject({ state: 'ended', stopped: '', counts: { waiting: 0, sending: 0, applied: 2 } });
    expect(rows.get(2)).toMatchObject({ state: 'applied', product: { ArticleNumber: one, StockQty: '12.5' } });
    expect(rows.get(7)).toMatchObject({
      state: 'applied',
      product: { ArticleNumber: other, StockQty: '3', Price: '12.5' },
    });
    expect([await stockOf(one), await stockOf(other)]).toEqual(['12.5', '3']);
  });
});
