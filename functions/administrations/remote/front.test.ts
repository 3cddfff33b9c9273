import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { type ListName, type RowOf, wholeList } from '../../../shared/client/wholeList.ts';
import { HEALTH_KEY, healthAt, send } from '../../../testing/app.ts';
import { deeper } from '../../../testing/deep.ts';
import { listen } from '../../../testing/listen.ts';
import { credential, openRemote } from '../../../testing/remote/askRemote.ts';
import { heldMemory } from '../../../testing/remote/memory.ts';
import { type ScriptedService, startScriptedService } from '../../../testing/remote/scriptedService.ts';
import { functionsOf } from '../../app.ts';
import { createHost } from '../../host/server.ts';
import type { Administrations } from '../administration.ts';
import type { RemoteSettings } from './remote.ts';

/* The whole app, by its address, in front of a service. */

let service: ScriptedService;
let url: string;
let logged: string[];
let stop: () => Promise<void>;
beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.close());

async function startFront(settings: Partial<RemoteSettings> = {}): Promise<void> {
  logged = [];
  const remote: Administrations = openRemote(service.url, settings, { log: (line) => logged.push(line) });
  const server = createHost(
    functionsOf(async () => ({ administrations: remote }), { pages: '/nowhere', healthKey: HEALTH_KEY }).http,
    (line) => logged.push(line),
  );
  const listening = await listen(server);
  url = listening.url;
  stop = async () => {
    listening.close();
    await remote.close();
  };
}
beforeEach(() => startFront());
afterEach(() => stop());

const headers = { ApiKey: credential.apiKey, Username: credential.username };
const get = (target: string, more: Record<string, string> = {}) =>
  send(url, 'GET', target, { headers: { ...headers, ...more } });

describe('the app in front of a service', () => {
  it('returns the form of the interface’s examples for any form of the service', async () => {
    service.play({ body: '{"Number":8000,"FiscalYear":2026,"Mood":98765432109876543210}' });
    const { status, text } = await get('/rest/ListLedgerAccounts/?fiscalyear=2026');
    expect(status).toBe(200);
    expect(text).toMatch(/^\[\{"Number":"8000",.*"Mood":98765432109876543210\}\]$/);
    expect(service.received[0]).toMatchObject({ path: '/rest/listledgeraccounts/', query: 'FiscalYear=2026' });
  });

  it('refuses invalid requests without a request to the service', async () => {
    service.play({ body: '[]' });
    const { status, json } = await get('/rest/listrelations?Limit=none');
    expect([status, json.errors[0].path]).toEqual([400, 'Limit']);
    expect((await send(url, 'GET', '/rest/listrelations')).status).toBe(401);
    expect(service.received).toEqual([]);
  });

  it('returns 429 with Retry-After for a rate limit', async () => {
    await stop();
    await startFront({ perMinute: 1, timeout: 5000 });
    service.play({ body: '[]' });
    expect((await get('/rest/listtaxcodes')).status).toBe(200);
    const { status, headers: inResponse, json } = await get('/rest/listtaxcodes');
    expect([status, json.errorCode]).toEqual([429, 'RATE_LIMIT']);
    // 61, and less on a busy machine.
    expect(inResponse['retry-after']).toMatch(/^(61|60|5\d)$/);
  });

  it('returns the refusal of a request for "Corporate Limited" as such, and sends the next request', async () => {
    const refusal = { errorCode: 'INVALID_REQUEST', errorMessage: 'CategoryName: there is no "Corporate Limited".' };
    service.play(({ path }) =>
      path.includes('list') ? { body: '[]' } : { status: 400, body: JSON.stringify(refusal) },
    );
    const body = JSON.stringify({ ArticleNumber: 'A', CategoryName: 'Corporate Limited' });
    const { status, json } = await send(url, 'PUT', '/rest/updateproduct/', { headers, body });
    expect([status, json.errorCode, json.errorMessage]).toEqual([400, 'INVALID_REQUEST', refusal.errorMessage]);
    expect((await get('/rest/listtaxcodes')).status).toBe(200);
  });

  it('sends requests to the address of its settings only', async () => {
    service.play({ body: '[]' });
    const more = { Host: 'elsewhere.example', 'X-Forwarded-Host': 'elsewhere.example', Forwarded: 'host=elsewhere' };
    await get('/rest/listtaxcodes?url=http://elsewhere.example', more);
    const { path, query, headers: received } = service.received[0]!;
    expect([path, query, received.host]).toEqual(['/rest/listtaxcodes/', '', new URL(service.url).host]);
    expect(JSON.stringify(received)).not.toContain('elsewhere');
  });

  it('writes no key to its log or into an error', async () => {
    const echo = `${credential.apiKey} ${credential.username}`;
    for (const response of [
      { status: 500, body: JSON.stringify({ errorMessage: echo }) },
      { status: 400, body: JSON.stringify({ errorMessage: echo }) },
      { status: 200, body: `<html>${echo}</html>` },
      { status: 200, body: JSON.stringify([{ RelationGUID: echo }]) },
    ]) {
      service.play(response);
      const { status, text } = await get('/rest/listrelations');
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain(credential.apiKey);
    }
    expect(logged.join('\n')).not.toContain(credential.apiKey);
  });

  it('reports the state of the service at /health', async () => {
    service.play({ status: 503 });
    for (let time = 0; time < 3; time++) await get('/rest/listtaxcodes');
    const { status, json } = await healthAt(url);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      status: 'degraded',
      administration: { kind: 'remote', service: new URL(service.url).host, breaker: { state: 'open' } },
    });
  });
});

describe('the body of a write', () => {
  const PRODUCT = '{"ArticleNumber":"A-1","NewName":"Hammer","CategoryName":"Tools"}';
  /** Sends the beginning of a large body, and no more. */
  async function announce(apiKey: string): Promise<number | undefined> {
    const sent = request(`${url}/rest/addsalesinvoice/`, {
      method: 'POST',
      agent: false,
      headers: { ...headers, ApiKey: apiKey, 'Content-Type': 'application/json', 'Content-Length': 10_000_000 },
    });
    sent.on('error', () => {});
    sent.write('{');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    sent.destroy();
    return response.statusCode;
  }
  const add = () => send(url, 'POST', '/rest/addproduct/', { headers, body: PRODUCT });
  const paths = () => service.received.map(({ path }) => path);

  it('is not read when the service does not accept the key', async () => {
    service.play({ status: 401 });
    expect(await announce(randomUUID())).toBe(401);
    expect(paths()).toEqual(['/rest/listrelations/']);
  });

  it('is not read while the service fails', async () => {
    await stop();
    await startFront({ timeout: 100 });
    service.play({ status: 503 });
    for (let failed = 0; failed < 3; failed++) await get('/rest/listtaxcodes');
    expect(await announce(credential.apiKey)).toBe(502);
  });

  it('is read at once when the service has accepted the key, which is asked once for many writes', async () => {
    service.play(({ path }) => ({ body: path.includes('list') ? '[]' : '{"ArticleNumber":"1"}' }));
    const responses = await Promise.all([add(), add(), add()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    await add();
    expect(paths().filter((path) => path.includes('list'))).toHaveLength(1);
  });

  it.each([400, 403, 404, 500])('is read when the service answers %d to the question for the key', async (status) => {
    service.play(({ path }) => (path.includes('list') ? { status } : { body: '{"ArticleNumber":"1"}' }));
    expect((await add()).status).toBe(200);
    expect(paths()).toEqual(['/rest/listrelations/', '/rest/addproduct/']);
  });
});

describe('a whole list through the app', () => {
  const client = () => createClient(url, credential, fetch);
  /** A list of the numbered rows at that time, in pages of the maximum length or shorter. */
  const serve = (field: string, rows: (request: number) => readonly number[], most: number) =>
    service.play(({ query }, request) => {
      const parameters = new URLSearchParams(query);
      const from = Number(parameters.get('Offset'));
      const page = rows(request).slice(from, from + Math.min(most, Number(parameters.get('Limit'))));
      return { body: JSON.stringify(page.length === 0 ? {} : page.map((number) => ({ [field]: number }))) };
    });
  async function collect<Name extends ListName>(pages: AsyncIterable<RowOf<Name>[]>): Promise<RowOf<Name>[]> {
    const rows: RowOf<Name>[] = [];
    for await (const page of pages) rows.push(...page);
    return rows;
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it('is complete when the service returns shorter pages than requested', async () => {
    serve('RelationGUID', () => upTo(500), 70);
    const rows = await collect(wholeList(client(), 'listrelations', {}, (row) => row.RelationGUID!));
    expect(rows.map(({ RelationGUID }) => Number(RelationGUID))).toEqual(upTo(500));
    expect(new URLSearchParams(service.received[0]!.query).get('Limit')).toBe('200');
  });

  it('has every row once when rows move to a later page while it is read', async () => {
    // Invoices come newest first: the first requests each find three more of them on top.
    const latest = (request: number) => 300 + 3 * Math.min(request, 4);
    serve('InvoiceNumber', (request) => upTo(latest(request)).reverse(), 100);
    const rows = await collect(wholeList(client(), 'listsalesinvoices', {}, (row) => row.InvoiceNumber!));
    const numbers = rows.map(({ InvoiceNumber }) => Number(InvoiceNumber));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).toEqual(upTo(300).reverse());
  });

  it('misses no row when rows on its pages before are deleted while it is read', async () => {
    // Before the second request some of the first page are deleted, before the third one nearly all of it.
    const gone = [0, 3, 95];
    serve('InvoiceNumber', (request) => upTo(300 - (gone[request] ?? 95)).reverse(), 100);
    const rows = await collect(wholeList(client(), 'listsalesinvoices', {}, (row) => row.InvoiceNumber!));
    expect(rows.map(({ InvoiceNumber }) => Number(InvoiceNumber))).toEqual(upTo(300).reverse());
    expect(service.received.length).toBeLessThanOrEqual(7);
  });

  const MANY = deeper(20_000, 50_000);

  it(`of ${MANY} invoices is read page by page, and never all in memory`, async () => {
    const filler = 'x'.repeat(2000);
    service.play(({ query }) => {
      const from = Number(new URLSearchParams(query).get('Offset'));
      const page = upTo(Math.min(100, MANY - from)).map((number) => ({
        InvoiceNumber: from + number,
        InvoiceNotes: filler,
      }));
      return { body: JSON.stringify(page) };
    });
    let rows = 0;
    let most = 0;
    const before = heldMemory();
    for await (const page of wholeList(client(), 'listsalesinvoices', {}, (row) => row.InvoiceNumber!)) {
      rows += page.length;
      if (rows % 10_000 === 0) most = Math.max(most, heldMemory());
    }
    expect(rows).toBe(MANY);
    // Half of the text of all rows.
    expect(most - before).toBeLessThan((MANY * filler.length) / 2);
    // Each page begins with a known row, and so does the one that shows the end.
    expect(service.received).toHaveLength(Math.ceil((MANY - 1) / 99) + 1);
  });
});
