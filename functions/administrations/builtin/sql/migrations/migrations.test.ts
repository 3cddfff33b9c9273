import { expect, test } from 'vitest';
import { postgres } from '../dialects/postgres.ts';
import { sqlite } from '../dialects/sqlite.ts';
import { logTriggers } from '../logWriting/triggers.ts';
import { schemaDigest } from '../schemaDigest.ts';
import { migrations } from './migrations.ts';

/*
 * Fails when triggers change. Then add a migration, `changedTriggers` if no table changes, and put its name and the new
 * digest here. Without a migration an older version, started beside the new one, would install its triggers again.
 */
test('changed triggers come with a migration', () => {
  const names = [sqlite, postgres].flatMap((dialect) => logTriggers(dialect).map(({ name }) => name));
  const latest = Object.keys(migrations(sqlite)).at(-1);
  expect([latest, schemaDigest(names).slice(0, 12)]).toEqual(['032-greek-vat-numbers', '0c978e910efa']);
});
