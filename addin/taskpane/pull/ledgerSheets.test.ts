import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeEntries } from '../../../functions/administrations/builtin/ledger/storeEntries.ts';
import { writingIn } from '../../../functions/administrations/builtin/sql/transaction.ts';
import { createLedgerClient } from '../../../shared/client/ledgerClient.ts';
import { BooksChanged } from '../../../shared/client/vatClient.ts';
import { noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { deeper } from '../../../testing/deep.ts';
import { defaultRetry } from '../../excel/batch.ts';
import type { Cell } from '../../excel/cell.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { attachCalculator } from '../../simulator/calculation/calculator.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import { appBooks } from '../ledgerFormulas/appBooks.ts';
import { askedBooks } from '../ledgerFormulas/askedBooks.ts';
import { cellFunctions } from '../ledgerFormulas/cellFunctions.ts';
import type { FormulaProblem } from '../ledgerFormulas/formulaProblem.ts';
import { listsBehind } from '../ledgerFormulas/listsBehind.ts';
import { messagesOf } from '../locales/messages.ts';
import { accountCard } from '../pulledLists/accountCard.ts';
import { ledgerPeriodOf, periodBefore, yearBefore } from '../pulledLists/ledgerPeriod.ts';
import type { Question } from '../pulledLists/list.ts';
import { openItems } from '../pulledLists/openItems.ts';
import { trialBalance } from '../pulledLists/trialBalance.ts';
import { wrongFilters } from '../views/pullList/wrongFilters.ts';
import { type PullProgress, pullList, type RefreshContext, refreshPull } from './pulls.ts';

/* The sheets of the ledger, from the app over HTTP, in a simulated workbook under Microsoft's own client. */

type Lines = readonly (readonly [account: string, amount: string])[];

let app: TestApp;
let excel: TestWorkbook;
beforeAll(async () => {
  app = await startApp();
  for (const number of ['0540', '1000', '4000', '4100', '8000']) {
    const type = number < '4' ? 'BalanceSheet' : 'IncomeStatement';
    await app.addLedgerAccount({ number, name: `Account ${number}`, type });
  }
  await book('2025-11-05', 'bank', 'Paid in', [
    ['1000', '1000.00'],
    ['0540', '-1000.00'],
  ]);
  await book('2026-02-28', 'memorial', 'Rent', [
    ['4000', '300.10'],
    ['1000', '-300.10'],
  ]);
  await book('2026-05-01', 'cash', '=1+1', [
    ['1000', '120.00'],
    ['8000', '-120.00'],
  ]);
});
afterAll(() => app.close());
beforeEach(() => {
  excel = openTestWorkbook();
});

async function book(
  date: string,
  journal: 'bank' | 'memorial' | 'cash',
  description: string,
  amounts: Lines,
  document = '',
) {
  const log = {
    administrationId: app.administrationId,
    author: { origin: 'command', key: null, action: 'test' },
    now: 1n,
  };
  await writingIn(app.db, log as never, async (trx) => {
    const administration = await trx
      .selectFrom('administration')
      .where('id', '=', app.administrationId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const lines = amounts.map(([ledger_account_number, amount]) => ({
      ledger_account_number,
      amount: BigInt(amount.replace('.', '')),
      document,
    }));
    await storeEntries({ db: trx, administration }, [{ journal, date, description, created_on: 1n, lines }]);
  });
}

/** Each request has a connection of its own: a long test is busy for longer than the app keeps an idle one. */
const fetchAnew: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('Connection', 'close');
  return fetch(url, { ...init, headers });
};

const context = (language: 'en' | 'nl' = 'en'): RefreshContext => ({
  client: {} as RefreshContext['client'],
  ledger: createLedgerClient({ base: app.url, credential: app.credential, fetch: fetchAnew }),
  vat: noVat,
  exports: { list: async () => [], async *relations() {} },
  messages: messagesOf[language],
  administration: { id: 'c1', label: 'Jansen' },
  now: () => new Date('2026-06-15T10:00:00Z'),
});

/** The columns of a table below the part above it, without empty cells at the end. */
const tableOf = (sheet: string, ...columns: string[]): Cell[][] => {
  const rows = excel.cells(sheet);
  const top = rows.findIndex((row) => row.includes(columns[0]!));
  const places = columns.map((column) => rows[top]!.indexOf(column));
  return rows.slice(top + 1).map((row) => places.map((place) => row[place]!));
};

const formulasIn = (sheet: string, row: number): string[] =>
  (excel.sheet(sheet).rows[row]?.cells ?? []).flatMap((cell) => cell?.formula ?? []);

describe('A trial balance', () => {
  it('has opening, movements and closing of each account, those of the balance sheet first, beside a year earlier', async () => {
    await pullList(context(), trialBalance, { Period: 'thisYear' });
    const columns = ['Number', 'Type', 'Opening', 'Debit', 'Credit', 'Closing', 'Closing to compare'];
    expect(tableOf('Trial balance this year', ...columns)).toEqual([
      ['0540', 'Balance sheet', -1000, 0, 0, -1000, -1000],
      ['1000', 'Balance sheet', 1000, 120, 300.1, 819.9, 1000],
      ['4000', 'Income statement', 0, 300.1, 0, 300.1, 0],
      ['8000', 'Income statement', 0, 0, 120, -120, 0],
    ]);
  });

  it('has totals above it that are formulas, and texts in the language of the pane', async () => {
    await pullList(context('nl'), trialBalance, { DateFrom: '2026-01-01', DateTill: '2026-03-31' });
    const sheet = 'Saldibalans 1-1–31-3-2026';
    const [title, period] = excel.cells(sheet);
    expect([title![0], period![0]]).toEqual(['Saldibalans', '1-1–31-3-2026, ernaast: een jaar eerder']);
    expect(formulasIn(sheet, 6)).toEqual(
      ['D', 'E', 'F', 'G', 'H', 'I', 'J'].map((column) => `=SUBTOTAL(109,${column}9:${column}11)`),
    );
  });

  it('has a subtotal for each type of account, which stays right when rows are sorted and refreshed', async () => {
    attachCalculator(excel.workbook);
    await pullList(context('nl'), trialBalance, { DateFrom: '2026-01-01', DateTill: '2026-03-31' });
    const sheet = 'Saldibalans 1-1–31-3-2026';
    /** Name, type, and amounts of a row above the table. */
    const rowAbove = (row: number) => excel.cells(sheet)[row]!.slice(1);
    // In these months the rent of 300.10 was paid from the 1,000.00 that was paid in a year earlier.
    const [balanceSheet, result] = [
      ['Subtotaal', 'Balans', 0, 0, 300.1, -300.1, -300.1, 0, 0],
      ['Subtotaal', 'Winst en verlies', 0, 300.1, 0, 300.1, 300.1, 0, 0],
    ];
    expect([rowAbove(4), rowAbove(5)]).toEqual([balanceSheet, result]);
    expect(rowAbove(6)).toEqual(['Totaal', '', 0, 300.1, 300.1, 0, 0, 0, 0]);
    const table = excel.sheet(sheet).tables[0]!;
    sortTable(table, [{ key: 0, ascending: false }]);
    expect([rowAbove(4), rowAbove(5)]).toEqual([balanceSheet, result]);
    const [pulled] = await tablesInWorkbook();
    await refreshPull(context('nl'), pulled!.memory);
    expect([rowAbove(4), rowAbove(5)]).toEqual([balanceSheet, result]);
  });

  it('of an earlier version, which has no rows for subtotals, is refreshed without them', async () => {
    await pullList(context(), trialBalance, { Period: 'thisYear' });
    const sheet = 'Trial balance this year';
    await Excel.run(async (excelContext) => {
      const { names } = excelContext.workbook.worksheets.getItem(sheet);
      for (const name of ['Ledgerline_group_1', 'Ledgerline_group_2']) names.getItem(name).delete();
      excelContext.workbook.worksheets.getItem(sheet).getRange('5:6').clear('Contents');
      await excelContext.sync();
    });
    const [table] = await tablesInWorkbook();
    await refreshPull(context(), table!.memory);
    expect(excel.cells(sheet)[4]!.every((cell) => cell === '')).toBe(true);
    expect(formulasIn(sheet, 6)).toHaveLength(7);
  });

  it('can stand beside the period before, which has as many months', async () => {
    await pullList(context(), trialBalance, {
      DateFrom: '2026-05-01',
      DateTill: '2026-07-31',
      Compared: 'periodBefore',
    });
    const [{ name } = { name: '' }] = excel.workbook.sheets.filter((one) => one.name.startsWith('Trial balance'));
    expect(excel.cells(name)[1]![0]).toBe('1-5–31-7-2026, beside: the period before');
    const columns = ['Number', 'Movement', 'Movement to compare', 'Closing to compare'];
    // From February to April the rent was paid, and nothing sold.
    expect(tableOf(name, ...columns)).toEqual([
      ['0540', 0, 0, -1000],
      ['1000', 120, -300.1, 699.9],
      ['4000', 0, 300.1, 300.1],
      ['8000', -120, 0, 0],
    ]);
  });

  it('can stand beside any period, which a refresh asks for again', async () => {
    const question = {
      DateFrom: '2026-05-01',
      DateTill: '2026-05-31',
      Compared: 'otherDates',
      ComparedFrom: '2025-11-05',
      ComparedTill: '2026-02-27',
    };
    await pullList(context('nl'), trialBalance, question);
    const [{ name } = { name: '' }] = excel.workbook.sheets.filter((one) => one.name.startsWith('Saldibalans'));
    expect(excel.cells(name)[1]![0]).toBe('1-5–31-5-2026, ernaast: 5-11-2025–27-2-2026');
    const columns = ['Nummer', 'Mutatie', 'Mutatie ter vergelijking', 'Eindstand ter vergelijking'];
    // From 5 November, when 1,000.00 was paid in, to the day before the rent.
    const beside = [
      ['0540', 0, -1000, -1000],
      ['1000', 120, 1000, 1000],
      ['4000', 0, 0, 0],
      ['8000', -120, 0, 0],
    ];
    expect(tableOf(name, ...columns)).toEqual(beside);
    const [table] = await tablesInWorkbook();
    await refreshPull(context('nl'), table!.memory);
    expect(tableOf(name, ...columns)).toEqual(beside);
  });

  it.each([
    [{}, []],
    [{ Compared: 'periodBefore' }, []],
    [{ Compared: 'otherDates' }, ['Compared']],
    [{ Compared: 'otherDates', ComparedFrom: '2025-01-01' }, ['Compared']],
    [{ Compared: 'otherDates', ComparedFrom: '2025-02-01', ComparedTill: '2025-01-31' }, ['Compared']],
    [{ Compared: 'otherDates', ComparedFrom: '2025-01-31', ComparedTill: '2025-01-31' }, []],
  ])('that asks %o has as wrong filters %o', (question, wrong) => {
    expect(wrongFilters(trialBalance, question as Question)).toEqual(wrong);
  });

  it('is refreshed with accounts that have come', async () => {
    await pullList(context(), trialBalance, { Period: 'lastMonth' });
    const before = tableOf('Trial balance last month', 'Number').length;
    await book('2026-05-20', 'memorial', 'Correction', [
      ['4100', '1.00'],
      ['4000', '-1.00'],
    ]);
    const [table] = await tablesInWorkbook();
    const [written] = await refreshPull(context(), table!.memory);
    expect(written).toMatchObject({ work: 'refreshed', added: 1, removed: 0 });
    expect(tableOf('Trial balance last month', 'Number', 'Debit')).toContainEqual(['4100', 1]);
    expect(tableOf('Trial balance last month', 'Number')).toHaveLength(before + 1);
  });

  it.each([
    [{ DateFrom: '2026-02-01' }, { from: '2026-02-01', to: '2026-06-15' }],
    [{ DateFrom: '2026-07-01' }, { from: '2026-07-01', to: '2026-07-01' }],
    [{ DateTill: '2026-03-31' }, { to: '2026-03-31' }],
    [{ Period: 'lastMonth' }, { from: '2026-05-01', to: '2026-05-31' }],
    [{}, {}],
  ])('of %o is, on 15 June, one of %o', (question, period) => {
    expect(ledgerPeriodOf(question as Question, '2026-06-15')).toEqual(period);
  });

  it.each([
    ['2026-03-31', '2025-03-31'],
    ['2028-02-29', '2027-02-28'],
    ['2029-02-28', '2028-02-29'],
    ['2028-02-28', '2027-02-28'],
    ['2026-01-01', '2025-01-01'],
  ])('compares %s with %s', (day, before) => {
    expect(yearBefore(day)).toBe(before);
  });

  it.each([
    ['2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['2026-01-01', '2026-03-31', '2025-10-01', '2025-12-31'],
    ['2025-07-01', '2026-06-30', '2024-07-01', '2025-06-30'],
    ['2026-03-01', '2026-03-10', '2026-02-19', '2026-02-28'],
    ['2026-03-05', '2026-03-05', '2026-03-04', '2026-03-04'],
  ])('has %s to %s after %s to %s', (from, to, first, last) => {
    expect(periodBefore({ from, to })).toEqual({ from: first, to: last });
  });
});

describe('An account card', () => {
  it('has the lines of some accounts with the balance after each, from the opening on', async () => {
    await pullList(context(), accountCard, { Accounts: '1000', DateFrom: '2026-01-01', DateTill: '2026-05-01' });
    const sheet = (await tablesInWorkbook())[0]!.sheetName;
    const columns = ['Journal', 'Account', 'Description', 'Debit', 'Credit', 'Balance', 'Line'];
    expect(tableOf(sheet, ...columns)).toEqual([
      ['General journal', '1000', 'Rent', 0, 300.1, 699.9, 1],
      ['Cash journal', '1000', '=1+1', 120, 0, 819.9, 1],
    ]);
    // A text that looks like a formula stays a text.
    expect(excel.sheet(sheet).rows.flatMap((_, row) => formulasIn(sheet, row))).not.toContain('=1+1');
  });

  it('has ranges and beginnings of accounts, of this fiscal year when no period is asked for', async () => {
    await pullList(context(), accountCard, { Accounts: '0540, 4* 8000:8999' });
    const sheet = (await tablesInWorkbook())[0]!.sheetName;
    expect(tableOf(sheet, 'Account').flat()).toEqual(expect.arrayContaining(['4000', '8000']));
    expect(tableOf(sheet, 'Account').flat()).not.toContain('1000');
  });

  it('has the opening of an account without lines, and is refreshed when lines come', async () => {
    await pullList(context(), accountCard, { Accounts: '0540 4000', DateFrom: '2026-03-01', DateTill: '2026-04-30' });
    const sheet = (await tablesInWorkbook())[0]!.sheetName;
    const columns = ['Date', 'Journal', 'Account', 'Debit', 'Credit', 'Balance'];
    // The rent of February is in the opening of March; 1 March 2026 is day 46082 of Excel.
    expect(tableOf(sheet, ...columns)).toEqual([
      [46082, 'Opening', '0540', 0, 0, -1000],
      [46082, 'Opening', '4000', 0, 0, 300.1],
    ]);
    await book('2026-03-31', 'memorial', 'Rent of March', [
      ['4000', '1.00'],
      ['1000', '-1.00'],
    ]);
    const [table] = await tablesInWorkbook();
    await refreshPull(context(), table!.memory);
    expect(tableOf(sheet, 'Account', 'Balance').sort()).toEqual([
      ['0540', -1000],
      ['4000', 301.1],
    ]);
    // Its counter-entry, since the other sheets here add up the same months.
    await book('2026-03-31', 'memorial', 'Rent of March', [
      ['4000', '-1.00'],
      ['1000', '1.00'],
    ]);
  });

  it('of a document has a balance of its lines only', async () => {
    const amounts = [
      ['1000', '5.00'],
      ['8000', '-5.00'],
    ] as const;
    await book('2026-06-01', 'bank', 'Payment', amounts, 'F-7');
    await pullList(context(), accountCard, { Document: 'F-7', Period: 'thisYear' });
    const sheet = (await tablesInWorkbook())[0]!.sheetName;
    expect(tableOf(sheet, 'Account', 'Document', 'Balance', 'Line')).toEqual([
      ['1000', 'F-7', 5, 1],
      ['8000', 'F-7', -5, 2],
    ]);
  });

  it('of very many lines says how far it is, and leaves nothing when it is cancelled', async () => {
    const pages = deeper(5, 250);
    const line = { entry: '1', journal: 'memorial', date: '2026-03-01', account: '1000', debit: '0.10', credit: '0' };
    const ledger: RefreshContext['ledger'] = {
      ...context().ledger,
      async *entries(_, signal) {
        for (let page = 0; page < pages; page++) {
          signal?.throwIfAborted();
          yield new Array(2000).fill({ ...line, entry: String(page) });
        }
      },
    };
    const stop = new AbortController();
    const fetched: number[] = [];
    const cancelled = {
      ...context(),
      ledger,
      retry: { ...defaultRetry, signal: stop.signal },
      onFetched: ({ rows }: { rows: number }) => {
        fetched.push(rows);
        if (fetched.length === pages - 1) stop.abort(new Error('cancelled'));
      },
    };
    await expect(pullList(cancelled, accountCard, { Accounts: '1000', Period: 'thisYear' })).rejects.toThrow(
      'cancelled',
    );
    expect(fetched).toEqual(Array.from({ length: pages - 1 }, (_, page) => (page + 1) * 2000));
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
    const [written] = await pullList({ ...context(), ledger }, accountCard, { Accounts: '1000', Period: 'thisYear' });
    expect(written).toMatchObject({ work: 'made', rows: pages * 2000 });
    const balances = tableOf(written!.sheetName, 'Balance');
    expect(balances.at(-1)).toEqual([pages * 200 + 1000]);
  });

  it('without lines makes no sheet', async () => {
    await pullList(context(), accountCard, { Document: 'nothing', Period: 'thisYear' });
    expect(await tablesInWorkbook()).toEqual([]);
  });
});

describe('Open items', () => {
  it('are the documents that are open on a day by name, with what their accounts have beside them', async () => {
    const relations = await Promise.all([
      app.addRelation({ name: 'Zwart', customerNumber: 8 }),
      app.addRelation({ name: 'Ábel', customerNumber: 9 }),
    ]);
    const administration = await app.db
      .selectFrom('administration')
      .where('id', '=', app.administrationId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const control = '1300';
    const books = app.db.updateTable('administration').where('id', '=', app.administrationId);
    await books.set({ debtor_account: control, creditor_account: '1600' }).execute();
    await app.addLedgerAccount({ number: control, name: 'Debtors', type: 'BalanceSheet' });
    const log = {
      administrationId: app.administrationId,
      author: { origin: 'command', key: null, action: 'test' },
      now: 1n,
    };
    const entry = (date: string, relation: bigint | null, document: string, amount: bigint) => ({
      journal: 'memorial' as const,
      date,
      description: 'Sold or paid',
      created_on: 1n,
      lines: [
        { ledger_account_number: control, amount, document, relation_id: relation },
        { ledger_account_number: '8000', amount: -amount, document: '', relation_id: null },
      ],
    });
    await writingIn(app.db, log as never, (trx) =>
      storeEntries({ db: trx, administration }, [
        entry('2026-01-10', relations[0]!.id, 'F1', 10_000n),
        entry('2026-01-11', relations[1]!.id, 'F2', 5_005n),
        entry('2026-02-10', relations[0]!.id, 'F1', -10_000n),
        entry('2026-02-11', relations[1]!.id, 'F2', -2_000n),
        entry('2026-02-12', null, 'F3', 700n),
      ]),
    );
    const columns = ['Relation', 'Number', 'Document', 'Date', 'Debit', 'Credit', 'Open'];
    await pullList(context(), openItems, { At: '2026-01-31' });
    const [january] = await tablesInWorkbook();
    expect(tableOf(january!.sheetName, ...columns)).toEqual([
      ['Ábel', '9', 'F2', 46033, 50.05, 0, 50.05],
      ['Zwart', '8', 'F1', 46032, 100, 0, 100],
    ]);
    expect(formulasIn(january!.sheetName, 4)).toContainEqual(expect.stringMatching(/^=SUBTOTAL\(109,/));
    await pullList(context('nl'), openItems, {});
    const today = (await tablesInWorkbook()).at(-1);
    expect(today?.sheetName).toBe('Openstaande posten');
    expect(tableOf(today!.sheetName, 'Relatie', 'Document', 'Openstaand', 'Dagen te laat')).toEqual([
      ['Ábel', 'F2', 30.05, ''],
      ['–', '–', 7, ''],
    ]);
  });

  it('are refused, and make no sheet, when the books change while they are read page by page', async () => {
    const at = '2026-01-31';
    const item = (relationGUID: string, relationName: string, open: string) => ({
      ...{ relationGUID, relationName, customerNumber: 8, supplierNumber: null, account: '1300', document: 'F1' },
      ...{ date: '2026-01-10', dueDate: null, salesInvoice: null, debit: open, credit: '0', open },
    });
    const controls = (balance: string) => [{ account: '1300', name: 'Debtors', balance }];
    let balanceThen = '171.00';
    const ledger: RefreshContext['ledger'] = {
      ...context().ledger,
      async *openItems() {
        yield { at, items: [item('1', 'Zwart', '100.00')], controls: controls('150.00'), next: '1' };
        // Zwart got an invoice of 21.00 after its page was read.
        yield { at, items: [item('2', 'Bruin', '50.00')], controls: controls(balanceThen), next: null };
      },
    };
    const pulling = () => pullList({ ...context(), ledger }, openItems, { At: at });
    await expect(pulling()).rejects.toThrow(BooksChanged);
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
    balanceThen = '150.00';
    expect(await pulling()).toMatchObject([{ work: 'made', rows: 2 }]);
  });

  it('of very many documents say how far it is while they are read and written, and leave nothing when cancelled', async () => {
    const item = { relationGUID: '1', relationName: 'Zwart', customerNumber: 8, supplierNumber: null, account: '1300' };
    const amounts = { date: '2026-01-10', dueDate: null, salesInvoice: null, debit: '1.00', credit: '0', open: '1.00' };
    const pages = deeper(5, 20);
    const size = deeper(2500, 25_000);
    const ledger: RefreshContext['ledger'] = {
      ...context().ledger,
      async *openItems(_, signal) {
        for (let page = 0; page < pages; page++) {
          signal?.throwIfAborted();
          const items = Array.from({ length: size }, (_, at) => ({ ...item, ...amounts, document: `${page}-${at}` }));
          yield { at: '2026-01-31', items, controls: [], next: null };
        }
      },
    };
    /** What is told of a pull that is cancelled after some tellings, and what became of it. */
    async function pulled(cancelledAfter?: number) {
      const stop = new AbortController();
      const told: PullProgress[] = [];
      const onFetched = (progress: PullProgress) => {
        told.push(progress);
        if (told.length === cancelledAfter) stop.abort(new Error('cancelled'));
      };
      const retry = { ...defaultRetry, signal: stop.signal };
      const asked = { At: '2026-01-31', RelationGUID: '1' };
      const pulling = pullList({ ...context(), ledger, retry, onFetched }, openItems, asked);
      return { told, outcome: await pulling.catch((error: Error) => error.message) };
    }
    const reading = Array.from({ length: pages }, (_, page) => ({ rows: (page + 1) * size, reading: 'openItems' }));
    expect(await pulled(2)).toEqual({ told: reading.slice(0, 2), outcome: 'cancelled' });
    const told = [...reading, { rows: 5000 }, { rows: 10_000 }];
    expect(await pulled(told.length)).toEqual({ told, outcome: 'cancelled' });
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
    const { told: all, outcome } = await pulled();
    expect(outcome).toMatchObject([{ work: 'made', rows: pages * size }]);
    expect(all.at(-1)).toEqual({ rows: pages * size });
  });
});

describe('The entries behind a formula', () => {
  const administration = { id: 'c1', label: 'Jansen' };
  const store = { read: async () => undefined, write: async () => {}, keepOnly: async () => {} };
  const sources = () => {
    const books = appBooks(administration, { base: app.url, credential: app.credential, fetch: fetchAnew });
    const findBooks = async () => books;
    return { ...askedBooks({ findBooks, store, batchMs: 0 }), findBooks, ledger: context().ledger };
  };
  const call = (id: string, ...args: unknown[]) => ({ id, args, address: 'Sheet1!A1' });

  it.each([
    ['4*', '2026-01', '2026-Q2', '4*'],
    [[['4000'], [8000]], '2026', '2026', '4000, 8000'],
    ['4000:8999|0540', '2026-02-28', '2026-05', '4000, 8000, 4100, 0540'],
    ['1000:1299', '2025', '2025', '1000'],
    ['4100', '2025', '2025', '4100'],
  ])('for %j from %s to %s add up to its result', async (accounts, from, to, asked) => {
    const { ask, ...others } = sources();
    const turnover = await cellFunctions({ ask }).TURNOVER(accounts, from, to, null);
    const [behind, ...more] = await listsBehind([call('TURNOVER', accounts, from, to, null)], { ask, ...others }, 'c1');
    expect(more).toEqual([]);
    expect(behind!.question.Accounts!.split(', ').sort()).toEqual(asked.split(', ').sort());
    await pullList(context(), behind!.list, behind!.question);
    const [table] = await tablesInWorkbook();
    const rows = table === undefined ? [] : tableOf(table.sheetName, 'Debit', 'Credit');
    const cents = rows.reduce((sum, [debit, credit]) => sum + Math.round((Number(debit) - Number(credit)) * 100), 0);
    expect(cents).toBe(Math.round(Number(turnover) * 100));
  });

  it('of several calls are a card for each period, and what is open of a relation', async () => {
    const calls = [
      call('BALANCE', '4000', '2026-03', null),
      call('NAME', '4000', null),
      call('BALANCE', '8000', '2026-03', null),
      call('TURNOVER', '8*', '2026-03', '2026-03', null),
      call('OPEN', 'zwart', '2026-01', null),
    ];
    const lists = await listsBehind(calls, sources(), 'c1');
    expect(lists.map(({ list: { view }, question }) => [view, question])).toEqual([
      ['openItems', { At: '2026-01-31', RelationGUID: expect.stringMatching(/^\d+$/) }],
      ['accountCard', { Accounts: '4000, 8000', DateFrom: '2026-01-01', DateTill: '2026-03-31' }],
      ['accountCard', { Accounts: '8*', DateFrom: '2026-03-01', DateTill: '2026-03-31' }],
    ]);
  });

  it('are not shown for a name, for accounts that are not there, or from the books of another administration', async () => {
    const problemOf = (calls: ReturnType<typeof call>[], connected = 'c1') =>
      listsBehind(calls, sources(), connected).then(
        () => 'none',
        (error: FormulaProblem) => error.explain(messagesOf.en),
      );
    const { problems } = messagesOf.en.formulas;
    expect(await problemOf([call('NAME', '4000', null)])).toBe(problems.nothingBehind);
    expect(await problemOf([])).toBe(problems.nothingBehind);
    expect(await problemOf([call('BALANCE', '4711', 2026, null)])).toBe(problems.unknownAccount('4711'));
    expect(await problemOf([call('BALANCE', '4000', 2026, null)], 'c2')).toBe(problems.ofOther('Jansen'));
  });
});
