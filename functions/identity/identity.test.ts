import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readIdentity } from '../../shared/client/identityClient.ts';
import type { AdministrationIdentity } from '../../shared/resources/administration.ts';
import { send, startApp, type TestAdministration, type TestApp, type TestResponse } from '../../testing/app.ts';
import { expectProblem } from '../../testing/problems.ts';
import { testStorage } from '../../testing/storage.ts';
import { folderOfTest } from '../../testing/temporaryFolder.ts';
import { exportAdministration } from '../administrations/builtin/archive/exportAdministration.ts';
import { importAdministration } from '../administrations/builtin/archive/importAdministration.ts';
import { issueKey, listKeys, revokeKey } from '../administrations/builtin/credentials/keys.ts';

/* Whose books a credential opens, for the built-in administrations. */

const { connectionString } = await testStorage();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ storage: connectionString });
});
afterAll(() => app.close());

const ask = async (one: TestAdministration): Promise<AdministrationIdentity> =>
  readIdentity({ base: app.url, credential: one.credential, fetch });

describe('an administration', () => {
  it('is known by an id of its own, with its name, its country and what there is for it', async () => {
    const bakery = await app.addAdministration({ country: 'BE', username: 'Anna@Example.com' });
    expect(await ask(bakery)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      alsoKnownAs: [],
      name: expect.stringContaining('Administration'),
      country: 'BE',
      kind: 'builtin',
      username: 'anna@example.com',
      rights: { read: true, write: true, import: false },
      archived: false,
      available: { pushes: true, products: true, exports: true, documents: true, ledger: true },
    });
  });

  it('keeps its id under another name and another key, for other users too; another one has another id', async () => {
    const username = 'boekhouder@example.com';
    const [bakery, brewery] = [await app.addAdministration({ username }), await app.addAdministration({ username })];
    const { administrationId } = bakery;
    const { id } = await ask(bakery);
    expect((await ask(brewery)).id).not.toBe(id);

    const [old] = await listKeys(app.db, administrationId);
    await revokeKey(app.db, { administrationId, id: old!.id, now: 2n });
    await app.db.updateTable('administration').where('id', '=', administrationId).set({ name: 'Nieuw' }).execute();
    for (const user of [username, 'een.ander@example.com']) {
      const apiKey = await issueKey(app.db, { administrationId, username: user, label: 'new', now: 2n });
      expect(await ask({ ...bakery, credential: { apiKey, username: user } })).toMatchObject({
        id,
        name: 'Nieuw',
        username: user,
      });
    }
    expectProblem(await bakery.get('/administration'), 401, 'UNAUTHORIZED', '/administration');
  });

  it('says that it is archived, and of a key that it may only read', async () => {
    const { administrationId, ...one } = await app.addAdministration();
    const reader = { administrationId, username: 'lezer@example.com', label: '', now: 1n, scope: 'read' } as const;
    const credential = { username: reader.username, apiKey: await issueKey(app.db, reader) };
    const rights = { read: true, write: false, import: false };
    expect(await ask({ ...one, administrationId, credential })).toMatchObject({ rights, archived: false });
    await app.db.updateTable('administration').where('id', '=', administrationId).set({ archived_on: 1n }).execute();
    expect(await ask({ ...one, administrationId, credential })).toMatchObject({ rights, archived: true });
    expect(await ask({ ...one, administrationId })).toMatchObject({ rights: { write: true }, archived: true });
  });

  it('gets an id of its own when its archive is imported beside it', async () => {
    const one = await app.addAdministration();
    const { id } = await ask(one);
    const folder = path.join(folderOfTest(), 'archive');
    await exportAdministration(app.db, one.administrationId, folder);
    const { administrationId, problems } = await importAdministration(app.db, folder, { name: 'Terug' });
    expect(problems).toEqual([]);
    const username = one.credential.username;
    const apiKey = await issueKey(app.db, { administrationId, username, label: '', now: 1n });
    const restored = await ask({ ...one, credential: { apiKey, username } });
    expect(restored.name).toBe('Terug');
    expect(restored.id).not.toBe(id);
  });

  it('is told to nobody without its key', async () => {
    const request = (headers: Record<string, string>): Promise<TestResponse> =>
      send(app.url, 'GET', '/administration', { headers });
    const { apiKey, username } = app.credential;
    for (const headers of [{}, { ApiKey: 'made up', Username: username }, { ApiKey: apiKey, Username: 'else' }]) {
      expectProblem(await request(headers as Record<string, string>), 401, 'UNAUTHORIZED', '/administration');
    }
  });
});
