import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createProductClient } from '../../shared/client/productClient.ts';
import { startApp, type TestAdministration, type TestApp } from '../../testing/app.ts';
import { listen } from '../../testing/listen.ts';
import { expectProblem } from '../../testing/problems.ts';
import { credential, openRemote } from '../../testing/remote/askRemote.ts';
import { startScriptedService } from '../../testing/remote/scriptedService.ts';
import { issueKey } from '../administrations/builtin/credentials/keys.ts';
import { insertRows } from '../administrations/builtin/sql/insertRows.ts';
import { newRow } from '../administrations/builtin/sql/rows.ts';
import { functionsOf } from '../app.ts';
import { createHost } from '../host/server.ts';

let app: TestApp;
let shop: TestAdministration;
beforeAll(async () => {
  app = await startApp();
  shop = await app.addAdministration();
  await shop.addTaxCode({ name: 'Hoog', percentage: '21', code: '21% - Hoog' });
  await shop.addCustomField({ label: 'Kleur', type: 'TextSmall' });
  await shop.addProduct({ articleNumber: '0100', name: 'Stoel, wit', ean: '8712345678906', price: '12.5', stock: '3' });
  await shop.addProduct({ articleNumber: 'ÉT-2', name: 'ÉTOILE 100%', unit: 'stuk', taxCode: '21% - Hoog' });
  await shop.addProduct({ articleNumber: '00100', name: 'Witte tafel', category: 'Meubels' });
  await shop.addProduct({ articleNumber: '0300', name: 'Witte kast', archived: true });
  await shop.put('/rest/updateproduct/', {
    ArticleNumber: 'ÉT-2',
    Product_CustomField: [{ Label: 'Kleur', Value: 'rood' }],
  });
  const other = await app.addAdministration();
  await other.addProduct({ articleNumber: '0100', name: 'Witte bank van een ander', ean: '8712345678906' });
  await other.addProduct({ articleNumber: '9999', name: 'Iets anders' });
});
afterAll(() => app.close());

const numbersAt = async (query: string): Promise<string[]> => {
  const { json } = await shop.get(`/products${query}`);
  return json.products.map((one: { ArticleNumber: string }) => one.ArticleNumber);
};

describe('named products', () => {
  it('are the products of updateproduct as they are now, with the time; what is not there is named', async () => {
    const { status, json, text } = await shop.get('/products?numbers=0100&Numbers=%C3%89T-2&numbers=9999&numbers=0300');
    expect(status).toBe(200);
    expect(Math.abs(json.readOn - Date.now() / 1000)).toBeLessThan(60);
    expect([json.notFound, json.next, json.total]).toEqual([['9999'], null, null]);
    expect(new Set(json.products.map((one: { ArticleNumber: string }) => one.ArticleNumber))).toEqual(
      new Set(['0100', 'ÉT-2', '0300']),
    );
    expect(text).toContain('"Price":12.5,');
    for (const { Archived, ...listed } of json.products) {
      expect(Archived).toBe(listed.ArticleNumber === '0300');
      if (Archived) continue;
      const { json: product } = await shop.put('/rest/updateproduct/', { ArticleNumber: listed.ArticleNumber });
      expect({ ...product, ChangedOn: 0 }).toEqual({ ...listed, ChangedOn: 0 });
    }
  });

  it('are found by EAN as well, each once, and by nothing that is empty', async () => {
    expect(await numbersAt('?eans=8712345678906&numbers=0100')).toEqual(['0100']);
    const { json } = await shop.get('/products?eans=8712345678906&eans=123&numbers=%20');
    expect([json.products.length, json.notFound]).toEqual([1, ['123']]);
  });

  it('are described as any number of numbers and EANs, beside one search', async () => {
    const { parameters } = (await shop.get('/rest/openapi.json')).json.paths['/products'].get;
    const types = parameters.map(({ name, schema }: { name: string; schema: { type: string } }) => [name, schema.type]);
    expect(Object.fromEntries(types)).toEqual({
      numbers: 'array',
      eans: 'array',
      search: 'string',
      from: 'string',
      limit: 'string',
    });
  });

  it('are at most two hundred', async () => {
    const query = (count: number) => `?${Array.from({ length: count }, (_, index) => `numbers=${index}`).join('&')}`;
    expect((await shop.get(`/products${query(200)}`)).status).toBe(200);
    const response = await shop.get(`/products${query(201)}`);
    expectProblem(response, 400, 'INVALID_REQUEST', '/products');
    expect(response.json.errors[0].path).toBe('numbers');
  });
});

describe('a search', () => {
  it('finds a part of a name, a number or an EAN, in any case, and no archived product', async () => {
    expect(await numbersAt('?search=witte')).toEqual(['00100']);
    expect(await numbersAt('?search=WIT')).toEqual(['00100', '0100']);
    expect(await numbersAt('?search=%C3%A9t')).toEqual(['ÉT-2']);
    expect(await numbersAt('?search=4567890')).toEqual(['0100']);
    expect(await numbersAt('?search=0300')).toEqual([]);
  });

  it('finds each of several words, and signs that mean something in a pattern', async () => {
    expect(await numbersAt('?search=stoel%20010')).toEqual(['0100']);
    expect(await numbersAt('?search=stoel%20tafel')).toEqual([]);
    expect(await numbersAt('?search=100%25')).toEqual(['ÉT-2']);
    expect(await numbersAt('?search=_')).toEqual([]);
    expect(await numbersAt('?search=%5C')).toEqual([]);
  });

  it('begins with the product that has the whole number, and ends at the limit', async () => {
    expect(await numbersAt('?search=0100')).toEqual(['0100', '00100']);
    expect(await numbersAt('?search=0100&limit=1')).toEqual(['0100']);
    expectProblem(await shop.get('/products?search=a&limit=0'), 400, 'INVALID_REQUEST', '/products');
  });
});

describe('a page', () => {
  it('is by article number, and says where the next begins and how many products there are', async () => {
    const { json } = await shop.get('/products?limit=3');
    expect(json).toMatchObject({ next: 'ÉT-2', total: 4, notFound: [] });
    expect(await numbersAt('?limit=3')).toEqual(['00100', '0100', '0300']);
    const last = await shop.get(`/products?limit=3&from=${encodeURIComponent(json.next)}`);
    expect([last.json.products.length, last.json.next]).toEqual([1, null]);
    expect((await shop.get('/products?limit=999999')).status).toBe(200);
  });
});

describe('a key', () => {
  it('that may only read may read products; no key, and one of others, reads none', async () => {
    const reader = { username: 'lezer@example.com', label: '', now: 1n, scope: 'read' } as const;
    const apiKey = await issueKey(app.db, { ...reader, administrationId: shop.administrationId });
    const headers = { ApiKey: apiKey, Username: reader.username };
    expect((await shop.request('GET', '/products?search=stoel', { headers })).json.products).toHaveLength(1);
    const wrong = await shop.request('GET', '/products?search=stoel', { headers: { ApiKey: 'made up' } });
    expectProblem(wrong, 401, 'UNAUTHORIZED', '/products');
  });
});

describe('the client', () => {
  it('reads ten thousand named products in a few requests, and a few of a hundred thousand in one', async () => {
    const big = await app.addAdministration();
    const rows = Array.from({ length: 10_000 }, (_, index) =>
      newRow('product', {
        administration_id: big.administrationId,
        article_number: `N${String(index).padStart(8, '0')}`,
        name: `Artikel ${index}`,
        ean: index % 2 === 0 ? `87${String(index).padStart(11, '0')}` : '',
      }),
    );
    await insertRows(app.db, 'product', rows);
    const targets: string[] = [];
    const client = createProductClient({
      base: app.url,
      credential: big.credential,
      fetch: (url, init) => {
        targets.push(url);
        return fetch(url, init);
      },
    });
    const odd = rows.filter((_, index) => index % 2 === 1).map((row) => row.article_number);
    const even = rows.filter((_, index) => index % 2 === 0);
    const { products, notFound } = await client.named({
      numbers: [...odd, 'nothing', ' ', even[0]!.article_number],
      eans: even.map(({ ean }) => ean),
    });
    expect(notFound).toEqual(['nothing']);
    expect(new Set(products.map(({ ArticleNumber }) => ArticleNumber)).size).toBe(10_000);
    expect(products).toHaveLength(10_000);
    expect(targets).toHaveLength(5);

    targets.length = 0;
    const few = await client.named({ numbers: [...odd.slice(0, 120), 'nothing'] });
    expect([few.products.length, few.notFound]).toEqual([120, ['nothing']]);
    expect(targets.length).toBeLessThanOrEqual(2);
    for (const target of targets) expect(target.length).toBeLessThan(2048);
    expect((await client.named({})).products).toEqual([]);
  });

  it('asks for the rest by name where there are far more products than are named', async () => {
    const targets: string[] = [];
    const pageOf = (products: object[], total: number) =>
      new Response(JSON.stringify({ readOn: 5, products, notFound: [], next: 'B', total }));
    const client = createProductClient({
      base: 'https://books.example.com',
      credential,
      fetch: async (url) => {
        targets.push(url);
        const named = new URL(url).searchParams.getAll('numbers');
        return pageOf(
          named.filter((one) => one !== 'none').map((ArticleNumber) => ({ ArticleNumber })),
          1_000_000,
        );
      },
    });
    const numbers = ['none', ...Array.from({ length: 900 }, (_, index) => `number ${index}`)];
    const { products, notFound, readOn } = await client.named({ numbers });
    expect([products.length, notFound, readOn]).toEqual([900, ['none'], '5']);
    expect(targets.length).toBeGreaterThan(5);
    expect(targets.length).toBeLessThan(15);
  });
});

describe('a remote administration', () => {
  it('lists no products, and says so; a wrong key is refused as such', async () => {
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
    const client = createProductClient({ base: url, credential, fetch });
    await expect(client.search('stoel', 10)).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
      message: 'The service behind this one does not list products.',
    });
    service.play({ status: 401, body: '{"errorMessage":"Invalid authentication credentials"}' });
    const refused = createProductClient({ base: url, credential: { ...credential, apiKey: 'made up' }, fetch });
    await expect(refused.search('stoel', 10)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
