import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { emptyDatabase } from '../../../../../../testing/database.ts';
import { fixturesOf } from '../../../../../../testing/fixtures/fixtures.ts';
import { createAdministration } from '../../../setup/createAdministration.ts';
import { vatNumbers } from './005-vat-numbers.ts';

it('VAT numbers that were stored by an older rule are found after the migration', async () => {
  const { db } = await emptyDatabase();
  const id = await createAdministration(db, { name: 'A', country: 'NL', fiscalYears: [2026], now: 1n });
  const { addRelation } = fixturesOf(db, id);
  for (const [vatNumber, vat_compared] of [
    ['RO123456', 'RO123456'],
    ['CHE-123.456.789 MWST', 'E123456789MWST'],
    ['NL001234567B01', '001234567'],
    ['GR 094 259 216', 'GR094259216'],
    ['TVA BE 0403.170.701', 'TVABE0403170701'],
    ['', ''],
  ]) {
    await addRelation({ vatNumber: vatNumber!, row: { vat_compared: vat_compared! } });
  }
  // More rows than one batch.
  for (let index = 0; index < 1000; index++) await addRelation();
  await addRelation({ vatNumber: 'RO77', row: { vat_compared: 'RO77' } });

  await vatNumbers.up(db);

  const compared = await db
    .selectFrom('relation')
    .where('vat_number', '<>', '')
    .orderBy('id')
    .select('vat_compared')
    .execute();
  expect(compared.map((row) => row.vat_compared)).toEqual([
    '123456',
    '123456789',
    '001234567',
    '094259216',
    '0403170701',
    '77',
  ]);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['005-vat-numbers', '032-greek-vat-numbers']));
  await db.destroy();
});
