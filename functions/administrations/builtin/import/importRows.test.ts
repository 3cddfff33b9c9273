import { expect, test } from 'vitest';
import { importInto, NOW, problemsOf } from '../../../../testing/builtin/imports.ts';
import { importRows } from './importRows.ts';
import { resources } from './resources.ts';

test('an import stops after 10,000 problems, and the last problem says so', async () => {
  const { db, administrationId } = await importInto();
  let read = 0;
  const rows = (async function* () {
    for (; read < 30_000; read++) yield { line: read + 2, cells: ['Winkel', 'too many'] };
  })();
  const result = await importRows(
    db,
    resources['cost-centers'],
    { file: 'rows.csv', headings: ['Name'], headingLine: 1, rows },
    { administrationId, now: NOW },
  );
  expect(read).toBeLessThan(11_000);
  expect(problemsOf(result).slice(9999)).toEqual([
    '10001 expected 1 cells, as the heading has, got 2',
    '10001 the rest of the file was not read: it has 10000 problems up to here',
  ]);
});
