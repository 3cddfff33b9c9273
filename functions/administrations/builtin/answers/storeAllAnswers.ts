import { relationAnswers } from '../relations/relationAnswers.ts';
import { salesInvoiceAnswers } from '../sales/salesInvoiceAnswers.ts';
import type { Database } from '../sql/database.ts';
import { type AnsweredTable, type Answers, storeAnswers, unanswered } from '../sql/storedAnswers.ts';

/** The functions that make stored answers. */
export const answerMakers: {
  [Table in AnsweredTable]: (db: Database, ids: readonly bigint[]) => Promise<Answers<Table>>;
} = {
  relation: relationAnswers,
  sales_invoice: salesInvoiceAnswers,
};

/** Makes and stores every empty answer of an administration, after an import. */
export async function storeAllAnswers(db: Database, administrationId: bigint): Promise<void> {
  const store = async <Table extends AnsweredTable>(table: Table) => {
    for await (const ids of unanswered(db, administrationId, table)) {
      await storeAnswers(db, table, await answerMakers[table](db, ids));
    }
  };
  await store('relation');
  await store('sales_invoice');
}
