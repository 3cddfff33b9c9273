import type { Database } from './database.ts';

/** Does the work in one transaction: the one that is under way, or a new one. */
export const inTransaction = <T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);
