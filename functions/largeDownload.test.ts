import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportPath } from '../shared/client/exportClient.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { deployedApp } from '../testing/deployedApp.ts';
import { secretKeyOf } from '../testing/secretKey.ts';
import { testStorage } from '../testing/storage.ts';
import { builtinAdministrations } from './administrations/builtin/builtin.ts';
import { relationExports } from './exports/relationExports.ts';

/* The memory of the deployed app while it sends a file that is larger than most. */

const { connectionString, storage } = await testStorage();
const { load } = await deployedApp();
const RELATIONS = 2000;
const NOTES = 'x'.repeat(65_000);

describe.runIf(process.platform === 'linux')('a download of 130 MB', () => {
  let app: TestApp;
  let administration: string;
  let date: string;
  beforeAll(async () => {
    app = await startApp();
    administration = String(app.administrationId);
    for (let number = 0; number < RELATIONS; number++) {
      await app.addRelation({ name: `Relatie ${number}`, contacts: [{ last_name: 'Jansen', notes: NOTES }] });
    }
    const exports = relationExports(storage, builtinAdministrations(app.db), {
      timeZone: 'Europe/Amsterdam',
      exports: { schedule: '0 0 2 * * *', administrations: 'all', days: 90 },
    });
    const progress = () => {};
    ({ date } = await exports.runNow(administration, progress, progress));
  });
  afterAll(() => app.close());

  it('takes less memory than two copies of the file', async () => {
    const { request, pid } = await load({
      DATABASE_URL: app.databaseUrl,
      AzureWebJobsStorage: connectionString,
      SECRET_KEY: secretKeyOf('download'),
    });
    const { apiKey, username } = app.credential;
    const download = (file: 'manifest.json' | 'relations.jsonl') =>
      request({
        name: 'exportFile',
        method: 'GET',
        url: `https://ledgerline.example.com${exportPath({ administration, date }, file)}`,
        headers: { apikey: apiKey, username },
        params: { administration, date, file },
      });
    expect((await download('manifest.json')).status).toBe(200);
    const before = peakMemory(pid);
    const { status, bytes } = await download('relations.jsonl');
    expect(status).toBe(200);
    expect(bytes.length).toBeGreaterThan(RELATIONS * NOTES.length);
    expect(peakMemory(pid) - before).toBeLessThan(2 * bytes.length);
  });
});

/** The most memory that a process has had, in bytes. */
const peakMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
