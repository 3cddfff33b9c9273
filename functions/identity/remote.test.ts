import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Credential } from '../../shared/client/client.ts';
import { readIdentity } from '../../shared/client/identityClient.ts';
import { send } from '../../testing/app.ts';
import { listen } from '../../testing/listen.ts';
import { credential } from '../../testing/remote/askRemote.ts';
import { type ScriptedService, startScriptedService } from '../../testing/remote/scriptedService.ts';
import { testStorage } from '../../testing/storage.ts';
import { functionsOf, openAdministrations, servicesOf } from '../app.ts';
import { createHost } from '../host/server.ts';
import { readSettings } from '../settings.ts';

/* Whose books a credential opens, for an app in front of a service. */

const { connectionString } = await testStorage();
const secretKey = () => randomBytes(32).toString('base64');
let service: ScriptedService;
beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.close());
beforeEach(() => service.play({ body: '[]' }));

/** Starts the app of these settings. @returns its address */
async function startFront(environment: Record<string, string>): Promise<string> {
  const settings = readSettings({ ADMINISTRATION_URL: service.url, REMOTE_PER_SECOND: '0', ...environment });
  const services = servicesOf(await openAdministrations(settings), settings);
  const { http } = functionsOf(async () => services, { pages: '' });
  const { url, close } = await listen(createHost(http, () => {}));
  onTestFinished(async () => {
    close();
    await services.administrations.close();
  });
  return url;
}

const ask = async (base: string, as: Credential = credential) => readIdentity({ base, credential: as, fetch });

describe('a remote administration', () => {
  it('tells the service and the user; what the service does not tell is unknown', async () => {
    const url = await startFront({ SECRET_KEY: secretKey(), AzureWebJobsStorage: connectionString });
    expect(await ask(url, { ...credential, username: 'Anna@Example.com' })).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      alsoKnownAs: [],
      name: 'unknown',
      country: 'unknown',
      kind: 'remote',
      address: new URL(service.url).host,
      requestsPerMinute: 50,
      username: 'anna@example.com',
      rights: 'unknown',
      archived: 'unknown',
      available: { pushes: true, products: false, exports: false, documents: true, ledger: false },
    });
  });

  it('tells how many requests a minute the service allows, where there is such a limit', async () => {
    expect(await ask(await startFront({ REMOTE_PER_MINUTE: '7' }))).toMatchObject({ requestsPerMinute: 7 });
    expect(await ask(await startFront({ REMOTE_PER_MINUTE: '0' }))).not.toHaveProperty('requestsPerMinute');
  });

  it('has the same id for the same key and user at every start, and another for another of them', async () => {
    const SECRET_KEY = secretKey();
    const [first, second] = [await startFront({ SECRET_KEY }), await startFront({ SECRET_KEY })];
    const { id } = await ask(first);
    expect(await ask(second, { ...credential, username: ' ANNA@example.com' })).toMatchObject({ id });
    const others = [
      await ask(first, { ...credential, apiKey: 'another' }),
      await ask(first, { ...credential, username: 'bert@example.com' }),
      await ask(await startFront({ SECRET_KEY, ADMINISTRATION_URL: `${service.url}/other` })),
      await ask(await startFront({ SECRET_KEY: secretKey() })),
    ];
    expect(new Set([id, ...others.map((one) => one.id)]).size).toBe(5);
    expect(await ask(await startFront({ SECRET_KEY, ADMINISTRATION_URL: `${service.url}/` }))).toMatchObject({ id });
  });

  it('is known by its id under the previous secret key as well', async () => {
    const [SECRET_KEY_PREVIOUS, SECRET_KEY] = [secretKey(), secretKey()];
    const { id: old } = await ask(await startFront({ SECRET_KEY: SECRET_KEY_PREVIOUS }));
    const { id, alsoKnownAs } = await ask(await startFront({ SECRET_KEY, SECRET_KEY_PREVIOUS }));
    expect(alsoKnownAs).toEqual([old]);
    expect(id).not.toBe(old);
  });

  it('has an id that lasts without a secret key too, and does not show its API key', async () => {
    const { id, available } = await ask(await startFront({}));
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(available).toMatchObject({ pushes: false, exports: false });
    const again = await startFront({});
    expect((await ask(again)).id).toBe(id);
    expect((await ask(again, { ...credential, apiKey: 'another' })).id).not.toBe(id);
    expect((await ask(again, { ...credential, username: 'bert@example.com' })).id).not.toBe(id);
  });

  it('refuses a key that the service refuses, each time it is tried, and asks about a right one once', async () => {
    const url = await startFront({ SECRET_KEY: secretKey(), AzureWebJobsStorage: connectionString });
    service.play(({ headers }) =>
      headers.apikey === credential.apiKey
        ? { body: '[]' }
        : { status: 401, body: '{"errorCode":"UNAUTHORIZED","errorMessage":"Invalid authentication credentials"}' },
    );
    const headers = { ApiKey: 'made up', Username: credential.username };
    for (const _ of [1, 2]) expect((await send(url, 'GET', '/administration', { headers })).status).toBe(401);
    expect(service.received).toHaveLength(2);
    await ask(url);
    await ask(url);
    expect(service.received).toHaveLength(3);
  });
});
