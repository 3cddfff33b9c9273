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

/** Forms of a statement that are kept ready: the ones that were used last. */
const MAX_FORMS = 100;

/**
 * A statement that is compiled once, for every request or every row of a push: in SQLite, compiling takes several times as
 * long as execution.
 * @param make gets placeholders for the values, which it may only pass on. `= null` matches nothing
 */
export function prepared<Values extends object, Row>(
  make: (db: Database, values: Values) => Compilable<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const execute = preparedForms(make);
  return (db, values) => execute(db, values, noForm);
}

const noForm = {};

/**
 * A statement in several forms, such as with and without a condition, each of which is compiled once.
 * @param make gets placeholders as that of `prepared`, and the form, of which alone its text depends
 */
export function preparedForms<
  Values extends object,
  Row,
  Form extends Readonly<Record<string, string | number | boolean>>,
>(
  make: (db: Database, values: Values, form: Form) => Compilable<Row>,
): (db: Database, values: Values, form: Form) => Promise<Row[]> {
  const ready = new Map<SqlDialect, Map<string, CompiledQuery>>();
  const places = new Proxy({}, { get: (_, name) => new Place(String(name)) }) as Values;
  return async (db, values, form) => {
    const dialect = dialectOf(db);
    let forms = ready.get(dialect);
    if (forms === undefined) {
      forms = new Map();
      ready.set(dialect, forms);
    }
    const key = Object.values(form).join();
    const query = forms.get(key) ?? make(db, places, form).compile();
    forms.delete(key);
    forms.set(key, query);
    if (forms.size > MAX_FORMS) forms.delete(forms.keys().next().value!);
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Place ? (values as Record<string, unknown>)[parameter.name] : parameter,
    );
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

/** The values of a list, of which a form tells how many there are. */
export type ListedValues = { readonly [name: `listed${number}`]: unknown };

/** The values of a list for a statement whose form has its length. */
export const valuesOf = (list: readonly unknown[]): ListedValues =>
  Object.fromEntries(list.map((value, index) => [`listed${index}`, value]));

/** A list whose last element is repeated up to a power of two, so that statements have few forms. */
export const filledUp = <T>(list: readonly T[]): T[] =>
  Array.from({ length: 2 ** Math.ceil(Math.log2(list.length)) }, (_, index) => list[index] ?? list.at(-1)!);

/** The placeholders of such a list. */
export const listed = <T>(values: ListedValues, length: number): T[] =>
  Array.from({ length }, (_, index) => values[`listed${index}`] as T);

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
