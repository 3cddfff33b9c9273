import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../app.ts';
import { testStorage } from '../storage.ts';
import { worstBodies } from './bodies.ts';
import { worstDocuments, worstFiles } from './documents.ts';
import { post, probed } from './probe.ts';

/* A short version of `npm run abuse`, which measures the delay of other requests on an idle machine. */

const { connectionString } = await testStorage();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ storage: connectionString });
  await app.addRelation({ name: 'Customer' });
});
afterAll(() => app.close());

const bodies = worstBodies(1000);

it.each(bodies)('$name gets a response while others are served', async ({ name, method, path, body }) => {
  const other = await app.addAdministration();
  const send = () => post(app.url, method, path, app.credential, body);
  const { status, heldUp } = await probed(send, () => other.get('/rest/listtaxcodes'));
  const isCarriedOut = bodies.slice(0, 2).some((one) => one.name === name);
  expect(isCarriedOut ? [200] : [202, 400, 413]).toContain(status);
  // The limit is large, so that only excessive growth fails.
  expect(heldUp).toBeLessThan(5000);
});

it.each([...worstFiles(), ...worstDocuments('Customer').slice(-5)])(
  '$name gets a response while others are served',
  async (one) => {
    const other = await app.addAdministration();
    const send = () => post(app.url, one.method, one.path, app.credential, one.body);
    const { status, heldUp } = await probed(send, () => other.get('/rest/listtaxcodes'));
    expect([0, 200, 400, 404]).toContain(status);
    expect(heldUp).toBeLessThan(5000);
  },
);
