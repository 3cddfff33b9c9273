import { relationAnswers } from '../relations/relationAnswers.ts';
import { salesInvoiceAnswers } from '../sales/salesInvoiceAnswers.ts';
import type { Database } from '../sql/database.ts';
import { pagesOf } from './pages.ts';

/** The answers that are kept beside rows are what those rows say. */
export async function* checkAnswers(db: Database, administrationId: bigint): AsyncGenerator<string> {
  for await (const rows of pagesOf(db, administrationId, 'relation', ['answer'])) {
    const kept = rows.filter(({ answer }) => answer !== '');
    if (kept.length === 0) continue;
    const made = await relationAnswers(
      db,
      kept.map(({ id }) => id),
    );
    for (const { id, answer } of kept) if (made.get(id) !== answer) yield otherwise('relation', id);
  }
  for await (const rows of pagesOf(db, administrationId, 'sales_invoice', ['answer', 'lines_answer'])) {
    const kept = rows.filter(({ answer }) => answer !== '');
    if (kept.length === 0) continue;
    const made = await salesInvoiceAnswers(
      db,
      kept.map(({ id }) => id),
    );
    for (const { id, answer, lines_answer } of kept) {
      const now = made.get(id);
      if (now?.answer !== answer || now.lines_answer !== lines_answer) yield otherwise('sales_invoice', id);
    }
  }
}

const otherwise = (table: string, id: bigint): string =>
  `What is kept as the answer of ${table} ${id} is not what its rows say.`;
