import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { packageApp } from '../infra/package.ts';
import { endpointNames, endpointOf } from '../shared/api.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { pdfStreams, readPdf } from '../testing/documents/readPdf.ts';
import { type FunctionsHost, type HostRequest, startFunctionsHost } from '../testing/functionsHost.ts';
import { listen } from '../testing/listen.ts';
import { secretKeyOf } from '../testing/secretKey.ts';
import { testStorage } from '../testing/storage.ts';
import { matcher } from './host/server.ts';

const root = path.resolve(import.meta.dirname, '..');
const { connectionString, storage } = await testStorage();

/** The app as it is deployed: its zip unpacked, in a folder that has no node_modules anywhere above it. */
let folder: string;
/** Where the zip was made. */
let workplace: string;

beforeAll(async () => {
  workplace = await mkdtemp(path.join(tmpdir(), 'ledgerline-built-'));
  const built = path.join(workplace, 'dist');
  await mkdir(path.join(built, 'taskpane/taskpane'), { recursive: true });
  await writeFile(path.join(built, 'taskpane/taskpane/index.html'), '<title>Pane</title>');
  await writeFile(path.join(built, 'taskpane/pane.js'), `console.log('${'pane '.repeat(1000)}')`);
  await writeFile(path.join(built, 'taskpane/pane.js.map'), '{"sources":["pane.tsx"]}');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const parameters = ['build', '--config', 'vite.functions.config.ts', '--outDir', built, '--logLevel', 'warn'];
  const build = spawn(process.execPath, [vite, ...parameters], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error('The functions could not be built.');

  const zip = path.join(workplace, 'ledgerline.zip');
  packageApp(built, zip);
  folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-deployed-'));
  for (const [name, content] of Object.entries(unzipSync(await readFile(zip)))) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content, { mode: 0o444 });
  }
}, 120_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(workplace, { recursive: true, force: true });
});

const hosts: FunctionsHost[] = [];
afterEach(() => Promise.all(hosts.splice(0).map((host) => host.kill())));

/** Loads the deployed app, with these settings. */
async function load(settings: Record<string, string>, nodeOptions: string[] = []) {
  const host = await startFunctionsHost(folder, settings, { nodeOptions });
  hosts.push(host);
  return host;
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

describe('what is deployed', () => {
  it('is the functions, parts of theirs that are loaded when needed, and what the platform needs beside them', async () => {
    const files = (await readdir(folder)).filter((name) => name !== 'taskpane');
    const parts = files.filter((name) => name.endsWith('.js') && name !== 'main.js');
    expect(files.filter((name) => !parts.includes(name)).sort()).toEqual([
      'data',
      'fonts',
      'host.json',
      'main.js',
      'package.json',
    ]);
    // What registers is small, whatever the rest grows to.
    const { size } = await stat(path.join(folder, 'main.js'));
    expect([parts.length > 5, size < 600_000]).toEqual([true, true]);
    expect(await readdir(path.join(folder, 'taskpane'))).not.toContain('pane.js.map');
    const { main, type } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    // The worker hands out its core by `require`, which ES modules do not have.
    expect([main, type]).toEqual(['main.js', undefined]);
  });

  it('puts no prefix before the routes', async () => {
    const host = JSON.parse(await readFile(path.join(folder, 'host.json'), 'utf8'));
    expect(host.extensions.http.routePrefix).toBe('');
  });

  const scripts = async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
    return Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  };

  it('asks for nothing but what Node and the worker have', async () => {
    // Libraries name types of theirs in comments, in the same words.
    const code = (await scripts()).join('\n').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const asked = [...code.matchAll(/\b(?:require|import)\((["'`])([^"'`]+)\1\)/g)].map(([, , id]) => id!);
    expect(asked).toContain('@azure/functions-core');
    const isThere = (id: string) => existsSync(path.join(folder, id)) || isBuiltin(id);
    expect(asked.filter((id) => id !== '@azure/functions-core' && !isThere(id))).toEqual([]);
  });

  it('registers its functions and serves the pane with a tenth of its code', async () => {
    const list = path.join(workplace, 'loaded.json');
    const spy = path.join(workplace, 'spy.cjs');
    const writeLoaded = `require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache)))`;
    await writeFile(spy, `process.on('exit', () => ${writeLoaded});`);
    const host = await load({ DATABASE_URL: 'sqlite::memory:' }, ['--require', spy]);
    const url = 'https://ledgerline.example.com/taskpane/pane.js';
    const { status, body } = await host.request({ name: 'taskpane', method: 'GET', url, params: { file: 'pane.js' } });
    expect([status, body.startsWith('console.log')]).toEqual([200, true]);
    await host.terminate();
    const loaded = JSON.parse(await readFile(list, 'utf8')) as string[];
    const ours = loaded.filter((file) => file !== spy && file.endsWith('.js'));
    // Nothing comes from anywhere else.
    expect(ours.filter((file) => path.dirname(file) !== folder)).toEqual([]);
    const sizeOf = async (files: readonly string[]) =>
      (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { size }) => sum + size, 0);
    const all = (await readdir(folder)).filter((name) => name.endsWith('.js')).map((name) => path.join(folder, name));
    expect(ours).toContain(path.join(folder, 'main.js'));
    expect((await sizeOf(ours)) / (await sizeOf(all))).toBeLessThan(0.1);
  });

  it('knows nothing of the machine it was built on', async () => {
    expect((await scripts()).join()).not.toContain(root);
  });
});

describe('the worker', () => {
  it('finds every function with its route and methods', async () => {
    const { functions, failure, programmingModel } = await load({});
    expect(failure).toBeUndefined();
    expect(programmingModel).toBe('@azure/functions');
    const expected = [
      ...endpointNames.map((name) => {
        const { method, path: route } = endpointOf(name);
        return { name: name as string, route: route.slice(1), methods: [method as string] };
      }),
      { name: 'openapi', route: 'rest/openapi.json', methods: ['GET'] },
      {
        name: 'withoutEndpoint',
        route: 'rest/{*path}',
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
      },
      { name: 'health', route: 'health', methods: ['GET'] },
      { name: 'invoiceDocument', route: 'documents/invoices/{file}', methods: ['GET', 'HEAD'] },
      { name: 'invoiceDocumentLink', route: 'documents/invoices/{file}/link', methods: ['POST'] },
      { name: 'documentLink', route: 'documents/links/{token}/{file}', methods: ['GET'] },
      { name: 'exports', route: 'exports', methods: ['GET'] },
      { name: 'exportFile', route: 'exports/{administration}/{date}/{file}', methods: ['GET', 'HEAD'] },
      { name: 'pushBegin', route: 'pushes', methods: ['POST'] },
      { name: 'pushList', route: 'pushes', methods: ['GET'] },
      { name: 'pushChanges', route: 'pushes/{id}', methods: ['GET'] },
      { name: 'pushCancel', route: 'pushes/{id}/cancel', methods: ['POST'] },
      { name: 'taskpane', route: 'taskpane/{*file}', methods: ['GET', 'HEAD'] },
    ];
    // The credential of the interface is its own; the platform asks for none besides.
    expect(functions.sort(byName)).toEqual(expected.map((one) => ({ ...one, authLevel: 'anonymous' })).sort(byName));
    expect(endpointNames).toHaveLength(11);
  });

  it('finds what works on queues and by the clock', async () => {
    const { queues, timers } = await load({});
    const connection = 'AzureWebJobsStorage';
    expect(queues.sort(byName)).toEqual([
      { name: 'pushWork', queue: 'pushes', connection },
      { name: 'relationExport', queue: 'relation-exports', connection },
    ]);
    expect(timers.sort(byName)).toEqual([
      { name: 'documentLinkRemoval', schedule: '0 */10 * * * *', atStart: true },
      { name: 'healthLog', schedule: '15 */5 * * * *', atStart: false },
      { name: 'outgoingMail', schedule: '30 * * * * *', atStart: true },
      { name: 'periodicInvoices', schedule: '0 */5 * * * *', atStart: true },
      { name: 'pushTend', schedule: '0 */5 * * * *', atStart: true },
      { name: 'relationExportTimer', schedule: '0 * * * * *', atStart: true },
    ]);
  });

  it('meets no function that another one hides', async () => {
    const { functions } = await load({});
    const sample = (route: string) => `/${route.replaceAll(/\{\*\w+\}/g, 'any/thing').replaceAll(/\{\w+\}/g, 'thing')}`;
    // Whether capitals go before small letters or beside them.
    for (const key of [(name: string) => name, (name: string) => name.toLowerCase()]) {
      const ordered = functions.toSorted((a, b) => (key(a.name) < key(b.name) ? -1 : 1));
      for (const { name, route, methods } of functions) {
        for (const method of methods) {
          const first = ordered.find((one) => one.methods.includes(method) && matcher(one.route)(sample(route)));
          expect([method, route, first?.name]).toEqual([method, route, name]);
        }
      }
    }
  });

  it('meets names and routes the platform allows', async () => {
    const { functions } = await load({});
    for (const { name, route } of functions) {
      expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,127}$/);
      expect(route).toMatch(/^[^/]/);
      expect(['admin', 'runtime']).not.toContain(route.split('/')[0]!.toLowerCase());
    }
    expect(new Set(functions.map(({ name }) => name.toLowerCase())).size).toBe(functions.length);
  });

  it('is told in words that its Node is too old', async () => {
    const old = path.join(workplace, 'oldNode.cjs');
    await writeFile(old, "Object.defineProperty(process.versions, 'node', { value: '20.19.0' });");
    const { failure } = await load({}, ['--require', old]);
    expect(failure).toContain('Ledgerline runs on Node 24 or later, and this is Node 20.19.0.');
  });
});

const key = secretKeyOf('deployment');
const healthKey = 'the key of health';

describe('an app whose settings are wrong', () => {
  const azure = { WEBSITE_SITE_NAME: 'func-ledgerline', SECRET_KEY: key };

  it.each<[Record<string, string>, string]>([
    [{ DATABASE_URL: 'mysql://localhost/books' }, 'DATABASE_URL'],
    [{ PORT: 'http' }, 'PORT'],
    [{ ADMINISTRATION_URL: 'https://user:secret@example.com' }, 'ADMINISTRATION_URL'],
    [azure, 'DATABASE_URL'],
    [{ ...azure, DATABASE_URL: 'sqlite:/home/books.sqlite' }, 'DATABASE_URL'],
    [{ ...azure, ADMINISTRATION_URL: 'https://books.example.com', SECRET_KEY: '' }, 'SECRET_KEY'],
  ])('by %j has every function, answers 503, and names the setting to who may know', async (settings, named) => {
    const { failure, functions, queues, timers, printed, request } = await load({ ...settings, HEALTH_KEY: healthKey });
    expect([failure, functions.length >= 15]).toEqual([undefined, true]);
    // Nothing may be put away for good because it failed too often.
    expect([queues, timers]).toEqual([[], []]);
    expect(printed()).toContain(`${named}: expected`);
    const ask = (name: string, route: string, headers = {}) =>
      request({ name, method: 'GET', url: `https://ledgerline.example.com/${route}`, headers });
    for (const [name, route] of [
      ['listtaxcodes', 'rest/listtaxcodes'],
      ['pushList', 'pushes'],
      ['exports', 'exports'],
      ['health', 'health'],
    ] as const) {
      const credential = { apikey: 'a', username: 'b' };
      const otherCaller = await ask(name, route, credential);
      expect([name, otherCaller.status]).toEqual([name, 503]);
      expect(otherCaller.body).not.toContain(named);
      const administrator = await ask(name, route, { ...credential, 'health-key': healthKey });
      expect([name, administrator.status]).toEqual([name, 503]);
      expect(administrator.body).toContain(`${named}: expected`);
    }
  });

  it('still works on one’s own machine under Core Tools', async () => {
    const development = { WEBSITE_SITE_NAME: 'func-ledgerline', AZURE_FUNCTIONS_ENVIRONMENT: 'Development' };
    const { queues } = await load({ ...development, DATABASE_URL: 'sqlite::memory:' });
    expect(queues).toHaveLength(2);
  });
});

describe('a function in the worker', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    await app.addProduct({ articleNumber: '0100', name: 'Stoel', stock: '9007199254.74099301' });
    unpacked = await content();
  });
  afterAll(async () => {
    await app.close();
    expect(await content()).toEqual(unpacked);
  });

  const base = 'https://ledgerline.example.com';
  /** The folder as it was unpacked: packages are read-only in Azure. */
  const content = async () => (await readdir(folder, { recursive: true })).sort();
  let unpacked: string[];

  it('answers from the database of the settings, with every digit', async () => {
    const { request } = await load({ DATABASE_URL: app.databaseUrl });
    const { status, headers, body, logged } = await request({
      name: 'updateproduct',
      method: 'PUT',
      url: `${base}/rest/updateproduct/`,
      headers: {
        apikey: app.credential.apiKey,
        username: app.credential.username,
        'content-type': 'application/json',
      },
      body: '{"ArticleNumber":"0100","NewName":"Étoile","NewStockQty":0.00000001,"Colour":"red"}',
    });
    expect([status, headers['content-type'], headers['ignored-fields'], logged]).toEqual([
      200,
      'application/json; charset=utf-8',
      'Colour',
      [],
    ]);
    expect(body).toContain('"StockQty":9007199254.74099302,');
    expect(JSON.parse(body).Name).toBe('Étoile');
    expect((await app.get('/rest/listrelations')).status).toBe(200);
  });

  it('refuses in the one error body', async () => {
    const { request } = await load({ DATABASE_URL: app.databaseUrl });
    const url = `${base}/rest/listtaxcodes`;
    const unknown = await request({ name: 'listtaxcodes', method: 'GET', url });
    expect(unknown.status).toBe(401);
    expect(JSON.parse(unknown.body)).toMatchObject({
      errorCode: 'UNAUTHORIZED',
      status: 401,
      instance: '/rest/listtaxcodes',
    });
    const wrong = await request({ name: 'withoutEndpoint', method: 'POST', url, body: '{}' });
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET']);
    expect(JSON.parse(wrong.body).errorCode).toBe('METHOD_NOT_ALLOWED');
  });

  it('makes PDFs with the fonts and the colour profile that stand beside the code', async () => {
    const issuer = { street: 'Kade', city: 'Gent', vat_number: 'BE0417497106', company_number: '0417497106' };
    await app.db
      .updateTable('administration')
      .set({ ...issuer, iban: 'BE68539007547034' })
      .execute();
    await app.addInvoice({ number: 20260001n, date: '2026-01-31', excl: '10', tax: '2.10', incl: '12.10' });
    const { request } = await load({ DATABASE_URL: app.databaseUrl });
    const { apiKey, username } = app.credential;
    const { body } = await request({
      name: 'listsalesinvoices',
      method: 'GET',
      url: `${base}/rest/listsalesinvoices?IncludeBase64PDF=true`,
      headers: { apikey: apiKey, username },
    });
    const pdf = Buffer.from(JSON.parse(body)[0].InvoicePDFBase64, 'base64');
    const { texts, info } = await readPdf(pdf);
    expect(texts.map(({ text }) => text).join(' ')).toContain('12,10');
    expect(info).toMatchObject({ Title: 'Factuur 20260001' });
    expect(pdfStreams(pdf).join()).toContain('<pdfaid:part>3</pdfaid:part>');
  });

  it('serves the pages that stand beside the code, compressed for who takes them so', async () => {
    const { request } = await load({ DATABASE_URL: app.databaseUrl });
    const page = (file: string, headers = {}) =>
      request({ name: 'taskpane', method: 'GET', url: `${base}/taskpane/${file}`, params: { file }, headers });
    const { status, headers, body } = await page('taskpane/index.html');
    expect([status, body]).toEqual([200, '<title>Pane</title>']);
    expect(headers['content-security-policy']).toBeDefined();
    expect((await page('../package.json')).status).toBe(404);
    const plain = await page('pane.js');
    const small = await page('pane.js', { 'accept-encoding': 'gzip' });
    expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect([small.bytes.length < 200, gunzipSync(small.bytes).equals(plain.bytes)]).toEqual([true, true]);
  });

  it('gets a body that comes in chunks whole, and a name that a query repeats each time', async () => {
    const { request } = await load({ DATABASE_URL: app.databaseUrl });
    const { apiKey, username } = app.credential;
    const headers = { apikey: apiKey, username, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const update = { name: 'updateproduct', method: 'PUT', url: `${base}/rest/updateproduct`, headers };
    const changed = await request({ ...update, body: ['{"ArticleNumber":"0100",', '"NewName":"Kruk"}'] });
    expect([changed.status, JSON.parse(changed.body).Name]).toEqual([200, 'Kruk']);
    const twice = await request({
      name: 'listrelations',
      method: 'GET',
      url: `${base}/rest/listrelations?Limit=5&Limit=6`,
      headers: { apikey: apiKey, username },
    });
    // Joined it would be no number at all.
    expect(twice.status).toBe(200);
  });

  it('takes a push, works on it when its message comes, and tells what became of it', async () => {
    const { request, trigger, queues } = await load({
      DATABASE_URL: app.databaseUrl,
      AzureWebJobsStorage: connectionString,
      SECRET_KEY: key,
    });
    const begun = await request(
      pushOf(app.credential, [{ row: 2, update: { ArticleNumber: '0100', NewName: 'Stoel' } }]),
    );
    expect(begun.status).toBe(202);
    expect(queues.find(({ name }) => name === 'pushWork')?.queue).toBe('pushes');
    await trigger('pushWork', await nextMessage());
    expect((await pushed(request, app.credential, JSON.parse(begun.body).push.id)).push.counts).toMatchObject({
      applied: 1,
    });
  });

  it('answers 503 while nobody answers for the database, and says why to the log alone', async () => {
    const { request } = await load({ DATABASE_URL: 'postgres://app:secret@127.0.0.1:1/books' });
    const headers = { apikey: 'a', username: 'b' };
    const answer = await request({ name: 'listtaxcodes', method: 'GET', url: `${base}/rest/listtaxcodes`, headers });
    expect([answer.status, JSON.parse(answer.body).errorCode]).toEqual([503, 'UNAVAILABLE']);
    expect(answer.body).not.toContain('127.0.0.1');
    expect(answer.logged.join()).toContain('ECONNREFUSED');
  });

  it('says that it is not healthy when the database cannot be opened, and why to the log', async () => {
    const { failure, request } = await load({
      DATABASE_URL: `sqlite:${path.join(folder, 'package.json', 'x.sqlite')}`,
    });
    expect(failure).toBeUndefined();
    const { status, logged } = await request({ name: 'health', method: 'GET', url: `${base}/health` });
    expect([status, logged.length]).toEqual([503, 1]);
  });
});

describe('an app with a collector', () => {
  type Attribute = { key: string; value: { stringValue?: string } };
  type Sent = {
    resourceSpans?: { scopeSpans: { spans: { traceId: string; parentSpanId?: string; name: string }[] }[] }[];
    resourceLogs?: { scopeLogs: { logRecords: LogRecord[] }[] }[];
  };
  type LogRecord = { traceId?: string; severityText?: string; body: { stringValue: string }; attributes: Attribute[] };
  const sent: Sent[] = [];
  let collector: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    collector = await listen(
      createServer(async (request, response) => {
        sent.push((await json(request)) as Sent);
        response.setHeader('content-type', 'application/json').end('{}');
      }),
    );
  });
  afterAll(() => collector.close());

  it('continues the trace of the host, and sends each line of the log once, with its trace', async () => {
    const host = await load({ DATABASE_URL: 'sqlite::memory:', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    // The host is told not to send them as well.
    expect(host.sendsLogs).toBe(true);
    const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const { status } = await host.request({
      name: 'listtaxcodes',
      method: 'GET',
      url: 'https://ledgerline.example.com/rest/listtaxcodes',
      headers: { apikey: 'a', username: 'b', traceparent: `00-${trace}-${span}-01` },
    });
    expect(status).toBe(401);
    await host.trigger('healthLog', {});
    await host.terminate();

    const spans = sent.flatMap(({ resourceSpans = [] }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
    const served = spans.find(({ name }) => name === 'GET /rest/listtaxcodes');
    expect(served).toMatchObject({ traceId: trace, parentSpanId: expect.stringMatching(/^[\da-f]{16}$/) });
    // Its parent is the span of the host, which is the child of the caller's.
    expect(served?.parentSpanId).not.toBe(span);
    const worked = spans.find(({ name }) => name === 'healthLog');

    const records = sent.flatMap(({ resourceLogs = [] }) =>
      resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
    );
    const ofRequest = records.filter(({ traceId }) => traceId === trace);
    const requests = ofRequest.filter(({ body }) => /^request$|"endpoint"/.test(body.stringValue));
    expect(requests.map(({ body, attributes }) => [body.stringValue, attributes.map(({ key }) => key)])).toEqual([
      ['request', expect.arrayContaining(['endpoint', 'status', 'duration', 'attempts'])],
    ]);
    // What else was logged of it belongs to its trace as well.
    expect(ofRequest.map(({ body }) => body.stringValue).join()).toContain('"event":"sign-in refused"');
    const health = records.filter(({ body }) => body.stringValue.includes('"event":"health"'));
    const parts = health.map(({ body }) => JSON.parse(body.stringValue).part);
    expect(parts).toEqual(['administration', 'timers']);
    for (const record of health) {
      expect(record).toMatchObject({ severityText: 'information', traceId: worked!.traceId });
    }
  });

  it('leaves its log to the host when there is no collector', async () => {
    expect((await load({ DATABASE_URL: 'sqlite::memory:' })).sendsLogs).toBe(false);
  });
});

describe('an app that ends', () => {
  const credential = { apiKey: 'a', username: 'anna@example.com' };
  let service: Server;
  let url: string;
  let close: () => void;
  const updated: string[] = [];
  beforeAll(async () => {
    // Takes a moment over each update.
    service = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      if (request.method === 'GET') return void response.setHeader('content-type', 'application/json').end('[]');
      const { ArticleNumber } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      updated.push(ArticleNumber);
      await sleep(100);
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ArticleNumber }));
    });
    ({ url, close } = await listen(service));
  });
  afterAll(() => close());

  it('leaves a push where another instance goes on with it at once, each row sent once', async () => {
    const settings = {
      ADMINISTRATION_URL: url,
      REMOTE_PER_SECOND: '0',
      REMOTE_PER_MINUTE: '0',
      REMOTE_AT_A_TIME: '1',
      AzureWebJobsStorage: connectionString,
      SECRET_KEY: key,
    };
    const first = await load(settings);
    const rows = Array.from({ length: 40 }, (_, index) => ({
      row: index + 2,
      update: { ArticleNumber: `A${index}`, NewStockQty: 1, StockUpdateMode: 'Relative' },
    }));
    const begun = await first.request(pushOf(credential, rows));
    expect(begun.status).toBe(202);
    const message = await nextMessage();
    const work = first.trigger('pushWork', message).catch(() => {});
    await expect.poll(() => updated.length).toBeGreaterThan(3);
    await first.terminate();
    await work;
    const sent = updated.length;
    expect(sent).toBeLessThan(40);

    const second = await load(settings);
    await second.trigger('pushWork', message);
    const { push } = await pushed(second.request, credential, JSON.parse(begun.body).push.id);
    expect(push).toMatchObject({ state: 'ended', counts: { applied: 40, unknown: 0 } });
    expect(updated).toEqual(rows.map(({ update }) => update.ArticleNumber));
  });
});

const pushOf = ({ apiKey, username }: { apiKey: string; username: string }, rows: object[]): HostRequest => ({
  name: 'pushBegin',
  method: 'POST',
  url: 'https://ledgerline.example.com/pushes',
  headers: { apikey: apiKey, username, 'content-type': 'application/json', 'idempotency-key': `key of ${rows.length}` },
  body: JSON.stringify({ rows }),
});

/** The message that waits on the queue of pushes, as the host hands it over. */
async function nextMessage(): Promise<unknown> {
  const [message] = await storage.queue('pushes').receive(1, 30);
  await message!.remove();
  return JSON.parse(Buffer.from(message!.text, 'base64').toString('utf8'));
}

async function pushed(
  request: FunctionsHost['request'],
  { apiKey, username }: { apiKey: string; username: string },
  id: string,
) {
  const { body } = await request({
    name: 'pushChanges',
    method: 'GET',
    url: `https://ledgerline.example.com/pushes/${id}`,
    headers: { apikey: apiKey, username },
    params: { id },
  });
  return JSON.parse(body);
}
