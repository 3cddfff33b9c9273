import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExportClient, exportPath } from '../../shared/client/exportClient.ts';
import { relation } from '../../shared/resources/relation.ts';
import { encode } from '../../shared/wire/encode.ts';
import { HEALTH_KEY, healthAt, send, startApp, type TestAdministration, type TestApp } from '../../testing/app.ts';
import { DAY, NIGHT } from '../../testing/exports/openExports.ts';
import { sheetsOf } from '../../testing/exports/workbooks.ts';
import { listen } from '../../testing/listen.ts';
import { testStorage } from '../../testing/storage.ts';
import { builtinAdministrations } from '../administrations/builtin/builtin.ts';
import { issueKey } from '../administrations/builtin/credentials/keys.ts';
import { remoteAdministrations } from '../administrations/remote/remote.ts';
import { functionsOf, type Services } from '../app.ts';
import { pollQueues } from '../host/queues.ts';
import { createHost } from '../host/server.ts';
import { startTimers } from '../host/timers.ts';
import { relationExports } from './relationExports.ts';

const { storage } = await testStorage();
const elsewhere = await testStorage();

let app: TestApp;
let other: TestAdministration;
let close: () => void;
let url: string;
let appFunctions: ReturnType<typeof functionsOf>;
const logged: string[] = [];
let time = NIGHT - DAY + 3600;

/** Every function of an app behind a real server. */
const serve = (services: Services) =>
  listen(
    createHost(functionsOf(async () => services, { pages: '/nowhere', healthKey: HEALTH_KEY }).http, (line) =>
      logged.push(line),
    ),
  );

const settings = {
  timeZone: 'Europe/Amsterdam',
  exports: { schedule: '0 0 2 * * *', administrations: 'all' as const, days: 90 },
};

beforeAll(async () => {
  app = await startApp();
  other = await app.addAdministration();
  for (let number = 0; number < 2500; number++) await app.addRelation({ name: `Relatie ${number} € 🙂` });
  await app.addRelation({
    guid: 9007199254740993n,
    name: 'Contact & Co',
    contacts: [{ last_name: 'Jansen', notes: '=1+1' }],
    bankAccounts: [{ iban: 'NL91ABNA0417164300' }],
  });
  await other.addRelation({ name: 'Of another' });

  const administrations = builtinAdministrations(app.db);
  const exports = relationExports(storage, administrations, settings, { clock: () => time * 1000 });
  const services = { administrations, exports: async () => exports };
  ({ close, url } = await serve(services));
  // As on a local machine: the timer is called at the start, and the queue is polled.
  const functions = functionsOf(async () => services, { pages: '/nowhere' });
  appFunctions = functions;
  await exports.enqueueDue(() => {});
  time = NIGHT;
  const log = (line: string) => void logged.push(line);
  const stopTimers = startTimers(functions.timers, 'Europe/Amsterdam', log);
  const stopQueues = pollQueues(functions.queues, storage, log);
  const published = async (one: TestAdministration) =>
    (await exports.list(one.credential)).some(({ state }) => state === 'published');
  while (!((await published(app)) && (await published(other)))) await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all([stopTimers(), stopQueues()]);
});
afterAll(async () => {
  close();
  await app.close();
});

const get = (one: TestAdministration, target: string, headers: Record<string, string> = {}) =>
  send(url, 'GET', target, {
    headers: { ApiKey: one.credential.apiKey, Username: one.credential.username, ...headers },
  });
const path = (one: TestAdministration, file: 'relations.jsonl' | 'relations.xlsx' | 'manifest.json') =>
  exportPath({ administration: String(one.administrationId), date: '2026-11-03' }, file);

describe('the exports of a credential', () => {
  it('are listed with time, counts and state, without those of other administrations', async () => {
    const { status, json } = await get(app, '/exports');
    expect(status).toBe(200);
    expect(json.exports).toEqual([
      {
        administration: String(app.administrationId),
        date: '2026-11-03',
        state: 'published',
        scheduledOn: NIGHT,
        startedOn: NIGHT,
        publishedOn: NIGHT,
        relations: 2501,
        added: 2501,
        changed: 0,
        vanished: 0,
        full: true,
        message: '',
        files: ['relations.jsonl', 'changes.jsonl', 'relations.xlsx', 'manifest.json'].map((name) => ({
          name,
          bytes: expect.any(Number),
        })),
      },
    ]);
    expect((await get(other, '/exports')).json.exports).toMatchObject([{ relations: 1 }]);
  });

  it('are refused without a credential', async () => {
    const otherCaller = { ...app, credential: { ...app.credential, apiKey: 'wrong' } };
    for (const target of ['/exports', path(app, 'relations.jsonl')]) {
      expect((await get(otherCaller, target)).status).toBe(401);
      expect((await send(url, 'GET', target)).status).toBe(401);
    }
  });

  it('cannot be downloaded with another credential, nor can other blobs', async () => {
    const wrong = [
      [other, path(app, 'relations.jsonl')],
      [app, '/exports/1/2026-11-04/relations.jsonl'],
      [app, path(app, 'relations.jsonl').replace('relations.jsonl', 'pass-1.jsonl')],
      [app, path(app, 'relations.jsonl').replace('relations.jsonl', 'constructor')],
      [app, path(app, 'relations.jsonl').replace('relations.jsonl', 'relations.nl.end')],
      [app, `/exports/${app.administrationId}/..%2F${other.administrationId}%2F2026-11-03/relations.jsonl`],
    ] as const;
    for (const [one, target] of wrong) expect([target, (await get(one, target)).status]).toEqual([target, 404]);
  });

  it('are downloaded as they were written, with name and content type', async () => {
    const { status, headers, text } = await get(app, path(app, 'relations.jsonl'));
    expect(status).toBe(200);
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(headers).toMatchObject({
      'content-type': 'application/jsonl; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'content-disposition': 'attachment; filename="relations-2026-11-03-relations.jsonl"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      etag: `"${sha256}"`,
    });
    const manifest = (await get(app, path(app, 'manifest.json'))).json;
    expect(manifest.files['relations.jsonl']).toMatchObject({ sha256, lines: 2501 });
    expect((await get(app, path(app, 'relations.xlsx'))).text.slice(0, 2)).toBe('PK');
    const again = await get(app, path(app, 'relations.jsonl'), { 'If-None-Match': `"${sha256}"` });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('have their workbook in the language of who asks, whole and in parts', async () => {
    const target = path(app, 'relations.xlsx');
    const download = async (headers: Record<string, string>) => {
      const response = await fetch(`${url}${target}`, {
        headers: { ApiKey: app.credential.apiKey, Username: app.credential.username, ...headers },
      });
      return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const listed = async (language: string) =>
      (await get(app, '/exports', { 'Accept-Language': language })).json.exports[0].files[2].bytes;
    const english = await download({ 'Accept-Language': 'de' });
    expect(english.headers.get('Content-Language')).toBe('en');
    expect(Object.keys(await sheetsOf(english.bytes))[0]).toBe('Relations');
    const accepted = { 'Accept-Language': 'nl-BE, en;q=0.5' };
    const dutch = await download(accepted);
    expect(dutch.headers.get('Content-Language')).toBe('nl');
    expect(dutch.headers.get('ETag')).not.toBe(english.headers.get('ETag'));
    const { Relaties } = await sheetsOf(dutch.bytes);
    expect(Relaties!.length).toBe(2501);
    expect(Relaties!.at(-1)).toMatchObject({ 'Relatie-ID': '9007199254740993', Naam: 'Contact & Co' });
    expect([dutch.bytes.length, english.bytes.length]).toEqual([await listed('nl'), await listed('en')]);
    // A download that is continued, before, at and behind the beginning of the Dutch end.
    const common = dutch.bytes.findIndex((byte, index) => byte !== english.bytes[index]);
    for (const at of [0, 1000, common - 2000, common, dutch.bytes.length - 10]) {
      const ranges = { Range: `bytes=${at}-${Math.min(at + 4000, dutch.bytes.length) - 1}` };
      expect((await download({ ...accepted, ...ranges })).bytes.equals(dutch.bytes.subarray(at, at + 4000))).toBe(true);
    }
  });

  it('can be requested now, once while the request waits or runs, and only with a credential', async () => {
    const post = (one: TestAdministration) =>
      send(url, 'POST', '/exports', {
        headers: { ApiKey: one.credential.apiKey, Username: one.credential.username },
      });
    const queue = storage.queue('relation-exports');
    // Those for a takeover of the exports before.
    await (await storage.queueClient('relation-exports')).clearMessages();
    const first = await post(other);
    // This second has an export already, so the next one is for a later moment.
    expect([first.status, first.json]).toEqual([202, { scheduledOn: NIGHT + 1 }]);
    expect((await post(other)).json).toEqual({ scheduledOn: NIGHT + 1 });
    expect(await queue.length()).toBe(1);
    expect((await post({ ...other, credential: { ...other.credential, apiKey: 'wrong' } })).status).toBe(401);

    const stop = pollQueues(appFunctions.queues, storage, () => {});
    const latest = async () => (await get(other, '/exports')).json.exports[0];
    await expect.poll(latest).toMatchObject({ date: '2026-11-03-2', state: 'published' });
    await stop();
    expect(await latest()).toMatchObject({ scheduledOn: NIGHT + 1, relations: 1 });
    expect((await post(other)).json).toEqual({ scheduledOn: NIGHT + 2 });
  });

  it('contain every relation as listrelations returns it, with every digit', async () => {
    const { text } = await get(app, path(app, 'relations.jsonl'));
    const listed = await app.client.listrelations({ RelationGUID: '9007199254740993' });
    expect(text.split('\n').at(-2)).toBe(encode(relation, listed[0]!));
    expect(text).toContain('"RelationGUID":9007199254740993,');
  });

  it.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=10-', 206, 10, undefined],
    ['bytes=-5', 206, -5, undefined],
    ['bytes=0-1,5-6', 200, 0, undefined],
  ])('are downloaded in part by the range %s', async (range, status, from, to) => {
    const whole = (await get(app, path(app, 'manifest.json'))).text;
    const part = await get(app, path(app, 'manifest.json'), { Range: range });
    expect([part.status, part.text]).toEqual([status, whole.slice(from, to)]);
    if (status === 206) expect(part.headers['content-range']).toMatch(new RegExp(`/${whole.length}$`));
  });

  it.each<[number, Record<string, string>]>([
    [200, {}],
    [206, { Range: 'bytes=0-99' }],
    [304, {}],
    [416, { Range: 'bytes=9999999-' }],
  ])('are described with the status %i, and what a request needs for it', async (expected, headers) => {
    const described = (await send(url, 'GET', '/rest/openapi.json')).json.paths[
      '/exports/{administration}/{date}/{file}'
    ].get;
    const { etag } = (await get(app, path(app, 'manifest.json'))).headers;
    const sent: Record<string, string> = expected === 304 ? { 'If-None-Match': String(etag) } : headers;
    const found = await get(app, path(app, 'manifest.json'), sent);
    expect(found.status).toBe(expected);
    const names = described.parameters.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(sent)));
    const types = Object.keys(described.responses[expected]?.content ?? {});
    expect([expected in described.responses, types.includes(found.headers['content-type'] as string)]).toEqual([
      true,
      found.text !== '',
    ]);
  });

  it('have no range behind their end', async () => {
    const { status, headers } = await get(app, path(app, 'manifest.json'), { Range: 'bytes=9999999-' });
    expect([status, headers['content-range']]).toEqual([416, expect.stringMatching(/^bytes \*\/\d+$/)]);
  });

  it('are read by the client relation by relation during the download', async () => {
    const client = createExportClient({ base: url, credential: app.credential, fetch });
    const [latest] = await client.list();
    const rows = (await Array.fromAsync(client.relations(latest!))).flat();
    expect(rows).toHaveLength(2501);
    expect(rows.at(-1)).toMatchObject({
      RelationGUID: '9007199254740993',
      Relation_Contact: [{ ContactNotes: '=1+1' }],
    });
    for await (const some of client.relations(latest!)) {
      expect(some.length).toBe(1000);
      break;
    }
  });
});

describe('health', () => {
  it('reports how late each administration is', async () => {
    const { json } = await healthAt(url);
    expect(json.exports).toEqual({
      administrations: [app, other].map(({ administrationId }) => ({
        name: String(administrationId),
        state: 'published',
        late: 0,
      })),
      poisoned: 0,
    });
    time = NIGHT + 3 * DAY + 3601;
    const late = (await healthAt(url)).json;
    time = NIGHT;
    expect([late.status, late.exports.administrations[0].late]).toEqual(['degraded', 2 * DAY + 3601]);
  });
});

describe('an app without a storage account', () => {
  it('responds that exports need one', async () => {
    const without = await serve({ administrations: builtinAdministrations(app.db) });
    const { status, json } = await send(without.url, 'GET', '/exports', { headers: { ApiKey: 'x', Username: 'y' } });
    without.close();
    expect([status, json.errorCode]).toEqual([503, 'UNAVAILABLE']);
  });
});

describe('built-in administrations in EXPORT_ADMINISTRATIONS', () => {
  it('show their exports to every credential that opens them, and to no other', async () => {
    const administrations = builtinAdministrations(app.db);
    const list = [
      { name: 'revoked', apiKey: 'it was taken back', username: 'nobody@example.com' },
      { name: 'ours', ...app.credential },
    ];
    const exports = relationExports(elsewhere.storage, administrations, {
      ...settings,
      exports: { ...settings.exports, administrations: list },
    });
    await exports.runNow(
      'ours',
      () => {},
      () => {},
    );
    const username = 'colleague@example.com';
    const apiKey = await issueKey(app.db, { administrationId: app.administrationId, username, label: '', now: 1n });
    for (const credential of [app.credential, { apiKey, username }]) {
      expect(await exports.list(credential)).toMatchObject([{ administration: 'ours', relations: 2501 }]);
    }
    expect(await exports.list(other.credential)).toEqual([]);
    for (const otherCaller of [{ apiKey: 'nonsense', username }, list[0]!]) {
      await expect(exports.list(otherCaller)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });

  it('are left out while they are archived, as all of them are; what was exported can be read', async () => {
    const exports = relationExports(elsewhere.storage, builtinAdministrations(app.db), {
      ...settings,
      exports: {
        ...settings.exports,
        administrations: [
          { name: 'revoked', apiKey: 'it was taken back', username: 'nobody@example.com' },
          { name: 'theirs', ...other.credential },
        ],
      },
    });
    const exported = async () => (await exports.administrations()).map(({ name }) => name);
    const runNow = () =>
      exports.runNow(
        'theirs',
        () => {},
        () => {},
      );
    const archive = (archived_on: bigint | null) =>
      app.db.updateTable('administration').where('id', '=', other.administrationId).set({ archived_on }).execute();
    await runNow();
    await archive(1n);
    try {
      // One whose key is refused stays: that its export fails is to be seen.
      expect(await exported()).toEqual(['revoked']);
      await expect(runNow()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(exports.request(other.credential, () => {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await exports.list(other.credential)).toMatchObject([{ administration: 'theirs', relations: 1 }]);
    } finally {
      await archive(null);
    }
    expect(await exported()).toEqual(['revoked', 'theirs']);
  });
});

describe('remote administrations', () => {
  const list = () => [
    { name: 'Café “De Zon” 🙂', ...app.credential },
    { name: 'wrong', apiKey: 'secret-but-wrong', username: 'nobody@example.com' },
    { name: 'other', ...other.credential },
  ];

  it('are exported by the list in the settings, also when one of them is refused', async () => {
    const remote = remoteAdministrations({ url: app.url, perSecond: 0, perMinute: 0, concurrency: 4, timeout: 30_000 });
    const events: object[] = [];
    const exports = relationExports(elsewhere.storage, remote, {
      ...settings,
      exports: { ...settings.exports, administrations: list() },
    });
    const names = (await exports.administrations()).map(({ name }) => name);
    expect(names).toEqual([expect.stringMatching(/^cafe-de-zon-[0-9a-f]{8}$/), 'wrong', 'other']);
    const outcomes = await Promise.allSettled(
      names.map((name) =>
        exports.runNow(
          name,
          (one) => events.push(one),
          () => {},
        ),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await exports.list(app.credential)).toMatchObject([{ administration: names[0], relations: 2501 }]);
    expect(await exports.list(other.credential)).toMatchObject([{ administration: 'other', relations: 1 }]);
    expect(await exports.list(list()[1]!)).toMatchObject([
      { state: 'failed', message: 'Invalid authentication credentials' },
    ]);
    // As everywhere, the user name counts without regard to case; the key does not.
    const { apiKey, username } = other.credential;
    const shouted = { apiKey, username: username.toUpperCase() };
    expect(await exports.list(shouted)).toMatchObject([{ administration: 'other', relations: 1 }]);
    await expect(exports.list({ apiKey: apiKey.toLowerCase(), username })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    // An API key without its user name is not a credential.
    const mixed = { apiKey: app.credential.apiKey, username: other.credential.username };
    await expect(exports.list(mixed)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const text = JSON.stringify(events);
    for (const { apiKey } of list()) expect(text).not.toContain(apiKey);
    await remote.close();
  });
});
