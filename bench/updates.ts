import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { builtinAdministrations } from '../functions/administrations/builtin/builtin.ts';
import { openDatabase } from '../functions/administrations/builtin/database.ts';
import { demoCredentials, makeDemo } from '../functions/administrations/builtin/demo/demo.ts';
import { endpoints } from '../shared/api.ts';
import { readRequest } from '../shared/readRequest.ts';
import { encode } from '../shared/wire/encode.ts';
import { inFolder, type Ratio } from './measure.ts';

const UPDATES = 1000;
const ROUNDS = 5;

/**
 * A thousand updates of price and stock, from the request's text to the answer's, against the statements alone: find the
 * product, change it, add the mutation, read it back, each in a transaction of its own on the same kind of disk file.
 */
export const measureUpdates = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'ours.sqlite');
    const db = await openDatabase(`sqlite:${file}`);
    await makeDemo(db);
    const administrations = builtinAdministrations(db);
    const administration = await administrations.open(demoCredentials.NL);
    const numbers = await db
      .selectFrom('product')
      .where('administration_id', '=', 1n)
      .select('article_number')
      .execute();
    const article = (index: number) => numbers[index % numbers.length]!.article_number;

    const bareFile = path.join(folder, 'bare.sqlite');
    new DatabaseSync(file).exec(`vacuum into '${bareFile}'`);
    const bare = new DatabaseSync(bareFile);
    bare.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
    const find = bare.prepare('select id from product where administration_id = 1 and article_number = ?');
    const change = bare.prepare('update product set price = ?, stock = stock + ?, changed_on = ? where id = ?');
    const move = bare.prepare(
      "insert into stock_mutation (product_id, quantity, cause, comment, created_on) values (?, ?, 'update', '', ?)",
    );
    const read = bare.prepare('select * from product where id = ?');

    const ours = async () => {
      for (let index = 0; index < UPDATES; index++) {
        const body = { ArticleNumber: article(index), NewSalePrice: '12.34', NewStockQty: 1 };
        const { request } = readRequest('updateproduct', body);
        encode(endpoints.updateproduct.response, await administration.updateproduct(request));
      }
    };
    const alone = () => {
      for (let index = 0; index < UPDATES; index++) {
        bare.exec('begin immediate');
        const { id } = find.get(article(index)) as { id: number };
        change.run(1_234_000_000, 100_000_000, 1_790_000_000, id);
        move.run(id, 100_000_000, 1_790_000_000);
        JSON.stringify(read.get(id));
        bare.exec('commit');
      }
    };
    const times = { ours: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      await ours();
      const middle = performance.now();
      alone();
      times.ours = Math.min(times.ours, middle - start);
      times.bare = Math.min(times.bare, performance.now() - middle);
    }
    bare.close();
    await administrations.close();
    return [{ name: '1,000 product updates, against bare SQL', ...times, unit: 'ms', aim: 4 }];
  });
