import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type EndpointName, endpointNames, endpointOf } from '../../shared/api.ts';
import { Problem } from '../../shared/problem.ts';
import { send, startApp, type TestApp } from '../../testing/app.ts';
import { listen } from '../../testing/listen.ts';
import { expectProblem, withoutKey } from '../../testing/problems.ts';
import { readPush } from '../../testing/pushes/readPush.ts';
import type { Administrations } from '../administrations/administration.ts';
import { functionsOf } from '../app.ts';
import { createHost } from '../host/server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

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
    '%s is not found, with and without a credential',
    async (path) => {
      for (const headers of [{}, withoutKey]) {
        expectProblem(await app.request('GET', path, { headers }), 404, 'NOT_FOUND', path);
      }
    },
  );

  it.each(endpointNames)(
    '%s accepts its method, and names it in the response to another method',
    async (name: EndpointName) => {
      const { method, path } = endpointOf(name);
      for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((candidate) => candidate !== method)) {
        const received = await app.request(other, `${path}/`, { headers: withoutKey });
        expectProblem(received, 405, 'METHOD_NOT_ALLOWED', `${path}/`);
        expect(received.headers.allow).toBe(method);
      }
    },
  );

  it('responds to HEAD with 405 and no body', async () => {
    const { status, headers, text } = await app.request('HEAD', '/rest/listtaxcodes');
    expect([status, headers.allow, text]).toEqual([405, 'GET', '']);
  });
});

describe('the OpenAPI document', () => {
  it('is public, and describes every endpoint and every other path', async () => {
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
        'get /administration',
        'get /products',
        'get /ledger/balances',
        'get /ledger/entries',
        'get /ledger/figures',
        'get /ledger/auditfile',
        'get /vat/return',
        'get /vat/intervat',
        'get /vat/lines',
        'post /vat/filed',
        'get /auditfiles',
        'post /auditfiles',
        'get /auditfiles/{id}',
        'post /auditfiles/{id}/parts/{part}',
        'post /auditfiles/{id}/check',
        'post /auditfiles/{id}/import',
        'post /auditfiles/{id}/withdraw',
        'post /auditfiles/{id}/cancel',
        'post /auditfiles/{id}/erase',
        'get /ledger/openitems',
        'post /pushes',
        'get /pushes',
        'get /pushes/{id}',
        'get /pushes/{id}/rows',
        'post /pushes/{id}/cancel',
        'post /pushes/{id}/look-again',
        'get /exports',
        'post /exports',
        'get /exports/{administration}/{date}/{file}',
        'get /documents/invoices/{number}.pdf',
        'get /documents/invoices/{number}.xml',
        'get /documents/links/{token}/{file}',
        'post /documents/e-invoices/check',
        'post /documents/invoices/{file}/link',
      ].sort(),
    );
    expect(await new Validator().validate(json)).toEqual({ valid: true });
  });

  it('describes every function but the pages and the response to unknown paths', () => {
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

  it('describes each member of the errors of a refusal, of the rows of a push, and of e-invoices', async () => {
    const { paths, components } = (await send(app.url, 'GET', '/rest/openapi.json')).json;
    const responseOf = (path: string, method: string) =>
      paths[path][method].responses[200].content['application/json'].schema.properties;
    const described = [
      components.responses.Problem.content['application/json'].schema.properties.errors,
      responseOf('/pushes/{id}', 'get').rows.items.properties.errors,
      responseOf('/pushes/{id}/rows', 'get').rows.items.properties.errors,
      responseOf('/documents/e-invoices/check', 'post').invoices.items.properties.errors,
    ];
    const { errors } = (await app.put('/rest/updateproduct', { ArticleNumber: 'A1', StockUpdateMode: 'x' })).json;
    expect(Object.keys(errors[0])).toContain('params');
    for (const { type, items } of described) {
      expect([type, items.type, items.required]).toEqual(['array', 'object', ['path', 'message', 'code']]);
      expect(Object.keys(items.properties)).toEqual(expect.arrayContaining(Object.keys(errors[0])));
    }
  });

  it('can only be read', async () => {
    const received = await send(app.url, 'POST', '/rest/openapi.json', { body: '{}' });
    expectProblem(received, 405, 'METHOD_NOT_ALLOWED', '/rest/openapi.json');
    expect(received.headers.allow).toBe('GET');
  });
});

describe('a request', () => {
  it('with a repeated parameter uses the first', async () => {
    expect((await app.get('/rest/listrelations?Limit=1&Limit=x&limit=y')).status).toBe(200);
    expect((await app.get('/rest/listrelations?Limit=x&Limit=1')).status).toBe(400);
  });

  it('may accept a compressed response, and have any other header', async () => {
    const { status, headers, json } = await app.request('GET', '/rest/listtaxcodes', {
      headers: { 'Accept-Encoding': 'gzip, deflate, br', Accept: 'text/html', 'Content-Type': 'application/json' },
    });
    expect([status, headers['content-encoding'], json]).toEqual([200, undefined, []]);
  });
});

describe('an unexpected error', () => {
  const secret = 'connect ECONNREFUSED postgres://anna:hunter2@db';

  async function withAdministrations(administrations: () => Promise<Administrations>) {
    const logged: string[] = [];
    const server = createHost(
      functionsOf(async () => ({ administrations: await administrations() }), { pages: '' }).http,
      (line) => logged.push(line),
    );
    const { url, close } = await listen(server);
    const received = await send(url, 'GET', '/rest/listtaxcodes', {
      headers: { ApiKey: 'very-secret-key', Username: 'anna@example.com' },
    });
    close();
    return { response: received, logged };
  }
  const failing = (fail: () => never): Administrations => ({
    open: async () => Object.fromEntries(endpointNames.map((name) => [name, async () => fail()])) as never,
    writer: async () => fail(),
    identify: async () => fail(),
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
      'that is not an Error',
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
  ])('%s gets a response with status 500, and its message is only logged', async (_, administrations) => {
    const { response: received, logged } = await withAdministrations(administrations);
    expectProblem(received, 500, 'INTERNAL', '/rest/listtaxcodes');
    expect(received.text).not.toContain('hunter2');
    expect(received.text).not.toContain('.ts');
    expect(logged.join('\n')).toContain(secret);
    expect(logged.join('\n')).not.toContain('very-secret-key');
  });

  it('occurs when a response cannot be encoded', async () => {
    const administrations = {
      ...failing(() => {
        throw new Error('not reached');
      }),
      open: async () => ({ listtaxcodes: async () => [{ TaxPc: 12 }] }) as never,
    };
    const { response: received, logged } = await withAdministrations(async () => administrations);
    expectProblem(received, 500, 'INTERNAL', '/rest/listtaxcodes');
    expect(logged).toHaveLength(1);
  });

  it('differs from a Problem, which the caller sees', async () => {
    const { response: received, logged } = await withAdministrations(async () =>
      failing(() => {
        throw new Problem('RATE_LIMIT', 'Wait a little.', { headers: { 'Retry-After': '7' } });
      }),
    );
    expectProblem(received, 429, 'RATE_LIMIT', '/rest/listtaxcodes');
    expect(received.headers['retry-after']).toBe('7');
    expect(logged).toEqual([]);
  });
});
