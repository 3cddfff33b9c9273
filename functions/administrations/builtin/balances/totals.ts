import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import { addToRows } from '../sql/insertRows.ts';
import type { Row } from '../sql/schema.ts';

type Line = Pick<Row<'journal_line'>, 'ledger_account_number' | 'date'> &
  Partial<Pick<Row<'journal_line'>, 'debit' | 'credit'>>;

/** Adds new lines to the totals of their accounts and days. */
export async function addTotals(db: Database, administrationId: bigint, lines: readonly Line[]): Promise<void> {
  const totals = new Map<string, Row<'ledger_total'>>();
  for (const { ledger_account_number, date, debit = 0n, credit = 0n } of lines) {
    const key = `${date} ${ledger_account_number}`;
    const total = totals.get(key);
    if (total === undefined) {
      totals.set(key, { administration_id: administrationId, ledger_account_number, date, debit, credit });
    } else {
      total.debit += debit;
      total.credit += credit;
    }
  }
  await addToRows(db, 'ledger_total', [...totals.values()], {
    key: ['administration_id', 'ledger_account_number', 'date'],
    numbers: ['debit', 'credit'],
  });
}

/** Computes the totals of an administration from its lines again. */
export async function computeTotals(db: Database, administrationId: bigint): Promise<void> {
  await db.deleteFrom('ledger_total').where('administration_id', '=', administrationId).execute();
  await sql`insert into ledger_total (administration_id, ledger_account_number, date, debit, credit)
    select administration_id, ledger_account_number, date, cast(sum(debit) as bigint), cast(sum(credit) as bigint)
    from journal_line where administration_id = ${administrationId}
    group by administration_id, ledger_account_number, date`.execute(db);
}
