import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { emptyDatabase } from '../../../../testing/database.ts';
import type { Database } from '../sql/database.ts';
import { type TableName, tables } from '../sql/declarations/tables.ts';
import { createAdministration } from './createAdministration.ts';
import { deleteAdministration } from './deleteAdministration.ts';
import { makeDemo } from './demo/demo.ts';

/** Every row of every table, as text. */
async function contentsOf(db: Database): Promise<Map<string, unknown[]>> {
  const found = new Map<string, unknown[]>();
  for (const table of Object.keys(tables) as TableName[]) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
    const texts = rows.map((row) =>
      JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    );
    found.set(table, texts.sort());
  }
  return found;
}

test('deleting an administration removes all its rows, and no others', {
  timeout: 540_000,
}, async () => {
  const { db } = await emptyDatabase();
  await makeDemo(db, { now: 1_760_000_000n, hasRandomKeys: true });
  const both = await contentsOf(db);
  const [dutch, belgian] = await db.selectFrom('administration').orderBy('id').select('id').execute();
  await deleteAdministration(db, dutch!.id, 1n);
  const one = await contentsOf(db);
  const filled = [...both].filter(([, rows]) => rows.length > 0);
  expect(filled.length).toBeGreaterThan(20);
  for (const [table, rows] of filled) {
    expect({ table, less: one.get(table)!.length < rows.length }).toEqual({ table, less: true });
    const before = new Set(rows);
    expect(one.get(table)!.filter((row) => !before.has(row))).toEqual([]);
  }
  const ofDutch = [...one].filter(([, rows]) =>
    rows.some((row) => `${row}`.includes(`"administration_id":"${dutch!.id}"`)),
  );
  expect(ofDutch).toEqual([]);
  await deleteAdministration(db, belgian!.id, 1n);
  const none = [...(await contentsOf(db))].filter(([, rows]) => rows.length > 0);
  expect(none).toEqual([]);
  // The triggers that protect the log exist again.
  await createAdministration(db, { name: 'Nieuw', country: 'NL', fiscalYears: [], now: 1n, empty: true });
  await expect(db.deleteFrom('log').execute()).rejects.toThrow('The log can only be added to.');
  await db.destroy();
});

test('a transaction that deletes an administration can delete nothing of the log of another', async () => {
  const { db } = await emptyDatabase();
  const create = (name: string) =>
    createAdministration(db, { name, country: 'NL', fiscalYears: [], now: 1n, empty: true });
  const [first, second] = [await create('A'), await create('B')];
  const before = await contentsOf(db);
  for (const table of ['log', 'log_head'] as const) {
    const both = db.transaction().execute(async (trx) => {
      await deleteAdministration(trx, first, 1n);
      await trx.deleteFrom(table).where('administration_id', '=', second).execute();
    });
    await expect(both).rejects.toThrow('The log can only be added to.');
    expect(await contentsOf(db)).toEqual(before);
  }
  await deleteAdministration(db, first, 1n);
  await db.destroy();
});

test('deleting an administration keeps what was changed by SQL in another', async () => {
  const { db } = await emptyDatabase();
  const create = (name: string) =>
    createAdministration(db, { name, country: 'NL', fiscalYears: [], now: 1n, empty: true });
  const [first, second] = [await create('A'), await create('B')];
  for (const id of [second, first]) {
    await db.updateTable('administration').where('id', '=', id).set({ city: 'Gouda' }).execute();
  }
  await deleteAdministration(db, first, 1n);
  const rows = await db.selectFrom('log_change').selectAll().execute();
  expect(rows.map((row) => row.administration_id)).toEqual([second]);
  await db.destroy();
});

test('no later administration gets the id of a deleted one, whose exports may still be in storage', async () => {
  const { db } = await emptyDatabase();
  const create = (name: string) =>
    createAdministration(db, { name, country: 'NL', fiscalYears: [], now: 1n, empty: true });
  const ids = [await create('A'), await create('B'), await create('C')];
  for (const index of [2, 1]) await deleteAdministration(db, ids[index]!, 1n);
  const later = [await create('D'), await create('E')];
  expect(new Set([...ids, ...later]).size).toBe(5);
  expect(later.every((id) => id > ids[2]!)).toBe(true);
  await db.destroy();
});
