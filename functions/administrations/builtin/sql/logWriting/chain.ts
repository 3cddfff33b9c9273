import { hash, randomFillSync } from 'node:crypto';
import type { Row } from '../schema.ts';

/** A row of the log without its administration. */
export type LogRow = Omit<Row<'log'>, 'administration_id'>;

/** The hash of a row: of its values, the digest of its personal values, and the hash of the previous row. */
export const hashOf = (row: Omit<LogRow, 'hash' | 'personal' | 'salt'>, previous: string): string =>
  hash(
    'sha256',
    JSON.stringify([
      previous,
      String(row.sequence),
      String(row.at),
      row.origin,
      row.key_id === null ? null : String(row.key_id),
      row.action,
      row.kind,
      row.subject,
      row.relation_guid === null ? null : String(row.relation_guid),
      row.changes,
      row.personal_digest,
    ]),
  );

/** Personal values with a new salt, and their digest for the hash of the row. */
export function sealed(personal: string): Pick<LogRow, 'personal' | 'salt' | 'personal_digest'> {
  if (personal === '') return { personal, salt: '', personal_digest: '' };
  const salt = newSalt();
  return { personal, salt, personal_digest: digestOf({ personal, salt }) };
}

const SALT_BYTES = 16;

/** Random bytes for many salts, since asking for a few takes as long; those before `used` are not used again. */
const random = Buffer.alloc(256 * SALT_BYTES);
let used = random.length;

function newSalt(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const salt = random.toString('hex', used, used + SALT_BYTES);
  random.fill(0, used, used + SALT_BYTES);
  used += SALT_BYTES;
  return salt;
}

export const digestOf = ({ personal, salt }: Pick<LogRow, 'personal' | 'salt'>): string =>
  hash('sha256', `${salt}${personal}`);
