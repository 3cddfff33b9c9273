import { createAdministration } from '../functions/administrations/builtin/setup/createAdministration.ts';
import { issueKey, signIn } from '../functions/administrations/builtin/setup/keys.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { alternately, type Ratio } from './measure.ts';

/** A wrong key of a user name with ten keys, against one of a user name nobody has: the time is to tell nothing. */
export async function measureSignIn(): Promise<Ratio[]> {
  const db = await openDatabase('sqlite::memory:');
  const now = 1_790_000_000n;
  const administrationId = await createAdministration(db, { name: 'A', country: 'NL', fiscalYears: [], now });
  const username = 'known@example.com';
  for (let count = 0; count < 10; count++) await issueKey(db, { administrationId, username, label: '', now });
  const attempt = (name: string) => () => signIn(db, { apiKey: 'wrong', username: name }, '2026-11-22').catch(() => {});
  const times = await alternately(5000, attempt(username), attempt('nobody@example.com'));
  await db.destroy();
  return [{ name: 'a wrong key of a known user name, against an unknown one', ...times, unit: 'ms', aim: 1.1 }];
}
