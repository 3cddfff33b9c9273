import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { MEGABYTE } from '../../shared/api.ts';
import type { PushedWrite } from '../../shared/resources/push.ts';
import { testStorage } from '../../testing/storage.ts';
import { pushSecrets } from './pushSecrets.ts';
import { openPushStore } from './pushStore.ts';

const { storage } = await testStorage();
const store = openPushStore(storage, pushSecrets([randomBytes(32)]));

/** A row of seven kilobytes. */
const update = (row: number) =>
  ({ row, name: 'updateproduct', request: { ArticleNumber: 'A-1', NewDescription: 'x'.repeat(7000) } }) as PushedWrite;

/** An invoice with a file of ten megabytes. */
const invoiceWithFile = {
  row: 1,
  name: 'addsalesinvoice',
  request: {
    Invoice_Attachment: [
      { FileName: 'a.pdf', FileContent: Buffer.alloc(10 * MEGABYTE, randomBytes(3000)).toString('base64') },
    ],
  },
} as unknown as PushedWrite;

it.each([
  ['the largest push', Array.from({ length: 2000 }, (_, row) => update(row))],
  ['a row with the largest file', [invoiceWithFile]],
])('stores and reads %s', async (_what, writes) => {
  const [owner, id] = [randomUUID(), randomUUID().replaceAll('-', '')];
  await store.saveRows(owner, id, writes);
  expect(await store.rows(owner, id)).toEqual(writes);
});

it.each(['', 'x'])(
  'stores and reads a large row whose text is cut where characters are, after "%s"',
  async (before) => {
    const writes = [{ row: 1, name: 'addorder', request: { OrderNotes: before + '😀'.repeat(600_000) } }] as never;
    const [owner, id] = [randomUUID(), randomUUID().replaceAll('-', '')];
    await store.saveRows(owner, id, writes);
    expect(await store.rows(owner, id)).toEqual(writes);
  },
);

it('stores a row with a file also while another request stores the same push', async () => {
  let staged = 0;
  const together: typeof storage.blobs = (name) => {
    const blobs = storage.blobs(name);
    return {
      ...blobs,
      async blob(path) {
        const blob = await blobs.blob(path);
        return {
          ...blob,
          async commit(blocks) {
            // Both have staged their blocks by then: the first to be committed ends those of the other.
            staged++;
            await expect.poll(() => staged).toBe(2);
            await blob.commit(blocks);
          },
        };
      },
    };
  };
  const both = openPushStore({ table: storage.table, blobs: together }, pushSecrets([randomBytes(32)]));
  const writes = [{ row: 1, name: 'addorder', request: { OrderNotes: 'x'.repeat(600_000) } }] as never;
  const [owner, id] = [randomUUID(), randomUUID().replaceAll('-', '')];
  const saving = [both.saveRows(owner, id, writes), both.saveRows(owner, id, writes)];
  expect(await Promise.all(saving)).toEqual([true, true]);
  expect(await both.rows(owner, id)).toEqual(writes);
});
