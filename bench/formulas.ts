import path from 'node:path';
import { appBooks } from '../addin/taskpane/ledgerFormulas/appBooks.ts';
import { askedBooks } from '../addin/taskpane/ledgerFormulas/askedBooks.ts';
import { cellFunctions } from '../addin/taskpane/ledgerFormulas/cellFunctions.ts';
import { insertRows } from '../functions/administrations/builtin/sql/insertRows.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { newRow } from '../functions/administrations/builtin/sql/rows.ts';
import type { Credential } from '../shared/client/client.ts';
import { addDays } from '../shared/wire/calendarDate.ts';
import { newBooks } from './books.ts';
import { inFolder, median, type Ratio, startApp } from './measure.ts';

const ACCOUNTS = 200;
const DAYS = 2 * 365;
const ROUNDS = 5;
/** The most that 5,000 formulas may take. */
const [MAX_REQUESTS, MAX_MS] = [20, 2000];

/**
 * A sheet of 5,000 formulas as it is opened: balances and turnovers of 25 periods and 200 accounts, by the
 * functions that Excel calls, from the app over HTTP. No answer is known from before.
 */
export const measureFormulas = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const credential = await fill(`sqlite:${path.join(folder, 'ledgerline.sqlite')}`);
    const app = await startApp(folder);
    const times: number[] = [];
    let requests = 0;
    for (let round = 0; round < ROUNDS; round++) {
      requests = 0;
      const counted: typeof fetch = (...request) => {
        requests++;
        return fetch(...request);
      };
      const books = appBooks({ id: 'bench', label: 'Bench' }, { base: app.url, credential, fetch: counted });
      const store = { read: async () => undefined, write: async () => {}, keepOnly: async () => {} };
      const { BALANCE, TURNOVER } = cellFunctions(askedBooks({ findBooks: async () => books, store }));
      const start = performance.now();
      const cells = Array.from({ length: 5000 }, (_, cell) => {
        const account = String(4000 + (cell % ACCOUNTS));
        const row = Math.floor(cell / ACCOUNTS);
        const month = `${2025 + Math.floor(row / 12)}-${String((row % 12) + 1).padStart(2, '0')}`;
        return row % 2 === 0 ? BALANCE(account, month, '') : TURNOVER(account, '2025-01', month, '');
      });
      await Promise.all(cells);
      times.push(performance.now() - start);
    }
    await app.stop();
    return [
      { name: '5,000 formulas of a sheet, against 2 s', ours: median(times), bare: MAX_MS, unit: 'ms', aim: 1 },
      { name: 'their requests, against 20', ours: requests, bare: MAX_REQUESTS, unit: 'requests', aim: 1 },
    ];
  });

/** An administration with lines on 200 accounts each day of two years. @returns its key */
async function fill(databaseUrl: string): Promise<Credential> {
  const db = await openDatabase(databaseUrl);
  const { administrationId, credential } = await newBooks(db);
  const totals = Array.from({ length: DAYS * ACCOUNTS }, (_, index) => ({
    administration_id: administrationId,
    ledger_account_number: String(4000 + (index % ACCOUNTS)),
    date: addDays('2025-01-01', Math.floor(index / ACCOUNTS)),
    debit: 12_345n,
    credit: 0n,
  }));
  await insertRows(db, 'ledger_total', totals);
  for (let account = 0; account < ACCOUNTS; account++) {
    const row = newRow('ledger_account', {
      administration_id: administrationId,
      number: String(4000 + account),
      name: `Account ${account}`,
      fiscal_year: 2026n,
      ledger_type: 'IncomeStatement',
      debet_or_credit: 'debet',
    });
    // Some are in the chart that each administration begins with.
    await db
      .insertInto('ledger_account')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await db.destroy();
  return credential;
}
