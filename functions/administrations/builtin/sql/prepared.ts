import { type Compilable, CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import type { SqlDialect } from './dialects/dialect.ts';
import { dialectOf } from './dialects/dialectOf.ts';

/** A placeholder for a value. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that is compiled once, for every request or every row of a push: in SQLite, compiling takes several times as
 * long as execution.
 * @param make gets placeholders for the values, which it may only pass on. `= null` matches nothing
 */
export function prepared<Values extends object, Row>(
  make: (db: Database, values: Values) => Compilable<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const ready = new Map<SqlDialect, CompiledQuery>();
  const places = new Proxy({}, { get: (_, name) => new Place(String(name)) }) as Values;
  return async (db, values) => {
    const dialect = dialectOf(db);
    let query = ready.get(dialect);
    if (query === undefined) {
      query = make(db, places).compile();
      ready.set(dialect, query);
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Place ? (values as Record<string, unknown>)[parameter.name] : parameter,
    );
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

/**
 * A statement in SQL that is put together once for each dialect: a new text is compared with all those that are ready,
 * letter by letter.
 * @param textOf has the placeholders of the dialect for the parameters
 */
export function preparedText<Row>(
  textOf: (dialect: SqlDialect) => string,
): (db: Database, parameters: readonly unknown[]) => Promise<Row[]> {
  const ready = new Map<SqlDialect, CompiledQuery>();
  return async (db, parameters) => {
    const dialect = dialectOf(db);
    let query = ready.get(dialect);
    if (query === undefined) {
      query = CompiledQuery.raw(textOf(dialect));
      ready.set(dialect, query);
    }
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
