import { createServer } from 'node:http';
import path from 'node:path';
import { expect, it } from 'vitest';
import { HEALTH_KEY, healthAt, send } from '../testing/app.ts';
import { listen } from '../testing/listen.ts';
import { secretKeyOf } from '../testing/secretKey.ts';
import { folderOfTest } from '../testing/temporaryFolder.ts';
import { issueKey, listKeys, revokeKey } from './administrations/builtin/credentials/keys.ts';
import { createAdministration } from './administrations/builtin/setup/createAdministration.ts';
import { demoCredentials } from './administrations/builtin/setup/demo/demoCredentials.ts';
import { openDatabase } from './administrations/builtin/sql/openDatabase.ts';
import { functionsOf, openAdministrations, servicesOf } from './app.ts';
import { newContext } from './host/context.ts';
import { createHost } from './host/server.ts';
import { readSettings, WrongSetting } from './settings.ts';

it('a database that a key of the demo opens is not served in Azure, until that key is revoked', async () => {
  const databaseUrl = `sqlite:${path.join(folderOfTest(), 'books.sqlite')}`;
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
});

it('leaves messages alone while a setting is wrong that is found late', async () => {
  const failing = (failure: Error) => functionsOf(() => Promise.reject(failure), { pages: '/nowhere' }).queues;
  const logged: string[] = [];
  const context = newContext('queue', (line) => logged.push(line));
  for (const { handler } of failing(new WrongSetting('DATABASE_URL: expected another one'))) await handler({}, context);
  expect(logged.join()).toContain('DATABASE_URL: expected another one');
  for (const { handler } of failing(new Error('No'))) await expect(handler({}, context)).rejects.toThrow('No');
});

/** A storage service without the roles for the app. */
const refusing = createServer((request, response) => {
  request.resume();
  const code = 'AuthorizationPermissionMismatch';
  response.writeHead(403, { 'Content-Type': 'application/xml', 'x-ms-error-code': code });
  response.end(`<Error><Code>${code}</Code><Message>not authorized</Message></Error>`);
});

it.each([
  ['cannot be reached', 'ECONNREFUSED 127.0.0.1:1', () => ({ url: 'http://127.0.0.1:1', close: () => {} })],
  ['refuses the app', 'AuthorizationPermissionMismatch', () => listen(refusing)],
])(
  'a storage account that %s is answered 503, and the rest is served',
  {
    timeout: 120_000,
  },
  async (state, reason, start) => {
    const account = await start();
    const folder = folderOfTest();
    const databaseUrl = `sqlite:${path.join(folder, 'books.sqlite')}`;
    const db = await openDatabase(databaseUrl);
    const administrationId = await createAdministration(db, { name: 'A', country: 'NL', fiscalYears: [2026], now: 1n });
    const username = 'anna@example.com';
    const apiKey = await issueKey(db, { administrationId, username, label: '', now: 1n });
    await db.destroy();

    const services = ['Blob', 'Queue', 'Table'].map((name) => `${name}Endpoint=${account.url}/a`).join(';');
    const key = Buffer.alloc(64).toString('base64');
    const settings = readSettings({
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKeyOf('storage'),
      AzureWebJobsStorage: `DefaultEndpointsProtocol=http;AccountName=a;AccountKey=${key};${services};`,
    });
    const administrations = await openAdministrations(settings);
    const options = { pages: folder, healthKey: HEALTH_KEY };
    const app = functionsOf(async () => servicesOf(administrations, settings), options);
    const logged: string[] = [];
    const { url, close } = await listen(createHost(app.http, (line) => logged.push(line)));
    const headers = { ApiKey: apiKey, Username: username };
    const update = { rows: [{ row: 2, update: { ArticleNumber: '1' } }] };
    const requests: [method: string, target: string, body?: object][] = [
      ['GET', '/exports'],
      ['GET', '/exports/1/2026-01-01/relations.jsonl'],
      ['GET', '/pushes'],
      ['POST', '/pushes', update],
    ];
    await Promise.all(
      requests.map(async ([method, target, body]) => {
        const response = await send(url, method, target, { headers, body });
        expect([target, response.status, response.headers['retry-after'], response.json.errorCode]).toEqual([
          target,
          503,
          '5',
          'UNAVAILABLE',
        ]);
      }),
    );
    expect(logged.join()).toContain(reason);
    const health = await healthAt(url);
    expect(health.status).toBe(503);
    expect(health.json.error).toMatch(new RegExp(`^The storage account ${state}.*${reason}`));
    expect((await send(url, 'GET', '/rest/listtaxcodes', { headers })).status).toBe(200);
    await close();
    account.close();
    await app.stop();
    await administrations.close();
  },
);
