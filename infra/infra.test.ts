import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Cron } from 'croner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionsOf } from '../functions/app.ts';
import { readSettings, settingNames, WrongSetting } from '../functions/settings.ts';
import { healthAt, startApp, type TestApp } from '../testing/app.ts';
import { startScript } from '../testing/appProcess.ts';
import { secretKeyOf } from '../testing/secretKey.ts';
import { testStorage } from '../testing/storage.ts';
import { folderOfTest, temporaryFolder } from '../testing/temporaryFolder.ts';

/* Whether the Bicep files fit the app. */

const root = path.resolve(import.meta.dirname, '..');
const { connectionString } = await testStorage();
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const main = read('infra/main.bicep');

describe('the settings of a deployment', () => {
  const [, inPlatform] = /var platformSettings = \{([\s\S]*?)^\}/m.exec(read('infra/modules/functionApp.bicep'))!;
  const [, inMain] = /settings: union\(([\s\S]*?)^ {4}\)/m.exec(main)!;
  const names = [...`${inPlatform}\n${inMain}`.matchAll(/(?:^|[{\n])\s*(\w+): /g)].map(([, name]) => name!);
  /** What the platform and libraries read, not the app. */
  const ofOthers = [
    'AZURE_CLIENT_ID',
    'AZURE_TOKEN_CREDENTIALS',
    'APPLICATIONINSIGHTS_CONNECTION_STRING',
    'APPLICATIONINSIGHTS_AUTHENTICATION_STRING',
    'FUNCTIONS_REQUEST_BODY_SIZE_LIMIT',
  ];
  const known: readonly string[] = settingNames;
  /** As the platform hands them to the app, with what a deployment has. */
  const values: Record<string, string> = {
    WEBSITE_SITE_NAME: 'func-ledgerline',
    WEBSITE_POD_NAME: 'pod',
    TIME_ZONE: 'Europe/Amsterdam',
    SECRET_KEY: secretKeyOf('infra'),
    SECRET_KEY_PREVIOUS: secretKeyOf('before'),
    HEALTH_KEY: 'sixteen characters',
    SMTP_URL: 'smtps://user:password@mail.example.com',
    MAIL_FROM: 'invoices@example.com',
    DATABASE_URL: 'postgres://id@psql.postgres.database.azure.com:5432/ledgerline?sslmode=verify-full',
    AzureWebJobsStorage__accountName: 'stledger',
    AzureWebJobsStorage__credential: 'managedidentity',
    AzureWebJobsStorage__clientId: 'client',
  };
  const builtin = names.filter((name) => name !== 'ADMINISTRATION_URL' && !ofOthers.includes(name));
  const environment = Object.fromEntries(
    [...builtin, 'WEBSITE_SITE_NAME', 'WEBSITE_POD_NAME'].map((name) => [name, values[name]]),
  );

  it('are all read, by the app or by the platform', () => {
    expect(known).toContain('PUSH_DAYS');
    expect(names.filter((name) => !known.includes(name) && !ofOthers.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(ofOthers));
  });

  it('let an instance use the worker process that it has started before it knows the app', () => {
    expect(names.filter((name) => name.startsWith('languageWorkers'))).toEqual([]);
  });

  it('are enough for the app to start in Azure', () => {
    expect(readSettings(environment)).toMatchObject({
      isAzure: true,
      storage: { clientId: 'client', isManagedIdentity: true },
      healthKey: 'sixteen characters',
      mail: { server: { from: 'invoices@example.com' } },
    });
    const remote = { ...environment, DATABASE_URL: undefined, ADMINISTRATION_URL: 'https://books.example.com' };
    expect(readSettings(remote).remote?.url).toBe('https://books.example.com');
  });

  it.each(['SECRET_KEY', 'DATABASE_URL'])('could not do without %s', (name) => {
    expect(() => readSettings({ ...environment, [name]: undefined })).toThrow(WrongSetting);
  });

  it('hold no secret: those are references to the key vault', () => {
    for (const name of ['SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'HEALTH_KEY', 'SMTP_URL']) {
      expect(main).toMatch(new RegExp(`${name}: vault\\.outputs\\.\\w+Reference`));
    }
  });

  it('may be others too, from a file: a deployment removes what was set in the portal', () => {
    const [, file] = /loadJsonContent\('([\w.]+)'\)/.exec(inMain!) ?? [];
    expect(file).toBeDefined();
    expect(JSON.parse(read(`infra/${file}`))).toEqual({});
    for (const page of ['docs/deploy.md', 'docs/settings.md', 'infra/README.md']) expect(read(page)).toContain(file);
  });

  it('are described in docs/settings.md, each', () => {
    const page = read('docs/settings.md');
    const ofPlatform = /^(?:WEBSITE_|CONTAINER_NAME|FUNCTIONS_|AZURE_FUNCTIONS_)/;
    const described = (name: string) => page.includes(name) || page.includes(name.replace('AzureWebJobsStorage', ''));
    expect(known.filter((name) => !ofPlatform.test(name) && !described(name))).toEqual([]);
  });
});

it.skipIf(process.platform === 'win32')('the keys are made once, fit the app, and are no options to azd', async () => {
  const folder = folderOfTest();
  await writeFile(path.join(folder, 'azd'), `#!/bin/sh\necho "$@" >> ${folder}/set\n`, { mode: 0o755 });
  const run = async (settings: Record<string, string>) => {
    const PATH = `${folder}:${process.env.PATH}`;
    const [code] = await startScript('infra/secretKey.mjs', { PATH, ...settings }).ended;
    const lines = readFileSync(path.join(folder, 'set'), 'utf8').trim().split('\n');
    return { code, made: Object.fromEntries(lines.map((line) => line.split(' ').slice(2))) };
  };
  const { code, made } = await run({});
  expect([code, made]).toEqual([
    0,
    { SECRET_KEY: expect.stringMatching(/^[\w+/]{43}=$/), HEALTH_KEY: expect.stringMatching(/^[\da-f]{48}$/) },
  ]);
  expect(readSettings(made)).toMatchObject({ healthKey: made.HEALTH_KEY });
  expect(await run(made)).toEqual({ code, made });
});

describe('what asks the Azure CLI', () => {
  /** A stand-in for `az` that logs its words. @param script what it does, in sh */
  async function withAz(script: string) {
    const folder = folderOfTest();
    await writeFile(path.join(folder, 'az'), `#!/bin/sh\necho "$@" >> ${folder}/asked\n${script}\n`, { mode: 0o755 });
    const asked = () => readFileSync(path.join(folder, 'asked'), 'utf8').trim().split('\n');
    return { PATH: `${folder}:${process.env.PATH}`, asked };
  }

  it.skipIf(process.platform === 'win32')(
    'registers the provider of a private network, in its subscription',
    async () => {
      const { PATH, asked } = await withAz('exit 0');
      const run = (PRIVATE_NETWORK: string) =>
        startScript('infra/resourceProviders.mjs', { PATH, PRIVATE_NETWORK, AZURE_SUBSCRIPTION_ID: 'sub' }).ended;
      await run('false');
      expect(await run('true')).toEqual([0, null]);
      expect(asked()).toEqual(['provider register --namespace Microsoft.App --wait --subscription sub']);
      const subnet = read('infra/modules/network.bicep');
      expect([...subnet.matchAll(/serviceName: '([\w.]+)\//g)].map(([, provider]) => provider)).toEqual([
        'Microsoft.App',
      ]);
    },
  );

  it.skipIf(process.platform === 'win32')('waits until the functions of a subscription are listed', async () => {
    const [, listed] = /const functionNames = \[([\s\S]*?)\];/.exec(read('infra/smokeTest.mjs'))!;
    const names = [...listed!.matchAll(/'(\w+)'/g)].map(([, name]) => `app/${name}`).join('\\n');
    // The first time none is listed yet.
    const { PATH, asked } = await withAz(
      `case "$*" in *list*) if [ -e "$0.again" ]; then printf '${names}'; else touch "$0.again"; fi;; esac`,
    );
    const settings = { APP_NAME: 'app', AZURE_RESOURCE_GROUP: 'rg', AZURE_SUBSCRIPTION_ID: 'sub' };
    const test = startScript('infra/smokeTest.mjs', { PATH, APP_URL: 'http://127.0.0.1:1', ...settings });
    await test.line(/^ok: \d+ functions are registered/);
    await test.kill();
    expect(asked().filter((words) => words.startsWith('functionapp'))).toHaveLength(2);
    expect(asked().every((words) => words.includes('--subscription sub'))).toBe(true);
  });
});

describe('the identity of a deployment', () => {
  it('has the roles that storage is used with, and no key would do', () => {
    const storage = read('infra/modules/storage.bicep');
    const roles = [...storage.matchAll(/^ {2}(Storage\w+): '([\w-]+)'$/gm)].map(([, name, id]) => [name, id]);
    // Of blobs, queues and tables: what functions/storage/account.ts opens. The ids are Azure's own.
    expect(roles).toEqual([
      ['StorageBlobDataOwner', 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'],
      ['StorageQueueDataContributor', '974c5e8b-45b9-4653-ba55-5f855dd0fb88'],
      ['StorageTableDataContributor', '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3'],
    ]);
    const clients = [
      ...read('functions/storage/account.ts').matchAll(/await import\('@azure\/(data-tables|storage-\w+)'\)/g),
    ];
    expect(new Set(clients.map(([, name]) => name))).toEqual(new Set(['data-tables', 'storage-blob', 'storage-queue']));
    expect(storage).toContain('allowSharedKeyAccess: false');
    expect(read('infra/modules/monitoring.bicep')).toContain('DisableLocalAuth: true');
    expect(read('infra/modules/database.bicep')).toContain("passwordAuth: 'Disabled'");
  });
});

it('the smoke test looks for every function, and for no other', () => {
  const { http, queues, timers } = functionsOf(async () => Promise.reject(new Error('not opened')), {
    pages: '/nowhere',
  });
  const registered = [...http, ...queues, ...timers].map(({ name }) => name).sort();
  const [, listed] = /const functionNames = \[([\s\S]*?)\];/.exec(read('infra/smokeTest.mjs'))!;
  expect([...listed!.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual(registered);
});

describe('an app that runs', () => {
  let app: TestApp;
  const pages = temporaryFolder();
  beforeAll(async () => {
    await mkdir(path.join(pages, 'taskpane'));
    await writeFile(path.join(pages, 'taskpane/index.html'), '<title>Pane</title>');
    app = await startApp({ storage: connectionString, pages });
  });
  afterAll(() => app.close());

  it('passes the smoke test, with a credential and without', async () => {
    const { apiKey, username } = app.credential;
    const smokeTest = async (credential: Record<string, string>) => {
      const test = startScript('infra/smokeTest.mjs', { APP_URL: app.url, ...credential });
      return { code: (await test.ended)[0], lines: test.lines().filter((line) => line.startsWith('ok:')) };
    };
    const up = ['ok: the app is up', 'ok: the interface describes itself', 'ok: the pane is served'];
    expect(await smokeTest({})).toEqual({ code: 0, lines: [...up, 'ok: a request without a credential is refused'] });
    expect(await smokeTest({ SMOKE_API_KEY: apiKey, SMOKE_USERNAME: username })).toEqual({
      code: 0,
      lines: [...up, 'ok: tax codes are read with the credential'],
    });
  });

  it('logs of its health what the alerts ask for', async () => {
    const { json } = await healthAt(app.url);
    const logged: Record<string, Record<string, unknown>> = json;
    const queries = [...read('infra/modules/monitoring.bicep').matchAll(/query: '([^']*line\.[^']*)'/g)].map(
      ([, one]) => one!,
    );
    expect(queries).toHaveLength(4);
    for (const query of queries) {
      const part = /line\.part == "(\w+)"/.exec(query)?.[1];
      const paths = [...query.matchAll(/line\.(?!part|event)([\w.]+)/g)].map(([, fields]) => fields!.split('.'));
      expect([query, paths.length > 0]).toEqual([query, true]);
      for (const fields of paths) {
        const parts = part === undefined ? [logged.pushes, logged.exports] : [logged[part]];
        for (const one of parts) {
          const value = fields.reduce<unknown>((found, field) => Object(found)[field], one);
          expect([query, fields, value]).not.toEqual([query, fields, undefined]);
        }
      }
    }
    expect(logged.exports!.administrations).toEqual([expect.objectContaining({ late: expect.any(Number) })]);
  });
});

it('the timers cost what docs/deploy.md says, and stay in the free grant', () => {
  const { timers } = functionsOf(async () => Promise.reject(new Error('not opened')), { pages: '/nowhere' });
  const days = 30;
  const from = Date.parse('2026-04-01T00:00:00Z');
  const runs = timers.flatMap(({ schedule }) => {
    const all = new Cron(schedule, { utcOffset: 0, paused: true }).nextRuns(10_000, new Date(from - 1));
    return all.filter((run) => run.getTime() < from + days * 86_400_000);
  }).length;
  const [, memory] = /instanceMemoryMB: (\d+)/.exec(read('infra/modules/functionApp.bicep'))!;
  const gigabyteSeconds = (runs * Number(memory)) / 1024;
  const number = new Intl.NumberFormat('en').format;
  const guide = read('docs/deploy.md').replaceAll('\n', ' ');
  expect(guide).toContain(`call functions ${number(runs)} times in ${days} days`);
  expect(guide).toContain(`take ${number(gigabyteSeconds)} GB-seconds`);
  expect([runs < 250_000, gigabyteSeconds < 100_000]).toEqual([true, true]);
});

describe('host.json', () => {
  const host = JSON.parse(read('host.json')) as Record<string, unknown>;
  const leaves = (value: unknown, name = ''): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => leaves(one, name === '' ? key : `${name}.${key}`))
      : [[name, value]];

  it('has a reason for each of its values in docs/deploy.md, and no other reasons stand there', () => {
    const rows = [...read('docs/deploy.md').matchAll(/^\| `([\w.]+)` \| `([^`]*)` \| (.+) \|$/gm)];
    expect(rows.map(([, name, value]) => [name, value])).toEqual(
      leaves(host).map(([name, value]) => [name, String(value)]),
    );
    for (const [, name, , reason] of rows) expect([name, reason!.length > 20]).toEqual([name, true]);
  });

  it('keeps requests, errors and what alerts are set on out of sampling, and sends messages as the app does', () => {
    const all = Object.fromEntries(leaves(host));
    expect(all['logging.applicationInsights.samplingSettings.excludedTypes']).toBe('Request;Exception;Trace');
    expect(all['extensions.queues.messageEncoding']).toBe('base64');
    expect(all['extensions.http.routePrefix']).toBe('');
  });
});
