import { issueKey } from '../functions/administrations/builtin/credentials/keys.ts';
import { signIn } from '../functions/administrations/builtin/credentials/signIn.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { NOW, newBooks } from './books.ts';
import { alternately, eachOf, median, type Ratio } from './measure.ts';

/** A wrong key of a user name with ten keys, against one of a user name nobody has: the time is to tell nothing. */
export async function measureSignIn(): Promise<Ratio[]> {
  const db = await openDatabase('sqlite::memory:');
  const { administrationId } = await newBooks(db);
  const username = 'known@example.com';
  for (let count = 0; count < 10; count++) await issueKey(db, { administrationId, username, label: '', now: NOW });
  const attempt = (name: string) => () =>
    signIn(db, { apiKey: 'wrong', username: name }, () => '2026-11-22').catch(() => {});
  const times = await alternately(5000, { ours: attempt(username), bare: attempt('nobody@example.com') });
  await db.destroy();
  const name = 'a wrong key of a known user name, against an unknown one';
  return [{ name, ...eachOf(median, times), unit: 'ms', aim: 1.1 }];
}
