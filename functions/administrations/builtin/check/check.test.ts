import { describe, expect, it } from 'vitest';
import { openBooks } from '../../../../testing/fixtures/books.ts';
import { openShop } from '../../../../testing/shop.ts';
import { makeDemo } from '../setup/demo/demo.ts';

const { app, check, invoice, shop } = openBooks();

it('finds nothing wrong with the demo', async () => {
  await makeDemo(app().db);
  const administrations = await app()
    .db.selectFrom('administration')
    .where('name', 'like', '%B%V%')
    .select('id')
    .execute();
  expect(administrations).toHaveLength(2);
  for (const { id } of administrations) expect(await check(id)).toEqual([]);
}, 120_000);

describe('in an administration with a little of everything', () => {
  it('finds nothing wrong', async () => {
    expect(await check()).toEqual([]);
  });

  it('changes nothing itself', async () => {
    const lists = async () => (await shop().get('/rest/listsalesinvoices')).text;
    const before = await lists();
    await check();
    expect(await lists()).toBe(before);
  });

  it('does not blame one administration for another', async () => {
    const damaged = shop();
    await invoice(1n).set({ total_incl: 1n }).execute();
    const other = await openShop(app());
    expect(await check(other.administrationId)).toEqual([]);
    expect(await check(damaged.administrationId)).not.toEqual([]);
  });
});
