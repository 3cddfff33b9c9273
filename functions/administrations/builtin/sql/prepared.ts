import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import type { SqlDialect } from './dialects/dialect.ts';
import { dialectOf } from './dialects/dialectOf.ts';

/** Stands where a value will. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that is put together once, and carried out with other values each time. Putting one together costs several
 * times what SQLite needs to carry it out: worth it for what every request or every row of a push does.
 * @param make is given stand-ins for the values, which it may pass on as they are and nothing else: not look at them, nor
 *   spread them. A value that is null stays a value, so that `= null` finds nothing
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
