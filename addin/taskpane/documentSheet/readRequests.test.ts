import { describe, expect, it } from 'vitest';
import { openSheetToFill } from '../../../testing/addin/sheetToFill.ts';
import { noRetry } from '../../excel/batch.ts';
import type { Cell } from '../../excel/cell.ts';
import { natureOf } from '../../excel/cellNature.ts';
import { readTable, type TableRow } from '../../excel/tables/readTable.ts';
import { messagesOf } from '../locales/messages.ts';
import { DOCUMENT } from '../sheetColumns/requestColumns.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { readRequests } from './readRequests.ts';

const sheet = requestSheets.salesInvoiceRows;
const columns = ['Document', ...Object.keys(sheet.columns)];

const rowsOf = (rows: readonly Readonly<Record<string, Cell>>[]): TableRow[] =>
  rows.map((cells, index) => ({
    number: index + 2,
    cells: new Map(Object.entries(cells)),
    natures: new Map(Object.entries(cells).map(([key, cell]) => [key, natureOf(cell, 'General')])),
    addressOf: (key) => `${String.fromCharCode(65 + columns.indexOf(key))}${index + 2}`,
    hidden: false,
  }));

const read = (rows: readonly Readonly<Record<string, Cell>>[]) =>
  readRequests(rowsOf(rows), {
    sheet,
    messages: messagesOf.en,
    taxRates: new Map([['21% - High', '21']]),
  });

const line = (Document: string, Quantity: Cell, more: Readonly<Record<string, Cell>> = {}) => ({
  Document,
  ProductNumber: '0100',
  Quantity,
  UnitPriceExclTax: 12.5,
  TaxCode: '21% - High',
  ...more,
});

describe('Rows with the same document', () => {
  it('are its lines in their order, wherever they are, with the fields of any of them', () => {
    const [first, second] = read([
      line('A', 3),
      line('B', 1, { CustomerNumber: 7 }),
      line('A', 1, { CustomerNumber: 5 }),
    ]);
    expect(first).toMatchObject({ key: 'A', number: 2, rows: [2, 4], issues: [] });
    expect(first!.request).toMatchObject({
      CustomerNumber: '5',
      Invoice_InvoiceLine: [{ Quantity: '3' }, { Quantity: '1' }],
    });
    // 37.50 + 12.50 at 21% is 10.50 of VAT.
    expect(first!.totals).toEqual({ totalExclTax: '50.00', totalInclTax: '60.50' });
    expect(second!.request).toMatchObject({ CustomerNumber: '7' });
  });

  it('are refused where they differ in a field of the document', () => {
    const [document] = read([line('A', 1, { CustomerNumber: 5 }), line('A', 1, { CustomerNumber: 6 })]);
    expect(document!.issues).toEqual([
      {
        number: 3,
        column: 'CustomerNumber',
        address: 'B3',
        message: 'Customer number * (B3): expected the same as in the first row of the document, or nothing',
      },
    ]);
  });

  it('are refused by the rules of the interface at the cell of the line', () => {
    const [document] = read([line('A', 1, { CustomerNumber: 5 }), { Document: 'A', Description: 'no article' }]);
    expect(document!.issues.map(({ address, column }) => [address, column])).toEqual([
      ['E3', 'ProductNumber'],
      ['G3', 'Quantity'],
      ['H3', 'UnitPriceExclTax'],
    ]);
  });

  it('are refused by the name of the column when somebody deleted one that they need', async () => {
    const filled = await openSheetToFill('journalEntryRows', 2);
    for (const [row, side] of ['Debit', 'Credit'].entries()) {
      filled.put(row, DOCUMENT, 'M-1', '@');
      filled.put(row, side, 100, '#,##0.00');
    }
    const handle = await filled.handle();
    const { heading } = handle.memory.columns.find(({ key }) => key === 'LedgerAccountNumber')!;
    await Excel.run(async (context) => {
      context.workbook.tables.getItemAt(0).columns.getItem(heading).delete();
      await context.sync();
    });
    const rows = await readTable(handle, noRetry);
    const [entry] = readRequests(rows, {
      sheet: requestSheets.journalEntryRows,
      messages: messagesOf.en,
      taxRates: new Map(),
    });
    const { COLUMN_GONE } = messagesOf.en.problems.workbook;
    expect(entry!.issues).toEqual(
      [2, 3].map((number) => ({
        number,
        column: 'LedgerAccountNumber',
        address: `${number}:${number}`,
        message: `${COLUMN_GONE}: ${heading}`,
      })),
    );
  });

  it('are refused without a document, and with the invoice number of another', () => {
    const number = { CustomerNumber: 5, InvoiceNumber: '77' };
    const all = read([line('', 1, { CustomerNumber: 5 }), line('B', 1, number), line('C', 1, number)]);
    expect(all.map(({ issues }) => issues[0]!.column)).toEqual(['Document', 'InvoiceNumber', 'InvoiceNumber']);
  });

  it('count what mails a customer or begins periodic invoices', () => {
    const periodic = { PeriodicInvoiceTemplate: 'Yes', Periodic_StartingDate: '2027-01-01', Periodic_Frequency: 1 };
    const all = read([
      line('A', 1, { CustomerNumber: 5, EmailToCustomer: 'Yes' }),
      line('B', 1, { CustomerNumber: 5, ...periodic, Periodic_FrequencyUnit: 'Month' }),
      line('C', 1, { CustomerNumber: 5 }),
    ]);
    expect(all.map(({ confirmations }) => confirmations)).toEqual([['mails'], ['periodicInvoices'], []]);
  });
});

describe('Rows of journal entries', () => {
  const entries = requestSheets.journalEntryRows;
  const keys = ['Document', ...Object.keys(entries.columns)];
  const readEntries = (rows: readonly Readonly<Record<string, Cell>>[]) =>
    readRequests(
      rowsOf(rows).map((row) => ({
        ...row,
        addressOf: (key) => `${String.fromCharCode(65 + keys.indexOf(key))}${row.number}`,
      })),
      { sheet: entries, messages: messagesOf.en, taxRates: new Map() },
    );

  it('are entries whose accounts may have their names behind them', () => {
    const [entry] = readEntries([
      { Document: 1, EntryDate: '31-03-2026', Journal: 'Bank journal', LedgerAccountNumber: '4000 Rent', Debit: 12.5 },
      { Document: 1, LedgerAccountNumber: '1000', Credit: '12,50' },
    ]);
    expect(entry).toMatchObject({
      issues: [],
      totals: {},
      request: {
        EntryDate: '31-03-2026',
        Journal: 'bank',
        JournalEntry_Line: [
          { LedgerAccountNumber: '4000', Debit: '12.5' },
          { LedgerAccountNumber: '1000', Credit: '12.50' },
        ],
      },
    });
  });

  it('are refused at their document when debit and credit differ, and at the cell when a row has both', () => {
    const [unequal, both] = readEntries([
      { Document: 1, LedgerAccountNumber: '4000', Debit: 12.5 },
      { Document: 1, LedgerAccountNumber: '1000', Credit: 12 },
      { Document: 2, LedgerAccountNumber: '4000', Debit: 1, Credit: 1 },
    ]);
    expect(unequal!.issues).toEqual([
      {
        number: 2,
        column: 'Document',
        address: 'A2',
        message: 'expected as much debit as credit: 0.50 credit is missing',
      },
    ]);
    expect(both!.issues).toMatchObject([
      {
        number: 4,
        column: 'Debit',
        message: expect.stringContaining('expected an amount above 0 as either Debit or Credit'),
      },
    ]);
  });
});
