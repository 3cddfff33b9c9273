import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { Pool } from 'undici';
import { makeDemo } from '../functions/administrations/builtin/setup/demo/demo.ts';
import { demoCredentials } from '../functions/administrations/builtin/setup/demo/demoCredentials.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { inTransaction } from '../functions/administrations/builtin/sql/transaction.ts';
import { startAzurite } from '../functions/host/azurite.ts';
import type { PushedName } from '../shared/api.ts';
import type { Credential } from '../shared/client/client.ts';
import { createPushClient } from '../shared/client/pushClient.ts';
import { MAX_PUSH_ROWS } from '../shared/resources/push.ts';
import { fixturesOf } from '../testing/fixtures/fixtures.ts';
import { secretKeyOf } from '../testing/secretKey.ts';
import { headersOf } from './books.ts';
import { type CountingProxy, startCountingProxy } from './countingProxy.ts';
import { bytesAt, inFolder, type Ratio, residentMegabytes, startApp, startServer } from './measure.ts';
import { bareUpdates } from './updates.ts';

const LATENCY = 50;
const ROWS = 2000;
/** Milliseconds between two questions whether a push has ended: each of them costs something too. */
const LOOK = 200;
const COUNTED_ROWS = 200;
const PER_SECOND = 5;
const PACED_ROWS = 150;
const ROUNDS = 3;
const credential = { apiKey: 'bench', username: 'bench@example.com' };
const headers = headersOf(credential);

/** Pushes through the app, over a storage account on this machine, from the POST until they have ended. */
export const measurePushes = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const storage = await startAzurite();
    try {
      return [
        ...(await measureMakespans(folder, storage.connectionString)),
        await measureOperations(folder, storage.connectionString),
        await measurePace(folder, storage.connectionString),
        ...(await measureBuiltin(folder, storage.connectionString)),
      ];
    } finally {
      await storage.stop();
    }
  });

const startPushing = (folder: string, storage: string, settings: Record<string, string>) =>
  startApp(folder, {
    AzureWebJobsStorage: storage,
    SECRET_KEY: secretKeyOf(1),
    REMOTE_PER_SECOND: '0',
    REMOTE_PER_MINUTE: '0',
    ...settings,
  });

const articleOf = (row: number) => `P-${row}`;

/** A kind of row, and how undici alone sends it. */
type Kind = { endpoint: PushedName; method: 'PUT' | 'POST'; requestOf: (row: number) => object };

const kinds = {
  /** A row that may be sent again: one that adds to a stock has a connection of its own to a service elsewhere. */
  updates: {
    endpoint: 'updateproduct',
    method: 'PUT',
    requestOf: (row) => ({
      ArticleNumber: articleOf(row),
      NewSalePrice: '12.34',
      NewStockQty: 1 + row,
      StockUpdateMode: 'Absolute',
    }),
  },
  invoices: {
    endpoint: 'addsalesinvoice',
    method: 'POST',
    requestOf: (row) => ({
      CustomerNumber: 7,
      Invoice_InvoiceLine: Array.from({ length: 5 }, (_, line) => ({
        ProductNumber: articleOf(row + line),
        Quantity: 2,
        UnitPriceExclTax: '12.50',
        TaxPc: 21,
      })),
    }),
  },
} as const satisfies Record<string, Kind>;

/** Milliseconds a push of so many rows takes. @param watch called each time it is asked whether it has ended */
async function push(
  base: string,
  count: number,
  who: Credential = credential,
  watch = () => {},
  { endpoint, requestOf }: Kind = kinds.updates,
): Promise<number> {
  const client = createPushClient({ base, credential: who, fetch });
  const rows = Array.from({ length: count }, (_, row) => ({ row, endpoint, request: requestOf(row) }));
  const start = performance.now();
  const { id } = await client.begin(rows, randomUUID(), undefined, { inOrder: false });
  for (;;) {
    // After all there is: the head only.
    const { push: now } = await client.changes(id, '999999999');
    watch();
    if (now.state === 'ended') {
      if (now.counts.applied !== count) throw new Error(`Not every row was applied: ${JSON.stringify(now.counts)}`);
      return performance.now() - start;
    }
    await passed(LOOK);
  }
}

const slowService = (folder: string, latency: number) => {
  const file = path.join(folder, 'product.json');
  writeFileSync(file, JSON.stringify(product));
  return startServer('fixedServer', file, String(latency));
};

/** Rows to a service that takes its time, so many at a time, against undici alone doing the same. */
async function measureMakespans(folder: string, storage: string): Promise<Ratio[]> {
  const ratios: Ratio[] = [];
  const service = await slowService(folder, LATENCY);
  try {
    for (const [concurrency, what] of [
      [1, 'updates'],
      [4, 'updates'],
      [8, 'updates'],
      [4, 'invoices'],
    ] as const) {
      const kind = kinds[what];
      const app = await startPushing(folder, storage, {
        ADMINISTRATION_URL: service.url,
        REMOTE_AT_A_TIME: String(concurrency),
      });
      try {
        await push(app.url, 20 * concurrency, credential, () => {}, kind);
        const bare = await undiciAlone(service.url, concurrency, ROWS, kind);
        const ours = await push(app.url, ROWS, credential, () => {}, kind);
        const name = `a push of 2,000 ${what} to a service of ${LATENCY} ms, ${concurrency} at a time, against undici alone`;
        ratios.push({ name, ours: ours / 1000, bare: bare / 1000, unit: 's', aim: 1.1 });
      } finally {
        await app.stop();
      }
    }
  } finally {
    await service.stop();
  }
  return ratios;
}

async function undiciAlone(
  address: string,
  concurrency: number,
  count: number,
  { endpoint, method, requestOf }: Kind,
): Promise<number> {
  const pool = new Pool(address, { connections: concurrency });
  const sent = { ...headers, 'Content-Type': 'application/json' };
  let left = count;
  const start = performance.now();
  const lane = async () => {
    while (left > 0) {
      const body = JSON.stringify(requestOf(left--));
      await (await pool.request({ method, path: `/rest/${endpoint}/`, headers: sent, body })).body.text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const milliseconds = performance.now() - start;
  await pool.close();
  return milliseconds;
}

/** What the storage account is asked for a push, one row at a time, against one write for each row. */
async function measureOperations(folder: string, storage: string): Promise<Ratio> {
  const service = await slowService(folder, LATENCY);
  const proxies: CountingProxy[] = [];
  for (const [endpoint] of storage.matchAll(/http:\/\/127\.0\.0\.1:\d+/g))
    proxies.push(await startCountingProxy(endpoint));
  const counted = proxies.reduce((text, proxy) => text.replace(proxy.behind, proxy.url), storage);
  const app = await startPushing(folder, counted, {
    ADMINISTRATION_URL: service.url,
    REMOTE_AT_A_TIME: '1',
  });
  const sum = () => proxies.reduce((all, { requests }) => all + requests, 0);
  let looks = 0;
  try {
    await push(app.url, 20);
    const before = sum();
    await push(app.url, COUNTED_ROWS, credential, () => {
      looks++;
    });
    return {
      name: 'storage operations of a row, one at a time, against one',
      // Each look asks for the head.
      ours: (sum() - before - looks) / COUNTED_ROWS,
      bare: 1,
      unit: 'operations',
      aim: 1.5,
    };
  } finally {
    await app.stop();
    await service.stop();
    for (const proxy of proxies) proxy.close();
  }
}

/**
 * A push to a service that allows so many requests a second, while somebody asks something through either of two
 * instances now and then: against the time in which that many requests are allowed.
 */
async function measurePace(folder: string, storage: string): Promise<Ratio> {
  const service = await slowService(folder, LATENCY);
  const settings = {
    ADMINISTRATION_URL: service.url,
    REMOTE_PER_SECOND: String(PER_SECOND),
  };
  const apps = [await startPushing(folder, storage, settings), await startPushing(folder, storage, settings)];
  try {
    await push(apps[0]!.url, PER_SECOND);
    await passed(1000);
    let isOver = false;
    let asked = 0;
    const asking = (async () => {
      while (!isOver) {
        await passed(500);
        await bytesAt(`${apps[asked++ % 2]!.url}/rest/listtaxcodes/`, headers);
      }
    })();
    const ours = await push(apps[0]!.url, PACED_ROWS);
    isOver = true;
    await asking;
    return {
      name: `a push of ${PACED_ROWS} rows at ${PER_SECOND} a second, with callers in between, against what is allowed`,
      ours: ours / 1000,
      bare: (PACED_ROWS + asked) / PER_SECOND,
      unit: 's',
      aim: 1.05,
    };
  } finally {
    for (const app of apps) await app.stop();
    await service.stop();
  }
}

/**
 * As many rows as a push may have, to our own administration, against the statements of as many updates; and what it
 * holds.
 */
async function measureBuiltin(folder: string, storage: string): Promise<Ratio[]> {
  const file = path.join(folder, 'ledgerline.sqlite');
  const db = await openDatabase(`sqlite:${file}`);
  await makeDemo(db);
  await inTransaction(db, async (trx) => {
    const { addProduct } = fixturesOf(trx, 1n);
    for (let row = 0; row < MAX_PUSH_ROWS; row++) await addProduct({ articleNumber: articleOf(row) });
  });
  await db.destroy();
  const alone = bareUpdates(file, path.join(folder, 'bare.sqlite'));
  const app = await startPushing(folder, storage, {});
  const times = { ours: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY };
  const megabytes = { ours: 0, bare: 0 };
  try {
    await push(app.url, 100, demoCredentials.NL);
    await passed(1000);
    megabytes.bare = residentMegabytes(app.pid);
    const watch = () => {
      megabytes.ours = Math.max(megabytes.ours, residentMegabytes(app.pid));
    };
    for (let round = 0; round < ROUNDS; round++) {
      times.ours = Math.min(times.ours, await push(app.url, MAX_PUSH_ROWS, demoCredentials.NL, watch));
      const start = performance.now();
      for (let row = 0; row < MAX_PUSH_ROWS; row++) alone.update(articleOf(row));
      times.bare = Math.min(times.bare, performance.now() - start);
    }
  } finally {
    await app.stop();
    alone.close();
  }
  const rows = MAX_PUSH_ROWS.toLocaleString('en');
  return [
    { name: `a push of ${rows} rows to our own administration, against bare SQL`, ...times, unit: 'ms', aim: 3 },
    { name: `memory of the app during pushes of ${rows} rows, against before`, ...megabytes, unit: 'MB', aim: 2 },
  ];
}

const product = {
  Name: 'Chair',
  ArticleNumber: 'P-1',
  SupplierArticleNumber: '',
  Category: 'Furniture',
  EAN: '8712345678906',
  Description: 'A chair of oak, with arms.',
  StockQty: 12.5,
  PurchasePrice: 7.25,
  Price: 12.34,
  VATPercentage: 21,
  MinimalStockQty: '0',
  UnitsPerPackage: 1,
  Unit: 'piece',
  CreatedOn: 1_700_000_000,
  ChangedOn: 1_760_000_000,
  ProductResponse_CustomField: [],
};
