import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import type { TestAdministration } from '../../testing/app.ts';
import { ignoreLog, startTestPushes } from '../../testing/pushes/testPushes.ts';
import { listKeys, revokeKey } from '../administrations/builtin/credentials/keys.ts';
import { pushSecrets } from './pushSecrets.ts';
import { noCounts, openPushStore } from './pushStore.ts';
import { workPush } from './sending/workPush.ts';

/* Pushes with an API key that is revoked, or that may only read, and pushes to an administration that is archived. */

const { storage, app, administrations, secretKey, pushes, messages, newProduct, begin, ...test } =
  await startTestPushes();
const store = openPushStore(storage, pushSecrets([secretKey]));

async function revokeKeyOf({ administrationId }: TestAdministration): Promise<void> {
  const [key] = await listKeys(app.db, administrationId);
  await revokeKey(app.db, { administrationId, id: key!.id, now: 1_800_000_000n });
}

describe('a key that is revoked while its push waits', () => {
  it('stops the push, of which nothing is applied', async () => {
    const administration = await app.addAdministration();
    const { credential } = administration;
    await administration.addProduct({ articleNumber: 'T-1', stock: '0' });
    const rows = [{ row: 2, update: { ArticleNumber: 'T-1', NewStockQty: 1 } }];
    const { id } = await begin(pushes, credential, randomUUID(), rows);
    const [message] = await messages();
    await revokeKeyOf(administration);
    await pushes.work(message!, ignoreLog);
    const { head } = (await store.head(message!.owner, id!))!;
    expect(head).toMatchObject({
      state: 'ended',
      stopped: 'UNAUTHORIZED',
      credential: '',
      counts: { ...noCounts(), cancelled: 1 },
    });
    await expect(pushes.changes(credential, id!, '')).rejects.toBeInstanceOf(Problem);
    expect(await administration.stockOf('T-1')).toBe('0');
  });
});

describe('a key that is revoked after a worker crashed', () => {
  it('leaves no row unknown: rows are reported applied, or refused', async () => {
    const administration = await app.addAdministration();
    const { credential } = administration;
    const rows = [];
    for (let row = 0; row < 120; row++) {
      await administration.addProduct({ articleNumber: `R-${row}`, stock: '0' });
      rows.push({ row, update: { ArticleNumber: `R-${row}`, NewStockQty: 1 } });
    }
    const { id } = await begin(pushes, credential, randomUUID(), rows);
    const [message] = await messages();
    const writer = await administrations.writer(credential);
    // It crashes when its first rows are applied, and before it records that.
    const { promise: crashed, resolve: crash } = Promise.withResolvers<void>();
    const crashing: typeof writer = {
      ...writer,
      async write(...call) {
        await writer.write(...call);
        crash();
        return new Promise(() => {});
      },
    };
    const dependencies = {
      store,
      secrets: pushSecrets([secretKey]),
      report: () => {},
      administrations: { ...administrations, writer: async () => crashing },
    };
    workPush(dependencies, { owner: message!.owner, id: id! }, new AbortController().signal);
    await crashed;
    await revokeKeyOf(administration);

    await pushes.work(message!, ignoreLog);
    const { head } = (await store.head(message!.owner, id!))!;
    const applied = await app.db
      .selectFrom('product')
      .where('administration_id', '=', administration.administrationId)
      .where('stock', '>', 0n)
      .select('id')
      .execute();
    expect(applied).toHaveLength(writer.batchSize);
    expect(head).toMatchObject({ state: 'ended', stopped: 'UNAUTHORIZED', counts: { unknown: 0, applied: 100 } });
    expect(head.counts.refused + head.counts.cancelled).toBe(20);
  });
});

describe('an administration that is archived', () => {
  const archive = ({ administrationId }: TestAdministration) =>
    app.db.updateTable('administration').where('id', '=', administrationId).set({ archived_on: 1n }).execute();

  it('while a push waits stops it, of which nothing is applied', async () => {
    const administration = await app.addAdministration();
    await administration.addProduct({ articleNumber: 'A-1', stock: '0' });
    const rows = [{ row: 2, update: { ArticleNumber: 'A-1', NewStockQty: 1 } }];
    const { id } = await begin(pushes, administration.credential, randomUUID(), rows);
    const [message] = await messages();
    await archive(administration);
    await pushes.work(message!, ignoreLog);
    const { head } = (await store.head(message!.owner, id!))!;
    expect(head).toMatchObject({
      state: 'ended',
      stopped: 'FORBIDDEN',
      credential: '',
      counts: { ...noCounts(), cancelled: 1 },
    });
    expect(await administration.stockOf('A-1')).toBe('0');
  });

  it('while a push is sent gets no further rows of it', async () => {
    const administration = await app.addAdministration();
    const rows = [];
    for (let row = 0; row < 220; row++) {
      await administration.addProduct({ articleNumber: `A-${row}`, stock: '0' });
      rows.push({ row, update: { ArticleNumber: `A-${row}`, NewStockQty: 1 } });
    }
    const { id } = await begin(pushes, administration.credential, randomUUID(), rows);
    const [message] = await messages();
    let calls = 0;
    const dependencies = {
      store,
      secrets: pushSecrets([secretKey]),
      report: () => {},
      administrations: {
        ...administrations,
        async writer(...opened: Parameters<typeof administrations.writer>) {
          const writer = await administrations.writer(...opened);
          const write: typeof writer.write = async (...call) => {
            calls++;
            if (calls === 2) await archive(administration);
            return writer.write(...call);
          };
          return { ...writer, write };
        },
      },
    };
    await workPush(dependencies, { owner: message!.owner, id: id! }, new AbortController().signal);
    const { head } = (await store.head(message!.owner, id!))!;
    expect(head).toMatchObject({ state: 'ended', stopped: 'FORBIDDEN', counts: { unknown: 0, applied: 100 } });
    expect(head.counts.refused + head.counts.cancelled).toBe(120);
  });
});

describe('a key that may only read', () => {
  it('is refused with its reason when it begins or cancels a push', async () => {
    const readOnly = await test.issueKey('read');
    const rows = [{ row: 0, update: { ArticleNumber: await newProduct(), NewSalePrice: 1 } }];
    const forbidden = { code: 'FORBIDDEN', message: 'This API key may only read.' };
    await expect(pushes.authorize(readOnly)).rejects.toMatchObject(forbidden);
    await expect(begin(pushes, readOnly, randomUUID(), rows)).rejects.toMatchObject(forbidden);
    await expect(pushes.cancel(readOnly, 'a'.repeat(32), ignoreLog)).rejects.toMatchObject(forbidden);
    expect(await test.listedIds(pushes, readOnly)).toEqual([]);
  });
});
