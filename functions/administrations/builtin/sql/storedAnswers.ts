import { sql } from 'kysely';
import { EncodedList } from '../../../../shared/wire/encode.ts';
import { relationAnswers } from '../relations/relationAnswers.ts';
import { salesInvoiceAnswers } from '../sales/salesInvoiceAnswers.ts';
import type { Database } from './database.ts';

/*
 * Relations and invoices are read far more often than they are written, whole, a page at a time. So each row keeps its
 * answer as JSON text, derived from it and the rows that belong to it. Whoever changes any of those empties the text and,
 * before the transaction ends, calls one of the functions below. An empty one is derived while it is read: never stale,
 * only slower.
 */

/** Rows at a time: a statement can hold only so many values. */
const AT_A_TIME = 500;

/** Makes and keeps the answers of some relations. */
export async function keepRelationAnswers(db: Database, ids: readonly bigint[]): Promise<void> {
  const answers = [...(await relationAnswers(db, ids))];
  for (const some of inParts(answers)) {
    const made = sql.join(some.map(([id, answer]) => sql`(cast(${id} as bigint), ${answer})`));
    await sql`with made (id, answer) as (values ${made})
      update relation set answer = made.answer from made where relation.id = made.id`.execute(db);
  }
}

/** Makes and keeps the answers of some sales invoices. */
export async function keepSalesInvoiceAnswers(db: Database, ids: readonly bigint[]): Promise<void> {
  const answers = [...(await salesInvoiceAnswers(db, ids))];
  for (const some of inParts(answers)) {
    const made = sql.join(
      some.map(([id, { answer, lines_answer }]) => sql`(cast(${id} as bigint), ${answer}, ${lines_answer})`),
    );
    await sql`with made (id, answer, lines_answer) as (values ${made})
      update sales_invoice set answer = made.answer, lines_answer = made.lines_answer
      from made where sales_invoice.id = made.id`.execute(db);
  }
}

const inParts = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / AT_A_TIME) }, (_, part) =>
    list.slice(part * AT_A_TIME, (part + 1) * AT_A_TIME),
  );

/** Makes and keeps every answer of an administration that is empty, after an import. */
export async function keepAllAnswers(db: Database, administrationId: bigint): Promise<void> {
  const keepers = { relation: keepRelationAnswers, sales_invoice: keepSalesInvoiceAnswers } as const;
  for (const table of ['relation', 'sales_invoice'] as const) {
    let last = 0n;
    for (;;) {
      const rows = await db
        .selectFrom(table)
        .where('administration_id', '=', administrationId)
        .where('answer', '=', '')
        .where('id', '>', last)
        .orderBy('id')
        .limit(AT_A_TIME)
        .select('id')
        .execute();
      if (rows.length === 0) break;
      await keepers[table](
        db,
        rows.map((row) => row.id),
      );
      last = rows.at(-1)!.id;
    }
  }
}

/** A list of answers as they are kept; those that are empty are made. */
export async function answersOf<Answer>(
  rows: readonly { id: bigint; answer: string }[],
  make: (ids: readonly bigint[]) => Promise<Map<bigint, string>>,
): Promise<EncodedList<Answer>> {
  const missing = rows.filter((row) => row.answer === '').map((row) => row.id);
  const made = missing.length === 0 ? undefined : await make(missing);
  return new EncodedList(rows.map((row) => made?.get(row.id) ?? row.answer));
}
