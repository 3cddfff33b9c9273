import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../app.ts';
import { testStorage } from '../storage.ts';
import { worstBodies } from './bodies.ts';
import { post, probed } from './probe.ts';

/* A short version of `npm run abuse`, which measures the delay of other requests on an idle machine. */

const { connectionString } = await testStorage();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ storage: connectionString });
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
