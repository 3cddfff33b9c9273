import { expect, test } from 'vitest';
import { commandLineOfTests } from '../../../../testing/builtin/commandLine.ts';
import { fixturesOf } from '../../../../testing/fixtures/fixtures.ts';
import { newRow } from '../sql/rows.ts';

const { database, inFolder, run } = commandLineOfTests();

/** An administration with a monthly template since January, of which one invoice is made; it is 4 March. */
async function withTemplate() {
  await run('create', '--name', 'A', '--country', 'NL', '--empty');
  const db = await database();
  const { id } = await fixturesOf(db, 1n).addRelation({ name: 'Bakkerij', customerNumber: 7 });
  await db
    .insertInto('periodic_invoice')
    .values(
      newRow('periodic_invoice', {
        administration_id: 1n,
        relation_id: id,
        relation_number: 7n,
        relation_name: 'Bakkerij',
        request: '{}',
        starting_date: '2026-01-02',
        end_date: null,
        frequency: 1n,
        frequency_unit: 'Month',
        automatic_mailing: 1n,
        skip_weekends: 0n,
        change_date_tokens: 0n,
        change_date_tokens_direction: '',
        made: 1n,
        created_on: 1n,
      }),
    )
    .execute();
  return async (administration: bigint) =>
    db
      .selectFrom('periodic_invoice')
      .where('administration_id', '=', administration)
      .select(['made', 'next_due'])
      .executeTakeFirstOrThrow();
}

const missed = 'Its templates have 2 periodic invoices with a date before today, the first on 2026-02-02.';

test('an archive with periodic invoices of past dates is imported when it is said what becomes of them', async () => {
  const made = await withTemplate();
  await run('export', inFolder('out'), '--administration', '1');
  const words = ['import', 'all', inFolder('out')];
  expect(await run(...words)).toMatchObject({
    code: 1,
    output: [],
    errorOutput: `${missed} Add --missed-invoices make, or --missed-invoices skip.`,
  });
  expect((await run('list')).output).toHaveLength(1);
  expect(await run(...words, '--missed-invoices', 'make')).toMatchObject({ code: 0, output: ['2'] });
  expect(await made(2n)).toEqual({ made: 1n, next_due: '2026-02-02' });
  const skipped = await run(...words, '--missed-invoices', 'skip');
  expect(skipped).toMatchObject({ code: 0, output: ['3'] });
  expect(skipped.errorOutput).toContain(`${missed} They are left out.`);
  expect(await made(3n)).toEqual({ made: 3n, next_due: '2026-04-02' });
});

test('an administration with periodic invoices of past dates is unarchived in the same way', async () => {
  const made = await withTemplate();
  await run('archive', inFolder('out'), '--administration', '1');
  const words = ['unarchive', '--administration', '1'];
  expect(await run(...words)).toMatchObject({ code: 1, output: [] });
  expect((await run('list')).output.join()).toContain('archived');
  expect(await run(...words, '--missed-invoices', 'skip')).toMatchObject({ code: 0 });
  expect(await made(1n)).toEqual({ made: 3n, next_due: '2026-04-02' });
});
