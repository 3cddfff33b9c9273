import { describe, expect, it, vi } from 'vitest';
import { Problem } from '../../../../shared/problem.ts';
import {
  addition,
  NOW,
  productOf,
  summary,
  testProductWrites,
  update,
} from '../../../../testing/builtin/productWrites.ts';
import { openShop, snapshot } from '../../../../testing/shop.ts';
import { checkAdministration } from '../check/check.ts';
import { listKeys, revokeKey } from '../credentials/keys.ts';
import { insertRows } from '../sql/insertRows.ts';

const writes = testProductWrites();
const { administrations, newWriter, stockOf, storedKeys, write } = writes;

describe('a write', () => {
  it('has the effect and the response of its endpoint', async () => {
    const bodies = [
      { NewName: 'Kruk', NewSalePrice: '99.95', NewStockQty: '2.5', NewStockMutationComment: 'geteld' },
      { CategoryName: 'Zitten', CategoryCreateIfMissing: true, NewVATPercentage: 9, StockUpdateMode: 'Absolute' },
      {
        BatchStockUpdateMode: 'Relative',
        BatchMatchMode: 'Description',
        Product_Batch: [{ Description: 'L1', BatchStockQty: 4 }],
        Archived: true,
      },
      {
        Product_CustomField: [
          { Label: 'Kleur', FieldType: 'TextSmall', StringValue: '<b>rood & "wit"</b>' },
          { Label: 'Sinds', FieldType: 'Date', DateTimeValue: '01-02-2026' },
          { Label: 'Gewicht', FieldType: 'Decimal', DecimalValue: '1.50' },
          { Label: 'Lagen', FieldType: 'Integer', IntValue: 3 },
          { Label: 'Breekbaar', FieldType: 'Checkbox', BooleanValue: true },
        ],
      },
      { EAN: '8712345678906', StockUpdateMode: 'Absolute', NewStockQty: 7 },
    ];
    const otherShop = await openShop(writes.app);
    for (const each of [writes.shop, otherShop]) {
      await each.addCustomField({ label: 'Kleur', type: 'TextSmall' });
      await each.addCustomField({ label: 'Sinds', type: 'Date' });
      await each.addCustomField({ label: 'Gewicht', type: 'Decimal' });
      await each.addCustomField({ label: 'Lagen', type: 'Integer' });
      await each.addCustomField({ label: 'Breekbaar', type: 'Checkbox' });
    }
    const requested = [
      ...bodies.map((body, index) => update(`${index}`, body)),
      addition('new', { ArticleNumber: 'N1', NewName: 'Kast', NewStockQty: 3, NewPurchasePrice: 2 }),
    ];
    const endpoints = await administrations().open(otherShop.credential);
    const expected = [];
    for (const { name, request } of requested) {
      const response = (endpoints[name as 'updateproduct'] as (request: object) => unknown)(request);
      expected.push([await response].flat()[0]);
    }
    const outcomes = await write(requested);
    expect(outcomes.map(productOf)).toEqual(expected);
    // Sent again, they get the stored responses.
    const before = await snapshot(writes.app.db, writes.shop.administrationId);
    expect(await write(requested)).toEqual(outcomes);
    expect(await snapshot(writes.app.db, writes.shop.administrationId)).toEqual(before);
    expect(await writes.shop.mutationsOf('0100')).toEqual(await otherShop.mutationsOf('0100'));
  });

  it('is applied once: within a call, across calls, and by another writer', async () => {
    const one = update('a', { NewStockQty: 1 });
    const five = update('b', { NewStockQty: 5 });
    expect((await write([one, one, five, one])).map(summary)).toEqual(['11', '11', '16', '11']);
    expect((await write([five, update('c', { NewStockQty: 1 }), one])).map(summary)).toEqual(['16', '17', '11']);
    expect((await write([one, five], await newWriter())).map(summary)).toEqual(['11', '16']);
    expect(await stockOf('0100')).toBe(17);
    expect(await writes.shop.mutationsOf('0100')).toHaveLength(4);
    expect(await storedKeys()).toEqual(['a', 'b', 'c']);
  });

  it('with the same key in another administration is another write', async () => {
    const other = await openShop(writes.app);
    await write([update('a', { NewStockQty: 1 })]);
    const [outcome] = await write([update('a', { NewStockQty: 2 })], await administrations().writer(other.credential));
    expect(summary(outcome!)).toBe('12');
    expect(await stockOf('0100')).toBe(11);
  });

  it('that is refused changes nothing, and the others of its call are applied', async () => {
    const refused = [
      update('none', { ArticleNumber: 'nergens' }),
      update('category', { CategoryName: 'Nergens' }),
      // Refused after a category, a mutation and a batch were added.
      update('batch', {
        CategoryName: 'Half',
        CategoryCreateIfMissing: true,
        NewName: 'Half',
        NewStockQty: 1,
        BatchStockUpdateMode: 'Relative',
        BatchMatchMode: 'Description',
        Product_Batch: [
          { Description: 'Half', BatchStockQty: 1 },
          { Description: 'Half', BatchStockQty: '9999999999' },
        ],
      }),
      addition('made', {
        ArticleNumber: 'Half',
        NewName: 'Half',
        Product_CustomField: [{ Label: 'Nergens', FieldType: 'Integer', IntValue: 1 }],
      }),
    ];
    const before = await snapshot(writes.app.db, writes.shop.administrationId);
    const fields = [
      'refused ArticleNumber',
      'refused CategoryName',
      'refused Product_Batch[1].BatchStockQty',
      'refused Product_CustomField[0].Label',
    ];
    expect((await write(refused)).map(summary)).toEqual(fields);
    expect(await snapshot(writes.app.db, writes.shop.administrationId)).toEqual(before);

    const among = refused.flatMap((each, index) => [each, update(`fine ${index}`, { NewStockQty: 1 })]);
    expect((await write(among)).map(summary)).toEqual(fields.flatMap((field, index) => [field, String(11 + index)]));
    expect(await writes.shop.categories()).toEqual([]);
    expect(await writes.shop.batchesOf('0100')).toEqual([]);
    expect((await writes.shop.mutationsOf('0100')).map(({ quantity }) => quantity)).toEqual(['10', '1', '1', '1', '1']);
    expect(await writes.shop.refused('updateproduct', { ArticleNumber: 'Half' })).toEqual(['ArticleNumber']);
    expect(await storedKeys()).toEqual(['fine 0', 'fine 1', 'fine 2', 'fine 3']);
    expect(await Array.fromAsync(checkAdministration(writes.app.db, writes.shop.administrationId))).toEqual([]);
  });

  it('that was refused is applied when it is sent again and has become valid', async () => {
    const refused = update('a', { CategoryName: 'Stoelen', NewStockQty: 1 });
    expect((await write([refused])).map(summary)).toEqual(['refused CategoryName']);
    await writes.shop.addCategory('Stoelen');
    expect((await write([refused, refused])).map(summary)).toEqual(['11', '11']);
    expect(await stockOf('0100')).toBe(11);
  });

  it('sees the changes of earlier ones in its call', async () => {
    const outcomes = await write([
      addition('a', { ArticleNumber: 'N1', NewName: 'Kast', NewStockQty: 3 }),
      update('b', { ArticleNumber: 'N1', NewStockQty: 2 }),
      addition('c', { ArticleNumber: 'N1', NewName: 'Kast' }),
    ]);
    expect(outcomes.map(summary)).toEqual(['3', '5', 'refused ArticleNumber']);
  });
});

describe('a call', () => {
  it('is announced before its transaction begins, and does nothing when the announcement fails', async () => {
    const outcomes = await writes.writer.write(
      [update('a', { NewStockQty: 1 })],
      // Within the transaction this would wait forever.
      async () => void (await writes.shop.accepted('updateproduct', { ArticleNumber: '0100', NewStockQty: 5 })),
      new AbortController().signal,
    );
    expect(outcomes.map(summary)).toEqual(['16']);
    const failing = writes.writer.write(
      [update('b', { NewStockQty: 1 })],
      async () => {
        throw new Error('not recorded');
      },
      new AbortController().signal,
    );
    await expect(failing).rejects.toThrow('not recorded');
    expect(await stockOf('0100')).toBe(16);
  });

  it('that was cancelled before it began is neither announced nor carried out', async () => {
    const announced = vi.fn(async () => {});
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(writes.writer.write([update('a', { NewStockQty: 1 })], announced, signal)).rejects.toThrow(
      'cancelled',
    );
    expect(announced).not.toHaveBeenCalled();
    expect(await stockOf('0100')).toBe(10);
  });

  it('without writes has no outcomes', async () => {
    expect(await write([])).toEqual([]);
  });

  it('with an unexpected error throws it, and changes nothing', async () => {
    let reads = 0;
    const broken = await newWriter({
      clock: () => {
        reads++;
        return reads > 2 ? Number.NaN : NOW * 1000;
      },
    });
    const before = await snapshot(writes.app.db, writes.shop.administrationId);
    const requested = ['a', 'b', 'c'].map((key) => update(key, { NewStockQty: 1 }));
    await expect(write(requested, broken)).rejects.toThrow(RangeError);
    expect(await snapshot(writes.app.db, writes.shop.administrationId)).toEqual(before);
    expect((await write(requested)).map(summary)).toEqual(['11', '12', '13']);
  });

  it('with a revoked key changes nothing: applied writes get their responses, others are refused, and so are new writers', async () => {
    const [key] = await listKeys(writes.app.db, writes.shop.administrationId);
    expect((await write([update('a', { NewStockQty: 1 })])).map(summary)).toEqual(['11']);
    await revokeKey(writes.app.db, { administrationId: writes.shop.administrationId, id: key!.id, now: BigInt(NOW) });
    const before = await snapshot(writes.app.db, writes.shop.administrationId);
    const outcomes = await write([update('a', { NewStockQty: 1 }), update('b', { NewStockQty: 1 })]);
    expect(productOf(outcomes[0]!).StockQty).toBe('11');
    expect(outcomes[1]).toMatchObject({ kind: 'refused', problem: { code: 'UNAUTHORIZED' } });
    await expect(newWriter()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await snapshot(writes.app.db, writes.shop.administrationId)).toEqual(before);
  });
});

it('a writer for an unknown credential is refused', async () => {
  const wrong = { ...writes.shop.credential, apiKey: 'wrong' };
  const refusal = await administrations()
    .writer(wrong)
    .catch((thrown) => thrown);
  expect(refusal).toBeInstanceOf(Problem);
  expect(refusal.code).toBe('UNAUTHORIZED');
});

it('thousands of keys of writes are removed', async () => {
  const { db, shop } = { db: writes.app.db, shop: writes.shop };
  const rows = (from: number, count: number, created_on: bigint) =>
    Array.from({ length: count }, (_, index) => ({
      administration_id: shop.administrationId,
      key: `key ${from + index}`,
      answer: '',
      created_on,
    }));
  await insertRows(db, 'applied_write', [...rows(0, 2500, 100n), ...rows(2500, 3, 101n)]);
  await administrations().appliedWrites!.forget(101);
  expect(await storedKeys()).toEqual(['key 2500', 'key 2501', 'key 2502']);
});

it('the keys of writes before a moment are removed in every administration, and later keys stay', async () => {
  const other = await openShop(writes.app);
  let now = NOW + 1000;
  const later = administrations({ clock: () => now * 1000 });
  const writers = [await later.writer(writes.shop.credential), await later.writer(other.credential)];
  for (const by of writers) await write([update('early', { NewStockQty: 1 })], by);
  now += 50;
  for (const by of writers) await write([update('late', { NewStockQty: 1 })], by);
  await later.appliedWrites!.forget(now - 49.5);
  expect(await storedKeys()).toEqual(['early', 'late']);
  await later.appliedWrites!.forget(now);
  expect(await storedKeys()).toEqual(['late']);
  for (const by of writers) {
    const again = await write([update('late', { NewStockQty: 1 }), update('early', { NewStockQty: 1 })], by);
    expect(again.map(summary)).toEqual(['12', '13']);
  }
});
