import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Credential } from '../../../../shared/client/client.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import type { KeyScope } from '../sql/declarations/administrations.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import { prepared } from '../sql/prepared.ts';
import type { Row, Seconds } from '../sql/schema.ts';
import { writingIn } from '../sql/transaction.ts';
import { demoCredentials, isDemoCredential } from './demo/demoCredentials.ts';

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');
const hashOf = (apiKey: string): string => hash('sha256', apiKey, 'hex');

export type NewKey = {
  administrationId: bigint;
  username: string;
  label: string;
  now: Seconds;
  /** Left out: all. */
  scope?: KeyScope;
  /** The last day on which it is valid; left out: no end. */
  endsOn?: CalendarDate;
  /** A fixed key, for the demo only; left out: 32 random bytes. */
  apiKey?: string;
};

/** Issues a key for an administration and returns it: it cannot be read again. */
export async function issueKey(db: Database, key: NewKey): Promise<string> {
  const apiKey = key.apiKey ?? randomBytes(32).toString('base64url');
  await writingIn(db, { ...key, author: byCommand('key issue') }, (trx) =>
    trx
      .insertInto('api_key')
      .values({
        administration_id: key.administrationId,
        username: folded(key.username),
        key_hash: hashOf(apiKey),
        label: key.label,
        scope: key.scope ?? 'all',
        ends_on: key.endsOn ?? null,
        created_on: key.now,
      })
      .execute(),
  );
  return apiKey;
}

/** The keys of an administration, including revoked ones; without their hashes. */
export const listKeys = (db: Database, administrationId: bigint) =>
  db
    .selectFrom('api_key')
    .where('administration_id', '=', administrationId)
    .orderBy('id')
    .select(['id', 'username', 'label', 'scope', 'created_on', 'last_used_on', 'ends_on', 'revoked_on'])
    .execute();

/** Revokes a key. @returns false when the administration has no such valid key */
export async function revokeKey(
  db: Database,
  key: { administrationId: bigint; id: bigint; now: Seconds },
): Promise<boolean> {
  const { numUpdatedRows } = await writingIn(db, { ...key, author: byCommand('key revoke') }, (trx) =>
    trx
      .updateTable('api_key')
      .set({ revoked_on: key.now })
      .where('administration_id', '=', key.administrationId)
      .where('id', '=', key.id)
      .where('revoked_on', 'is', null)
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

/** The administration and the rights of a credential. */
export type SignedIn = {
  administration: Row<'administration'>;
  key: { id: bigint; username: string; label: string; scope: KeyScope; lastUsedOn: Seconds | null };
};

/**
 * Finds the administration of a credential. A wrong key takes the same time for known and unknown user names: keys are
 * found by their hash, a hash of no key is always compared, and comparisons take constant time.
 * @param today for keys with a last day; finding it in a time zone takes milliseconds the first time
 * @throws Problem UNAUTHORIZED
 */
export async function signIn(db: Database, credential: Credential, today: () => CalendarDate): Promise<SignedIn> {
  const keyHash = hashOf(credential.apiKey);
  const username = folded(credential.username);
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
    const isUser = timingSafeEqual(sha256(username), sha256(key_username));
    if (!isKey || !isUser || (key_ends_on !== null && key_ends_on < today())) continue;
    found = {
      administration,
      key: { id: key_id, username: key_username, label: key_label, scope: key_scope, lastUsedOn: key_last_used_on },
    };
  }
  if (found === undefined || (isDemoCredential(credential) && !dialectOf(db).isOwnFile)) {
    throw new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
  }
  return found;
}

/** Whether a public key of the demo is stored and not revoked. */
export async function hasDemoKey(db: Database): Promise<boolean> {
  const hashes = Object.values(demoCredentials).map(({ apiKey }) => hashOf(apiKey));
  const row = await db
    .selectFrom('api_key')
    .where('key_hash', 'in', hashes)
    .where('revoked_on', 'is', null)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
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
