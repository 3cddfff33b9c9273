import { sql } from 'kysely';
import type { Database } from './database.ts';
import { forStatements } from './insertRows.ts';
import { DOCUMENTS_OF_PAGE, pagesOf } from './pages.ts';

/*
 * Relations and invoices are read far more often than written, so each row stores its response as JSON text. A change to it
 * or its parts empties the text or stores the new one, in the same transaction. An empty response is made when it is read.
 */

/** The columns that hold a response. */
type ResponseColumns = { relation: 'answer'; sales_invoice: 'answer' | 'lines_answer' };
export type TableWithResponses = keyof ResponseColumns;
/** The responses of rows, by id. */
export type Responses<Table extends TableWithResponses> = ReadonlyMap<bigint, Record<ResponseColumns[Table], string>>;

/** Responses in one statement, which can hold a limited number of values. */
const BATCH_SIZE = 500;

/** Stores responses in their rows. */
export async function storeResponses<Table extends TableWithResponses>(
  db: Database,
  table: Table,
  responses: Responses<Table>,
): Promise<void> {
  const [first = {}] = responses.values();
  const columns = Object.keys(first) as ResponseColumns[Table][];
  const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = made.${sql.ref(column)}`));
  const lengthOf = ([, response]: readonly [bigint, Record<ResponseColumns[Table], string>]) =>
    columns.reduce((length, name) => length + response[name].length, 0);
  for (const batch of forStatements([...responses], BATCH_SIZE, lengthOf)) {
    const values = batch.map(
      ([id, response]) => sql`(${sql.join([sql`cast(${id} as bigint)`, ...columns.map((name) => response[name])])})`,
    );
    await sql`with made (${sql.join(['id', ...columns].map((name) => sql.ref(name)))}) as (values ${sql.join(values)})
      update ${sql.table(table)} set ${set} from made where ${sql.ref(`${table}.id`)} = made.id`.execute(db);
  }
}

/** The ids of rows with an empty response, in batches. */
export async function* withoutResponse(
  db: Database,
  administrationId: bigint,
  table: TableWithResponses,
): AsyncGenerator<bigint[]> {
  const rows = db.selectFrom(table).where('administration_id', '=', administrationId).where('answer', '=', '');
  for await (const page of pagesOf(rows.select('id'), ['id'], DOCUMENTS_OF_PAGE)) yield page.map(({ id }) => id);
}

/** Makes the responses that rows lack. @returns all of them */
export async function withResponses<Of extends { id: bigint; answer: string }>(
  rows: readonly Of[],
  make: (ids: readonly bigint[]) => Promise<ReadonlyMap<bigint, Partial<Of>>>,
): Promise<readonly Of[]> {
  const missing = rows.filter(({ answer }) => answer === '').map(({ id }) => id);
  if (missing.length === 0) return rows;
  const made = await make(missing);
  return rows.map((row) => ({ ...row, ...made.get(row.id) }));
}
