import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpointNames, endpointOf } from '../../shared/api.ts';
import { send, startApp, type TestApp, type TestResponse } from '../../testing/app.ts';
import { expectProblem, withoutKey } from '../../testing/problems.ts';
import { listKeys, revokeKey } from '../administrations/builtin/credentials/keys.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(() => {
  app.logged.length = 0;
});

describe('a caller', () => {
  const request = async (headers: Record<string, string>): Promise<TestResponse> => {
    const response = await app.request('GET', '/rest/listtaxcodes', { headers });
    if (response.status !== 200) {
      expectProblem(response, 401, 'UNAUTHORIZED', '/rest/listtaxcodes');
      expect(response.json.errorMessage).toBe('Invalid authentication credentials');
    }
    return response;
  };

  it.each([
    ['neither header', withoutKey],
    ['no key', { ApiKey: '' }],
    ['no user name', { Username: '' }],
    ['a key of spaces', { ApiKey: '   ' }],
    ['a wrong key', { ApiKey: 'wrong' }],
    ['a wrong user name', { Username: 'somebody@example.com' }],
  ])('is refused with %s', async (_, headers) => {
    expect((await request(headers)).status).toBe(401);
  });

  it('without a credential is refused by every endpoint before its request is read', async () => {
    for (const name of endpointNames) {
      const { method, path } = endpointOf(name);
      const options = method === 'GET' ? {} : { body: 'not JSON' };
      expectProblem(await send(app.url, method, path, options), 401, 'UNAUTHORIZED', path);
    }
  });

  it('is accepted with any case of the user name and of the names of the headers', async () => {
    const { apiKey, username } = app.credential;
    expect((await request({ Username: username.toUpperCase() })).status).toBe(200);
    expect((await request({ ...withoutKey, apikey: apiKey, USERNAME: ` ${username} ` })).status).toBe(200);
    expect((await request({ ApiKey: apiKey.toUpperCase() })).status).toBe(401);
  });

  it('is refused as soon as the key is revoked', async () => {
    const { request, administrationId } = await app.addAdministration();
    expect((await request('GET', '/rest/listtaxcodes')).status).toBe(200);
    const [key] = await listKeys(app.db, administrationId);
    await revokeKey(app.db, { administrationId, id: key!.id, now: 1n });
    expectProblem(await request('GET', '/rest/listtaxcodes'), 401, 'UNAUTHORIZED', '/rest/listtaxcodes');
  });

  it('reads one administration only, also when several have the same user name', async () => {
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

it('no key is ever logged, valid or not', async () => {
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
