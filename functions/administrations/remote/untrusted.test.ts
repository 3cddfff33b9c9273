import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../../testing/listen.ts';
import { ask, openRemote, problemOf } from '../../../testing/remote/askRemote.ts';
import { type ScriptedService, startScriptedService } from '../../../testing/remote/scriptedService.ts';
import { testStorage } from '../../../testing/storage.ts';
import { RATE_LIMIT_TABLE, rateLimitTable } from '../../storage/rateLimitTable.ts';
import { systemClock } from './rateLimit/clock.ts';

/* A service, and callers, that are not to be trusted. */

const { storage } = await testStorage();
let service: ScriptedService;
beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.close());

const someone = (index = 0) => ({ apiKey: randomUUID(), username: `nobody-${index}@example.com` });
const refusal = { status: 401, body: '{"errorCode":"UNAUTHORIZED","errorMessage":"Invalid"}' };
const histories = () => Array.fromAsync(storage.table(RATE_LIMIT_TABLE).list({}), ({ partition }) => partition);

describe('a page that is larger than what was asked for', () => {
  it('is refused when it has more items', async () => {
    const remote = openRemote(service.url);
    service.play({ body: JSON.stringify(Array.from({ length: 4 }, (_, index) => ({ RelationGUID: index }))) });
    expect(await problemOf(ask(remote, 'listrelations', { Limit: 3 }))).toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringContaining('4 items instead of at most 3'),
    });
    expect(service.received).toHaveLength(1);
    expect(await ask(remote, 'listrelations', { Limit: 4 })).toHaveLength(4);
    await remote.close();
  });

  it.each([
    // The interface has no maximum of bookings; so many are no answer.
    ['listprojectmaterialbooking', {}, 1000, 20_001],
    ['listprojectmaterialbooking', { limit: 500 }, 500, 501],
    // It has two maxima with PDFs, 15 and 20.
    ['listsalesinvoices', { IncludeBase64PDF: true }, 20, 21],
    ['listsalesinvoices', { IncludeBase64PDF: true, Limit: 20 }, 20, 21],
    ['listsalesinvoices', { IncludeBase64PDF: true, Limit: 15 }, 15, 16],
  ] as const)(
    'of %s with %j may have %i items, as the interface says, and not %i',
    async (name, query, most, tooMany) => {
      const remote = openRemote(service.url);
      const answer = (count: number) =>
        service.play({ body: JSON.stringify(Array.from({ length: count }, () => ({ CustomerName: 'Jansen' }))) });
      answer(most);
      expect(await ask(remote, name, query)).toHaveLength(most);
      answer(tooMany);
      expect((await problemOf(ask(remote, name, query))).message).toContain(`${tooMany} items instead of at most`);
      await remote.close();
    },
  );

  it('is refused when its items have more values than any page, and is not asked for again', async () => {
    const remote = openRemote(service.url);
    // No list of it has too many.
    const values = (count: number) =>
      `[{"RelationGUID":1,"x":[${Array(count / 50_000).fill(`[${'1,'.repeat(49_999)}1]`)}]}]`;
    service.play({ body: values(250_000) });
    expect(await problemOf(ask(remote, 'listrelations', {}))).toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringContaining('more values than any page has'),
    });
    expect(service.received).toHaveLength(1);
    service.play({ body: values(150_000) });
    expect(await ask(remote, 'listrelations', {})).toHaveLength(1);
    await remote.close();
  });

  it('is refused when it has more than eight megabytes, but for PDFs', async () => {
    const remote = openRemote(service.url);
    service.play({ body: JSON.stringify([{ InvoiceNumber: 1, InvoicePDFBase64: 'A'.repeat(9 * 1024 * 1024) }]) });
    expect((await problemOf(ask(remote, 'listsalesinvoices', {}))).message).toContain('larger than what was asked for');
    expect(await ask(remote, 'listsalesinvoices', { IncludeBase64PDF: true })).toHaveLength(1);
    await remote.close();
  });

  it('is cut off while it is read, and not asked for again', async () => {
    let sent = 0;
    let requests = 0;
    const endless = createServer((_request, response) => {
      requests++;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const chunk = `{"Notes":"${'x'.repeat(65_000)}"},`;
      const write = () => {
        while (!response.destroyed && sent < 200_000_000) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
      };
      response.write('[');
      write();
    });
    const { url, close } = await listen(endless);
    const remote = openRemote(url);
    const problem = await problemOf(ask(remote, 'listrelations', { Limit: 10 }));
    expect(problem.message).toContain('larger than what was asked for');
    expect(requests).toBe(1);
    // A megabyte, 32 kB for each item, and what the connection holds.
    expect(sent).toBeLessThan(12_000_000);
    await remote.close();
    close();
  });

  it.each([
    ['gzip', gzipSync],
    ['br', (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['deflate', deflateSync],
  ])('is refused before it is unpacked further, and not asked for again, when it is %s', async (encoding, packed) => {
    const remote = openRemote(service.url);
    service.play({ headers: { 'Content-Encoding': encoding }, body: packed(`["${'x'.repeat(20_000_000)}"]`) });
    const { message } = await problemOf(ask(remote, 'listrelations', { Limit: 10 }));
    expect(message).toContain('larger than what was asked for');
    expect(service.received).toHaveLength(1);
    await remote.close();
  });

  it('stops no other requests, however often it is asked for', async () => {
    const remote = openRemote(service.url);
    service.play({ headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(`["${'x'.repeat(20_000_000)}"]`) });
    for (let time = 0; time < 10; time++) await problemOf(ask(remote, 'listrelations', { Limit: 10 }));
    service.play({ body: '[]' });
    expect(await ask(remote, 'listtaxcodes')).toEqual([]);
    await remote.close();
  });
});

it('an error that is longer than any error is known by its status only', async () => {
  const remote = openRemote(service.url);
  const error = (notes: number) => ({
    status: 400,
    body: JSON.stringify({ errorMessage: 'No', notes: 'x'.repeat(notes) }),
  });
  service.play(error(200_000));
  expect((await problemOf(ask(remote, 'listrelations'))).message).toBe('The service answered 400.');
  service.play(error(50_000));
  expect((await problemOf(ask(remote, 'listrelations'))).message).toBe('No');
  await remote.close();
});

it('a refusal whose errors have other parameters than ours is a refusal in the words of the service', async () => {
  const remote = openRemote(service.url);
  // As another version of this app, or a service with the same codes.
  const errors = [{ path: 'StockUpdateMode', message: 'Unknown mode.', code: 'NOT_CHOICE', params: { given: '"x"' } }];
  const body = { errorCode: 'INVALID_REQUEST', errorMessage: 'StockUpdateMode: Unknown mode.', errors };
  service.play({ status: 400, body: JSON.stringify(body) });
  expect(await problemOf(ask(remote, 'updateproduct', { ArticleNumber: 'A1', StockUpdateMode: 'Absolute' }))).toEqual(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      message: 'StockUpdateMode: Unknown mode.',
      errors: [expect.objectContaining({ path: 'StockUpdateMode', message: 'Unknown mode.' })],
    }),
  );
  expect(service.received).toHaveLength(1);
  await remote.close();
});

describe('made-up keys', () => {
  /** Waited for as long as a busy machine takes. */
  const history = () => ({ ...rateLimitTable(storage.table(RATE_LIMIT_TABLE)), timeout: 60_000 });

  it('reach the service only so often', async () => {
    const remote = openRemote(service.url);
    const known = someone();
    service.play(({ headers }) => (headers.apikey === known.apiKey ? { body: '[]' } : refusal));
    await ask(remote, 'listtaxcodes', {}, {}, known);
    const codes: string[] = [];
    for (let index = 0; index < 100; index++) {
      codes.push((await problemOf(ask(remote, 'listtaxcodes', {}, {}, someone(index)))).code);
    }
    expect(codes).toEqual([...Array(60).fill('UNAUTHORIZED'), ...Array(40).fill('RATE_LIMIT')]);
    expect((await problemOf(remote.open(someone(), { writes: true }))).code).toBe('RATE_LIMIT');
    expect(service.received).toHaveLength(61);
    // A credential that was accepted goes on.
    for (let index = 0; index < 3; index++) expect(await ask(remote, 'listtaxcodes', {}, {}, known)).toEqual([]);
    await remote.close();
  });

  it('leave nothing in the storage account, however many there are', async () => {
    const before = await histories();
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const remote = openRemote(service.url, { perSecond: 100, perMinute: 1000 }, { history: history(), clock });
    const known = someone();
    let underWay: string[] = [];
    service.play(async ({ headers }) => {
      if (headers.apikey === known.apiKey) return { body: '[]' };
      if (underWay.length === 0) underWay = await histories();
      return refusal;
    });
    for (let index = 0; index < 100; index++) {
      if (index % 50 === 0) {
        // As many in a minute as reach the service. A history that nobody uses for a minute is removed, too.
        later += 61_000;
        await ask(remote, 'listtaxcodes', {}, {}, known);
      }
      expect((await problemOf(ask(remote, 'listtaxcodes', {}, {}, someone(index)))).code).toBe('UNAUTHORIZED');
    }
    expect(service.received).toHaveLength(102);
    // The history counts while a request is under way, since its key might be right.
    expect(underWay).toHaveLength(before.length + 2);
    expect(await histories()).toHaveLength(before.length + 1);
    await remote.close();
  });

  it('about which the service says nothing are forgotten when their requests no longer count', async () => {
    const before = await histories();
    // A second, and what is added to it.
    const remote = openRemote(service.url, { perSecond: 100 }, { history: history() });
    service.play({ status: 500, body: '' });
    await Promise.all(
      [1, 2, 3].map((index) => problemOf(ask(remote, 'listtaxcodes', {}, { timeout: 60_000 }, someone(index)))),
    );
    expect(service.received).not.toEqual([]);
    await expect.poll(histories).toEqual(before);
    await remote.close();
  });

  it('in three spellings of a user name have one history', async () => {
    const before = await histories();
    const remote = openRemote(service.url, { perMinute: 100 }, { history: history() });
    service.play({ body: '[]' });
    const one = someone();
    for (const username of ['anna@example.com', 'ANNA@EXAMPLE.COM', 'Anna@Example.com']) {
      await ask(remote, 'listtaxcodes', {}, {}, { ...one, username });
    }
    expect(await histories()).toHaveLength(before.length + 1);
    await remote.close();
  });

  it('in many spellings of a user name are one caller, and their failures stop nobody else', async () => {
    const remote = openRemote(service.url);
    const known = someone();
    service.play(({ headers }) => (headers.apikey === known.apiKey ? { body: '[]' } : { status: 500, body: '' }));
    await ask(remote, 'listtaxcodes', {}, {}, known);
    const one = someone();
    for (const username of ['anna@example.com', 'ANNA@example.com', 'Anna@example.com', 'eve@example.com']) {
      for (let index = 0; index < 3; index++) {
        await problemOf(ask(remote, 'listtaxcodes', {}, {}, { ...one, username }));
      }
    }
    const asked = service.received.length;
    await problemOf(ask(remote, 'listtaxcodes', {}, {}, { ...one, username: 'aNNa@example.com' }));
    expect(service.received).toHaveLength(asked);
    expect(await ask(remote, 'listtaxcodes', {}, {}, known)).toEqual([]);
    await remote.close();
  });
});
