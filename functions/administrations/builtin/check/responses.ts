import { responseMakers } from '../responses/storeAllResponses.ts';
import type { Database } from '../sql/database.ts';
import { pagesWith } from './pages.ts';

/** Reports stored responses that do not match their rows. */
export async function* checkResponses(db: Database, administrationId: bigint): AsyncGenerator<string> {
  for (const [table, columns] of [
    ['relation', ['answer']],
    ['sales_invoice', ['answer', 'lines_answer']],
  ] as const) {
    for await (const rows of pagesWith(db, administrationId, table, columns as readonly ['answer'])) {
      const stored = rows.filter(({ answer }) => answer !== '');
      if (stored.length === 0) continue;
      const ids = stored.map(({ id }) => id);
      const made: ReadonlyMap<bigint, Partial<Record<string, string>>> = await responseMakers[table](db, ids);
      for (const row of stored) {
        const right = Object.entries(made.get(row.id)!).every(
          ([column, response]) => row[column as 'answer'] === response,
        );
        if (!right) yield `The stored response of ${table} ${row.id} does not match its rows.`;
      }
    }
  }
}
