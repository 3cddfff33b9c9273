import { onTestFinished } from 'vitest';
import { type NewEntry, storeEntries } from '../../functions/administrations/builtin/ledger/storeEntries.ts';
import { createAdministration } from '../../functions/administrations/builtin/setup/createAdministration.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { insertRows } from '../../functions/administrations/builtin/sql/insertRows.ts';
import { writingIn } from '../../functions/administrations/builtin/sql/transaction.ts';
import { emptyDatabase } from '../database.ts';

/** An opening balance of a fiscal year: amounts by account, positive for debit. */
export type Opening = { start: string; end: string; amounts: Readonly<Record<string, bigint>> };

export type LedgerBooks = {
  /** The month in which fiscal years begin. */
  startMonth: number;
  openings: readonly Opening[];
  entries: readonly (Pick<NewEntry, 'date' | 'lines'> & Partial<NewEntry>)[];
};

/** A Dutch administration with its usual chart of 2025 and these books, in a new database, for one test. */
export async function ledgerBooks(books: LedgerBooks) {
  const { db } = await emptyDatabase();
  onTestFinished(() => db.destroy());
  const id = await createAdministration(db, { name: 'Books', country: 'NL', fiscalYears: [2025], now: 1n });
  await addBooks(db, id, books);
  return { db, id, administration: () => administrationIn(db, id) };
}

const administrationIn = (db: Database, id: bigint) =>
  db.selectFrom('administration').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

/** Adds openings and entries; an entry is in the memorial unless it says otherwise. */
export async function addBooks(db: Database, id: bigint, { startMonth, openings, entries }: LedgerBooks) {
  const log = { administrationId: id, author: { origin: 'command', key: null, action: 'test' }, now: 1n } as const;
  await writingIn(db, log, async (trx) => {
    const start = { fiscal_year_start: BigInt(startMonth) };
    await trx.updateTable('administration').where('id', '=', id).set(start).execute();
    for (const opening of openings) {
      const year = { administration_id: id, start_date: opening.start, end_date: opening.end, has_opening: 1n };
      const { id: fiscal_year_id } = await trx
        .insertInto('fiscal_year')
        .values(year)
        .returning('id')
        .executeTakeFirstOrThrow();
      const lines = Object.entries(opening.amounts).map(([ledger_account_number, amount]) => ({
        fiscal_year_id,
        ledger_account_number,
        debit: amount > 0n ? amount : 0n,
        credit: amount < 0n ? -amount : 0n,
      }));
      await insertRows(trx, 'opening_line', lines);
    }
    const usual = { journal: 'memorial', description: 'entry', created_on: 1n } as const;
    const administration = await administrationIn(trx, id);
    await storeEntries(
      { db: trx, administration },
      entries.map((entry) => ({ ...usual, ...entry })),
    );
  });
}
