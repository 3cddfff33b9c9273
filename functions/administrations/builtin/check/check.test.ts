import { describe, expect, it } from 'vitest';
import { openBooks } from '../../../../testing/fixtures/books.ts';
import { openShop } from '../../../../testing/shop.ts';
import { makeDemo } from '../setup/demo/demo.ts';

const { app, check, invoice, shop } = openBooks();

it('the check finds no problem in the demo', async () => {
  await makeDemo(app().db);
  const administrations = await app()
    .db.selectFrom('administration')
    .where('name', 'like', '%B%V%')
    .select('id')
    .execute();
  expect(administrations).toHaveLength(2);
  for (const { id } of administrations) expect(await check(id)).toEqual([]);
});

describe('the check of an administration with records of every kind', () => {
  it('finds no problem', async () => {
    expect(await check()).toEqual([]);
  });

  it('changes nothing', async () => {
    const lists = async () => (await shop().get('/rest/listsalesinvoices')).text;
    const before = await lists();
    await check();
    expect(await lists()).toBe(before);
  });

  it('reports no problem of another administration', async () => {
    const damaged = shop();
    await invoice(1n).set({ total_incl: 1n }).execute();
    const other = await openShop(app());
    expect(await check(other.administrationId)).toEqual([]);
    expect(await check(damaged.administrationId)).not.toEqual([]);
  });
});
