import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Credential } from '../../shared/client/client.ts';
import { createPushClient, type PushClient } from '../../shared/client/pushClient.ts';
import type { SentRow } from '../../shared/resources/push.ts';
import { startApp, type TestApp } from '../../testing/app.ts';
import { endedPush } from '../../testing/pushes/endedPush.ts';
import { testStorage } from '../../testing/storage.ts';

const { connectionString, storage } = await testStorage();
let app: TestApp;
let pushes: PushClient;
const clientOf = (credential: Credential) => createPushClient({ base: app.url, credential, fetch });

beforeAll(async () => {
  app = await startApp({ storage: connectionString });
  pushes = clientOf(app.credential);
});
afterAll(() => app.close());

const ended = (id: string, client = pushes) => endedPush(client, id);

const push = async (rows: Parameters<PushClient['begin']>[0], key: string = randomUUID()) =>
  ended((await pushes.begin(rows, key)).id);

/** The stock of a product in a response. */
const stockOf = async (article: string): Promise<string | null> =>
  (await app.client.updateproduct({ ArticleNumber: article })).StockQty;

let made = 0;
async function newProduct(stock = '0'): Promise<string> {
  const articleNumber = `P-${++made}`;
  await app.addProduct({ articleNumber, name: `Product ${made}`, stock });
  return articleNumber;
}

describe('a push', () => {
  it('applies every row and returns its product', async () => {
    const [one, other] = [await newProduct('10'), await newProduct('5.5')];
    const begun = await pushes.begin(
      [
        { row: 2, update: { ArticleNumber: one, NewStockQty: '2.5' } },
        {
          row: 7,
          update: { ArticleNumber: other, NewStockQty: 3, StockUpdateMode: 'Absolute', NewSalePrice: '12.50' },
        },
      ],
      randomUUID(),
    );
    expect(begun).toMatchObject({ state: 'waiting', total: 2, relative: 1, counts: { waiting: 2, applied: 0 } });
    const { push: reported, rows } = await ended(begun.id);
    expect(reported).toMatchObject({ state: 'ended', stopped: '', counts: { waiting: 0, sending: 0, applied: 2 } });
    expect(rows.get(2)).toMatchObject({ state: 'applied', product: { ArticleNumber: one, StockQty: '12.5' } });
    expect(rows.get(7)).toMatchObject({
      state: 'applied',
      product: { ArticleNumber: other, StockQty: '3', Price: '12.5' },
    });
    expect([await stockOf(one), await stockOf(other)]).toEqual(['12.5', '3']);
  });

  it('adds and updates products', async () => {
    const article = `N-${randomUUID()}`;
    const addition = {
      ArticleNumber: article,
      NewName: 'Kruk',
      CategoryName: 'Meubels',
      CategoryCreateIfMissing: true,
    };
    const { rows } = await push([{ row: 4, addition: { ...addition, NewStockQty: 8 } }]);
    expect(rows.get(4)).toMatchObject({ state: 'applied', product: { ArticleNumber: article, Name: 'Kruk' } });
    expect(await stockOf(article)).toBe('8');
  });

  it('reports why a row was refused, and applies the others', async () => {
    const article = await newProduct('1');
    const { push: reported, rows } = await push([
      { row: 2, update: { ArticleNumber: 'nowhere', NewStockQty: 1 } },
      { row: 3, update: { ArticleNumber: article, NewStockQty: 1 } },
    ]);
    expect(reported.counts).toMatchObject({ applied: 1, refused: 1 });
    expect(rows.get(2)).toMatchObject({ state: 'refused', errorCode: 'INVALID_REQUEST' });
    expect(rows.get(2)!.errorMessage).toContain('ArticleNumber');
    expect(await stockOf(article)).toBe('2');
  });

  it('keeps every digit of requests and of products', async () => {
    const article = await newProduct('9007199254.74099301');
    const body = `{"rows":[{"row":2,"update":{"ArticleNumber":"${article}","NewStockQty":0.00000001}}]}`;
    const begun = await app.request('POST', '/pushes', { body });
    expect(begun.status).toBe(202);
    await ended(begun.json.push.id);
    const { text } = await app.get(`/pushes/${begun.json.push.id}`);
    expect(text).toContain('"StockQty":9007199254.74099302,');
  });

  it('of many rows applies each once', async () => {
    const articles: string[] = [];
    for (let index = 0; index < 240; index++) articles.push(await newProduct(String(index)));
    const rows = articles.map((ArticleNumber, index) => ({
      row: index + 2,
      update: { ArticleNumber, NewStockQty: 1 },
    }));
    const { push: reported, rows: results } = await push(rows);
    expect(reported.counts).toMatchObject({ applied: 240, waiting: 0, sending: 0 });
    for (const [index, article] of articles.entries()) {
      expect(results.get(index + 2)).toMatchObject({
        product: { ArticleNumber: article, StockQty: String(index + 1) },
      });
    }
    expect(await stockOf(articles[239]!)).toBe('240');
  });
});

describe('rows that cannot be pushed', () => {
  const refusalOf = async (rows: unknown) => {
    const { status, json } = await app.post('/pushes', { rows });
    return { status, code: json.errorCode, errors: json.errors as { path: string; message: string }[] };
  };

  it('are all reported with row number, field and expectation, and nothing is pushed', async () => {
    const article = await newProduct('1');
    const before = (await pushes.list()).length;
    const { status, code, errors } = await refusalOf([
      { row: 2, update: { ArticleNumber: article, NewStockQty: 1 } },
      { row: 3, update: { ArticleNumber: 'A', NewSalePrice: 'dear' } },
      { row: 4, update: { NewSalePrice: 1 } },
      { row: 5, addition: { ArticleNumber: 'B' } },
    ]);
    expect([status, code]).toEqual([400, 'INVALID_REQUEST']);
    expect(errors.map(({ path }) => path)).toEqual([
      'rows[1].update.NewSalePrice',
      'rows[2].update.ArticleNumber',
      'rows[3].addition.NewName',
    ]);
    expect(errors[0]!.message).toMatch(/^row 3: NewSalePrice expected a decimal number/);
    expect(errors[2]!.message).toMatch(/^row 5: NewName.*CategoryName/);
    expect(await stockOf(article)).toBe('1');
    expect(await pushes.list()).toHaveLength(before);
  });

  it.each(['ArticleNumber', 'EAN'])('are two rows with the same %s, and both are reported', async (field) => {
    const { errors } = await refusalOf([
      { row: 12, update: { [field]: '0100', NewSalePrice: 1 } },
      { row: 15, update: { [field]: '0101', NewSalePrice: 1 } },
      { row: 40, update: { [field]: '0100', NewSalePrice: 2 } },
    ]);
    expect(errors).toMatchObject([
      { path: 'rows[0]', message: expect.stringMatching(/^row 12: .*"0100" is in row 40 too$/) },
      { path: 'rows[2]', message: expect.stringMatching(/^row 40: .*"0100" is in row 12 too$/) },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['rows that are no list', { row: 1 }, 'rows'],
    ['no rows', [], 'rows'],
    ['a row without a number', [{ update: { ArticleNumber: 'A' } }], 'rows[0].row'],
    ['a number that is none', [{ row: '2x', update: { ArticleNumber: 'A' } }], 'rows[0].row'],
    [
      'two rows of one number',
      [
        { row: 2, update: { ArticleNumber: 'A' } },
        { row: 2, update: { ArticleNumber: 'B' } },
      ],
      'rows[1].row',
    ],
    ['a row that does nothing', [{ row: 2 }], 'rows[0]'],
    ['a row that does two things', [{ row: 2, update: {}, addition: {} }], 'rows[0]'],
    ['an update that is no object', [{ row: 2, update: 'x' }], 'rows[0].update'],
    [
      'more than ten thousand',
      Array.from({ length: 10_001 }, (_, row) => ({ row, update: { EAN: String(row) } })),
      'rows',
    ],
  ])('are %s', async (_, rows, path) => {
    const { status, errors } = await refusalOf(rows);
    expect([status, errors[0]?.path]).toEqual([400, path]);
  });

  it('include a body that is not JSON', async () => {
    const { status, json } = await app.request('POST', '/pushes', { body: '{"rows":[' });
    expect([status, json.errorCode]).toEqual([400, 'INVALID_JSON']);
  });
});

describe('an Idempotency-Key', () => {
  it('sent again returns the push that it began, also in concurrent requests', async () => {
    const article = await newProduct('0');
    const key = randomUUID();
    const rows = [{ row: 2, update: { ArticleNumber: article, NewStockQty: 1 } }];
    const begun = await Promise.all(Array.from({ length: 8 }, () => pushes.begin(rows, key)));
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
    await ended(begun[0]!.id);
    expect((await pushes.begin(rows, key)).id).toBe(begun[0]!.id);
    expect(await stockOf(article)).toBe('1');
  });

  it('sent with other rows is refused', async () => {
    const article = await newProduct('0');
    const key = randomUUID();
    const { push: first } = await push([{ row: 2, update: { ArticleNumber: article, NewStockQty: 1 } }], key);
    const { status, json } = await app.request('POST', '/pushes', {
      headers: { 'Idempotency-Key': key },
      body: { rows: [{ row: 2, update: { ArticleNumber: article, NewStockQty: 2 } }] },
    });
    expect([status, json.errorCode]).toEqual([409, 'CONFLICT']);
    expect(await stockOf(article)).toBe('1');
    expect((await pushes.changes(first.id, '')).push.counts.applied).toBe(1);
  });

  it('is separate for each credential', async () => {
    const other = await app.addAdministration();
    await other.addProduct({ articleNumber: 'ours', name: 'Ours', stock: '0' });
    const [article, key] = [await newProduct('0'), randomUUID()];
    const { push: mine } = await push([{ row: 2, update: { ArticleNumber: article, NewStockQty: 1 } }], key);
    const theirs = await clientOf(other.credential).begin([{ row: 2, update: { ArticleNumber: 'ours' } }], key);
    expect(theirs.id).not.toBe(mine.id);
  });

  it('of more than 200 characters is refused', async () => {
    const headers = { 'Idempotency-Key': 'k'.repeat(201) };
    const { status, json } = await app.request('POST', '/pushes', { headers, body: { rows: [] } });
    expect([status, json.errors[0].path]).toEqual([400, 'Idempotency-Key']);
  });
});

describe('a credential', () => {
  it('sees its own pushes only', async () => {
    const { push: mine } = await push([{ row: 2, update: { ArticleNumber: await newProduct() } }]);
    const otherCaller = clientOf((await app.addAdministration()).credential);
    expect(await otherCaller.list()).toEqual([]);
    await expect(otherCaller.changes(mine.id, '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(otherCaller.cancel(mine.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await pushes.list())[0]).toEqual(mine);
  });

  it('is stored only for an unfinished push, and encrypted', async () => {
    await push([{ row: 2, update: { ArticleNumber: await newProduct() } }]);
    const texts: string[] = [];
    for await (const entity of (await storage.tableClient('pushes')).listEntities()) texts.push(JSON.stringify(entity));
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) {
      expect(text).not.toContain(app.credential.apiKey);
      expect(text).not.toContain(app.credential.username);
    }
    // Every push above ends; an ended push has no credential, encrypted or not.
    const heads = texts.filter((text) => text.includes('\\"state\\":\\"ended\\"'));
    expect(heads.length).toBeGreaterThan(0);
    for (const head of heads) expect(head).toContain('\\"credential\\":\\"\\"');
    expect(app.logged.join('\n')).not.toContain(app.credential.apiKey);
  });

  it('is required', async () => {
    const headers = { ApiKey: '' };
    for (const [method, target] of [
      ['POST', '/pushes'],
      ['GET', '/pushes'],
      ['GET', `/pushes/${'0'.repeat(32)}`],
      ['POST', `/pushes/${'0'.repeat(32)}/cancel`],
    ] as const) {
      const body = method === 'POST' ? { body: { rows: [] } } : {};
      expect((await app.request(method, target, { headers, ...body })).status).toBe(401);
    }
  });
});

describe('the changes of a push', () => {
  it('are those since the cursor', async () => {
    const { id } = (await push([{ row: 2, update: { ArticleNumber: await newProduct() } }])).push;
    const all = await pushes.changes(id, '');
    expect(all.rows.map(({ row }) => row)).toEqual([2]);
    const since = await pushes.changes(id, all.cursor);
    expect(since).toMatchObject({ rows: [], cursor: all.cursor, more: false, push: { state: 'ended' } });
  });

  it('are listed for the latest push first', async () => {
    const first = (await push([{ row: 2, update: { ArticleNumber: await newProduct() } }])).push;
    const second = (await push([{ row: 2, update: { ArticleNumber: await newProduct() } }])).push;
    const order = (await pushes.list()).map(({ id }) => id);
    expect(order.indexOf(second.id)).toBeLessThan(order.indexOf(first.id));
  });

  it.each(['x', '-1', '99999999999999'])('are refused for the cursor %s', async (after) => {
    const { id } = (await push([{ row: 2, update: { ArticleNumber: await newProduct() } }])).push;
    const { status, json } = await app.get(`/pushes/${id}?after=${after}`);
    expect([status, json.errors[0].path]).toEqual([400, 'after']);
  });

  it('are read from the cursor on whose name is in another case, as that of any parameter', async () => {
    const { id } = (await push([{ row: 2, update: { ArticleNumber: await newProduct() } }])).push;
    const { cursor, pushes: listed } = (await app.get('/pushes')).json;
    const idsOf = (page: { id: string }[]) => page.map(({ id }) => id);
    const further = idsOf((await app.get(`/pushes?After=${cursor}`)).json.pushes);
    expect(further.filter((one) => idsOf(listed).includes(one))).toEqual([]);
    expect((await app.get(`/pushes/${id}/rows?AFTER=1`)).json.rows).toEqual([]);
    expect((await app.get(`/pushes/${id}?After=x`)).status).toBe(400);
  });

  it.each(['nothing', '0'.repeat(32), `..%2F${'a'.repeat(29)}`])('are not found for %s', async (id) => {
    expect((await app.get(`/pushes/${id}`)).status).toBe(404);
    expect((await app.post(`/pushes/${id}/cancel`, {})).status).toBe(404);
  });

  it('are logged with counts, without rows and credentials', async () => {
    const article = await newProduct();
    const { id } = (await push([{ row: 2, update: { ArticleNumber: article, NewStockQty: 1 } }])).push;
    const lines = app.logged.flatMap((line) => (line.includes(id) ? [JSON.parse(line)] : []));
    expect(lines.map(({ event }) => event)).toEqual(['push accepted', 'push started', 'push ended']);
    expect(lines[2]).toMatchObject({ push: id, total: 1, applied: 1, waiting: 0 });
    expect(JSON.stringify(lines)).not.toContain(article);
  });
});

describe('the rows of a push', () => {
  /** All of them, from as many responses as there are. */
  async function rowsOf(id: string) {
    const pages: SentRow[][] = [];
    for (let after = '', more = true; more; ) {
      const page = await pushes.rows(id, after);
      pages.push(page.rows);
      after = page.cursor;
      more = page.more === true;
    }
    return pages;
  }

  it('are read as they were sent, in their order, with what became of each', async () => {
    const [changed, added] = [await newProduct('1'), `N-${randomUUID()}`];
    const update = { ArticleNumber: changed, NewStockQty: '0.00000001', NewSalePrice: '12.50', NewName: '=Groen' };
    const { push: reported } = await push([
      { row: 9, update },
      { row: 2, update: { ArticleNumber: 'nowhere', NewSalePrice: 3 } },
      {
        row: 40,
        addition: { ArticleNumber: added, NewName: 'Kruk', CategoryName: 'Hout', CategoryCreateIfMissing: true },
      },
    ]);
    const { push: same, rows, more } = await pushes.rows(reported.id, '');
    expect([same, more]).toEqual([reported, false]);
    expect(rows).toMatchObject([
      {
        row: 9,
        endpoint: 'updateproduct',
        state: 'applied',
        errorCode: '',
        request: { ...update, NewSalePrice: '12.5' },
      },
      { row: 2, endpoint: 'updateproduct', state: 'refused', errorCode: 'INVALID_REQUEST' },
      { row: 40, endpoint: 'addproduct', state: 'applied', request: { ArticleNumber: added, NewName: 'Kruk' } },
    ]);
    expect(rows[1]!.request).toMatchObject({ ArticleNumber: 'nowhere', NewSalePrice: '3' });
    expect(rows[1]!.errorMessage).toContain('ArticleNumber');
  });

  it('have what products were before, of all that each set', async () => {
    const [one, other, same] = [await newProduct('10'), await newProduct('1'), await newProduct('2')];
    await app.addProduct({ articleNumber: 'with an EAN', name: 'Kruk', ean: '8712345678906', price: '4' });
    await app.addCategory('Meubels');
    for (const [percentage, name] of [
      ['21', 'Hoog'],
      ['9', 'Laag'],
    ] as const)
      await app.addTaxCode({ percentage, name });
    const taxCode = '21% - Hoog';
    for (const articleNumber of ['by code', 'by percentage'])
      await app.addProduct({ articleNumber, name: 'Kast', taxCode, category: 'Meubels' });
    const row = (number: number, update: object) => ({ row: number, update });
    const { push: reported } = await push([
      row(2, { ArticleNumber: one, NewStockQty: 3, NewSalePrice: '12.50', NewName: 'Kruk', Archived: true }),
      row(3, { ArticleNumber: other, NewUnit: 'doos' }),
      row(4, { ArticleNumber: same, NewStockQty: 2, StockUpdateMode: 'Absolute' }),
      row(5, { ArticleNumber: 'nowhere', NewSalePrice: 3 }),
      row(6, { EAN: '8712345678906', NewSalePrice: 5, NewUnit: '' }),
      row(7, { ArticleNumber: 'by code', TaxCode: '9% - Laag', CategoryName: 'Kasten', CategoryCreateIfMissing: true }),
      row(8, { ArticleNumber: 'by percentage', NewVATPercentage: 9 }),
    ]);
    const { rows } = await pushes.rows(reported.id, '');
    // A remote administration has no log that could tell it.
    if (process.env.TEST_ADMINISTRATION === 'remote') {
      return expect(rows.map(({ before }) => before)).toEqual(Array(7).fill(undefined));
    }
    expect(rows.map(({ before }) => before)).toEqual([
      { NewStockQty: '10', NewSalePrice: '0', NewName: expect.stringContaining('Product'), Archived: 'false' },
      { NewUnit: '' },
      { NewStockQty: '2' },
      undefined,
      { NewSalePrice: '4', NewUnit: '' },
      { TaxCode: '21% - Hoog', CategoryName: 'Meubels' },
      { NewVATPercentage: '21' },
    ]);
  });

  it('come in several responses when they are many, each row once', async () => {
    const NewDescription = 'x'.repeat(400);
    const sent = Array.from({ length: 6000 }, (_, row) => ({
      row,
      update: { ArticleNumber: `no ${row}`, NewDescription },
    }));
    const { id } = await pushes.begin(sent, randomUUID());
    await pushes.cancel(id);
    await ended(id);
    const pages = await rowsOf(id);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().map(({ row }) => row)).toEqual(sent.map(({ row }) => row));
    expect(new Set(pages.flat().map(({ state }) => state))).toContain('cancelled');
  });

  it('are those of the administration only, and need a cursor that was given', async () => {
    const { id } = (await push([{ row: 2, update: { ArticleNumber: await newProduct() } }])).push;
    const otherCaller = clientOf((await app.addAdministration()).credential);
    await expect(otherCaller.rows(id, '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { status, json } = await app.get(`/pushes/${id}/rows?after=-1`);
    expect([status, json.errors[0].path]).toEqual([400, 'after']);
    expect(await pushes.rows(id, '7')).toMatchObject({ rows: [], more: false });
  });
});

describe('a cancelled push', () => {
  it('sends no further row, and reports the outcome of each', async () => {
    const rows = [];
    for (let index = 0; index < 400; index++) {
      rows.push({ row: index, update: { ArticleNumber: await newProduct('0'), NewStockQty: 1 } });
    }
    const { id } = await pushes.begin(rows, randomUUID());
    const response = await pushes.cancel(id);
    expect(response.stopped).toBe('CANCELLED');
    const { push: end, rows: results } = await ended(id);
    const { applied, cancelled } = end.counts as { applied: number; cancelled: number };
    expect([end.stopped, applied + cancelled]).toEqual(['CANCELLED', 400]);
    expect(cancelled).toBeGreaterThan(0);
    for (const { row, update } of rows.filter((_, index) => index % 40 === 0)) {
      const state = results.get(row)?.state;
      expect([update.ArticleNumber, await stockOf(update.ArticleNumber)]).toEqual([
        update.ArticleNumber,
        state === 'applied' ? '1' : '0',
      ]);
    }
    // Cancelling an ended push changes nothing.
    expect(await pushes.cancel(id)).toEqual(end);
  });
});
