import type { CompiledQuery, CreateTableBuilder, Dialect, Kysely, RawBuilder } from 'kysely';

/** A table that is being created. */
export type NewTable = CreateTableBuilder<string, string>;

/** A connection, whatever its tables. */
type Connection = Pick<Kysely<never>, 'executeQuery'>;

/** The differences between SQLite and PostgreSQL. It knows SQL only, and no table of the app. */
export type SqlDialect = {
  name: 'sqlite' | 'postgres';
  /**
   * Kysely's dialect on a driver.
   * @param address a path or `:memory:` for SQLite, a `postgres://` URL for PostgreSQL
   * @param statementMinutes how long a statement may take on a server; left out: a minute
   */
  connect: (address: string, statementMinutes?: number) => Dialect;
  /** How many of some rows one statement inserts. Where statements are kept ready, few different ones come of it. */
  rowsTogether: (rows: number) => number;
  types: ColumnTypes;
  expressions: Expressions;
  triggers: Triggers;
  locks: Locks;
  ids: Ids;
  errors: {
    /**
     * Whether an error is transient: the database is unreachable or busy.
     * The transaction may have been committed all the same.
     */
    isTransient: (error: Error) => boolean;
    /** Whether an error says that a statement waited or worked for too long, and was undone. */
    isTimeout: (error: Error) => boolean;
  };
  /** Lets the statements of a transaction take any time: those of a migration may change all rows of a table. */
  letStatementsTakeLong: (transaction: Connection) => Promise<void>;
  /**
   * Has a server count the rows of all tables after many were written. It does so by itself within a minute; until then
   * it may take a table for empty, and join all rows of it with all of another.
   */
  countRows: (db: Connection) => Promise<void>;
  /** Lets administrators of the server read and write all tables, also of later migrations. */
  grantToAdministrators: (db: Connection) => Promise<void>;
};

type ColumnTypes = {
  /** Text, compared by code points. */
  text: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** Adds the column `id`, which the database fills. */
  addId: (table: NewTable) => NewTable;
};

type Expressions = {
  /** The mark of a parameter in a statement. @param number which parameter, from 1 */
  placeholder: (number: number) => string;
  /** A number that distinguishes the current transaction from simultaneous ones. */
  transactionId: string;
  /** Whether no other transaction has that number, also none that has ended. */
  isTransactionIdUnique: boolean;
  /** Whether a statement may have others that write in its `with`. */
  hasWritesInQueries: boolean;
  /** Whether two values differ; null equals null. */
  differ: (one: string, other: string) => string;
  /** A value as JSON text. */
  json: (value: string) => string;
  byteLength: (value: string) => string;
};

type Locks = {
  /** Locks a row against other writers until the transaction ends. */
  row: (transaction: Connection, table: string, id: bigint) => Promise<void>;
  /**
   * The statement that waits for all who have locked a row of a table, and keeps others waiting until the transaction
   * ends. It must be the first statement of a transaction that changes tables or triggers: one that locks a table after
   * another could end in a deadlock with a writer.
   */
  rowsOf: (table: string) => string;
  /**
   * Executes an optional statement without waiting for a writer.
   * @returns false when it was skipped
   */
  executeIfFree: <Tables>(db: Kysely<Tables>, query: CompiledQuery) => Promise<boolean>;
};

type Ids = {
  /** An id that no row of a table has had; undefined when the database itself gives such ids. */
  unused: (transaction: Connection, table: string) => Promise<bigint | undefined>;
  /** Stores that a deleted row of that table had an id. SQLite has room for the ids of one table. */
  retire: (transaction: Connection, table: string, id: bigint) => Promise<void>;
};

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
      /** Of a deletion: it is not refused then. */
      unless?: Exception;
      /**
       * SQL over the deleted row `old`: where triggers can refuse when the transaction ends, it is refused then, and only if
       * this holds.
       */
      ifAtEnd?: string;
    }
  | { into: string; columns: string; values: string }
);

/** A condition in SQL for a row by the value of one column. It is evaluated once for all rows with the same value. */
type Exception = { column: string; holds: (row: string) => string };

type Triggers = {
  /** The name of an inserted row in an action. */
  insertedRow: string;
  /** The statements that create a trigger; none when it is not needed. */
  create: (name: string, action: TriggerAction) => string[];
  drop: (name: string, table: string) => string[];
  /**
   * Whether triggers can refuse when the transaction ends. Where they cannot, they are removed during a transaction for
   * which they make an exception: nobody else writes then. On a server only their owner may remove them.
   */
  canRefuseAtEnd: boolean;
  /** A query for the existing triggers: name and table. */
  existing: string;
};
