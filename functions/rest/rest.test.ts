import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type EndpointName, endpointNames, endpointOf } from '../../shared/api.ts';
import { fieldErrorOf } from '../../shared/fieldErrors.ts';
import { Problem } from '../../shared/problem.ts';
import { readPush } from '../../shared/resources/push.ts';
import { type Answer, type RequestOptions, send, startApp, type TestApp } from '../../testing/app.ts';
import { listen } from '../../testing/listen.ts';
import type { Administrations } from '../administrations/administration.ts';
import { listKeys, revokeKey } from '../administrations/builtin/setup/keys.ts';
import { functionsOf } from '../app.ts';
import { createHost } from '../host/server.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(() => {
  app.logged.length = 0;
});
afterAll(() => app.close());

/** Expects a refusal in the error body: the members that existing clients read, and those of RFC 9457. */
function expectProblem(answer: Answer, status: number, code: string, instance: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const { json } = answer;
  expect(json).toMatchObject({ errorCode: code, type: 'about:blank', status, instance });
  expect(json.errorMessage).toMatch(/\S/);
  expect(json.title).toMatch(/\S/);
  expect(json.detail).toBe(json.errorMessage);
  const { errors, ...members } = json;
  expect(Object.keys(members).sort()).toEqual(
    ['detail', 'errorCode', 'errorMessage', 'instance', 'status', 'title', 'type'].sort(),
  );
  // The message follows from the code and its parameters.
  for (const error of errors ?? []) expect(error).toEqual(fieldErrorOf(error.path, error));
}

const withoutKey = { ApiKey: '', Username: '' };

describe('who asks', () => {
  const ask = async (headers: Record<string, string>): Promise<Answer> => {
    const answer = await app.request('GET', '/rest/listtaxcodes', { headers });
    if (answer.status !== 200) {
      expectProblem(answer, 401, 'UNAUTHORIZED', '/rest/listtaxcodes');
      expect(answer.json.errorMessage).toBe('Invalid authentication credentials');
    }
    return answer;
  };

  it.each([
    ['neither header', withoutKey],
    ['no key', { ApiKey: '' }],
    ['no user name', { Username: '' }],
    ['a key of spaces', { ApiKey: '   ' }],
    ['a wrong key', { ApiKey: 'wrong' }],
    ['a wrong user name', { Username: 'somebody@example.com' }],
  ])('is refused with %s', async (_, headers) => {
    expect((await ask(headers)).status).toBe(401);
  });

  it('is refused before anything else is said, at every endpoint', async () => {
    for (const name of endpointNames) {
      const { method, path } = endpointOf(name);
      const options = method === 'GET' ? {} : { body: 'not JSON' };
      expectProblem(await send(app.url, method, path, options), 401, 'UNAUTHORIZED', path);
    }
  });

  it('is known in any case of the user name and of the headers’ names', async () => {
    const { apiKey, username } = app.credential;
    expect((await ask({ Username: username.toUpperCase() })).status).toBe(200);
    expect((await ask({ ...withoutKey, apikey: apiKey, USERNAME: ` ${username} ` })).status).toBe(200);
    expect((await ask({ ApiKey: apiKey.toUpperCase() })).status).toBe(401);
  });

  it('is refused from the moment the key is revoked', async () => {
    const { request, administrationId } = await app.addAdministration();
    expect((await request('GET', '/rest/listtaxcodes')).status).toBe(200);
    const [key] = await listKeys(app.db, administrationId);
    await revokeKey(app.db, { administrationId, id: key!.id, now: 1n });
    expectProblem(await request('GET', '/rest/listtaxcodes'), 401, 'UNAUTHORIZED', '/rest/listtaxcodes');
  });

  it('sees their own administration only, also when the user name is the same', async () => {
    const username = 'boekhouder@example.com';
    const [bakery, brewery] = [await app.addAdministration({ username }), await app.addAdministration({ username })];
    for (const [one, name] of [
      [bakery, 'Bakkerij'],
      [brewery, 'Brouwerij'],
    ] as const) {
      await one.addTaxCode({ name });
      await one.addLedgerAccount({ name });
      await one.addRelation({ name });
      await one.addInvoice({ number: 1n, row: { customer_name: name } });
      await one.addProduct({ articleNumber: '1', name });
    }
    for (const [one, name, other] of [
      [bakery, 'Bakkerij', 'Brouwerij'],
      [brewery, 'Brouwerij', 'Bakkerij'],
    ] as const) {
      for (const endpoint of ['listtaxcodes', 'listledgeraccounts', 'listrelations', 'listsalesinvoices']) {
        const { text } = await one.get(`/rest/${endpoint}`);
        expect(text).toContain(name);
        expect(text).not.toContain(other);
      }
      const { json } = await one.put('/rest/updateproduct', { ArticleNumber: '1', NewSalePrice: 2 });
      expect(json.Name).toBe(name);
    }
    const mixed = await app.request('GET', '/rest/listtaxcodes', {
      headers: { ApiKey: bakery.credential.apiKey, Username: app.credential.username },
    });
    expectProblem(mixed, 401, 'UNAUTHORIZED', '/rest/listtaxcodes');
  });
});

describe('a path', () => {
  it.each([
    '/rest/listtaxcodes',
    '/rest/listtaxcodes/',
    '/rest/ListTaxCodes',
    '/REST/LISTTAXCODES//',
    '/rest/listtaxcodes?',
  ])('%s is the endpoint', async (path) => {
    expect((await app.get(path)).status).toBe(200);
  });

  it.each(['/rest', '/rest/', '/rest/listtaxcodesx', '/rest/listtaxcodes/1', '/rest/nothing', '/rest/__proto__'])(
    '%s is not found, whoever asks',
    async (path) => {
      for (const headers of [{}, withoutKey]) {
        expectProblem(await app.request('GET', path, { headers }), 404, 'NOT_FOUND', path);
      }
    },
  );

  it.each(endpointNames)('%s takes its own method and tells it to callers of another', async (name: EndpointName) => {
    const { method, path } = endpointOf(name);
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((candidate) => candidate !== method)) {
      const answer = await app.request(other, `${path}/`, { headers: withoutKey });
      expectProblem(answer, 405, 'METHOD_NOT_ALLOWED', `${path}/`);
      expect(answer.headers.allow).toBe(method);
    }
  });

  it('answers HEAD with 405 and no body', async () => {
    const { status, headers, text } = await app.request('HEAD', '/rest/listtaxcodes');
    expect([status, headers.allow, text]).toEqual([405, 'GET', '']);
  });
});

describe('the document of the interface', () => {
  it('is there for anyone, with every endpoint in it and every path beside them', async () => {
    const { status, headers, json } = await send(app.url, 'GET', '/rest/openapi.json');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(json.openapi).toBe('3.1.0');
    const described = Object.entries(json.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described.sort()).toEqual(
      [
        ...endpointNames.map((name) => `${endpointOf(name).method.toLowerCase()} ${endpointOf(name).path}`),
        'get /rest/openapi.json',
        'get /health',
        'post /pushes',
        'get /pushes',
        'get /pushes/{id}',
        'post /pushes/{id}/cancel',
        'get /exports',
        'get /exports/{administration}/{date}/{file}',
        'get /documents/invoices/{number}.pdf',
        'get /documents/invoices/{number}.xml',
        'get /documents/links/{token}/{file}',
        'post /documents/invoices/{file}/link',
      ].sort(),
    );
    expect(await new Validator().validate(json)).toEqual({ valid: true });
  });

  it('leaves out no function but the pages and what answers for paths that there are not', () => {
    const { http } = functionsOf(async () => Promise.reject(new Error('not opened here')), { pages: '' });
    const undescribed = http.filter(({ described }) => described === undefined).map(({ name }) => name);
    expect(undescribed.sort()).toEqual([...endpointNames, 'taskpane', 'withoutEndpoint'].sort());
  });

  it.each(['/health', '/rest/openapi.json'])('says that %s needs no credential', async (path) => {
    const { json } = await send(app.url, 'GET', '/rest/openapi.json');
    expect(json.paths[path].get.security).toEqual([]);
    expect((await send(app.url, 'GET', path, { headers: withoutKey })).status).toBe(200);
  });

  it('describes a push that the app accepts, and one that it does not', async () => {
    const { json } = await send(app.url, 'GET', '/rest/openapi.json');
    const body = z.fromJSONSchema(json.paths['/pushes'].post.requestBody.content['application/json'].schema);
    const update = { ArticleNumber: 'A1', NewSalePrice: 1 };
    const addition = { ArticleNumber: 'A1', NewName: 'Chair', CategoryName: 'Furniture' };
    for (const rows of [[{ row: 1, update }], [{ row: 1, addition }]]) {
      expect([rows, body.safeParse({ rows }).success]).toEqual([rows, true]);
      expect(readPush({ rows })).toHaveLength(1);
    }
    for (const rows of [[], [{ update }], [{ row: 1.5, update }], [{ row: 1 }]]) {
      expect([rows, body.safeParse({ rows }).success]).toEqual([rows, false]);
      expect(() => readPush({ rows })).toThrow();
    }
  });

  it('is only to be read', async () => {
    const answer = await send(app.url, 'POST', '/rest/openapi.json', { body: '{}' });
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED', '/rest/openapi.json');
    expect(answer.headers.allow).toBe('GET');
  });
});

describe('a body', () => {
  const path = '/rest/updateproduct';
  const put = (body: RequestOptions['body'], headers: Record<string, string> = {}) =>
    app.request('PUT', path, { body, headers });

  beforeAll(async () => {
    await app.addProduct({ articleNumber: 'é-1', name: 'Stoel' });
  });

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
      const answer = await put('{"ArticleNumber":"é-1"}', { 'Content-Type': type });
      expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE', path);
      expect(answer.json.errorMessage).toContain(type);
    },
  );

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
  ])('that is not JSON is refused, naming the place: %.30s', async (body, place) => {
    const answer = await put(body);
    expectProblem(answer, 400, 'INVALID_JSON', path);
    expect(answer.json.errorMessage).toContain(place);
  });

  it('that is not UTF-8 is refused, and a byte order mark is passed over', async () => {
    expectProblem(await put(Buffer.from('{"ArticleNumber":"é-1"}', 'latin1')), 400, 'INVALID_JSON', path);
    expect((await put(`\uFEFF{"ArticleNumber":"é-1"}`)).json.Name).toBe('Stoel');
  });

  it.each(['[]', '[{"ArticleNumber":"é-1"}]', '"é-1"', '1', 'null', 'true'])(
    'that is JSON but no object is refused: %s',
    async (body) => {
      const answer = await put(body);
      expectProblem(answer, 400, 'INVALID_REQUEST', path);
      expect(answer.json.errors).toMatchObject([{ path: '', message: 'expected a JSON object' }]);
    },
  );

  it('has every wrong field named at once, with what was expected', async () => {
    const answer = await put({
      ArticleNumber: 'é-1',
      NewSalePrice: 'free',
      Product_CustomField: [{ Label: 'A', FieldType: 'Integer', IntValue: 'x' }],
    });
    expectProblem(answer, 400, 'INVALID_REQUEST', path);
    expect(answer.json.errors).toMatchObject([
      { path: 'NewSalePrice', message: 'expected a decimal number such as 12.50, got "free"' },
      { path: 'Product_CustomField[0].IntValue', message: 'expected a whole number, got "x"' },
    ]);
  });
});

describe('fields nobody knows', () => {
  const put = (body: object) => app.put('/rest/updateproduct', { ArticleNumber: 'é-1', ...body });

  it('are ignored and named in a header', async () => {
    const { status, headers } = await put({ Colour: 'red', NewNaam: 'x', Product_CustomField: [] });
    expect([status, headers['ignored-fields']]).toEqual([200, 'Colour, NewNaam']);
    expect((await put({})).headers['ignored-fields']).toBeUndefined();
  });

  it('are named by where they stand', async () => {
    const { headers } = await put({ Product_CustomField: [], Product_Batch: [{ Description: 'B', Colour: 1 }] });
    expect(headers['ignored-fields']).toBe('Product_Batch[0].Colour');
  });

  it('are query parameters as well as members of a body', async () => {
    const { headers } = await app.get('/rest/listrelations?limit=1&page=2&RelationNaam=x');
    expect(headers['ignored-fields']).toBe('page, RelationNaam');
  });

  it.each([
    ['a\r\nSet-Cookie: x=1', 'a%0D%0ASet-Cookie:%20x=1'],
    ['één, twee', '%C3%A9%C3%A9n%2C%20twee'],
    ['\ud800', '%EF%BF%BD'],
    ['\u0000\u007f', '%00%7F'],
  ])('cannot put anything of their own into the answer: %j', async (name, shown) => {
    const { status, headers } = await put({ [name]: 1 });
    expect(status).toBe(200);
    expect(headers['ignored-fields']).toBe(shown);
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('that are many or long do not make a header nobody takes', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${'é'.repeat(50)}${index}`, 1]));
    const { status, headers } = await put(many);
    expect(status).toBe(200);
    expect(headers['ignored-fields']!.length).toBeLessThanOrEqual(4000);
  });

  it('named like what JavaScript objects have of their own do no harm', async () => {
    const { status } = await app.request('PUT', '/rest/updateproduct', {
      body: '{"ArticleNumber":"é-1","__proto__":{"NewName":"Gekaapt"},"constructor":1,"toString":2}',
    });
    expect(status).toBe(200);
    expect((await put({})).json.Name).toBe('Stoel');
    expect((await app.get('/rest/listrelations?__proto__=1&hasOwnProperty=2')).status).toBe(200);
  });
});

describe('a request', () => {
  it('that names a parameter twice means the first', async () => {
    expect((await app.get('/rest/listrelations?Limit=1&Limit=x&limit=y')).status).toBe(200);
    expect((await app.get('/rest/listrelations?Limit=x&Limit=1')).status).toBe(400);
  });

  it('may ask for a compressed answer, and may carry any other header', async () => {
    const { status, headers, json } = await app.request('GET', '/rest/listtaxcodes', {
      headers: { 'Accept-Encoding': 'gzip, deflate, br', Accept: 'text/html', 'Content-Type': 'application/json' },
    });
    expect([status, headers['content-encoding'], json]).toEqual([200, undefined, []]);
  });
});

describe('a failure nobody foresaw', () => {
  const secret = 'connect ECONNREFUSED postgres://anna:hunter2@db';

  async function withAdministrations(administrations: () => Promise<Administrations>) {
    const logged: string[] = [];
    const server = createHost(
      functionsOf(async () => ({ administrations: await administrations() }), { pages: '' }).http,
      (line) => logged.push(line),
    );
    const { url, close } = await listen(server);
    const answer = await send(url, 'GET', '/rest/listtaxcodes', {
      headers: { ApiKey: 'very-secret-key', Username: 'anna@example.com' },
    });
    close();
    return { answer, logged };
  }
  const failing = (fail: () => never): Administrations => ({
    open: async () => Object.fromEntries(endpointNames.map((name) => [name, async () => fail()])) as never,
    writer: async () => fail(),
    health: async () => ({}),
    close: async () => {},
  });

  it.each<[string, () => Promise<Administrations>]>([
    [
      'in an endpoint',
      async () =>
        failing(() => {
          throw new Error(secret);
        }),
    ],
    [
      'that is no error at all',
      async () =>
        failing(() => {
          throw secret;
        }),
    ],
    [
      'when the administration is opened',
      async () => {
        throw new Error(secret);
      },
    ],
  ])('%s is answered with 500, told to the log and not to the caller', async (_, administrations) => {
    const { answer, logged } = await withAdministrations(administrations);
    expectProblem(answer, 500, 'INTERNAL', '/rest/listtaxcodes');
    expect(answer.text).not.toContain('hunter2');
    expect(answer.text).not.toContain('.ts');
    expect(logged.join('\n')).toContain(secret);
    expect(logged.join('\n')).not.toContain('very-secret-key');
  });

  it('of an answer that cannot be written is one too', async () => {
    const administrations = {
      ...failing(() => {
        throw new Error('not reached');
      }),
      open: async () => ({ listtaxcodes: async () => [{ TaxPc: 12 }] }) as never,
    };
    const { answer, logged } = await withAdministrations(async () => administrations);
    expectProblem(answer, 500, 'INTERNAL', '/rest/listtaxcodes');
    expect(logged).toHaveLength(1);
  });

  it('is told apart from one the caller can be told of', async () => {
    const { answer, logged } = await withAdministrations(async () =>
      failing(() => {
        throw new Problem('RATE_LIMIT', 'Wait a little.', { headers: { 'Retry-After': '7' } });
      }),
    );
    expectProblem(answer, 429, 'RATE_LIMIT', '/rest/listtaxcodes');
    expect(answer.headers['retry-after']).toBe('7');
    expect(logged).toEqual([]);
  });
});

it('never logs a key, right or wrong', async () => {
  await app.get('/rest/listtaxcodes');
  await app.request('GET', '/rest/listtaxcodes', { headers: { ApiKey: 'wrong-key' } });
  await app.put('/rest/updateproduct', 'not JSON');
  await app.put('/rest/updateproduct', { ArticleNumber: 'nowhere' });
  await app.get('/rest/nothing');
  // Only the refused user name is logged.
  expect(app.logged.length).toBeGreaterThan(0);
  for (const line of app.logged) expect(line).toContain('"event":"sign-in refused","username":"');
  expect(app.logged.join()).not.toMatch(new RegExp(`wrong-key|${app.credential.apiKey}`));
});
