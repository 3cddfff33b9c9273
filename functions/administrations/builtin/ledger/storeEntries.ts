import { sum } from '../../../../shared/money.ts';
import { addTotals } from '../balances/totals.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertRows, insertRowsInOrder } from '../sql/insertRows.ts';
import { newRow, type RowInput } from '../sql/rows.ts';
import type { Cents, NewRow } from '../sql/schema.ts';

type LineColumns = Omit<
  RowInput<'journal_line'>,
  'id' | 'administration_id' | 'journal_entry_id' | 'date' | 'debit' | 'credit'
>;

/** An entry to store. Amounts of lines are positive for debit, negative for credit. */
export type NewEntry = Omit<RowInput<'journal_entry'>, 'id' | 'administration_id'> & {
  lines: readonly (LineColumns & { amount: Cents })[];
};

/**
 * Stores entries with their lines, and adds them to the totals of their accounts. Lines of zero are left out.
 * @throws Error for an entry whose debit and credit differ: a programming error
 */
export async function storeEntries(
  { db, administration }: Pick<EndpointContext, 'db' | 'administration'>,
  entries: readonly NewEntry[],
): Promise<void> {
  const owner = { administration_id: administration.id };
  for (const { description, lines } of entries) {
    const difference = sum(lines.map(({ amount }) => amount));
    if (difference !== 0n) throw new Error(`The entry of ${description} is off by ${difference} cents.`);
  }
  const rows = entries.map(({ lines: _, ...entry }) =>
    newRow('journal_entry', { ...owner, entry_number: '', ...entry }),
  );
  const ids = await insertRowsInOrder(db, 'journal_entry', rows);
  const lines: NewRow<'journal_line'>[] = [];
  for (const [index, { date, lines: ofEntry }] of entries.entries()) {
    for (const { amount, ...line } of ofEntry) {
      if (amount === 0n) continue;
      const [debit, credit] = amount > 0n ? [amount, 0n] : [0n, -amount];
      lines.push(newRow('journal_line', { ...owner, journal_entry_id: ids[index]!, date, ...line, debit, credit }));
    }
  }
  await insertRows(db, 'journal_line', lines);
  await addTotals(db, administration.id, lines);
}
