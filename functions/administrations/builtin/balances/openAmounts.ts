import { sql } from 'kysely';
import { centsText } from '../../../../shared/money.ts';
import type { LedgerFigures } from '../../../../shared/resources/generalLedger/ledgerFigures.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import type { Cents, Row } from '../sql/schema.ts';

type Administration = Pick<Row<'administration'>, 'id' | 'debtor_account' | 'creditor_account'>;

/**
 * What is open of each relation at the end of some days, in their order: debit less credit of its lines on the accounts of
 * customers and suppliers. An opening balance names no relations, so what it contains is not among them.
 */
export async function openAmounts(
  db: Database,
  { id, debtor_account, creditor_account }: Administration,
  days: readonly CalendarDate[],
): Promise<LedgerFigures['open']> {
  if (days.length === 0) return [];
  const lines = await db
    .selectFrom('journal_line')
    .where('administration_id', '=', id)
    .where('ledger_account_number', 'in', [debtor_account, creditor_account])
    .where('relation_id', 'is not', null)
    .groupBy('relation_id')
    .select('relation_id')
    .select(
      days.map((day, at) =>
        sql<Cents>`cast(sum(case when date <= ${day} then debit - credit else 0 end) as bigint)`.as(`open${at}`),
      ),
    )
    .execute();
  const relations = await db
    .selectFrom('relation')
    .where('administration_id', '=', id)
    .orderBy('guid')
    .select(['id', 'guid', 'customer_number', 'supplier_number', 'name'])
    .execute();
  const amounts = new Map(lines.map((line) => [line.relation_id, line]));
  return days.map((_, at) => ({
    relations: relations.flatMap((relation) => {
      const found = amounts.get(relation.id);
      if (found === undefined) return [];
      return {
        relationGUID: String(relation.guid),
        customerNumber: relation.customer_number === null ? null : Number(relation.customer_number),
        supplierNumber: relation.supplier_number === null ? null : Number(relation.supplier_number),
        name: relation.name,
        amount: centsText(found[`open${at}`]!),
      };
    }),
  }));
}
