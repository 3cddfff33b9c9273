import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { builtinAdministrations } from '../functions/administrations/builtin/builtin.ts';
import { makeDemo } from '../functions/administrations/builtin/setup/demo/demo.ts';
import { demoCredentials } from '../functions/administrations/builtin/setup/demo/demoCredentials.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { endpoints } from '../shared/api.ts';
import { readRequest } from '../shared/readRequest.ts';
import { encode } from '../shared/wire/encode.ts';
import { alternately, eachOf, inFolder, quickest, type Ratio } from './measure.ts';

const UPDATES = 1000;
const WRITES = 10_000;
const ROUNDS = 5;

/**
 * Updates of price and stock, against the statements alone: find the product, change it, add the mutation, read it
 * back, each in a transaction of its own on the same kind of disk file. A thousand of them as requests, from the text
 * to the response's; and ten thousand as the writes of a push, which are remembered by their keys.
 */
export const measureUpdates = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'ours.sqlite');
    const db = await openDatabase(`sqlite:${file}`);
    await makeDemo(db);
    const administrations = builtinAdministrations(db);
    const administration = await administrations.open(demoCredentials.NL);
    const writer = await administrations.writer(demoCredentials.NL);
    const numbers = await db
      .selectFrom('product')
      .where('administration_id', '=', 1n)
      .select('article_number')
      .execute();
    const article = (index: number) => numbers[index % numbers.length]!.article_number;
    const read = (index: number) => {
      const body = { ArticleNumber: article(index), NewSalePrice: '12.34', NewStockQty: 1 };
      return readRequest('updateproduct', body).request;
    };
    const bare = bareUpdates(file, path.join(folder, 'bare.sqlite'));

    const requests = async () => {
      for (let index = 0; index < UPDATES; index++) {
        encode(endpoints.updateproduct.response, await administration.updateproduct(read(index)));
      }
    };
    let given = 0;
    const writes = async () => {
      for (let start = 0; start < WRITES; start += writer.batchSize) {
        const together = Array.from({ length: Math.min(writer.batchSize, WRITES - start) }, (_, index) => ({
          key: `bench ${given++}`,
          name: 'updateproduct' as const,
          request: read(start + index),
        }));
        await writer.write(together, async () => {}, new AbortController().signal);
      }
    };
    const alone = (count: number) => {
      for (let index = 0; index < count; index++) bare.update(article(index));
    };
    const updated = await alternately(ROUNDS, { ours: requests, bare: () => alone(UPDATES) }, 0);
    const written = await alternately(ROUNDS, { ours: writes, bare: () => alone(WRITES) }, 0);
    const ratios = [
      { name: '1,000 product updates, against bare SQL', ...eachOf(quickest, updated), unit: 'ms', aim: 4 },
      { name: '10,000 writes of a push, against bare SQL', ...eachOf(quickest, written), unit: 'ms', aim: 3 },
    ];
    bare.close();
    await administrations.close();
    return ratios;
  });

/** The statements of an update with nothing around them, on a copy. */
export function bareUpdates(original: string, copy: string) {
  const source = new DatabaseSync(original);
  source.exec(`vacuum into '${copy}'`);
  source.close();
  const bare = new DatabaseSync(copy);
  bare.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  const find = bare.prepare('select id from product where administration_id = 1 and article_number = ?');
  const change = bare.prepare('update product set price = ?, stock = stock + ?, changed_on = ? where id = ?');
  const move = bare.prepare(
    "insert into stock_mutation (product_id, quantity, cause, comment, created_on) values (?, ?, 'update', '', ?)",
  );
  const read = bare.prepare('select * from product where id = ?');
  return {
    update(articleNumber: string) {
      bare.exec('begin immediate');
      const { id } = find.get(articleNumber) as { id: number };
      change.run(1_234_000_000, 100_000_000, 1_790_000_000, id);
      move.run(id, 100_000_000, 1_790_000_000);
      JSON.stringify(read.get(id));
      bare.exec('commit');
    },
    close: () => bare.close(),
  };
}
