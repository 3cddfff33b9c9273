import type { CompiledQuery, CreateTableBuilder, Dialect, Kysely, RawBuilder } from 'kysely';
import type { Database } from '../database.ts';

/** A table that is being created. */
export type NewTable = CreateTableBuilder<string, string>;

/** The differences between SQLite and PostgreSQL. */
export type SqlDialect = {
  name: 'sqlite' | 'postgres';
  /**
   * Kysely's dialect on a driver.
   * @param address a path or `:memory:` for SQLite, a `postgres://` URL for PostgreSQL
   */
  connect: (address: string) => Dialect;
  /** The type of a text column, compared by code points. */
  textType: RawBuilder<unknown>;
  bytesType: RawBuilder<unknown>;
  /** Adds the column `id`, which the database fills. */
  addId: (table: NewTable) => NewTable;
  /** Lets administrators of the server read and write all tables, also of later migrations. */
  grantToAdministrators: (db: Kysely<unknown>) => Promise<void>;
  /** The mark of a parameter in a statement. @param number which parameter, from 1 */
  placeholder: (number: number) => string;
  /** An id that no administration has had; undefined when the database itself gives such ids. */
  newAdministrationId: (transaction: Database) => Promise<bigint | undefined>;
  /** Stores that a deleted administration had an id. */
  retireAdministrationId: (transaction: Database, id: bigint) => Promise<void>;
  /** Locks an administration against other writers until the transaction ends. */
  lockAdministration: (transaction: Database, administrationId: bigint) => Promise<void>;
  /** Whether a database is a local file, not a server. */
  isOwnFile: boolean;
  /**
   * Executes an optional statement without waiting for a writer.
   * @returns false when it was skipped
   */
  executeIfFree: (db: Database, query: CompiledQuery) => Promise<boolean>;
  /** The statement that begins a snapshot transaction, which blocks no writer. */
  beginSnapshot: string;
  /**
   * Whether an error is transient: the database is unreachable or busy.
   * The transaction may have been committed all the same.
   */
  isTransientError: (error: Error) => boolean;
  /** Whether an error says that a statement waited or worked for too long, and was undone. */
  isTimeout: (error: Error) => boolean;
} & LogSql;

/** The action of a trigger: it inserts a row into another table, or refuses the statement. */
export type TriggerAction = {
  table: string;
  /** `replace`: an insert that would take the place of a row, which SQLite does without deleting it. */
  operation: 'insert' | 'update' | 'delete' | 'truncate' | 'replace';
  /** SQL over the rows `old` and `new`. */
  condition?: string | undefined;
} & (
  | {
      refuse: string;
      /** Of a deletion, SQL with queries over the administration_id of a row: it may be deleted. */
      unless?: (row: string) => string;
      /** Refuse the deletion of rows whose administration still exists when the transaction ends, and no others. */
      withAdministration?: true;
    }
  | { into: string; columns: string; values: string }
);

/** The SQL of the log's triggers. */
type LogSql = {
  /** A number that distinguishes the current transaction from simultaneous ones. */
  transactionId: string;
  /** The name of an inserted row in an action. */
  insertedRow: string;
  /** Whether two values differ; null equals null. */
  differ: (one: string, other: string) => string;
  /** A value as JSON text. */
  json: (value: string) => string;
  byteLength: (value: string) => string;
  /** The statements that create a trigger; none when it is not needed. */
  trigger: (name: string, action: TriggerAction) => string[];
  dropTrigger: (name: string, table: string) => string[];
  /**
   * Waits for the writers of all administrations, and keeps others waiting until the transaction ends. It must be the
   * first statement of a transaction that changes tables or triggers: one that locks a table after another could end in
   * a deadlock with a writer.
   */
  lockSchema: string;
  /**
   * Whether a transaction that deletes rows of a log is checked when it ends: it may if it deletes their administration
   * too. Otherwise triggers refuse the statement, and are removed while an administration is deleted, since nobody else
   * writes then; on a server only their owner may do so.
   */
  checksLogDeletionAtEnd: boolean;
  /** A query for the existing triggers: name and table. */
  triggers: string;
};
