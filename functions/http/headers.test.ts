import path from 'node:path';
import { HttpRequest, InvocationContext } from '@azure/functions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send, startApp, type TestApp } from '../../testing/app.ts';
import { testStorage } from '../../testing/storage.ts';
import { functionsOf } from '../app.ts';
import { workbookFunction } from '../taskpane/taskpane.ts';

const { connectionString } = await testStorage();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ storage: connectionString });
});
afterAll(() => app.close());

const pages = path.resolve(import.meta.dirname, '../../addin/assets');
const nowhere = async () => {
  throw new Error('nothing is opened');
};
const { http } = functionsOf(nowhere, { pages, local: [workbookFunction(pages)] });
const requests = http.flatMap(({ name, methods, route }) =>
  methods.map((method) => [method, `/${route.replace(/\{\*?(\w+)\}/g, 'x').replace(/^\//, '')}`, name] as const),
);

function expectPrivate(headers: Readonly<Record<string, unknown>>): void {
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers.vary).toBe('ApiKey, Username');
}

describe('every function', () => {
  it('is tested here', () => {
    expect(new Set(requests.map(([, , name]) => name)).size).toBe(http.length);
    expect(http.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['listrelations', 'pushBegin', 'exportFile', 'health', 'taskpane', 'workbook']),
    );
  });

  it.each(requests)('%s %s returns private responses, with and without a credential', async (method, target) => {
    const unauthenticated = await send(app.url, method, target);
    expectPrivate(unauthenticated.headers);
    expect(unauthenticated.headers['strict-transport-security']).toBeUndefined();
    expectPrivate((await app.request(method, target, { body: /^P/.test(method) ? {} : undefined })).headers);
  });

  it.each(requests)(
    '%s %s requires HTTPS from then on when the request came over HTTPS',
    async (method, target, name) => {
      const { handler } = http.find((one) => one.name === name)!;
      const ask = async (url: string, headers: Record<string, string> = {}) => {
        const request = new HttpRequest({ method, url: url + target, headers, params: {} });
        const { headers: returned } = await handler(
          request,
          new InvocationContext({ functionName: name, logHandler() {} }),
        );
        return (returned as Record<string, string>)['Strict-Transport-Security'];
      };
      expect(await ask('https://books.example.com')).toBe('max-age=31536000');
      expect(await ask('http://10.0.0.4', { 'X-Forwarded-Proto': 'https' })).toBe('max-age=31536000');
      expect(await ask('http://localhost:7071')).toBeUndefined();
    },
  );
});

it('the response to an unknown path is private', async () => {
  for (const [method, target] of [
    ['GET', '/nowhere'],
    ['DELETE', '/rest/listrelations'],
    ['TRACE', '/rest/listrelations'],
  ] as const) {
    expectPrivate((await send(app.url, method, target)).headers);
  }
});

it('the response with a list is private', async () => {
  const { status, headers } = await app.get('/rest/listrelations');
  expect(status).toBe(200);
  expectPrivate(headers);
});
