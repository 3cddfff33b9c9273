import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startAzurite } from '../../../functions/host/azurite.ts';
import { createClient } from '../../../shared/client/client.ts';
import { createPushClient } from '../../../shared/client/pushClient.ts';
import { startAppProcess } from '../../appProcess.ts';
import { maxWithin } from '../../remote/maxWithin.ts';
import { startScriptedService } from '../../remote/scriptedService.ts';
import { secretKeyOf } from '../../secretKey.ts';

const PER_SECOND = 5;
/**
 * Milliseconds over which arrivals are counted, and by which some of them may be late. Two limits instead of one would let
 * a quarter more through.
 */
const [WINDOW, MAX_LATENESS] = [10_000, 1000];
const ROWS = 75;
const credential = { apiKey: 'shared', username: 'shared@example.com' };

it('two instances with one credential keep its rate limit together, and send requests of callers before those of a push', async ({
  onTestFinished,
}) => {
  const storage = await startAzurite();
  onTestFinished(storage.stop);
  const service = await startScriptedService();
  onTestFinished(service.close);
  const settings = {
    ADMINISTRATION_URL: service.url,
    REMOTE_PER_SECOND: String(PER_SECOND),
    REMOTE_PER_MINUTE: '0',
    AzureWebJobsStorage: storage.connectionString,
    SECRET_KEY: secretKeyOf(5),
  };
  const start = () => startAppProcess('testing/crash/serve.ts', settings);
  const instances = await Promise.all([start(), start()]);
  onTestFinished(async () => {
    await Promise.all(instances.map((instance) => instance.kill()));
  });

  const arrivals: number[] = [];
  let pushed = 0;
  service.play(({ path, body }) => {
    arrivals.push(performance.now());
    if (!path.startsWith('/rest/updateproduct')) return { body: '[]' };
    pushed++;
    return { body: JSON.stringify({ ArticleNumber: JSON.parse(body).ArticleNumber, StockQty: 1 }) };
  });
  const rows = Array.from({ length: ROWS }, (_, row) => ({
    row,
    update: { ArticleNumber: `A-${row}`, NewStockQty: 1 },
  }));
  await createPushClient({ base: instances[0]!.url, credential, fetch }).begin(rows, 'one');
  while (pushed === 0) await sleep(10);

  // One of the two instances works on the push; every other request goes through the other instance.
  const responses: unknown[] = [];
  while (pushed < ROWS - PER_SECOND) {
    for (const { url } of instances) {
      const client = createClient(url, credential, fetch);
      responses.push(await client.listtaxcodes({}, AbortSignal.timeout(20_000)).catch((failure) => String(failure)));
    }
    await sleep(400);
  }

  expect(responses.length).toBeGreaterThan(10);
  expect(responses.filter((one) => !Array.isArray(one))).toEqual([]);
  expect(maxWithin(arrivals, WINDOW)).toBeLessThanOrEqual((PER_SECOND * (WINDOW + MAX_LATENESS)) / 1000);
});
