import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/client/client.ts';
import { type SalesInvoice, salesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { noRetry } from '../../excel/batch.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { chartData } from '../../simulator/charts/chartSeries.ts';
import { insertCells } from '../../simulator/workbook/changes/shift.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import { growByTyping } from '../../simulator/workbook/changes/tableShape.ts';
import { messagesOf } from '../locales/messages.ts';
import { pullInvoices, type RefreshContext, refreshPull } from './pulls.ts';

/* The ageing overview on its sheet, in a simulated workbook under Microsoft's own client. */

let excel: TestWorkbook;
let invoices: SalesInvoice[];
beforeEach(() => {
  excel = openTestWorkbook();
  invoices = [
    owed(1, 'Jansen', '2026-03-10', '100'),
    owed(1, 'Jansen', '2026-01-20', '50.25'),
    owed(2, '=De Vries', '2025-10-01', '-20'),
    owed(3, 'Bakker', '2026-02-25', '300'),
    owed(3, 'Bakker', '2026-02-25', '0'),
  ];
});

let number = 0;
const owed = (customer: number, name: string, due: string, amount: string): SalesInvoice =>
  salesInvoice.parse({
    InvoiceNumber: String(++number),
    InvoiceType: 'INVOICING',
    InvoiceDate: '01-01-2026',
    InvoiceDueDate: due.split('-').reverse().join('-'),
    CustomerNumber: customer,
    CustomerName: name,
    InvoiceOutstandingAmount: amount,
  });

const contextIn = (language: 'en' | 'nl' = 'en', today = '2026-03-01'): RefreshContext => ({
  client: {
    listsalesinvoices: async ({ Offset = 0 }: { Offset?: number }) => (Offset === 0 ? invoices : []),
  } as unknown as Client,
  exports: { list: async () => [], async *relations() {} },
  messages: messagesOf[language],
  administration: { id: 'c1', label: 'Bakkerij' },
  retry: noRetry,
  today,
});

const rows = (name = 'Ageing') => excel.cells(name);
/** Types a heading beside the table, which then includes the column, as in Excel. */
const widen = (heading: string) => {
  growByTyping(excel.sheet('Ageing'), { row: FIRST - 1, column: 8, rows: 1, columns: 1 });
  excel.type('Ageing', FIRST - 1, 8, heading);
};
/** The first row of the table, counted from 0, and the chart above it. */
const FIRST = 23;
const chart = (name = 'Ageing') => chartData(excel.workbook, excel.sheet(name).charts[0]!);
const refresh = async (view: string, context = contextIn()) => {
  const { memory } = (await tablesInWorkbook()).find((table) => table.memory.view === view)!;
  return refreshPull(context, memory);
};

describe('The ageing overview', () => {
  it('has its administration, day and number of invoices above its totals and customers', async () => {
    const written = await pullInvoices(contextIn(), {}, true);
    expect(written.map(({ sheetName }) => sheetName)).toEqual(['Sales invoices', 'Ageing']);
    // The sheet of the invoices is shown first.
    expect(excel.workbook.active.name).toBe('Sales invoices');
    expect(
      rows()
        .slice(0, 3)
        .map(([first]) => first),
    ).toEqual([
      'Ageing overview of Bakkerij',
      'On 01-03-2026: 4 invoices outstanding, credits included',
      'Invoices of all dates',
    ]);
    expect(rows().slice(FIRST - 2)).toEqual([
      ['', 'Total', 100, 300, 50.25, 0, -20, 430.25],
      [
        'Customer number',
        'Customer',
        'Not due',
        '1-30 days',
        '31-60 days',
        '61-90 days',
        'Over 90 days',
        'Outstanding',
      ],
      ['3', 'Bakker', 0, 300, 0, 0, 0, 300],
      ['1', 'Jansen', 100, 0, 50.25, 0, 0, 150.25],
      ['2', '=De Vries', 0, 0, 0, 0, -20, -20],
    ]);
    expect(chart()).toMatchObject({
      categories: ['Bakker', 'Jansen', '=De Vries'],
      series: [
        { name: 'Not due', values: [0, 100, 0] },
        { name: '1-30 days', values: [300, 0, 0] },
        { name: '31-60 days', values: [0, 50.25, 0] },
        { name: '61-90 days', values: [0, 0, 0] },
        { name: 'Over 90 days', values: [0, 0, -20] },
      ],
    });
    expect(excel.sheet('Ageing').charts[0]!.title.text).toBe('Outstanding by customer: the first 10 of the table');
  });

  it('is refreshed with the invoices, and keeps the changes of the user', async () => {
    await pullInvoices(contextIn(), {}, true);
    const sheet = excel.sheet('Ageing');
    widen('Call');
    excel.type('Ageing', FIRST + 1, 8, 'next week');
    excel.type('Ageing', 0, 5, 'checked by Anna');
    // The user inserts a row above the totals, and changes the title and size of the chart.
    insertCells(sheet, { row: 20, column: 0, rows: 1, columns: 16_384 }, 'Down');
    excel.type('Ageing', 20, 0, 'my own words');
    Object.assign(sheet.charts[0]!, { width: 500, title: { text: 'Mine', visible: true } });
    invoices = [...invoices.slice(0, 2), owed(4, 'Nieuw', '2026-04-01', '1000.05')];

    const [, ageing] = await refresh('invoices', contextIn('nl', '2026-04-02'));
    expect(ageing).toMatchObject({ sheetName: 'Ageing', added: 1, removed: 2, retained: [] });
    expect(rows()[1]![0]).toBe('On 02-04-2026: 3 invoices outstanding, credits included');
    expect([rows()[0]![5], rows()[20]![0]]).toEqual(['checked by Anna', 'my own words']);
    expect(rows().slice(FIRST - 1)).toEqual([
      ['', 'Total', 0, 1100.05, 0, 50.25, 0, 1150.3, ''],
      [...rows()[FIRST]!.slice(0, 8), 'Call'],
      ['4', 'Nieuw', 0, 1000.05, 0, 0, 0, 1000.05, ''],
      ['1', 'Jansen', 0, 100, 0, 50.25, 0, 150.25, 'next week'],
    ]);
    expect(chart().categories).toEqual(['Nieuw', 'Jansen']);
    expect(sheet.charts).toHaveLength(1);
    expect(sheet.charts[0]).toMatchObject({ width: 500, title: { text: 'Mine' } });
  });

  it('shows zero for a customer without an outstanding amount whose row has a note', async () => {
    await pullInvoices(contextIn(), {}, true);
    widen('Call');
    excel.type('Ageing', FIRST, 8, 'paid yesterday');
    invoices = invoices.slice(0, 3);
    const [, ageing] = await refresh('ageing');
    expect(ageing).toMatchObject({ retained: ['3'] });
    expect(rows().find(([customer]) => customer === '3')).toEqual(['3', 'Bakker', 0, 0, 0, 0, 0, 0, 'paid yesterday']);
    expect(rows()[FIRST - 2]!.slice(0, 8)).toEqual(['', 'Total', 100, 0, 50.25, 0, -20, 130.25]);
  });

  it('keeps the sort order of the user', async () => {
    await pullInvoices(contextIn(), {}, true);
    sortTable(excel.sheet('Ageing').tables[0]!, [{ key: 1, ascending: true }]);
    invoices.push(owed(5, 'Aalbers', '2026-04-01', '1'));
    await refresh('invoices');
    expect(
      rows()
        .slice(FIRST)
        .map(([, name]) => name),
    ).toEqual(['=De Vries', 'Aalbers', 'Bakker', 'Jansen']);
    expect(chart().categories).toEqual(['=De Vries', 'Aalbers', 'Bakker', 'Jansen']);
  });

  it('does not restore a part that the user removed', async () => {
    await pullInvoices(contextIn(), {}, true);
    const sheet = excel.sheet('Ageing');
    sheet.charts = [];
    sheet.names = [];
    excel.type('Ageing', 0, 0, 'mine');
    invoices = [];
    await refresh('invoices');
    expect(sheet.charts).toEqual([]);
    expect(rows()[0]![0]).toBe('mine');
    expect(rows().slice(FIRST)).toEqual([]);
  });

  it('shows the ten customers with the largest amounts, and is made only on request', async () => {
    invoices = Array.from({ length: 14 }, (_, index) => owed(index, `C${index}`, '2026-03-10', String(index + 1)));
    await pullInvoices(contextIn(), { DateFrom: '2026-01-01' });
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Sales invoices']);
    await pullInvoices(contextIn(), { DateFrom: '2026-01-01' }, true);
    expect(rows()[2]![0]).toBe('Invoices dated from 01-01-2026');
    expect(chart().categories).toEqual(['C13', 'C12', 'C11', 'C10', 'C9', 'C8', 'C7', 'C6', 'C5', 'C4']);
  });

  it('is made without customers, and filled by a later refresh', async () => {
    const later = invoices;
    invoices = [];
    await pullInvoices(contextIn('nl'), {}, true);
    expect(rows('Ouderdom')[FIRST - 2]!.slice(1, 3)).toEqual(['Totaal', 0]);
    invoices = later;
    await refresh('invoices');
    expect(
      rows('Ouderdom')
        .slice(FIRST)
        .map(([, name]) => name),
    ).toEqual(['Bakker', 'Jansen', '=De Vries']);
    expect(chart('Ouderdom').categories).toEqual(['Bakker', 'Jansen', '=De Vries']);
    expect(rows('Ouderdom')[0]![0]).toBe('Ouderdomsoverzicht van Bakkerij');
  });
});
