import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyDatabase } from '../../../../testing/database.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import type { Database } from './database.ts';
import { prepared } from './prepared.ts';

let db: Database;
let administrationId: bigint;
beforeAll(async () => {
  ({ db } = await emptyDatabase());
  administrationId = await createAdministration(db, { name: 'A', country: 'NL', fiscalYears: [2026], now: 1n });
});
afterAll(() => db.destroy());

let made = 0;
const addCategory = prepared((db, values: { administrationId: bigint; name: string }) => {
  made++;
  return db
    .insertInto('product_category')
    .values({ administration_id: values.administrationId, name: values.name, name_folded: values.name })
    .returning('name');
});
const named = prepared((db, values: { name: string; least: bigint }) =>
  db
    .selectFrom('product_category')
    .where((eb) => eb.or([eb('name', '=', values.name), eb('name_folded', '=', values.name)]))
    .where('name', '<>', 'never')
    .where('id', '>=', values.least)
    .select('name'),
);

it('a prepared statement is compiled once, and executed with new values each time', async () => {
  for (const name of ['Stoelen', 'Tafels', "d'r bij", '']) {
    expect(await addCategory(db, { administrationId, name })).toEqual([{ name }]);
  }
  expect(made).toBe(1);
  expect(await named(db, { name: 'Tafels', least: 0n })).toEqual([{ name: 'Tafels' }]);
  expect(await named(db, { name: "d'r bij", least: 0n })).toEqual([{ name: "d'r bij" }]);
  expect(await named(db, { name: 'Tafels', least: 2n ** 62n })).toEqual([]);
});

it('a prepared statement runs in the transaction of its database', async () => {
  const failing = db.transaction().execute(async (trx) => {
    await addCategory(trx, { administrationId, name: 'Half' });
    expect(await named(trx, { name: 'Half', least: 0n })).toEqual([{ name: 'Half' }]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await named(db, { name: 'Half', least: 0n })).toEqual([]);
});

it('simultaneous executions of a prepared statement get their own values', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `Groep ${index}`);
  const responses = await Promise.all(names.map((name) => addCategory(db, { administrationId, name })));
  expect(responses).toEqual(names.map((name) => [{ name }]));
});
