import { hash, timingSafeEqual } from 'node:crypto';
import type { Credential } from '../../../../shared/client/client.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { isDemoCredential } from '../setup/demo/demoCredentials.ts';
import { folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import type { KeyScope } from '../sql/declarations/administrations.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { prepared } from '../sql/prepared.ts';
import type { Row, Seconds } from '../sql/schema.ts';
import { archivedRefusal } from '../sql/transaction.ts';
import { hashOf } from './keys.ts';

/** The administration and the rights of a credential. */
export type SignedIn = {
  administration: Row<'administration'>;
  key: { id: bigint; username: string; label: string; scope: KeyScope; lastUsedOn: Seconds | null };
};

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Finds the administration of a credential. A wrong key takes the same time for known and unknown user names: keys are
 * found by their hash, a hash of no key is always compared, and comparisons take constant time.
 * @param today for keys with a last day; finding it in a time zone takes milliseconds the first time
 * @throws Problem UNAUTHORIZED
 */
export async function signIn(db: Database, credential: Credential, today: () => CalendarDate): Promise<SignedIn> {
  const keyHash = hashOf(credential.apiKey);
  const username = sha256(folded(credential.username));
  const rows = await keysWith(db, { keyHash });
  let found: SignedIn | undefined;
  for (const {
    key_id,
    key_hash,
    key_username,
    key_label,
    key_scope,
    key_ends_on,
    key_last_used_on,
    ...administration
  } of [...rows, NO_KEY]) {
    const isKey = timingSafeEqual(Buffer.from(keyHash), Buffer.from(key_hash));
    const isUser = timingSafeEqual(username, sha256(key_username));
    if (!isKey || !isUser || (key_ends_on !== null && key_ends_on < today())) continue;
    found = {
      administration,
      key: { id: key_id, username: key_username, label: key_label, scope: key_scope, lastUsedOn: key_last_used_on },
    };
  }
  if (found === undefined || (isDemoCredential(credential) && dialectOf(db).name !== 'sqlite')) {
    throw new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
  }
  return found;
}

/** Why a credential may only read; undefined when it may write. */
export function readOnlyReason({ key, administration }: SignedIn): Problem | undefined {
  if (key.scope === 'read') return new Problem('FORBIDDEN', 'This API key may only read.');
  return administration.archived_on === null ? undefined : archivedRefusal();
}

const keysWith = prepared((db, { keyHash }: { keyHash: string }) =>
  db
    .selectFrom('api_key')
    .innerJoin('administration', 'administration.id', 'api_key.administration_id')
    .where('key_hash', '=', keyHash)
    .where('revoked_on', 'is', null)
    .selectAll('administration')
    .select([
      'api_key.id as key_id',
      'api_key.key_hash',
      'api_key.username as key_username',
      'api_key.label as key_label',
      'api_key.scope as key_scope',
      'api_key.ends_on as key_ends_on',
      'api_key.last_used_on as key_last_used_on',
    ]),
);

type KeyRow = Awaited<ReturnType<typeof keysWith>>[number];
/** A row that no key matches, and whose last day is past. */
const NO_KEY = { key_hash: '0'.repeat(64), key_username: '', key_ends_on: '0000-01-01' } as KeyRow;
