import { expect, it } from 'vitest';
import { emptyDatabase } from '../../../../../testing/database.ts';
import { createAdministration } from '../../setup/createAdministration.ts';
import { dialectOf } from '../dialects/dialectOf.ts';
import { identifiers } from './017-identifiers.ts';

it('administrations of an older version have ids of their own after the migration', async () => {
  const { db } = await emptyDatabase();
  for (const name of ['A', 'B']) await createAdministration(db, { name, country: 'NL', fiscalYears: [], now: 1n });
  await db.schema.dropIndex('administration_identifier').execute();
  await db.schema.alterTable('administration').dropColumn('identifier').execute();

  await identifiers(dialectOf(db)).up(db);

  const ids = (await db.selectFrom('administration').select('identifier').execute()).map((row) => row.identifier);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  await db.destroy();
});
