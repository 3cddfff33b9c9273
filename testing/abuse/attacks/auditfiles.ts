import { equal, match } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Auditfile } from '../../../shared/resources/generalLedger/auditfile.ts';
import { auditfile, manyEntries } from '../../builtin/auditfiles.ts';
import type { Sent } from '../request.ts';
import type { Target } from '../target.ts';
import type { Attack } from './attack.ts';

/* Audit files by a key that may import: large ones, ones that unpack to more than they say, and years that are written. */

const post = (path: string, body: object = {}): Sent => ({ method: 'POST', path, body: JSON.stringify(body) });

/** Erases the files of the attacker, when they are not worked on any more. */
export async function eraseAuditfiles(target: Target): Promise<void> {
  const { body } = await target.write({ method: 'GET', path: '/auditfiles' });
  for (const { id } of JSON.parse(body).auditfiles as Auditfile[]) {
    await settled(target, id);
    await target.write(post(`/auditfiles/${id}/erase`));
  }
}

/** Announces a file. @returns its id, and its only part as it is sent */
export async function receivedAuditfile(
  target: Target,
  text = auditfile(),
): Promise<{ id: string; part: Pick<Sent, 'body' | 'headers'> }> {
  await eraseAuditfiles(target);
  const bytes = Buffer.byteLength(text);
  const { status, body } = await target.write(post('/auditfiles', { name: 'books.xaf', bytes }));
  equal(status, 201, body);
  const part = { body: gzipSync(text), headers: { 'Content-Type': 'application/gzip' } };
  return { id: JSON.parse(body).auditfile.id, part };
}

/** Waits until a file is not worked on. */
async function settled({ write }: Target, id: string): Promise<Auditfile> {
  for (;;) {
    const { body } = await write({ method: 'GET', path: `/auditfiles/${id}` });
    const { auditfile: file } = JSON.parse(body) as { auditfile: Auditfile };
    if (!['checking', 'importing', 'withdrawing'].includes(file.state)) return file;
    await sleep(200);
  }
}

/** Some megabytes: one part. */
const ENTRIES = 15_000;

export const auditfileAttacks: readonly Attack[] = [
  {
    name: 'an audit file that is sent, imported and withdrawn',
    async prepare(target) {
      const { id, part } = await receivedAuditfile(target, manyEntries(ENTRIES));
      return async () => {
        const { status, body } = await target.write({ method: 'POST', path: `/auditfiles/${id}/parts/1`, ...part });
        equal(status, 200, body);
        await target.write(post(`/auditfiles/${id}/import`, { replace: true, takeWithWarnings: true }));
        const { state, message } = await settled(target, id);
        equal(state, 'imported', message);
        await target.write(post(`/auditfiles/${id}/withdraw`));
        const after = await settled(target, id);
        equal(after.state, 'withdrawn', after.message);
        return `${ENTRIES} entries`;
      };
    },
  },
  {
    name: 'parts of an audit file that unpack without end',
    async prepare(target) {
      const { id, part } = await receivedAuditfile(target, 'x'.repeat(8_000_000));
      const bomb = gzipSync(Buffer.alloc(200_000_000));
      return async () => {
        const sent = Array.from({ length: 5 }, () =>
          target.write({ method: 'POST', path: `/auditfiles/${id}/parts/1`, ...part, body: bomb }),
        );
        const statuses = (await Promise.all(sent)).map(({ status }) => status);
        for (const status of statuses) match(String(status), /^(400|413|429|0)$/);
        return statuses.join(', ');
      };
    },
    maxMemory: 150,
  },
  {
    name: 'years that are written as audit files, several at once',
    prepare: (target) => async () => {
      const year = { method: 'GET', path: '/ledger/auditfile?year=2026' };
      const written = await Promise.all(Array.from({ length: 8 }, () => target.read(year)));
      const statuses = written.map(({ status }) => status);
      for (const status of statuses) match(String(status), /^(200|400|503)$/);
      return statuses.join(', ');
    },
  },
];
