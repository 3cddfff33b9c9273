import { expect, it } from 'vitest';
import { emptyDatabase } from '../../../../../testing/database.ts';
import { fixturesOf } from '../../../../../testing/fixtures/fixtures.ts';
import { createAdministration } from '../../setup/createAdministration.ts';
import { dialectOf } from '../dialects/dialectOf.ts';
import { searchedProducts } from './019-searched-products.ts';

it('products of an older version are searched by name and number after the migration', async () => {
  const { db } = await emptyDatabase();
  const id = await createAdministration(db, { name: 'A', country: 'NL', fiscalYears: [], now: 1n });
  await fixturesOf(db, id).addProduct({ articleNumber: 'ÉT-1', name: 'Étoile Ω' });
  for (const column of ['name_folded', 'number_folded']) {
    await db.schema.alterTable('product').dropColumn(column).execute();
  }

  await searchedProducts(dialectOf(db)).up(db);

  const [product] = await db.selectFrom('product').select(['name_folded', 'number_folded']).execute();
  expect(product).toEqual({ name_folded: 'étoile ω', number_folded: 'ét-1' });
  await db.destroy();
});
