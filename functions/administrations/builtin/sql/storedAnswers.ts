import { sql } from 'kysely';
import type { Database } from './database.ts';
import { pagesOf } from './pages.ts';

/*
 * Relations and invoices are read far more often than written, so each row stores its answer as JSON text. A change to it
 * or its parts empties the text or stores the new one, in the same transaction. An empty answer is made when it is read.
 */

/** The columns that hold an answer. */
type AnswerColumns = { relation: 'answer'; sales_invoice: 'answer' | 'lines_answer' };
export type AnsweredTable = keyof AnswerColumns;
/** The answers of rows, by id. */
export type Answers<Table extends AnsweredTable> = ReadonlyMap<bigint, Record<AnswerColumns[Table], string>>;

/** Answers in one statement, which can hold a limited number of values. */
const BATCH_SIZE = 500;

/** Stores answers in their rows. */
export async function storeAnswers<Table extends AnsweredTable>(
  db: Database,
  table: Table,
  answers: Answers<Table>,
): Promise<void> {
  const list = [...answers];
  const columns = Object.keys(list[0]?.[1] ?? {}) as AnswerColumns[Table][];
  const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = made.${sql.ref(column)}`));
  for (let start = 0; start < list.length; start += BATCH_SIZE) {
    const values = list
      .slice(start, start + BATCH_SIZE)
      .map(([id, answer]) => sql`(${sql.join([sql`cast(${id} as bigint)`, ...columns.map((name) => answer[name])])})`);
    await sql`with made (${sql.join(['id', ...columns].map((name) => sql.ref(name)))}) as (values ${sql.join(values)})
      update ${sql.table(table)} set ${set} from made where ${sql.ref(`${table}.id`)} = made.id`.execute(db);
  }
}

/** The ids of rows with an empty answer, in batches. */
export async function* unanswered(
  db: Database,
  administrationId: bigint,
  table: AnsweredTable,
): AsyncGenerator<bigint[]> {
  const rows = db.selectFrom(table).where('administration_id', '=', administrationId).where('answer', '=', '');
  for await (const page of pagesOf(rows.select('id'), ['id'])) yield page.map(({ id }) => id);
}

/** Makes the answers that rows lack. @returns all of them */
export async function withAnswers<Of extends { id: bigint; answer: string }>(
  rows: readonly Of[],
  make: (ids: readonly bigint[]) => Promise<ReadonlyMap<bigint, Partial<Of>>>,
): Promise<readonly Of[]> {
  const missing = rows.filter(({ answer }) => answer === '').map(({ id }) => id);
  if (missing.length === 0) return rows;
  const made = await make(missing);
  return rows.map((row) => ({ ...row, ...made.get(row.id) }));
}
