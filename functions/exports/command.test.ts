import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fixturesOf } from '../../testing/fixtures/fixtures.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createAdministration } from '../administrations/builtin/setup/createAdministration.ts';
import { openDatabase } from '../administrations/builtin/sql/openDatabase.ts';
import { runningAzurite, startAzurite } from '../host/azurite.ts';
import { openStorage } from '../storage/storage.ts';
import { bar, runExport } from './command.ts';

const folder = temporaryFolder();
let id: string;
beforeAll(async () => {
  const db = await openDatabase(`sqlite:${path.join(folder, 'ledgerline.sqlite')}`);
  const made = await createAdministration(db, { name: 'Bakkerij', country: 'NL', fiscalYears: [2026], now: 1n });
  const { addRelation } = fixturesOf(db, made);
  for (let number = 0; number < 3; number++) await addRelation();
  await db.destroy();
  id = String(made);
});

async function run(words: string[], settings: Record<string, string> = {}) {
  const output: string[] = [];
  const errorOutput: string[] = [];
  const shown: string[] = [];
  const code = await runExport(words, {
    env: { DATA_DIR: folder, ...settings },
    say: (line) => output.push(line),
    complain: (line) => errorOutput.push(line),
    show: (line) => shown.push(line),
  });
  return { code, output, errorOutput, shown };
}

/** Published exports of the administration, by the blobs of its storage account. */
async function manifests(connectionString: string): Promise<string[]> {
  const names = await Array.fromAsync(openStorage(connectionString).blobs('relation-exports').list(''));
  return names.filter((name) => name.endsWith('/manifest.json'));
}

describe('npm run export', () => {
  it('exports with a progress bar into the local storage account when no app runs', async () => {
    const first = await run([]);
    expect([first.code, first.errorOutput]).toEqual([0, []]);
    expect(first.output).toEqual([
      expect.stringContaining(`${id}: 3 relations, all of them read; 3 new, 0 changed, 0 gone.`),
    ]);
    expect(first.shown.at(-1)).toBe('');
    expect(first.shown[0]).toMatch(/^\d+ {2}\[-+\] {2}reading, 3 relations$/);
    const second = await run(['--administration', id]);
    expect(second.output).toEqual([expect.stringContaining('what changed was read; 0 new, 0 changed, 0 gone')]);
  });

  it('says which folder it cannot make', async () => {
    const file = path.join(folder, 'a file');
    await writeFile(file, '');
    const { code, output, errorOutput } = await run([], { DATA_DIR: path.join(file, 'data') });
    expect([code, output, errorOutput]).toEqual([
      1,
      [],
      [`${path.join(file, 'data', 'storage')}: it is not in a folder.`],
    ]);
  });

  it('uses the storage account of a running app', async () => {
    const app = await startAzurite(path.join(folder, 'storage'));
    expect(await runningAzurite(path.join(folder, 'storage'))).toBe(app.connectionString);
    const before = await manifests(app.connectionString);
    expect((await run([])).code).toBe(0);
    expect(await manifests(app.connectionString)).toHaveLength(before.length + 1);
    await app.stop();
    expect(await runningAzurite(path.join(folder, 'storage'))).toBeUndefined();
  });

  it('exits with 2 for an unknown administration and for wrong settings', async () => {
    const missing = await run(['--administration', '99']);
    expect([missing.code, missing.errorOutput]).toEqual([2, ['There is no administration 99 to export.']]);
    const wrong = await run([], { RELATION_EXPORT_SCHEDULE: 'at night' });
    expect([wrong.code, wrong.errorOutput.join()]).toEqual([2, expect.stringContaining('RELATION_EXPORT_SCHEDULE')]);
  });

  it('exits with 1 and the reason when an export fails, and makes the others', async () => {
    const closed = [{ name: 'Elsewhere', apiKey: 'very-secret', username: 'x@example.com' }];
    const settings = {
      ADMINISTRATION_URL: 'http://127.0.0.1:9',
      EXPORT_ADMINISTRATIONS: JSON.stringify(closed),
      REMOTE_TIMEOUT_MS: '500',
    };
    const { code, errorOutput } = await run([], settings);
    expect(code).toBe(1);
    expect(errorOutput[0]).toMatch(/^Elsewhere: /);
    expect(errorOutput.join()).not.toContain('very-secret');
  });
});

it('a progress bar is full at the number of relations of the previous export', () => {
  const half = bar('3', { stage: 'merging', relations: 50, expected: 100 });
  expect(half).toBe(`3  [${'#'.repeat(15)}${'-'.repeat(15)}]  putting together, 50 relations`);
  expect(bar('3', { stage: 'reading', relations: 150, expected: 100 })).toContain(`[${'#'.repeat(30)}]`);
});
