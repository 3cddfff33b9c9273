import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createAdministration } from './administrations/builtin/setup/createAdministration.ts';
import { demoCredentials } from './administrations/builtin/setup/demo/demoCredentials.ts';
import { issueKey, listKeys, revokeKey } from './administrations/builtin/setup/keys.ts';
import { openDatabase } from './administrations/builtin/sql/openDatabase.ts';
import { openAdministrations } from './app.ts';
import { readSettings, WrongSetting } from './settings.ts';

it('a database that a key of the demo opens is not served in Azure, until that key is revoked', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-demo-'));
  const databaseUrl = `sqlite:${path.join(folder, 'books.sqlite')}`;
  const db = await openDatabase(databaseUrl);
  const administrationId = await createAdministration(db, { name: 'A', country: 'BE', fiscalYears: [2026], now: 1n });
  const { apiKey, username } = demoCredentials.BE;
  await issueKey(db, { administrationId, username, label: 'demo', now: 1n, apiKey });
  const local = readSettings({ DATABASE_URL: databaseUrl });
  const azure = { ...local, isAzure: true };

  await expect(openAdministrations(azure)).rejects.toThrow(WrongSetting);
  await expect(openAdministrations(azure)).rejects.toThrow('the keys of the demo, which everybody knows');
  await (await openAdministrations(local)).close();

  const [key] = await listKeys(db, administrationId);
  await revokeKey(db, { administrationId, id: key!.id, now: 2n });
  await (await openAdministrations(azure)).close();
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});
