import { expect, it } from 'vitest';
import { emptyDatabase } from '../../../../../testing/database.ts';
import { fixturesOf } from '../../../../../testing/fixtures/fixtures.ts';
import { createAdministration } from '../../setup/createAdministration.ts';
import { dialectOf } from '../dialects/dialectOf.ts';
import { newRow } from '../rows.ts';
import { dueWork } from './030-due-work.ts';

it('templates of an older version have the date of their next invoice after the migration', async () => {
  const { db } = await emptyDatabase();
  const administration_id = await createAdministration(db, { name: 'A', country: 'NL', fiscalYears: [], now: 1n });
  const { id: relation_id } = await fixturesOf(db, administration_id).addRelation({ customerNumber: 7 });
  const monthly = {
    administration_id,
    relation_id,
    starting_date: '2026-01-31',
    frequency: 1n,
    request: '{}',
    change_date_tokens_direction: '',
  } as const;
  const schedules = [
    { frequency_unit: 'Month', made: 0n, end_date: null },
    // After the end of a month comes the 31st again, and a weekend is a date that makes no invoice.
    { frequency_unit: 'Month', made: 2n, end_date: null, skip_weekends: 1n },
    { frequency_unit: 'Month', made: 1n, end_date: null },
    { frequency_unit: 'Year', made: 1n, end_date: '2027-01-30' },
  ] as const;
  for (const schedule of schedules) {
    const row = newRow('periodic_invoice', { ...monthly, ...schedule });
    await db.insertInto('periodic_invoice').values(row).execute();
  }
  for (const index of ['periodic_invoice_next_due', 'outgoing_mail_state_due_on']) {
    await db.schema.dropIndex(index).execute();
  }
  await db.schema.alterTable('periodic_invoice').dropColumn('next_due').execute();

  await dueWork(dialectOf(db)).up(db);

  const found = await db.selectFrom('periodic_invoice').orderBy('id').select('next_due').execute();
  expect(found.map(({ next_due }) => next_due)).toEqual(['2026-01-31', '2026-03-31', '2026-02-28', '']);
  await db.destroy();
});
