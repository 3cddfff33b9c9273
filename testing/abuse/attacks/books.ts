import { type NewEntry, storeEntries } from '../../../functions/administrations/builtin/ledger/storeEntries.ts';
import { insertRows } from '../../../functions/administrations/builtin/sql/insertRows.ts';
import { newRow } from '../../../functions/administrations/builtin/sql/rows.ts';
import { writingIn } from '../../../functions/administrations/builtin/sql/transaction.ts';
import { addDays } from '../../../shared/wire/calendarDate.ts';
import type { Target } from '../target.ts';

/* Seven busy years of the attacker. */

const FIRST_DAY = '2019-01-01';
const DAYS = 7 * 365;
const RELATIONS = 20_000;
const FIRST_GUID = 1_000_000n;
const ACCOUNTS = 20;
/** The relation of a year more, with as many lines as all the others have, by its RelationGUID. */
export const BUSIEST = FIRST_GUID;

const busy = new WeakMap<Target, Promise<void>>();

/** Books seven years and one more, once. */
export const fillBooks = (target: Target): Promise<void> => {
  const filled = busy.get(target) ?? book(target);
  busy.set(target, filled);
  return filled;
};

async function book({ db, administrationId, linesOf }: Target): Promise<void> {
  const log = { administrationId, author: { origin: 'command', key: null, action: 'fill' }, now: 1n } as const;
  await writingIn(db, { ...log, grouping: 'counted' }, async (trx, { logSoFar }) => {
    const administration = await trx
      .selectFrom('administration')
      .where('id', '=', administrationId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const relations = Array.from({ length: RELATIONS }, (_, index) =>
      newRow('relation', {
        administration_id: administrationId,
        guid: FIRST_GUID + BigInt(index),
        name: `Customer ${index}`,
        is_business: 1n,
        created_on: 1n,
        changed_on: 1n,
      }),
    );
    await insertRows(trx, 'relation', relations);
    await logSoFar();
    const stored = await trx
      .selectFrom('relation')
      .where('administration_id', '=', administrationId)
      .where('guid', '>=', FIRST_GUID)
      .select('id')
      .execute();
    const entries = Array.from({ length: DAYS }, (_, day) => ({
      journal: 'memorial' as const,
      date: addDays(FIRST_DAY, day),
      description: 'Day',
      created_on: 1n,
      lines: Array.from({ length: linesOf.day }, (_, line) => {
        const common = { document: '', cost_center: '', tax_code: '', tax_base: 0n, tax_amount: 0n, description: '' };
        return [
          {
            ...common,
            ledger_account_number: administration.debtor_account,
            relation_id: stored[(day * linesOf.day + line) % RELATIONS]!.id,
            amount: 100n,
          },
          { ...common, ledger_account_number: String(8000 + (line % ACCOUNTS)), relation_id: null, amount: -100n },
        ];
      }).flat(),
    }));
    for (let start = 0; start < entries.length; start += 100) {
      await storeEntries({ db: trx, administration }, entries.slice(start, start + 100));
      await logSoFar();
    }
    const busiest = stored[0]!.id;
    for (let start = 0; start < linesOf.busyYear; start += PORTION) {
      const index = Array.from({ length: PORTION / LINES_OF_ENTRY }, (_, at) => start + at);
      await storeEntries({ db: trx, administration }, index.map(vatEntry));
      await storeEntries(
        { db: trx, administration },
        index.map((at) => openEntry(at, { account: administration.debtor_account, relation: busiest })),
      );
      await logSoFar();
    }
  });
}

const LINES_OF_ENTRY = 50;
const PORTION = 10_000;

const entryOf = (index: number, lines: NewEntry['lines']): NewEntry => ({
  journal: 'memorial',
  date: addDays('2026-01-01', index % 365),
  description: String(index),
  created_on: 1n,
  lines,
});

/** Lines with VAT, and their sum. */
function vatEntry(index: number): NewEntry {
  const tax = { tax_code: '21% - Hoog', tax_base: -100n, tax_amount: -21n };
  return entryOf(index, [
    ...Array.from({ length: LINES_OF_ENTRY }, () => ({ ledger_account_number: '1500', amount: -21n, ...tax })),
    { ledger_account_number: '8000', amount: 21n * BigInt(LINES_OF_ENTRY) },
  ]);
}

/** Lines of one relation, each of another document, and their sum. */
function openEntry(index: number, { account, relation }: { account: string; relation: bigint }): NewEntry {
  return entryOf(index, [
    ...Array.from({ length: LINES_OF_ENTRY }, (_, line) => ({
      ledger_account_number: account,
      relation_id: relation,
      document: `${index} ${line}`,
      amount: 100n,
    })),
    { ledger_account_number: '8000', amount: -100n * BigInt(LINES_OF_ENTRY) },
  ]);
}
