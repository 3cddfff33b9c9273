import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointNames, endpointOf } from '../../shared/api.ts';
import { type RequestOptions, startApp, type TestApp } from '../../testing/app.ts';
import { expectProblem } from '../../testing/problems.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.addProduct({ articleNumber: 'é-1', name: 'Stoel' });
});
afterAll(() => app.close());

describe('a body', () => {
  const path = '/rest/updateproduct';
  const put = (body: RequestOptions['body'], headers: Record<string, string> = {}) =>
    app.request('PUT', path, { body, headers });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;charset=UTF-8',
    'application/merge-patch+json',
    // Left out.
    '',
  ])('of type "%s" is read', async (type) => {
    expect((await put('{"ArticleNumber":"é-1"}', { 'Content-Type': type })).json.Name).toBe('Stoel');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data; boundary=x'])(
    'of type %s is refused',
    async (type) => {
      const response = await put('{"ArticleNumber":"é-1"}', { 'Content-Type': type });
      expectProblem(response, 415, 'UNSUPPORTED_MEDIA_TYPE', path);
      expect(response.json.errorMessage).toContain(type);
    },
  );

  it('that is compressed is refused with its encoding', async () => {
    const response = await put(gzipSync('{"ArticleNumber":"é-1"}'), { 'Content-Encoding': 'gzip' });
    expectProblem(response, 415, 'UNSUPPORTED_MEDIA_TYPE', path);
    expect(response.json.errorMessage).toContain('gzip');
    expect((await put('{"ArticleNumber":"é-1"}', { 'Content-Encoding': 'identity' })).status).toBe(200);
  });

  it.each([
    ['{"ArticleNumber":"1",}', 'position 21'],
    ["{'ArticleNumber':'1'}", 'position 1'],
    ['{"ArticleNumber":"1"', 'position 20'],
    ['{"ArticleNumber":1}x', 'position 19'],
    ['', 'position 0'],
    ['undefined', 'position 0'],
    ['{"NewSalePrice":01}', 'position'],
    ['{"NewSalePrice":NaN}', 'position 16'],
    [`${'['.repeat(100_000)}`, 'position'],
  ])('that is not JSON is refused with the position of the error: %.30s', async (body, place) => {
    const response = await put(body);
    expectProblem(response, 400, 'INVALID_JSON', path);
    expect(response.json.errorMessage).toContain(place);
  });

  it('that is not UTF-8 is refused, and a byte order mark is ignored', async () => {
    expectProblem(await put(Buffer.from('{"ArticleNumber":"é-1"}', 'latin1')), 400, 'INVALID_JSON', path);
    expect((await put(`\uFEFF{"ArticleNumber":"é-1"}`)).json.Name).toBe('Stoel');
  });

  it.each(['[]', '[{"ArticleNumber":"é-1"}]', '"é-1"', '1', 'null', 'true'])(
    'that is JSON but not an object is refused: %s',
    async (body) => {
      const response = await put(body);
      expectProblem(response, 400, 'INVALID_REQUEST', path);
      expect(response.json.errors).toMatchObject([{ path: '', message: 'expected a JSON object' }]);
    },
  );

  it('with several wrong fields is refused with an error for each of them', async () => {
    const response = await put({
      ArticleNumber: 'é-1',
      NewSalePrice: 'free',
      Product_CustomField: [{ Label: 'A', FieldType: 'Integer', IntValue: 'x' }],
    });
    expectProblem(response, 400, 'INVALID_REQUEST', path);
    expect(response.json.errors).toMatchObject([
      { path: 'NewSalePrice', message: 'expected a decimal number such as 12.50, got "free"' },
      { path: 'Product_CustomField[0].IntValue', message: 'expected a whole number, got "x"' },
    ]);
  });
});

describe('unknown fields', () => {
  const put = (body: object) => app.put('/rest/updateproduct', { ArticleNumber: 'é-1', ...body });

  it('are ignored and named in a header', async () => {
    const { status, headers } = await put({ Colour: 'red', NewNaam: 'x', Product_CustomField: [] });
    expect([status, headers['ignored-fields']]).toEqual([200, 'Colour, NewNaam']);
    expect((await put({})).headers['ignored-fields']).toBeUndefined();
  });

  it('are named with their path', async () => {
    const { headers } = await put({ Product_CustomField: [], Product_Batch: [{ Description: 'B', Colour: 1 }] });
    expect(headers['ignored-fields']).toBe('Product_Batch[0].Colour');
  });

  it('of a query are named as well', async () => {
    const { headers } = await app.get('/rest/listrelations?limit=1&page=2&RelationNaam=x');
    expect(headers['ignored-fields']).toBe('page, RelationNaam');
  });

  it.each([
    ['a\r\nSet-Cookie: x=1', 'a%0D%0ASet-Cookie:%20x=1'],
    ['één, twee', '%C3%A9%C3%A9n%2C%20twee'],
    ['\ud800', '%EF%BF%BD'],
    ['\u0000\u007f', '%00%7F'],
  ])('cannot add headers to the response: %j', async (name, shown) => {
    const { status, headers } = await put({ [name]: 1 });
    expect(status).toBe(200);
    expect(headers['ignored-fields']).toBe(shown);
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('that are many or long make a header of limited length', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${'é'.repeat(50)}${index}`, 1]));
    const { status, headers } = await put(many);
    expect(status).toBe(200);
    expect(headers['ignored-fields']!.length).toBeLessThanOrEqual(4000);
  });

  it.each(endpointNames.filter((name) => endpointOf(name).method !== 'GET'))(
    'of %s are ignored, nested as deeply as its body allows',
    async (name) => {
      const { method, path } = endpointOf(name);
      const body = `{"Colour":${'['.repeat(49_000)}${']'.repeat(49_000)}}`;
      // Refused for the fields that it lacks.
      expectProblem(await app.request(method, path, { body }), 400, 'INVALID_REQUEST', path);
    },
  );

  it('with names of JavaScript’s own properties are ignored', async () => {
    const { status } = await app.request('PUT', '/rest/updateproduct', {
      body: '{"ArticleNumber":"é-1","__proto__":{"NewName":"Gekaapt"},"constructor":1,"toString":2}',
    });
    expect(status).toBe(200);
    expect((await put({})).json.Name).toBe('Stoel');
    expect((await app.get('/rest/listrelations?__proto__=1&hasOwnProperty=2')).status).toBe(200);
  });
});
