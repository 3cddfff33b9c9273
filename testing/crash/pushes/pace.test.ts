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
/** Milliseconds that two requests may come closer together than they left, on a busy machine. */
const JITTER = 100;
const ROWS = 75;
const credential = { apiKey: 'shared', username: 'shared@example.com' };

it('two instances that send in the name of one credential keep its pace together, and let a caller go before a push', async ({
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
  service.play(({ path: asked, body }) => {
    arrivals.push(performance.now());
    if (!asked.startsWith('/rest/updateproduct')) return { body: '[]' };
    pushed++;
    return { body: JSON.stringify({ ArticleNumber: JSON.parse(body).ArticleNumber, StockQty: 1 }) };
  });
  const rows = Array.from({ length: ROWS }, (_, row) => ({
    row,
    update: { ArticleNumber: `A-${row}`, NewStockQty: 1 },
  }));
  await createPushClient({ base: instances[0]!.url, credential, fetch }).begin(rows, 'one');
  while (pushed === 0) await sleep(10);

  // Whichever of them works on the push, every other question goes through the other one.
  const answers: unknown[] = [];
  while (pushed < ROWS - PER_SECOND) {
    for (const { url } of instances) {
      const client = createClient(url, credential, fetch);
      answers.push(await client.listtaxcodes({}, AbortSignal.timeout(5000)).catch((failure) => String(failure)));
    }
    await sleep(400);
  }

  expect(answers.length).toBeGreaterThan(10);
  expect(answers.filter((one) => !Array.isArray(one))).toEqual([]);
  expect(maxWithin(arrivals, 1000 - JITTER)).toBeLessThanOrEqual(PER_SECOND);
}, 120_000);
