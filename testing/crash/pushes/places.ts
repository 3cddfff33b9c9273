import { checkAdministration } from '../../../functions/administrations/builtin/check/check.ts';
import type { Database } from '../../../functions/administrations/builtin/sql/database.ts';
import { openDatabase } from '../../../functions/administrations/builtin/sql/openDatabase.ts';
import { inTransaction } from '../../../functions/administrations/builtin/sql/transaction.ts';
import type { Credential } from '../../../shared/client/client.ts';
import { DECIMAL_SCALE, decimalText } from '../../../shared/money.ts';
import { addAdministration } from '../../fixtures/administration.ts';
import { fixturesOf } from '../../fixtures/fixtures.ts';
import { stockComments } from '../writes.ts';
import { startUnreliableService } from './unreliableService.ts';

/** The data that is stored for one credential. */
export type StoredData = {
  /** The comment of every applied write. */
  done: readonly string[];
  /** The stock of each article. */
  stock: ReadonlyMap<string, number>;
  /** The errors in the data. */
  findings: readonly string[];
};

export type Place = {
  /** The settings of an app for this target. */
  settings: Readonly<Record<string, string>>;
  /** The smallest and the largest number of rows of a push. */
  rows: readonly [number, number];
  /** Whether the outcome of every row becomes known. */
  isSure: boolean;
  /** Adds articles with the same stock. @param name unique @returns the credential for them */
  addInitialData(name: string, articles: readonly string[], stock: number): Promise<Credential>;
  /** A number that grows with each applied row. */
  progress(): number | Promise<number>;
  /** The data of a credential once all requests have ended. */
  storedData(credential: Credential): Promise<StoredData>;
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
    progress: service.received,
    async storedData({ apiKey }) {
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
      const { administrationId, credential } = await addAdministration(db, name);
      await inTransaction(db, async (trx) => {
        const { addProduct, addRelation } = fixturesOf(trx, administrationId);
        // An export of what changed finds them by their time.
        const createdOn = Math.floor(Date.now() / 1000);
        await addRelation({ name: 'Customer', customerNumber: 7, createdOn });
        await addRelation({ name: 'Supplier', supplierNumber: 3, createdOn });
        for (const articleNumber of articles) await addProduct({ articleNumber, stock: String(stock) });
      });
      ids.set(credential.apiKey, administrationId);
      return credential;
    },
    async progress() {
      const { count } = await db
        .selectFrom('applied_write')
        .select((eb) => eb.fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async storedData({ apiKey }) {
      const administrationId = ids.get(apiKey)!;
      const products = await db
        .selectFrom('product')
        .where('administration_id', '=', administrationId)
        .select(['article_number', 'stock'])
        .execute();
      return {
        done: [...(await stockComments(db, administrationId)), ...(await documentNotes(db, administrationId))],
        stock: new Map(
          products.map(({ article_number, stock }) => [article_number, Number(decimalText(stock, DECIMAL_SCALE))]),
        ),
        findings: await Array.fromAsync(checkAdministration(db, administrationId)),
      };
    },
    close: () => db.destroy(),
  };
}

/** The notes of every document. */
async function documentNotes(db: Database, administrationId: bigint): Promise<string[]> {
  const tables = ['sales_invoice', 'sales_order', 'purchase_invoice'] as const;
  const notesOf = (table: (typeof tables)[number]) =>
    db
      .selectFrom(table as 'sales_order')
      .where('administration_id', '=', administrationId)
      .select('notes')
      .execute();
  return (await Promise.all(tables.map(notesOf))).flat().map(({ notes }) => notes);
}
