import { checkAdministration } from '../../../functions/administrations/builtin/check/check.ts';
import { createAdministration } from '../../../functions/administrations/builtin/setup/createAdministration.ts';
import { issueKey } from '../../../functions/administrations/builtin/setup/keys.ts';
import { openDatabase } from '../../../functions/administrations/builtin/sql/openDatabase.ts';
import { inTransaction } from '../../../functions/administrations/builtin/sql/transaction.ts';
import type { Credential } from '../../../shared/client/client.ts';
import { DECIMAL_SCALE, decimalText } from '../../../shared/money.ts';
import { fixturesOf } from '../../fixtures/fixtures.ts';
import { startUnreliableService } from './unreliableService.ts';

/** The stored data of one credential. */
export type InBooks = {
  /** The comment of every applied write. */
  done: readonly string[];
  /** The stock of each article. */
  stock: ReadonlyMap<string, number>;
  /** The errors in the data. */
  findings: readonly string[];
};

/** The target of pushes, and the writes applied there. */
export type Place = {
  /** The settings of an app for this target. */
  settings: Readonly<Record<string, string>>;
  /** Rows of a push: from one number to another. */
  rows: readonly [number, number];
  /** Whether the outcome of every row becomes known. */
  isSure: boolean;
  /** Makes books with some articles of the same stock. @param name no two are the same */
  addInitialData(name: string, articles: readonly string[], stock: number): Promise<Credential>;
  /** Grows as rows are carried out. */
  progress(): number | Promise<number>;
  /** The books of a credential once nothing is under way. */
  booksOf(credential: Credential): Promise<InBooks>;
  close(): Promise<void>;
};

/** The app's timeout for the remote service, in milliseconds. */
const CLIENT_TIMEOUT_MS = 700;

/** A remote service that loses responses. */
export async function remotePlace(seed: number): Promise<Place> {
  const service = await startUnreliableService(seed, CLIENT_TIMEOUT_MS);
  return {
    settings: {
      ADMINISTRATION_URL: service.url,
      REMOTE_PER_SECOND: '0',
      REMOTE_PER_MINUTE: '0',
      REMOTE_TIMEOUT_MS: String(CLIENT_TIMEOUT_MS),
      REMOTE_AT_A_TIME: '4',
    },
    rows: [60, 150],
    isSure: false,
    async addInitialData(name, articles, stock) {
      service.books.set(name, { stock: new Map(articles.map((article) => [article, stock])), done: [] });
      return { apiKey: name, username: 'crash@example.com' };
    },
    progress: service.heard,
    async booksOf({ apiKey }) {
      await service.idle();
      return { ...service.books.get(apiKey)!, findings: [] };
    },
    close: service.close,
  };
}

/** The built-in administration on a database that both instances use. */
export async function builtinPlace(databaseUrl: string): Promise<Place> {
  const db = await openDatabase(databaseUrl);
  const ids = new Map<string, bigint>();
  return {
    settings: { DATABASE_URL: databaseUrl, ADMINISTRATION_URL: '' },
    rows: [200, 600],
    isSure: true,
    async addInitialData(name, articles, stock) {
      const now = BigInt(Math.floor(Date.now() / 1000));
      const administrationId = await createAdministration(db, { name, country: 'NL', fiscalYears: [2026], now });
      await inTransaction(db, async (trx) => {
        const { addProduct } = fixturesOf(trx, administrationId);
        for (const articleNumber of articles) await addProduct({ articleNumber, stock: String(stock) });
      });
      const username = 'crash@example.com';
      const apiKey = await issueKey(db, { administrationId, username, label: 'crash', now });
      ids.set(apiKey, administrationId);
      return { username, apiKey };
    },
    async progress() {
      const { count } = await db
        .selectFrom('applied_write')
        .select((eb) => eb.fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async booksOf({ apiKey }) {
      const administrationId = ids.get(apiKey)!;
      const mutations = await db
        .selectFrom('stock_mutation')
        .innerJoin('product', 'product.id', 'stock_mutation.product_id')
        .where('administration_id', '=', administrationId)
        .where('cause', '=', 'update')
        .select('comment')
        .execute();
      const products = await db
        .selectFrom('product')
        .where('administration_id', '=', administrationId)
        .select(['article_number', 'stock'])
        .execute();
      return {
        done: mutations.map(({ comment }) => comment),
        stock: new Map(
          products.map(({ article_number, stock }) => [article_number, Number(decimalText(stock, DECIMAL_SCALE))]),
        ),
        findings: await Array.fromAsync(checkAdministration(db, administrationId)),
      };
    },
    close: () => db.destroy(),
  };
}
