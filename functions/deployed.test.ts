import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Credential } from '../shared/client/client.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { deeper } from '../testing/deep.ts';
import { deployedApp } from '../testing/deployedApp.ts';
import { pdfStreams, readPdf } from '../testing/documents/readPdf.ts';
import type { FunctionsHost, HostRequest } from '../testing/functionsHost.ts';
import { listen } from '../testing/listen.ts';
import { secretKeyOf } from '../testing/secretKey.ts';
import { testStorage } from '../testing/storage.ts';

/* Requests and messages to the deployed app. */

const { connectionString, storage } = await testStorage();
const { folder, load } = await deployedApp();
/** In Azure it is mounted read-only. */
const packaged = await readdir(folder, { recursive: true });
const key = secretKeyOf('deployment');
const base = 'https://ledgerline.example.com';

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

  /** The files of the folder, which must not change: packages are read-only in Azure. */
  const content = async () => (await readdir(folder, { recursive: true })).sort();
  let unpacked: string[];

  it('reads and writes the database of the settings, with every digit', async () => {
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

  it('responds to refused requests with the usual error body', async () => {
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

  it('makes PDFs with the fonts and the colour profile in the package', async () => {
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

  it('serves the pages in the package, compressed for callers that accept it', async () => {
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

  it('reads a body in chunks, and a query with a repeated name', async () => {
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
    // Joined, the two values would not be a number.
    expect(twice.status).toBe(200);
  });

  const large = Array.from({ length: 20 }, () => 'x'.repeat(100_000));
  it.each<[what: string, status: number, headers: Record<string, string>, body: string | string[]]>([
    ['too large by its length', 413, {}, 'x'.repeat(2_000_000)],
    ['too large', 413, {}, large],
    ['of another type', 415, { 'content-type': 'text/plain' }, large],
    ['compressed', 415, { 'content-encoding': 'gzip' }, large],
    ['of an unknown caller', 401, { apikey: 'wrong' }, large],
  ])(
    'reads what is left of a refused body, so that its connection serves other requests: %s',
    async (_, status, changed, body) => {
      const { request } = await load({ DATABASE_URL: app.databaseUrl });
      const { apiKey, username } = app.credential;
      const update = { name: 'updateproduct', method: 'PUT', url: `${base}/rest/updateproduct` };
      const headers = { apikey: apiKey, username, 'content-type': 'application/json' };
      const coding: Record<string, string> = typeof body === 'string' ? {} : { 'transfer-encoding': 'chunked' };
      const refused = { ...update, headers: { ...headers, ...coding, ...changed }, body };
      for (let turn = 0; turn < 2; turn++) expect((await request(refused)).status).toBe(status);
      expect((await request({ ...update, headers, body: '{"ArticleNumber":"0100"}' })).status).toBe(200);
    },
  );

  it('accepts a push, works on its message, and reports its result', async () => {
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

  it('responds 503 while the database cannot be reached, with the reason in the log only', async () => {
    const { request } = await load({ DATABASE_URL: 'postgres://app:secret@127.0.0.1:1/books' });
    const headers = { apikey: 'a', username: 'b' };
    const response = await request({ name: 'listtaxcodes', method: 'GET', url: `${base}/rest/listtaxcodes`, headers });
    expect([response.status, JSON.parse(response.body).errorCode]).toEqual([503, 'UNAVAILABLE']);
    expect(response.body).not.toContain('127.0.0.1');
    expect(response.logged.join()).toContain('ECONNREFUSED');
  });

  it('reports an unhealthy app when the database cannot be opened, with the reason in the log', async () => {
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

  it('continues the trace of the host, and sends each line of the log once with its trace', async () => {
    const host = await load({ DATABASE_URL: 'sqlite::memory:', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    // So the host does not send them too.
    expect(host.sendsLogs).toBe(true);
    const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const { status } = await host.request({
      name: 'listtaxcodes',
      method: 'GET',
      url: `${base}/rest/listtaxcodes`,
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
    // Its parent is the span of the host, whose parent is the span of the caller.
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
    // Other lines of the request have its trace, too.
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
  let url: string;
  let close: () => void;
  const updated: string[] = [];
  beforeAll(async () => {
    // Each update takes some time.
    const service = createServer(async (request, response) => {
      if (request.method === 'GET') return void response.setHeader('content-type', 'application/json').end('[]');
      const { ArticleNumber } = (await json(request)) as { ArticleNumber: string };
      updated.push(ArticleNumber);
      await sleep(100);
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ArticleNumber }));
    });
    ({ url, close } = await listen(service));
  });
  afterAll(() => close());

  it('by the platform leaves its push to another instance, which continues at once and sends each row once', async () => {
    const { message, first, numbers, credential, id } = await begunPush('anna');
    await first.terminate();
    expect(updated.length).toBeLessThan(numbers.length);

    const second = await load(settings());
    await second.trigger('pushWork', message);
    const { push } = await pushed(second.request, credential, id);
    expect(push).toMatchObject({ state: 'ended', counts: { applied: numbers.length, unknown: 0 } });
    expect(updated).toEqual(numbers);
  });

  // It takes most of that minute.
  it.runIf(deeper(false, true))(
    'by a kill leaves its push to another instance within a minute, without a timer',
    async () => {
      const { first, numbers, credential, id } = await begunPush('bart');
      await first.kill();
      expect(updated.length).toBeLessThan(numbers.length);

      const second = await load(settings());
      // The message that was worked on would come again after ten minutes: it is not there any more.
      let message: unknown;
      await expect
        .poll(
          async () => {
            message = await nextMessage().catch(() => undefined);
            return message;
          },
          { timeout: 60_000, interval: 1000 },
        )
        .toBeDefined();
      await second.trigger('pushWork', message);
      const { push } = await pushed(second.request, credential, id);
      expect(push.state).toBe('ended');
      // Those that were under way may have arrived or not.
      expect(push.counts.applied + push.counts.unknown).toBe(numbers.length);
      expect(push.counts.unknown).toBeLessThan(5);
      expect(new Set(updated).size).toBe(updated.length);
    },
  );

  const settings = () => ({
    ADMINISTRATION_URL: url,
    REMOTE_PER_SECOND: '0',
    REMOTE_PER_MINUTE: '0',
    REMOTE_AT_A_TIME: '1',
    AzureWebJobsStorage: connectionString,
    SECRET_KEY: key,
  });

  /** An instance with a push of which some rows were sent. */
  async function begunPush(user: string) {
    updated.length = 0;
    // Messages of the push before, for whoever takes it over.
    await (await storage.queueClient('pushes')).clearMessages();
    const credential = { apiKey: 'a', username: `${user}@example.com` };
    const first = await load(settings());
    const numbers = Array.from({ length: 40 }, (_, index) => `A${index}`);
    const rows = numbers.map((ArticleNumber, index) => ({
      row: index + 2,
      update: { ArticleNumber, NewStockQty: 1, StockUpdateMode: 'Relative' },
    }));
    const begun = await first.request(pushOf(credential, rows));
    expect(begun.status).toBe(202);
    const message = await nextMessage();
    first.trigger('pushWork', message).catch(() => {});
    await expect.poll(() => updated.length).toBeGreaterThan(3);
    return { message, first, numbers, credential, id: JSON.parse(begun.body).push.id as string };
  }
});

const pushOf = ({ apiKey, username }: Credential, rows: object[]): HostRequest => ({
  name: 'pushBegin',
  method: 'POST',
  url: `${base}/pushes`,
  headers: { apikey: apiKey, username, 'content-type': 'application/json', 'idempotency-key': `key of ${rows.length}` },
  body: JSON.stringify({ rows }),
});

/** The message on the queue of pushes, as the host passes it. */
async function nextMessage(): Promise<unknown> {
  const [message] = await storage.queue('pushes').receive(1, 30);
  await message!.remove();
  return JSON.parse(Buffer.from(message!.text, 'base64').toString('utf8'));
}

async function pushed(request: FunctionsHost['request'], { apiKey, username }: Credential, id: string) {
  const { body } = await request({
    name: 'pushChanges',
    method: 'GET',
    url: `${base}/pushes/${id}`,
    headers: { apikey: apiKey, username },
    params: { id },
  });
  return JSON.parse(body);
}

it('none of this writes into the folder of the app', async () => {
  expect(await readdir(folder, { recursive: true })).toEqual(packaged);
});
