import fc from 'fast-check';
import { expect, it } from 'vitest';
import { centsText } from '../../../shared/money.ts';
import { centsOf } from '../../../shared/resources/generalLedger/journalEntry.ts';
import type { EntryLine } from '../../../shared/resources/generalLedger/ledgerEntry.ts';
import type { Cell } from '../../excel/cell.ts';
import { messagesOf } from '../locales/messages.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { counterRows } from './counterEntry.ts';
import { readRequests } from './readRequests.ts';

const messages = messagesOf.en;

const lineOf = (account: string, cents: bigint, more: Partial<EntryLine> = {}): EntryLine => ({
  entry: '41',
  journal: 'sales',
  entryNumber: '7',
  date: '2026-03-31',
  account,
  accountName: `Account ${account}`,
  description: 'Bread',
  debit: centsText(cents > 0n ? cents : 0n),
  credit: centsText(cents < 0n ? -cents : 0n),
  relationGUID: null,
  relationName: '',
  document: '2026-7',
  costCenter: '',
  taxCode: '',
  taxBase: '0',
  taxAmount: '0',
  ...more,
});

const relations = new Map([['99', { name: 'Bakery', customer: 12, supplier: 13 }]]);
const facts = { relations, date: '2026-03-31', messages };

/** What the sheet of journal entries reads in some rows. */
const read = (rows: readonly Record<string, Cell>[]) =>
  readRequests(
    rows.map((cells, index) => ({
      number: 2 + index,
      cells: new Map(Object.entries(cells)),
      natures: new Map(
        Object.keys(cells).map((column) => [column, column === 'EntryDate' ? ('date' as const) : undefined]),
      ),
      hidden: false,
      addressOf: (column: string) => `${column}${2 + index}`,
    })) as never,
    { sheet: requestSheets.journalEntryRows, messages, taxRates: new Map() },
  );

it('A counter-entry of a sales invoice has its lines on the other side, with tax, relation and document, and names it', () => {
  const relation = { relationGUID: '99', relationName: 'Bakery' };
  const tax = { taxCode: 'High', taxBase: '-100.00', taxAmount: '-21.00' };
  const lines = [lineOf('1300', 121_00n, relation), lineOf('8000', -100_00n, relation), lineOf('1500', -21_00n, tax)];
  const { rows, leftOut } = counterRows(lines, facts);
  expect(leftOut).toEqual([]);
  const [entry, ...others] = read(rows);
  expect([others, entry!.issues]).toEqual([[], []]);
  const named = 'Reversal of Sales journal 7 31-03-2026';
  const line = { Description: `${named}: Bread`, LineDocument: '2026-7' };
  expect(entry!.request).toEqual({
    EntryDate: '31-03-2026',
    Journal: 'memorial',
    EntryDescription: named,
    JournalEntry_Line: [
      { ...line, LedgerAccountNumber: '1300', Credit: '121', CustomerNumber: '12' },
      { ...line, LedgerAccountNumber: '8000', Debit: '100', CustomerNumber: '12' },
      { ...line, LedgerAccountNumber: '1500', Debit: '21', TaxCode: 'High', TaxBase: '100' },
    ],
  });
});

it('A counter-entry of an imported entry has what is taxed on the line of tax, and says what it cannot have', () => {
  const lines = [
    lineOf('8000', -100_00n, {
      journal: 'memorial',
      taxCode: 'High',
      taxBase: '-100',
      taxAmount: '-21',
      relationGUID: '5',
      relationName: 'Gone',
    }),
    lineOf('1500', -21_00n, { journal: 'memorial', taxCode: 'High', taxAmount: '-21' }),
    lineOf('8100', -50_00n, { journal: 'memorial', taxCode: 'Zero', taxBase: '-50' }),
    // What is taxed is on the other side of its line.
    lineOf('8200', -10_00n, { journal: 'memorial', taxCode: 'Odd', taxBase: '10' }),
    lineOf('1000', 181_00n, { journal: 'memorial' }),
  ];
  const { rows, leftOut } = counterRows(lines, facts);
  expect(rows.map(({ TaxCode = '', TaxBase = '', TaxAmount = '' }) => [TaxCode, TaxBase, TaxAmount])).toEqual([
    ['', '', ''],
    ['High', 100, ''],
    ['Zero', 50, 0],
    ['', '', ''],
    ['', '', ''],
  ]);
  expect(leftOut.sort()).toEqual(['Gone', 'VAT code Odd']);
});

it('An entry and its counter-entry leave every account as it was, whatever its lines are', () => {
  const amounts = fc.array(fc.tuple(fc.constantFrom('1000', '4000', '8000'), fc.bigInt(-(10n ** 10n), 10n ** 10n)), {
    minLength: 1,
    maxLength: 70,
  });
  fc.assert(
    fc.property(amounts, fc.constantFrom('memorial', 'bank', 'purchases'), (some, journal) => {
      const rest = -some.reduce((sum, [, cents]) => sum + cents, 0n);
      const all = [...some, ['2000', rest] as const].filter(([, cents]) => cents !== 0n);
      if (all.length === 0) return;
      const [entry] = read(
        counterRows(
          all.map(([account, cents]) => lineOf(account, cents, { journal })),
          facts,
        ).rows,
      );
      expect(entry!.issues).toEqual([]);
      const lines = entry!.request.JournalEntry_Line as {
        LedgerAccountNumber: string;
        Debit?: string;
        Credit?: string;
      }[];
      expect(lines.map((line) => [line.LedgerAccountNumber, -centsOf(line)])).toEqual(
        all.map(([account, cents]) => [account, cents]),
      );
    }),
  );
});
