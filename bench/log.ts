import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { updateProduct, updateProductInside } from '../functions/administrations/builtin/products/updateProduct.ts';
import { makeDemo } from '../functions/administrations/builtin/setup/demo/demo.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { dialectOf } from '../functions/administrations/builtin/sql/dialects/dialectOf.ts';
import type { EndpointContext } from '../functions/administrations/builtin/sql/endpointContext.ts';
import { removeTriggers } from '../functions/administrations/builtin/sql/log/installTriggers.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { readRequest } from '../shared/readRequest.ts';
import { alternately, inFolder, type Ratio } from './measure.ts';

const UPDATES = 500;
const ROUNDS = 5;
const NOW = 1_790_000_000n;

/**
 * What the log of changes costs an update of price and stock: with it, against the same update in a transaction on a
 * database without its triggers. On SQLite, and on the PostgreSQL server at TEST_POSTGRES_URL, where that is set.
 */
export const measureLog = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const server = process.env.TEST_POSTGRES_URL;
    const ratios = [await measureOn('SQLite', async (name) => openDatabase(`sqlite:${path.join(folder, name)}`))];
    if (!server) return ratios;
    const made: string[] = [];
    const admin = new pg.Client(server);
    await admin.connect();
    try {
      ratios.push(
        await measureOn('PostgreSQL', async (name) => {
          const database = `bench_${name}_${randomBytes(4).toString('hex')}`;
          await admin.query(`create database ${database}`);
          made.push(database);
          return openDatabase(Object.assign(new URL(server), { pathname: `/${database}` }).href);
        }),
      );
    } finally {
      for (const database of made) await admin.query(`drop database ${database} with (force)`);
      await admin.end();
    }
    return ratios;
  });

async function measureOn(name: string, open: (name: string) => Promise<Database>): Promise<Ratio> {
  const [logged, unlogged] = [await filled(await open('logged')), await filled(await open('unlogged'))];
  await removeTriggers(unlogged.context.db, () => true);
  const times = await alternately(
    ROUNDS,
    () => repeat(logged, (context, update) => updateProduct(context, update)),
    () =>
      repeat(unlogged, (context, update) =>
        context.db.transaction().execute(async (db) => {
          await dialectOf(db).lockAdministration(db, context.administration.id);
          return updateProductInside({ ...context, db }, update);
        }),
      ),
  );
  for (const { context } of [logged, unlogged]) await context.db.destroy();
  return { name: `an update with the log on ${name}, against one without`, ...times, unit: 'ms', aim: 1.2 };
}

type Filled = { context: EndpointContext; articles: string[] };
type Update = Parameters<typeof updateProduct>[1];

async function filled(db: Database): Promise<Filled> {
  await makeDemo(db);
  const administration = await db.selectFrom('administration').orderBy('id').selectAll().executeTakeFirstOrThrow();
  const products = await db
    .selectFrom('product')
    .where('administration_id', '=', administration.id)
    .select('article_number')
    .execute();
  const author = { origin: 'rest', key: 1n, action: 'updateproduct' } as const;
  return {
    context: { db, administration, author, now: () => NOW, today: () => '2026-09-21' },
    articles: products.map(({ article_number }) => article_number),
  };
}

let prices = 0;

async function repeat(
  { context, articles }: Filled,
  update: (context: EndpointContext, update: Update) => Promise<unknown>,
): Promise<void> {
  for (let index = 0; index < UPDATES; index++) {
    const NewSalePrice = String(++prices % 1000);
    const body = { ArticleNumber: articles[index % articles.length], NewSalePrice, NewStockQty: 1 };
    await update(context, readRequest('updateproduct', body).request);
  }
}
