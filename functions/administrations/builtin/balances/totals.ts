import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';

/** Totals in one statement; SQLite allows 32,766 values. */
const MAX_TOTALS = 5000;

type Line = Pick<Row<'journal_line'>, 'ledger_account_number' | 'date'> &
  Partial<Pick<Row<'journal_line'>, 'debit' | 'credit'>>;

/** Adds new lines to the totals of their accounts and days. */
export async function addTotals(db: Database, administrationId: bigint, lines: readonly Line[]): Promise<void> {
  const groups = Map.groupBy(lines, (line) => `${line.date} ${line.ledger_account_number}`);
  const totals = [...groups.values()].map((group) => ({
    administration_id: administrationId,
    ledger_account_number: group[0]!.ledger_account_number,
    date: group[0]!.date,
    debit: group.reduce((debit, line) => debit + (line.debit ?? 0n), 0n),
    credit: group.reduce((credit, line) => credit + (line.credit ?? 0n), 0n),
  }));
  for (let start = 0; start < totals.length; start += MAX_TOTALS) {
    await db
      .insertInto('ledger_total')
      .values(totals.slice(start, start + MAX_TOTALS))
      .onConflict((conflict) =>
        conflict.columns(['administration_id', 'ledger_account_number', 'date']).doUpdateSet((eb) => ({
          debit: eb('ledger_total.debit', '+', eb.ref('excluded.debit')),
          credit: eb('ledger_total.credit', '+', eb.ref('excluded.credit')),
        })),
      )
      .execute();
  }
}

/** Computes the totals of an administration from its lines again. */
export async function computeTotals(db: Database, administrationId: bigint): Promise<void> {
  await db.deleteFrom('ledger_total').where('administration_id', '=', administrationId).execute();
  await sql`insert into ledger_total (administration_id, ledger_account_number, date, debit, credit)
    select administration_id, ledger_account_number, date, cast(sum(debit) as bigint), cast(sum(credit) as bigint)
    from journal_line where administration_id = ${administrationId}
    group by administration_id, ledger_account_number, date`.execute(db);
}
