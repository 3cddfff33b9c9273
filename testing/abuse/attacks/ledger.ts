import { equal } from 'node:assert/strict';
import { type NewEntry, storeEntries } from '../../../functions/administrations/builtin/ledger/storeEntries.ts';
import { insertRows } from '../../../functions/administrations/builtin/sql/insertRows.ts';
import { newRow } from '../../../functions/administrations/builtin/sql/rows.ts';
import { writingIn } from '../../../functions/administrations/builtin/sql/transaction.ts';
import { MAX_FIGURES } from '../../../shared/resources/generalLedger/ledgerFigures.ts';
import { addDays } from '../../../shared/wire/calendarDate.ts';
import type { Target } from '../target.ts';
import type { Attack } from './attack.ts';

/* Questions about the ledger of an administration of seven busy years, by a key that may only read, and about its VAT. */

const FIRST_DAY = '2019-01-01';
const DAYS = 7 * 365;
const RELATIONS = 20_000;
/** Of each day: of customers, and of as many accounts. */
const LINES_OF_DAY = 40;
const ACCOUNTS = 20;
/** Of a year more, each with VAT. */
const VAT_ENTRIES = 30_000;

const busy = new WeakMap<Target, Promise<void>>();

/** Books seven years, once. */
const fillBooks = (target: Target): Promise<void> => {
  const filled = busy.get(target) ?? book(target);
  busy.set(target, filled);
  return filled;
};

async function book({ db, administrationId }: Target): Promise<void> {
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
        guid: 1_000_000n + BigInt(index),
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
      .where('guid', '>=', 1_000_000n)
      .select('id')
      .execute();
    const entries = Array.from({ length: DAYS }, (_, day) => ({
      journal: 'memorial' as const,
      date: addDays(FIRST_DAY, day),
      description: 'Day',
      created_on: 1n,
      lines: Array.from({ length: LINES_OF_DAY }, (_, line) => {
        const common = { document: '', cost_center: '', tax_code: '', tax_base: 0n, tax_amount: 0n, description: '' };
        return [
          {
            ...common,
            ledger_account_number: administration.debtor_account,
            relation_id: stored[(day * LINES_OF_DAY + line) % RELATIONS]!.id,
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
    for (let start = 0; start < VAT_ENTRIES; start += 1000) {
      const portion = Array.from({ length: 1000 }, (_, index) => vatEntry(start + index));
      await storeEntries({ db: trx, administration }, portion);
      await logSoFar();
    }
  });
}

function vatEntry(index: number): NewEntry {
  const document = String(index);
  const tax = { tax_code: '21% - Hoog', tax_base: -100n, tax_amount: -21n };
  return {
    journal: 'memorial',
    date: addDays('2026-01-01', index % 365),
    description: document,
    created_on: 1n,
    lines: [
      { ledger_account_number: '1300', document, amount: 121n },
      { ledger_account_number: '8000', document, amount: -100n },
      { ledger_account_number: '1500', document, amount: -21n, ...tax },
    ],
  };
}

const asking = (name: string, path: string): Attack => ({
  name,
  async prepare(target) {
    await fillBooks(target);
    return async () => {
      const { status, body } = await target.read({ method: 'GET', path });
      equal(status, 200, body.slice(0, 1000));
      return `${(body.length / 1e6).toFixed(1)} MB`;
    };
  },
});

const each = (parameter: string, text: (index: number) => string): string =>
  Array.from({ length: MAX_FIGURES }, (_, index) => `${parameter}=${text(index)}`).join('&');

export const ledgerAttacks: readonly Attack[] = [
  asking('figures of the most periods', `/ledger/figures?${each('period', (index) => `2019..${2020 + (index % 6)}`)}`),
  asking(
    'open amounts on the most days',
    `/ledger/figures?${each('open', (index) => addDays('2024-01-01', index * 30))}`,
  ),
  asking('balances of all years', '/ledger/balances?from=2019&to=2025'),
  asking('the longest page of entries', '/ledger/entries?limit=1000000&account=1*&account=8*'),
  asking('the VAT return of a busy year', '/vat/return?period=2026'),
  asking('a page of its lines', '/vat/lines?period=2026'),
];
