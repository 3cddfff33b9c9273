import type { CompiledQuery, CreateTableBuilder, Dialect, Kysely, RawBuilder } from 'kysely';
import type { Database } from '../database.ts';

/** A table that is being made. */
export type NewTable = CreateTableBuilder<string, string>;

/** What SQLite and PostgreSQL do each in its own way. No other code asks which of the two it speaks to. */
export type SqlDialect = {
  /**
   * Kysely's dialect on a driver.
   * @param address a path or `:memory:` for SQLite, a `postgres://` URL for PostgreSQL
   */
  connect: (address: string) => Dialect;
  /** The type of a column of text, which is compared by its characters. */
  textType: RawBuilder<unknown>;
  bytesType: RawBuilder<unknown>;
  /** Adds the column `id`, which the database fills by itself. */
  addId: (table: NewTable) => NewTable;
  /** Lets who administers the server read and write all tables, those of later migrations too, where it knows such people. */
  grantToAdministrators: (db: Kysely<unknown>) => Promise<void>;
  /** The mark of a parameter in a statement. @param number which parameter, from 1 */
  placeholder: (number: number) => string;
  /** Keeps others from writing in an administration until the transaction ends. */
  lockAdministration: (transaction: Database, administrationId: bigint) => Promise<void>;
  /** Whether a database is a file of whoever runs the app, and no server that others reach. */
  isOwnFile: boolean;
  /**
   * Carries out a statement that may be left out: it waits for no writer.
   * @returns false when it was left out
   */
  executeIfFree: (db: Database, query: CompiledQuery) => Promise<boolean>;
  /** The statement that begins a transaction which sees one moment and blocks no writer. */
  beginSnapshot: string;
  /**
   * Whether an error lies with the database and may be gone at the next attempt: it cannot be reached, or is busy.
   * The transaction may have been committed all the same.
   */
  isTransientError: (error: Error) => boolean;
};
