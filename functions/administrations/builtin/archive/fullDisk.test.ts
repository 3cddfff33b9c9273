import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKind, emptyDatabase } from '../../../../testing/database.ts';
import { makeDemo } from '../setup/demo/demo.ts';
import type { Database } from '../sql/database.ts';

/* The system ends a file that grows beyond a size as a full disk does: while it is written. */

const command = path.resolve(import.meta.dirname, '../cli/command.ts');

// No other process can open a database that is inside this one.
describe.skipIf(databaseKind() === 'embedded')('while its folder cannot be written to the end', () => {
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

  // The files of SQLite have the same limit: it reads then, but writes little.
  const [verb, smallest] = databaseKind() === 'sqlite' ? ['export', 100] : ['archive', 8];

  test.each([smallest, 600])('an administration stays as it is, and no folder is left (%i blocks)', async (blocks) => {
    const out = path.join(folder, 'out');
    const reason = 'the disk or the system allows no file of that size';
    expect(runWithin(blocks, verb, out, '--administration', '1')).toEqual({
      status: 1,
      stdout: '',
      stderr: `${out} cannot be written: ${reason}.\n`,
    });
    const { archived_on } = await db
      .selectFrom('administration')
      .where('id', '=', 1n)
      .select('archived_on')
      .executeTakeFirstOrThrow();
    expect(archived_on).toBeNull();
    expect(existsSync(out)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('out'))).toEqual([]);
  });
});
