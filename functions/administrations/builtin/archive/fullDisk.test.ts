import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKind, emptyDatabase } from '../../../../testing/database.ts';
import { makeDemo } from '../setup/demo/demo.ts';
import type { Database } from '../sql/database.ts';

/* The system ends a file that grows beyond a size as a full disk does: while it is written. */

const command = path.resolve(import.meta.dirname, '../cli/command.ts');

// No other process can open a database that is inside this one.
describe.skipIf(databaseKind() === 'embedded')('while what a command writes cannot be completed', () => {
  let folder: string;
  let db: Database;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'ledgerline-full-disk-'));
    ({ db, url } = await emptyDatabase(path.join(folder, 'ledgerline.sqlite')));
    await makeDemo(db, { today: '2026-03-04' });
  });
  afterAll(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command that may write no file of more than some blocks of 512 bytes. */
  function runWithin(blocks: number, ...words: string[]) {
    const limited = ['-c', 'ulimit -f "$0"; exec "$@"', String(blocks), process.execPath, command, ...words];
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: folder, DATABASE_URL: url };
    const { status, stdout, stderr } = spawnSync('sh', limited, { env, encoding: 'utf8', input: '' });
    return { status, stdout, stderr };
  }

  /** Expects that a command says which file it could not write, and leaves nothing of it. */
  async function expectRefused(blocks: number, words: readonly string[], out: string): Promise<void> {
    const reason = 'the disk or the system allows no file of that size';
    const { status, stderr } = runWithin(blocks, ...words, out);
    expect({ status, stderr }).toEqual({ status: 1, stderr: `${out} cannot be written: ${reason}.\n` });
    expect(readdirSync(folder).filter((name) => name.startsWith('out'))).toEqual([]);
  }

  // The files of SQLite have the same limit: it reads then, but writes little.
  const [verb, smallest] = databaseKind() === 'sqlite' ? (['export', 100] as const) : (['archive', 8] as const);

  test.each([smallest, 600])('an administration stays as it is, and no folder is left (%i blocks)', async (blocks) => {
    await expectRefused(blocks, [verb, '--administration', '1'], path.join(folder, 'out'));
    const { archived_on } = await db
      .selectFrom('administration')
      .where('id', '=', 1n)
      .select('archived_on')
      .executeTakeFirstOrThrow();
    expect(archived_on).toBeNull();
  });

  test('no part of an audit file is left', () =>
    expectRefused(smallest, ['auditfile', '1', '--year', '2026'], path.join(folder, 'out.xaf')));

  test('no part of a VAT return is left', () =>
    expectRefused(smallest, ['vat', '1', '--period', '2025', '--out'], path.join(folder, 'out.xlsx')));
});
