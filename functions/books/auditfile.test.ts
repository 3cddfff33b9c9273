import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { setImmediate as otherWork } from 'node:timers/promises';
import { HttpRequest, InvocationContext } from '@azure/functions';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLedgerClient } from '../../shared/client/ledgerClient.ts';
import type { AuditfileVersion } from '../../shared/resources/generalLedger/auditfileYear.ts';
import { startApp, type TestAdministration, type TestApp } from '../../testing/app.ts';
import { brokenRules } from '../../testing/auditfiles/checkerRules.ts';
import { elementsAt, xmlTree } from '../../testing/auditfiles/xmlTree.ts';
import { addBooks } from '../../testing/builtin/ledgerBooks.ts';
import { databaseKind } from '../../testing/database.ts';
import { listen } from '../../testing/listen.ts';
import { credential, openRemote } from '../../testing/remote/askRemote.ts';
import { heldMemory } from '../../testing/remote/memory.ts';
import { startScriptedService } from '../../testing/remote/scriptedService.ts';
import { threadTime } from '../../testing/threadTime.ts';
import { auditfileThreads } from '../administrations/builtin/auditfileExport/auditfileThreads.ts';
import { writeAuditfile } from '../administrations/builtin/auditfileExport/writeAuditfile.ts';
import { functionsOf } from '../app.ts';
import { createHost } from '../host/server.ts';
import { ledgerFunctions } from './books.ts';

/** Some megabytes of them: several blocks. */
const ENTRIES = 4000;

let app: TestApp;
let shop: TestAdministration;
beforeAll(async () => {
  app = await startApp();
  shop = await newShop();
  await addBooks(app.db, shop.administrationId, {
    startMonth: 1,
    openings: [],
    entries: Array.from({ length: ENTRIES }, (_, index) => ({
      date: `2025-0${1 + (index % 9)}-15`,
      description: `Entry ${index} of François`,
      lines: [
        { ledger_account_number: '1000', amount: BigInt(index + 1) },
        { ledger_account_number: '8000', amount: -BigInt(index + 1) },
      ],
    })),
  });
});
afterAll(() => app.close());

async function newShop(): Promise<TestAdministration> {
  const one = await app.addAdministration({ scope: 'read' });
  const accounts = ['0540', '1000', '8000'].map((number) => ({
    administration_id: one.administrationId,
    number,
    name: `Account ${number}`,
    fiscal_year: 2025n,
    ledger_type: number < '4' ? ('BalanceSheet' as const) : ('IncomeStatement' as const),
    debet_or_credit: 'debet' as const,
  }));
  await app.db.deleteFrom('ledger_account').where('administration_id', '=', one.administrationId).execute();
  await app.db.insertInto('ledger_account').values(accounts).execute();
  await set(one, { vat_number: 'NL812345678B01', result_account: '0540' });
  return one;
}

const set = ({ administrationId }: TestAdministration, values: object) =>
  app.db.updateTable('administration').where('id', '=', administrationId).set(values).execute();

const administrationOf = ({ administrationId }: TestAdministration) =>
  app.db.selectFrom('administration').where('id', '=', administrationId).selectAll().executeTakeFirstOrThrow();

/** What is written of a year without a service between. */
async function expectedFile(year: string, version: AuditfileVersion): Promise<string> {
  const pieces: string[] = [];
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Amsterdam' }).format();
  await writeAuditfile(app.db, await administrationOf(shop), { year, version, today }, async (text) => {
    pieces.push(text);
  });
  return pieces.join('');
}

const downloaded = async (one: TestAdministration, year: string, version: AuditfileVersion = '4.0') => {
  const client = createLedgerClient({ base: app.url, credential: one.credential, fetch });
  return Buffer.concat(await Array.fromAsync(client.auditfile({ year, version }))).toString();
};

describe('a fiscal year as an audit file', () => {
  it.each(['4.0', '3.2'] as const)(
    'is downloaded whole by a key that may only read, in version %s',
    async (version) => {
      const text = await downloaded(shop, '2025', version);
      expect(text).toBe(await expectedFile('2025', version));
      const file = xmlTree(text);
      expect(brokenRules(file)).toEqual([]);
      expect(elementsAt(file, 'company/transactions/journal/transaction')).toHaveLength(ENTRIES);
    },
  );

  it('is version 4.0 when none is named, and says that it is a file', async () => {
    const { headers, status, text } = await shop.get('/ledger/auditfile?YEAR=2026');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'content-disposition': 'attachment; filename="auditfile-2026.xaf"',
      'cache-control': 'no-store',
    });
    expect(text).toContain('XmlauditfileXAF_4.0');
    const opening = elementsAt(xmlTree(text), 'company/openingBalance/obLine');
    expect(opening.map((line) => elementsAt(line, 'accID')[0]!.text)).toEqual(['0540', '1000']);
  });

  it('is read of an archived administration too', async () => {
    const archived = await newShop();
    await addBooks(app.db, archived.administrationId, {
      startMonth: 1,
      openings: [],
      entries: [
        {
          date: '2025-01-01',
          lines: [
            { ledger_account_number: '1000', amount: 1n },
            { ledger_account_number: '8000', amount: -1n },
          ],
        },
      ],
    });
    await set(archived, { archived_on: 1n });
    const file = xmlTree(await downloaded(archived, '2025'));
    // Of this administration only.
    expect(elementsAt(file, 'company/transactions/journal/transaction')).toHaveLength(1);
  });

  it('is the second that begins in a calendar year when its month is named', async () => {
    const two = await newShop();
    const entry = (date: string) => ({
      date,
      lines: [
        { ledger_account_number: '1000', amount: 1n },
        { ledger_account_number: '8000', amount: -1n },
      ],
    });
    await addBooks(app.db, two.administrationId, {
      startMonth: 1,
      openings: [{ start: '2025-01-01', end: '2025-06-30', amounts: {} }],
      entries: [entry('2025-02-01'), entry('2025-07-01'), entry('2025-12-31')],
    });
    const daysOf = (text: string) =>
      ['header/startDate', 'header/endDate', 'company/transactions/journal/transaction/trDt'].flatMap((place) =>
        elementsAt(xmlTree(text), place).map((element) => element.text),
      );
    expect(daysOf(await downloaded(two, '2025'))).toEqual(['2025-01-01', '2025-06-30', '2025-02-01']);
    const { headers, status, text } = await two.get('/ledger/auditfile?year=2025-07');
    expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="auditfile-2025-07.xaf"']);
    expect(daysOf(text)).toEqual(['2025-07-01', '2025-12-31', '2025-07-01', '2025-12-31']);
    expect(brokenRules(xmlTree(text))).toEqual([]);
  });

  it.each([
    ['', 'year: is required'],
    ['year=26', 'year: expected'],
    ['year=2025-7', 'year: expected'],
    ['year=2025-13', 'year: expected'],
    ['year=20250', 'year: expected'],
    ['year=2025-03', 'begins in 2025-03, which is in 2025-01-01 to 2025-12-31.'],
    ['year=2025&version=5', 'version: expected'],
    ['year=2024', 'have nothing in 2024-01-01 to 2024-12-31.'],
  ])('is refused for %j, and says why', async (query, message) => {
    const { json, status } = await shop.get(`/ledger/auditfile?${query}`);
    expect([status, json.errorMessage]).toEqual([400, expect.stringContaining(message)]);
  });

  it('is refused without the VAT number that it needs', async () => {
    const one = await newShop();
    await set(one, { vat_number: '' });
    await expect(downloaded(one, '2025')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('has no VAT number'),
    });
  });

  it('of a wrong credential is unauthorized', async () => {
    const { status } = await shop.request('GET', '/ledger/auditfile?year=2025', { headers: { ApiKey: 'x' } });
    expect(status).toBe(401);
  });

  it('is written for the next caller when one leaves in the middle', async () => {
    const client = createLedgerClient({ base: app.url, credential: shop.credential, fetch });
    for (let count = 0; count < 6; count++) {
      const leaving = new AbortController();
      const file = client.auditfile({ year: '2025', version: '4.0' }, leaving.signal);
      expect((await file.next()).value!.length).toBeGreaterThan(0);
      leaving.abort();
      await expect(file.next()).rejects.toThrow();
    }
    expect(await downloaded(shop, '2026')).toContain('</auditfile>');
  });
});

// No other connection opens an embedded database.
describe.skipIf(databaseKind() === 'embedded')('threads that write audit files', () => {
  const order = async () => ({
    administration: await administrationOf(shop),
    options: { year: '2025', version: '4.0' as const, today: '2026-01-01' },
  });

  it('keep nobody waiting', async () => {
    const threads = auditfileThreads(app.databaseUrl);
    onTestFinished(() => threads.close());
    const here = await threadTime(() => expectedFile('2025', '4.0'));
    let bytes = 0;
    const beside = await threadTime(async () => {
      bytes = 0;
      for await (const block of await threads.read(await order())) bytes += block.length;
    }, here / 2);
    expect(bytes).toBeGreaterThan(1_500_000);
    expect(beside).toBeLessThan(here / 2);
  });

  it('keep no part of a file that was read', async () => {
    const threads = auditfileThreads(app.databaseUrl);
    onTestFinished(() => threads.close());
    const read: WeakRef<Uint8Array>[] = [];
    const kept = () => read.filter((block) => block.deref() !== undefined).length;
    let most = 0;
    for await (const block of await threads.read(await order())) {
      read.push(new WeakRef(block));
      // Until its turn is over, nothing is collected that a WeakRef was made of.
      await otherWork();
      heldMemory();
      most = Math.max(most, kept());
    }
    expect(read.length).toBeGreaterThan(5);
    expect(most).toBeLessThan(4);
  });

  it('refuse a caller while others of the same administration wait', async () => {
    const threads = auditfileThreads(app.databaseUrl);
    onTestFinished(() => threads.close());
    const read = async () => threads.read(await order());
    const first = await read();
    const waiting = [read(), read()];
    await expect.poll(() => read().catch(({ code }) => code)).toBe('UNAVAILABLE');
    for (const one of [first, ...waiting]) {
      const blocks = await Array.fromAsync(await one);
      expect(Buffer.concat(blocks).toString().endsWith('</auditfile>\n')).toBe(true);
    }
  });

  it.each([
    ['time', { maxMs: 1 }],
    ['memory', { maxMegabytes: 8 }],
  ])('refuse what takes too much %s', async (_, limits) => {
    const threads = auditfileThreads(app.databaseUrl, limits);
    onTestFinished(() => threads.close());
    await expect(threads.read(await order())).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'The audit file takes too much time or memory.',
    });
  });
});

it('in the Functions worker, a file is written as fast as its caller reads it, and no further when it has gone', async () => {
  const [block, blocks] = [Buffer.alloc(64 * 1024, 'x'), 2000];
  let written = 0;
  let isClosed = false;
  async function* file(): AsyncGenerator<Uint8Array> {
    try {
      for (; written < blocks; written++) yield block;
    } finally {
      isClosed = true;
    }
  }
  const functions = ledgerFunctions(async () => ({ auditfileOf: async () => file() }) as never);
  const { handler } = functions.find(({ name }) => name === 'ledgerAuditfile')!;
  // As the worker does: it sends a body to the end, whoever reads it.
  const server = createServer(async (incoming, response) => {
    const invocationId = String(incoming.headers['x-ms-invocation-id']);
    const headers = { ApiKey: 'key', Username: 'user' };
    const asked = new HttpRequest({ method: 'GET', url: 'http://localhost/', query: { year: '2025' }, headers });
    const { body } = await handler(asked, new InvocationContext({ invocationId }));
    for await (const bytes of body as AsyncIterable<Uint8Array>) response.write(bytes);
    response.end();
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const sent = request(url, { headers: { 'x-ms-invocation-id': 'one' } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let before = -1;
  const stands = () => {
    const isSame = before === written;
    before = written;
    return isSame;
  };
  // Until the buffers between them are full.
  await expect.poll(stands, { interval: 300 }).toBe(true);
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThan(blocks / 2);
  response.destroy();
  await expect.poll(() => isClosed).toBe(true);
  expect(written).toBeLessThan(blocks / 2);
});

it('a remote administration writes no audit files, and says so', async () => {
  const service = await startScriptedService();
  const remote = openRemote(service.url);
  const { http } = functionsOf(async () => ({ administrations: remote }), { pages: '' });
  const { url, close } = await listen(createHost(http, () => {}));
  onTestFinished(async () => {
    close();
    await remote.close();
    await service.close();
  });
  service.play({ body: '[]' });
  const file = createLedgerClient({ base: url, credential, fetch }).auditfile({ year: '2025', version: '4.0' });
  await expect(file.next()).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' });
});
