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

/**
 * Two instances on the PostgreSQL server at TEST_POSTGRES_URL, for a minute, under the load that one of them carries;
 * without a server nothing is measured.
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
    await load([client(one)], WARM_UP_SECONDS);
    const alone = await load([client(one)], SECONDS / 4);
    const other = await start();
    try {
      await load([client(other)], WARM_UP_SECONDS);
      const both = await load([client(one), client(other)], SECONDS);
      const name = `${CALLERS} callers at two instances for a minute (${both.length} requests), against one`;
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

/** Callers that ask again as soon as they have a response, by turns. @returns what each response took, in milliseconds */
async function load(clients: readonly Client[], seconds: number): Promise<number[]> {
  const times: number[] = [];
  let number = 0;
  const until = performance.now() + seconds * 1000;
  const caller = async () => {
    while (performance.now() < until) {
      const asked = performance.now();
      const mine = number++;
      await request(clients[mine % clients.length]!, mine);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return times;
}
