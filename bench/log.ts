import path from 'node:path';
import {
  updateProduct,
  updateProductInTransaction,
} from '../functions/administrations/builtin/products/updateProduct.ts';
import { makeDemo } from '../functions/administrations/builtin/setup/demo/demo.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { dialectOf } from '../functions/administrations/builtin/sql/dialects/dialectOf.ts';
import type { EndpointContext } from '../functions/administrations/builtin/sql/endpointContext.ts';
import { removeTriggers } from '../functions/administrations/builtin/sql/logWriting/installTriggers.ts';
import { readRequest } from '../shared/readRequest.ts';
import { emptyDatabase } from '../testing/database.ts';
import { NOW } from './books.ts';
import { alternately, eachOf, inFolder, median, type Ratio } from './measure.ts';

const UPDATES = 500;
const ROUNDS = 5;

/**
 * What the log of changes costs an update of price and stock: with it, against the same update in a transaction on a
 * database without its triggers. On SQLite, and on the PostgreSQL server at TEST_POSTGRES_URL, where that is set.
 */
export const measureLog = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const ratios = [await measureOn('SQLite', (name) => emptyDatabase(path.join(folder, name), 'sqlite'))];
    if (process.env.TEST_POSTGRES_URL) {
      ratios.push(await measureOn('PostgreSQL', () => emptyDatabase(undefined, 'server')));
    }
    return ratios;
  });

async function measureOn(name: string, empty: (name: string) => Promise<{ db: Database }>): Promise<Ratio> {
  const [logged, unlogged] = [await filled((await empty('logged')).db), await filled((await empty('unlogged')).db)];
  await removeTriggers(unlogged.context.db, () => true);
  const times = await alternately(ROUNDS, {
    ours: () => repeat(logged, (context, update) => updateProduct(context, update)),
    bare: () =>
      repeat(unlogged, (context, update) =>
        context.db.transaction().execute(async (db) => {
          await dialectOf(db).locks.row(db, 'administration', context.administration.id);
          return updateProductInTransaction({ ...context, db }, update);
        }),
      ),
  });
  for (const { context } of [logged, unlogged]) await context.db.destroy();
  const what = `an update with the log on ${name}, against one without`;
  return { name: what, ...eachOf(median, times), unit: 'ms', aim: 1.2 };
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
