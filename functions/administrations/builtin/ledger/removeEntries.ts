import { addTotals } from '../balances/totals.ts';
import type { Database } from '../sql/database.ts';

/** Deletes some hundreds of entries with their lines, and takes them from the totals of their accounts. */
export async function removeEntries(db: Database, administrationId: bigint, ids: readonly bigint[]): Promise<void> {
  const lines = await db.selectFrom('journal_line').where('journal_entry_id', 'in', ids).selectAll().execute();
  const taken = lines.map(({ ledger_account_number, date, debit, credit }) => ({
    ledger_account_number,
    date,
    debit: -debit,
    credit: -credit,
  }));
  await addTotals(db, administrationId, taken);
  // An account without lines on a day has no total of it.
  const totals = db.deleteFrom('ledger_total').where('administration_id', '=', administrationId);
  await totals.where('debit', '=', 0n).where('credit', '=', 0n).execute();
  await db.deleteFrom('journal_line').where('journal_entry_id', 'in', ids).execute();
  await db.deleteFrom('journal_entry').where('id', 'in', ids).execute();
}
