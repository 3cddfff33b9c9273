import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/client/client.ts';
import { type SalesInvoice, salesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { noLedger, noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { noRetry } from '../../excel/batch.ts';
import { remember, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { attachCalculator } from '../../simulator/calculation/calculator.ts';
import { chartData } from '../../simulator/sheetCharts/chartSeries.ts';
import { filterTable } from '../../simulator/workbook/changes/filter.ts';
import { insertCells } from '../../simulator/workbook/changes/shift.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import { growByTyping } from '../../simulator/workbook/changes/tableShape.ts';
import { messagesOf } from '../locales/messages.ts';
import { type PullProgress, pullAgeing, pullInvoices, type RefreshContext, refreshPull } from './pulls.ts';

/* The ageing overview on its sheet, in a simulated workbook under Microsoft's own client. */

let excel: TestWorkbook;
let invoices: SalesInvoice[];
beforeEach(() => {
  excel = openTestWorkbook();
  attachCalculator(excel.workbook);
  invoices = [
    owed(1, 'Jansen', '2026-03-10', '100'),
    owed(1, 'Jansen', '2026-01-20', '50.25'),
    owed(2, '=De Vries', '2025-10-01', '-20'),
    owed(3, 'Bakker', '2026-02-25', '300'),
    owed(3, 'Bakker', '2026-02-25', '0'),
  ];
});

let number = 0;
const owed = (customer: number, name: string, due: string, amount: string, date = '01-01-2026'): SalesInvoice =>
  salesInvoice.parse({
    InvoiceNumber: String(++number),
    InvoiceType: 'INVOICING',
    InvoiceDate: date,
    InvoiceDueDate: due.split('-').reverse().join('-'),
    CustomerNumber: customer,
    CustomerName: name,
    InvoiceOutstandingAmount: amount,
  });

/** The service lists the invoices from a date on, in pages of two. */
const listsalesinvoices = async ({ Offset = 0, DateFrom }: { Offset?: number; DateFrom?: string }) =>
  invoices
    .filter(({ InvoiceDate }) => DateFrom === undefined || InvoiceDate! >= DateFrom.split('-').reverse().join('-'))
    .slice(Offset, Offset + 2);

const contextIn = (language: 'en' | 'nl' = 'en', today = '2026-03-01'): RefreshContext => ({
  client: { listsalesinvoices } as unknown as Client,
  ledger: noLedger,
  vat: noVat,
  exports: { list: async () => [], async *relations() {} },
  messages: messagesOf[language],
  administration: { id: 'c1', label: 'Bakkerij' },
  retry: noRetry,
  now: () => new Date(`${today}T08:30:00Z`),
});

const rows = (name = 'Ageing') => {
  excel.workbook.settle();
  return excel.cells(name);
};
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
  it('has what nobody is named for once, also after a refresh', async () => {
    invoices = [{ ...owed(1, '', '2026-02-25', '40'), CustomerNumber: null }, owed(2, 'Bakker', '2026-02-25', '2')];
    await pullAgeing(contextIn(), {});
    expect(await refresh('ageing')).toMatchObject([{ added: 0, changed: 0, removed: 0 }]);
    expect(
      rows()
        .slice(FIRST - 2)
        .map((cells) => cells.at(-1)),
    ).toEqual([42, 'Outstanding', 40, 2]);
  });

  it('has its administration, day and number of invoices above its totals and customers', async () => {
    const written = await pullInvoices(contextIn(), {}, {});
    expect(written.map(({ sheetName }) => sheetName)).toEqual(['Sales invoices', 'Ageing']);
    // The sheet of the invoices is shown first.
    expect(excel.workbook.active.name).toBe('Sales invoices');
    expect(
      rows()
        .slice(0, 3)
        .map(([first]) => first),
    ).toEqual([
      'Ageing overview of Bakkerij',
      'All open invoices, whatever their date, credits included: 4. Amounts outstanding as of 01-03-2026 09:30.',
      'Days overdue are counted to 01-03-2026.',
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
    const { title, seriesColors } = excel.sheet('Ageing').charts[0]!;
    expect(title.text).toBe('Outstanding by customer and days overdue: the first 10 of the table');
    // Blue is not due, then from orange to dark red.
    expect(seriesColors).toEqual(['#5393C4', '#B86E00', '#A94410', '#8A1F0E', '#4A0606']);
  });

  it('is refreshed with the invoices, and keeps the changes of the user', async () => {
    await pullInvoices(contextIn(), {}, {});
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
    expect([rows()[1]![0], rows()[2]![0]]).toEqual([
      'All open invoices, whatever their date, credits included: 3. Amounts outstanding as of 02-04-2026 10:30.',
      'Days overdue are counted to 02-04-2026.',
    ]);
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
    await pullInvoices(contextIn(), {}, {});
    widen('Call');
    excel.type('Ageing', FIRST, 8, 'paid yesterday');
    invoices = invoices.slice(0, 3);
    const [ageing] = await refresh('ageing');
    expect(ageing).toMatchObject({ retained: ['3'] });
    expect(rows().find(([customer]) => customer === '3')).toEqual(['3', 'Bakker', 0, 0, 0, 0, 0, 0, 'paid yesterday']);
    expect(rows()[FIRST - 2]!.slice(0, 8)).toEqual(['', 'Total', 100, 0, 50.25, 0, -20, 130.25]);
  });

  it('adds up what a filter shows, and what the user changes', async () => {
    await pullInvoices(contextIn(), {}, {});
    const sheet = excel.sheet('Ageing');
    const [table] = sheet.tables;
    filterTable(table!, table!.columns[1]!, { filterOn: 'Custom', criterion1: '=Bakker' });
    expect(rows()[FIRST - 2]!.slice(1)).toEqual(['Total', 0, 300, 0, 0, 0, 300]);
    filterTable(table!, table!.columns[1]!, undefined);
    excel.type('Ageing', FIRST, 3, '200');
    expect(rows()[FIRST - 2]!.slice(1, 5)).toEqual(['Total', 100, 200, 50.25]);
  });

  it('keeps the sort order of the user', async () => {
    await pullInvoices(contextIn(), {}, {});
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
    await pullInvoices(contextIn(), {}, {});
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

  it('is of the open invoices of all dates, whatever the period of the invoices, and made only on request', async () => {
    invoices.push(owed(4, 'Later', '2026-02-28', '7', '01-02-2026'));
    await pullInvoices(contextIn(), { DateFrom: '2026-02-01' });
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Sales invoices from 1-2-2026']);
    const read: PullProgress[] = [];
    const context = { ...contextIn(), onFetched: (progress: PullProgress) => read.push(progress) };
    const [list, ageing] = await pullInvoices(context, { DateFrom: '2026-02-01' }, {});
    expect([list, ageing]).toMatchObject([{ rows: 1 }, { work: 'made', rows: 4 }]);
    expect(read).toEqual([...[2, 3, 4, 5, 6].map((rows) => ({ rows, reading: 'openInvoices' })), { rows: 1 }]);
    expect(rows()[FIRST - 2]!.at(-1)).toBe(437.25);
    // Refreshing the invoices of the period reads no others.
    expect(await refresh('invoices')).toHaveLength(1);
    expect(await refresh('ageing')).toMatchObject([{ work: 'refreshed', rows: 4 }]);
  });

  it('counts to a chosen day on a sheet of its own, also when it is refreshed later', async () => {
    await pullAgeing(contextIn(), {});
    await pullAgeing(contextIn(), { CountedTo: '2026-01-31' });
    const name = 'Ageing 31-01-2026';
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Ageing', name]);
    const isCounted = () => {
      expect(rows(name)[2]![0]).toBe('Days overdue are counted to 31-01-2026.');
      expect(rows(name)[FIRST - 2]!.slice(2)).toEqual([400, 50.25, 0, 0, -20, 430.25]);
    };
    isCounted();
    const { memory } = (await tablesInWorkbook()).find(({ sheetName }) => sheetName === name)!;
    await refreshPull(contextIn('en', '2026-05-01'), memory);
    isCounted();
    expect(rows(name)[1]![0]).toContain('as of 01-05-2026 10:30');
    expect(rows()[2]![0]).toBe('Days overdue are counted to 01-03-2026.');
  });

  it('of a period, as earlier versions made it, is refreshed to one of all open invoices', async () => {
    await pullAgeing(contextIn(), {});
    const [table] = await tablesInWorkbook();
    await Excel.run(async (context) => {
      const source = { ...table!.memory, query: { DateFrom: '2026-02-01' } };
      remember(context.workbook.worksheets.getItem('Ageing'), source);
      await context.sync();
    });
    excel.sheet('Ageing').charts[0]!.seriesColors = [];
    invoices.push(owed(4, 'Later', '2026-02-28', '7'));
    expect(await refresh('ageing')).toMatchObject([{ work: 'refreshed', sheetName: 'Ageing', added: 1 }]);
    expect((await tablesInWorkbook()).map(({ memory }) => memory.query)).toEqual([{}]);
    expect(rows()[FIRST - 2]!.at(-1)).toBe(437.25);
    expect(excel.sheet('Ageing').charts[0]!.seriesColors).toHaveLength(5);
  });

  it('shows the ten customers with the largest amounts', async () => {
    invoices = Array.from({ length: 14 }, (_, index) => owed(index, `C${index}`, '2026-03-10', String(index + 1)));
    await pullAgeing(contextIn(), {});
    expect(chart().categories).toEqual(['C13', 'C12', 'C11', 'C10', 'C9', 'C8', 'C7', 'C6', 'C5', 'C4']);
  });

  it('is not made without open invoices, and is filled again after it was emptied', async () => {
    const later = invoices;
    invoices = [];
    expect(await pullAgeing(contextIn('nl'), {})).toMatchObject([{ work: 'none', sheetName: 'Ouderdom' }]);
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
    invoices = later;
    await pullAgeing(contextIn('nl'), {});
    invoices = [];
    expect(await refresh('ageing')).toMatchObject([{ work: 'refreshed', rows: 0 }]);
    invoices = later;
    await refresh('ageing');
    expect(
      rows('Ouderdom')
        .slice(FIRST)
        .map(([, name]) => name),
    ).toEqual(['Bakker', 'Jansen', '=De Vries']);
    expect(chart('Ouderdom').categories).toEqual(['Bakker', 'Jansen', '=De Vries']);
    expect(rows('Ouderdom')[0]![0]).toBe('Ouderdomsoverzicht van Bakkerij');
  });
});
