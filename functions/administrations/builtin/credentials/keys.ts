import { hash, randomBytes } from 'node:crypto';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { demoCredentials } from '../setup/demo/demoCredentials.ts';
import { folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import type { KeyScope } from '../sql/declarations/administrations.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import type { Seconds } from '../sql/schema.ts';
import { writingIn } from '../sql/transaction.ts';

/** The hash of an API key, as it is stored. */
export const hashOf = (apiKey: string): string => hash('sha256', apiKey, 'hex');

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
