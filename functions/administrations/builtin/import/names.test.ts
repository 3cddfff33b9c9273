import { expect, test } from 'vitest';
import { importInto, problemsOf } from '../../../../testing/builtin/imports.ts';

test('cost centers and order statuses are found in any case, and keep their first spelling', async () => {
  const { db, load } = await importInto();
  expect((await load('cost-centers', 'Name\nWinkel\nMarkt')).counts).toEqual({ added: 2, changed: 0, unchanged: 0 });
  expect((await load('cost-centers', 'Name\nWINKEL\nLoods')).counts).toEqual({ added: 1, changed: 0, unchanged: 1 });
  expect(problemsOf(await load('cost-centers', 'Name\nA\na'))).toEqual([
    '3 Name: expected a once, but it stands on line 2 as well',
  ]);
  const names = await db.selectFrom('cost_center').orderBy('name').select('name').execute();
  expect(names.map(({ name }) => name)).toEqual(['Loods', 'Markt', 'Winkel']);
  expect((await load('order-statuses', 'Label\nnieuw\nIn productie')).counts).toEqual({
    added: 1,
    changed: 0,
    unchanged: 1,
  });
});
