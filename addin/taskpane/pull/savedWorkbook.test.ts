import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { createLedgerClient } from '../../../shared/client/ledgerClient.ts';
import { createProductClient } from '../../../shared/client/productClient.ts';
import { createVatClient } from '../../../shared/client/vatClient.ts';
import { openTestWorkbook } from '../../../testing/addin/workbook.ts';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { cellsUnderCharts, workbookProblems } from '../../../testing/exports/workbookProblems.ts';
import { openShop } from '../../../testing/shop.ts';
import { noRetry } from '../../excel/batch.ts';
import { attachCalculator } from '../../simulator/calculation/calculator.ts';
import { readFile } from '../../simulator/savedFile/readFile.ts';
import { writeFile } from '../../simulator/savedFile/writeFile.ts';
import { makeRequestSheet } from '../documentSheet/makeRequestSheet.ts';
import type { ListClients } from '../documentSheet/offeredLists.ts';
import { messagesOf } from '../locales/messages.ts';
import { makeProductSheet } from '../productSheet/makeProductSheet.ts';
import type { Question } from '../pulledLists/list.ts';
import { lists } from '../pulledLists/lists.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { pullAgeing, pullList, type RefreshContext } from './pulls.ts';

/* The workbooks that the pane makes, as files: checked by a reader that knows only what Excel requires. */

const ADD_IN = '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** What is asked of the lists that do not list everything. */
const questions: Readonly<Record<string, Question>> = {
  trialBalance: { Period: 'thisYear' },
  accountCard: { Account: '1300', Period: 'thisYear' },
  vatReturn: { Period: '2026-Q3' },
};

/** A workbook with every sheet that the pane makes of a furnished administration. */
async function everySheet(language: 'en' | 'nl') {
  app.setTime(Date.UTC(2026, 9, 20, 11) / 1000);
  const shop = await openShop(app);
  for (const [InvoiceDate, SubTotalInclTax] of [
    ['01-07-2026', 121],
    ['30-09-2026', -60.5],
  ] as const) {
    await shop.accepted('addsalestransaction', {
      CustomerNumber: 7,
      InvoiceDate,
      Invoice_InvoiceLine: [{ SubTotalInclTax, TaxCode: '21% - Hoog' }],
    });
  }
  const excel = openTestWorkbook(language);
  attachCalculator(excel.workbook);
  const { credential } = shop;
  const service = { base: app.url, credential, fetch };
  const messages = messagesOf[language];
  const administration = { id: 'c1', label: "Bakkerij 't Hoekje & [zonen]" };
  const clients = {
    client: createClient(app.url, credential, fetch),
    ledger: createLedgerClient(service),
    vat: createVatClient(service),
    products: createProductClient(service),
    // Nothing was pushed yet.
    pushes: {
      page: async () => ({ pushes: [] }),
      changes: async () => ({ rows: [] }),
    } as unknown as ListClients['pushes'],
  };
  const context: RefreshContext = {
    ...clients,
    exports: { list: async () => [], async *relations() {} },
    messages,
    administration,
    retry: noRetry,
    now: () => new Date('2026-10-20T10:00:00Z'),
  };
  for (const list of Object.values(lists)) await pullList(context, list, questions[list.view] ?? {});
  await pullAgeing(context, {});
  await makeProductSheet(messages, administration, 'Absolute', [{}, {}]);
  for (const sheet of Object.values(requestSheets)) {
    await makeRequestSheet(sheet, messages, administration, clients, noRetry);
  }
  excel.workbook.settle();
  return excel.workbook;
}

test.each(['en', 'nl'] as const)(
  'Every sheet of the pane (%s) is in the file as Excel requires, also when it was opened',
  async (language) => {
    const workbook = await everySheet(language);
    const tables = workbook.sheets.flatMap((sheet) => sheet.tables);
    const made = Object.keys(lists).length + Object.keys(requestSheets).length + 2;
    expect(tables.length).toBeGreaterThanOrEqual(made);
    expect(workbook.sheets.some(({ charts }) => charts.length > 0)).toBe(true);
    const file = await writeFile(workbook, ADD_IN);
    expect(workbookProblems(file)).toEqual([]);
    expect(cellsUnderCharts(file)).toEqual([]);
    const { workbook: again, leftOut } = await readFile(file, ADD_IN, language);
    expect(leftOut).toEqual([]);
    // Each page repeats the headings, and has all columns beside each other.
    const names = strFromU8(unzipSync(file)['xl/workbook.xml']!).matchAll(
      /"_xlnm.Print_Titles"[^>]* localSheetId="(\d+)"[^>]*>[^<]*!([^<!]*)</g,
    );
    const titles = new Map([...names].map(([, sheet, rows]) => [workbook.sheets[Number(sheet)], rows]));
    for (const sheet of workbook.sheets.filter((one) => one.tables.length > 0)) {
      const heading = sheet.tables[0]!.area.row + 1;
      expect([sheet.name, titles.get(sheet)]).toEqual([sheet.name, `$${heading}:$${heading}`]);
      expect(sheet.print).toEqual({ orientation: 'Landscape', zoom: { horizontalFitToPages: 1 } });
    }
    expect(workbookProblems(await writeFile(again, ADD_IN))).toEqual([]);
  },
);
