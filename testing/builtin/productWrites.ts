import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { KeyedWrite, PushWriter, WriteOutcome } from '../../functions/administrations/administration.ts';
import { type BuiltinOptions, builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { readRequest } from '../../shared/readRequest.ts';
import { type Product, product } from '../../shared/resources/product.ts';
import { parseJson } from '../../shared/wire/json.ts';
import { startApp, type TestApp } from '../app.ts';
import { openShop, type Shop } from '../shop.ts';

/** The time of the app, in seconds. */
export const NOW = 1_790_000_000;

/** A write of a push: the body of a request, and a key. */
export const update = (key: string, body: object): KeyedWrite => ({
  key,
  name: 'updateproduct',
  request: readRequest('updateproduct', { ArticleNumber: '0100', ...body }).request,
});
export const addition = (key: string, body: object): KeyedWrite => ({
  key,
  name: 'addproduct',
  request: readRequest('addproduct', { NewSalePrice: 1, CategoryName: 'Nieuw', CategoryCreateIfMissing: true, ...body })
    .request,
});

/** The product that is shown of an applied write. */
export const productOf = (outcome: WriteOutcome): Product => {
  if (outcome.kind !== 'applied') throw new Error(`Expected an applied write, got: ${outcome.problem.message}`);
  return product.parse(parseJson(outcome.shown));
};

/** An outcome as a short text: the stock in its product, or the refused fields. */
export const summary = (outcome: WriteOutcome): string | null =>
  outcome.kind === 'applied'
    ? productOf(outcome).StockQty
    : [outcome.kind, ...outcome.problem.errors.map(({ path }) => path)].join(' ');

/** Starts an app for the tests of a file, with a shop and a writer for each of them. */
export function testProductWrites() {
  const used = {
    administrations: (options: BuiltinOptions = {}) =>
      builtinAdministrations(used.app.db, { clock: () => NOW * 1000, ...options }),
    newWriter: (options: BuiltinOptions = {}) => used.administrations(options).writer(used.shop.credential),
    write: (writes: readonly KeyedWrite[], writer = used.writer): Promise<WriteOutcome[]> =>
      writer.write(writes, async () => {}, new AbortController().signal),
    stockOf: async (article: string): Promise<number> =>
      (await used.shop.put('/rest/updateproduct', { ArticleNumber: article })).json.StockQty,
    storedKeys: async (): Promise<string[]> => {
      const rows = await used.app.db
        .selectFrom('applied_write')
        .where('administration_id', '=', used.shop.administrationId)
        .orderBy('key')
        .select('key')
        .execute();
      return rows.map(({ key }) => key);
    },
  } as {
    app: TestApp;
    shop: Shop;
    writer: PushWriter;
    administrations(options?: BuiltinOptions): ReturnType<typeof builtinAdministrations>;
    newWriter(options?: BuiltinOptions): Promise<PushWriter>;
    write(writes: readonly KeyedWrite[], writer?: PushWriter): Promise<WriteOutcome[]>;
    stockOf(article: string): Promise<number>;
    storedKeys(): Promise<string[]>;
  };
  beforeAll(async () => {
    used.app = await startApp();
    used.app.setTime(NOW);
  });
  beforeEach(async () => {
    used.shop = await openShop(used.app);
    used.writer = await used.newWriter();
  });
  afterAll(() => used.app.close());
  return used;
}
