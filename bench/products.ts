import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { insertRows } from '../functions/administrations/builtin/sql/insertRows.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { newRow } from '../functions/administrations/builtin/sql/rows.ts';
import { createProductClient } from '../shared/client/productClient.ts';
import { newBooks } from './books.ts';
import { alternately, eachOf, inFolder, median, type Ratio, startApp } from './measure.ts';

const PRODUCTS = 10_000;
const ROUNDS = 15;

/**
 * Ten thousand named products over HTTP as a product sheet reads them, and a search through them without a result, each
 * against the bare statement in the file and its rows as JSON text.
 */
export const measureProducts = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'ledgerline.sqlite');
    const db = await openDatabase(`sqlite:${file}`);
    const { administrationId, credential } = await newBooks(db);
    const rows = Array.from({ length: PRODUCTS }, (_, index) =>
      newRow('product', {
        administration_id: administrationId,
        article_number: String(index * 7).padStart(8, '0'),
        ean: `87${String(index).padStart(11, '0')}`,
        name: `Artikel ${index} van messing, gepolijst`,
        description: 'Per doos van twaalf, met schroeven.',
        unit: 'doos',
        price: BigInt(index) * 1_000_000n,
        stock: BigInt(index) * 100_000_000n,
      }),
    );
    await insertRows(db, 'product', rows);
    await db.destroy();

    const app = await startApp(folder);
    const client = createProductClient({ base: app.url, credential, fetch });
    const numbers = rows.map(({ article_number }) => article_number);
    const bare = new DatabaseSync(file, { readBigInts: true });
    const all = bare.prepare('select * from product where administration_id = ? order by article_number');
    const some = bare.prepare("select * from product where administration_id = ? and name_folded like '%gietijzer%'");
    const textOf = (found: object[]) =>
      JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? String(value) : value));

    const named = await alternately(ROUNDS, {
      ours: async () => {
        const { products } = await client.named({ numbers });
        if (products.length !== PRODUCTS) throw new Error(`Expected ${PRODUCTS} products, got ${products.length}.`);
      },
      bare: () => JSON.parse(textOf(all.all(administrationId))),
    });
    const searched = await alternately(ROUNDS, {
      ours: () => client.search('gietijzer', 20),
      bare: () => textOf(some.all(administrationId)),
    });
    bare.close();
    await app.stop();
    return [
      { name: '10,000 named products, against bare SQL', ...eachOf(median, named), unit: 'ms', aim: 5 },
      { name: 'a search through 10,000 products, against bare SQL', ...eachOf(median, searched), unit: 'ms', aim: 5 },
    ];
  });
