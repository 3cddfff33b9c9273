import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyDatabase } from '../../../../testing/database.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import type { Database } from './database.ts';
import { type ListedValues, listed, prepared, preparedForms, valuesOf } from './prepared.ts';

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

let forms = 0;
const some = preparedForms(
  (one, values: { least: bigint } & ListedValues, form: { names: number; isReversed: boolean; limit: number }) => {
    forms++;
    return one
      .selectFrom('product_category')
      .where('id', '>=', values.least)
      .$if(form.names > 0, (rows) => rows.where('name', 'in', listed<string>(values, form.names)))
      .orderBy('name', form.isReversed ? 'desc' : 'asc')
      .limit(form.limit)
      .select('name');
  },
);

it('a statement in several forms is compiled once for each, and the forms used last are kept', async () => {
  const names = ['Kast', 'Lamp', 'Mat'];
  for (const name of names) await addCategory(db, { administrationId, name });
  const found = async (list: readonly string[], isReversed = false, limit = 10) => {
    const form = { names: list.length, isReversed, limit };
    return (await some(db, { least: 0n, ...valuesOf(list) }, form)).map(({ name }) => name);
  };
  expect(await found(names)).toEqual(names);
  expect(await found(['Mat', 'Kast', 'Boek'])).toEqual(['Kast', 'Mat']);
  expect(forms).toBe(1);
  expect(await found(names, true)).toEqual(['Mat', 'Lamp', 'Kast']);
  expect(await found(['Lamp'])).toEqual(['Lamp']);
  expect(await found([], false, 100)).toEqual(expect.arrayContaining(names));
  expect(forms).toBe(4);

  for (let limit = 11; limit < 105; limit++) {
    await found(names, false, limit);
    await found(['Lamp']);
  }
  expect(forms).toBe(98);
  for (let limit = 105; limit < 115; limit++) await found(names, false, limit);
  expect(await found(['Lamp'])).toEqual(['Lamp']);
  expect(forms).toBe(108);
  expect(await found(names)).toEqual(names);
  expect(forms).toBe(109);
});
