import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Credential } from '../../../../shared/client/client.ts';
import { Problem } from '../../../../shared/problem.ts';
import { folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import { byCommand } from '../sql/log/author.ts';
import { prepared } from '../sql/prepared.ts';
import type { Row, Seconds } from '../sql/schema.ts';
import { writingIn } from '../sql/transaction.ts';

const hashOf = (apiKey: string): string => createHash('sha256').update(apiKey, 'utf8').digest('hex');

/** An API key as lists show it: without the key. */
export type ApiKey = { id: bigint; username: string; label: string; createdOn: Seconds; revokedOn: Seconds | null };

/**
 * Issues a key for an administration and returns it: it cannot be read again.
 * @param given a key of one's own choosing, for the demo only; left out: 32 random bytes
 */
export async function issueKey(
  db: Database,
  key: { administrationId: bigint; username: string; label: string; now: Seconds; given?: string },
): Promise<string> {
  const apiKey = key.given ?? randomBytes(32).toString('base64url');
  await writingIn(db, { ...key, author: byCommand('key issue') }, (trx) =>
    trx
      .insertInto('api_key')
      .values({
        administration_id: key.administrationId,
        username: folded(key.username),
        key_hash: hashOf(apiKey),
        label: key.label,
        created_on: key.now,
      })
      .execute(),
  );
  return apiKey;
}

/** The keys of an administration, revoked ones too. */
export async function listKeys(db: Database, administrationId: bigint): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_key')
    .where('administration_id', '=', administrationId)
    .orderBy('id')
    .selectAll()
    .execute();
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    label: row.label,
    createdOn: row.created_on,
    revokedOn: row.revoked_on,
  }));
}

/** Ends a key; false when the administration has no such key that still works. */
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

/** What is said of a credential that opens nothing. */
export const unauthorized = (): Problem => new Problem('UNAUTHORIZED', 'Invalid authentication credentials');

/**
 * The administration a credential opens, if any. Every key of the user name is compared, each in constant time, so that
 * the time taken says nothing of how close a guess came.
 */
export async function administrationOf(
  db: Database,
  credential: Credential,
): Promise<Row<'administration'> | undefined> {
  return (await keyOf(db, credential))?.administration;
}

async function keyOf(
  db: Database,
  credential: Credential,
): Promise<{ administration: Row<'administration'>; key: { id: bigint } } | undefined> {
  const given = Buffer.from(hashOf(credential.apiKey), 'hex');
  const rows = await keysOf(db, { username: folded(credential.username) });
  let found: { administration: Row<'administration'>; key: { id: bigint } } | undefined;
  for (const { key_id, key_hash, ...administration } of rows) {
    if (timingSafeEqual(given, Buffer.from(key_hash, 'hex'))) found = { administration, key: { id: key_id } };
  }
  return found;
}

/** The administration a credential opens, and the key it has. @throws Problem UNAUTHORIZED */
export async function signIn(
  db: Database,
  credential: Credential,
): Promise<{ administration: Row<'administration'>; key: { id: bigint } }> {
  const found = await keyOf(db, credential);
  if (found === undefined) throw unauthorized();
  return found;
}

const keysOf = prepared((db, { username }: { username: string }) =>
  db
    .selectFrom('api_key')
    .innerJoin('administration', 'administration.id', 'api_key.administration_id')
    .where('username', '=', username)
    .where('revoked_on', 'is', null)
    .selectAll('administration')
    .select(['api_key.id as key_id', 'key_hash']),
);
