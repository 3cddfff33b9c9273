import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { inTransaction } from '../functions/administrations/builtin/sql/transaction.ts';
import { startAzurite } from '../functions/host/azurite.ts';
import { type Client, createClient } from '../shared/client/client.ts';
import { startAppProcess } from '../testing/appProcess.ts';
import { emptyDatabase } from '../testing/database.ts';
import { fixturesOf } from '../testing/fixtures/fixtures.ts';
import { secretKeyOf } from '../testing/secretKey.ts';
import { newBooks } from './books.ts';
import { median, p99, type Ratio } from './measure.ts';

const ARTICLES = 50;
const RELATIONS = 200;
const CALLERS = 8;
const WARM_UP_SECONDS = 5;
const SECONDS = 60;
/** The load, as a share of the requests that one instance can carry out. */
const LOAD = 0.6;

/**
 * Two instances on the PostgreSQL server at TEST_POSTGRES_URL, for a minute, against one with the same number of requests a
 * second; without a server nothing is measured.
 * @throws Error when a request fails
 */
export async function measureInstances(): Promise<Ratio[]> {
  if (!process.env.TEST_POSTGRES_URL) return [];
  const { db, url } = await emptyDatabase(undefined, 'server');
  const storage = await startAzurite();
  const filling = await openDatabase(url);
  const { administrationId, credential } = await newBooks(filling);
  await inTransaction(filling, async (trx) => {
    const { addProduct, addRelation } = fixturesOf(trx, administrationId);
    await addRelation({ name: 'Customer', customerNumber: 7 });
    for (let number = 1; number < RELATIONS; number++) await addRelation();
    for (let number = 0; number < ARTICLES; number++)
      await addProduct({ articleNumber: `A-${number}`, taxCode: '21% - Hoog' });
  });
  await filling.destroy();

  const settings = {
    DATABASE_URL: url,
    AzureWebJobsStorage: storage.connectionString,
    SECRET_KEY: secretKeyOf('bench'),
  };
  const start = () => startAppProcess('testing/crash/serve.ts', settings);
  const one = await start();
  const client = ({ url: base }: { url: string }) => createClient(base, credential, fetch);
  try {
    await mostOf(client(one), WARM_UP_SECONDS);
    const rate = LOAD * (await mostOf(client(one), WARM_UP_SECONDS));
    const alone = await arriving([client(one)], rate, SECONDS);
    const other = await start();
    try {
      await mostOf(client(other), WARM_UP_SECONDS);
      const both = await arriving([client(one), client(other)], rate, SECONDS);
      const name = `two instances for a minute at ${rate.toFixed(0)} requests a second, ${LOAD} of what one carries at most`;
      return [
        { name: `${name}, median`, ours: median(both), bare: median(alone), unit: 'ms', aim: 1.2 },
        { name: `${name}, p99`, ours: p99(both), bare: p99(alone), unit: 'ms', aim: 1.2 },
      ];
    } finally {
      await other.kill();
    }
  } finally {
    await one.kill();
    await storage.stop();
    await db.destroy();
  }
}

/** Three in four requests read. */
async function request(client: Client, number: number): Promise<void> {
  if (number % 4 !== 0) return void (await client.listrelations({ Limit: 50 }));
  if (number % 8 === 0) {
    return void (await client.updateproduct({ ArticleNumber: `A-${number % ARTICLES}`, NewStockQty: 1 }));
  }
  await client.addsalestransaction({
    CustomerNumber: 7,
    Invoice_InvoiceLine: [{ SubTotalInclTax: '12.10', TaxPc: 21 }],
  });
}

/** The requests a second of callers that ask again as soon as they have a response. */
async function mostOf(client: Client, seconds: number): Promise<number> {
  let number = 0;
  const until = performance.now() + seconds * 1000;
  const caller = async () => {
    while (performance.now() < until) await request(client, number++);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return number / seconds;
}

/**
 * Requests that arrive at a rate, whether or not earlier ones have their responses. Each instance gets half of the reads
 * and half of the writes of each kind.
 * @returns what each took from when it was due, in milliseconds
 */
const arriving = (clients: readonly Client[], rate: number, seconds: number): Promise<number[]> => {
  const start = performance.now();
  const arrive = async (_: unknown, number: number): Promise<number> => {
    const due = start + (number * 1000) / rate;
    await wait(Math.max(0, due - performance.now()));
    await request(clients[(number + Math.floor(number / 8)) % clients.length]!, number);
    return performance.now() - due;
  };
  return Promise.all(Array.from({ length: Math.floor(rate * seconds) }, arrive));
};
