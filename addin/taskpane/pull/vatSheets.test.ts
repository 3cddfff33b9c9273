import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVatClient } from '../../../shared/client/vatClient.ts';
import { noLedger } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { openShop, type Shop } from '../../../testing/shop.ts';
import { attachCalculator } from '../../simulator/calculation/calculator.ts';
import { valueAt } from '../../simulator/workbook/sheet.ts';
import { messagesOf } from '../locales/messages.ts';
import { vatReturn } from '../pulledLists/vatReturn.ts';
import { pullList, type RefreshContext } from './pulls.ts';

/* The sheets of a VAT return, from the app over HTTP, in a simulated workbook that calculates. */

let app: TestApp;
let shop: Shop;
let excel: TestWorkbook;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.setTime(Date.UTC(2026, 9, 20, 11) / 1000);
  shop = await openShop(app);
  open();
});

function open() {
  excel = openTestWorkbook();
  attachCalculator(excel.workbook);
}

const sell = (InvoiceDate: string, SubTotalInclTax: number, TaxCode = '21% - Hoog') =>
  shop.accepted('addsalestransaction', {
    CustomerNumber: 7,
    InvoiceDate,
    Invoice_InvoiceLine: [{ SubTotalInclTax, TaxCode }],
  });
const buy = (InvoiceDate: string, SubTotalInclTax: number, TaxCode: string) =>
  shop.accepted('addpurchasetransaction', {
    SupplierNumber: 3,
    InvoiceDate,
    Invoice_InvoiceLine: [{ SubTotalInclTax, TaxCode }],
  });

const clientOf = ({ credential }: Shop) => createVatClient({ base: app.url, credential, fetch });
const context = (language: 'en' | 'nl' | 'fr' = 'en', more: Partial<RefreshContext> = {}): RefreshContext => ({
  client: {} as RefreshContext['client'],
  ledger: noLedger,
  vat: clientOf(shop),
  exports: { list: async () => [], async *relations() {} },
  messages: messagesOf[language],
  administration: { id: 'c1', label: 'Jansen' },
  now: () => new Date('2026-10-20T10:00:00Z'),
  ...more,
});

/** The rows of a table by the cells of its first column: the values of others, as the formulas have them now. */
function rowsOf(sheetName: string, ...columns: string[]): Record<string, unknown[]> {
  excel.workbook.settle();
  const sheet = excel.sheet(sheetName);
  const { area, columns: all } = sheet.tables[0]!;
  const places = columns.map((name) => area.column + all.findIndex((column) => column.name === name));
  return Object.fromEntries(
    Array.from({ length: area.rows - 1 }, (_, row) => area.row + 1 + row).map((row) => [
      valueAt(sheet, row, area.column),
      places.map((column) => valueAt(sheet, row, column)),
    ]),
  );
}

/** The formula or the value of a cell of a row that is found by its first cell. */
function cellAt(sheetName: string, first: string, column: string) {
  const sheet = excel.sheet(sheetName);
  const { area, columns } = sheet.tables[0]!;
  const row = Array.from({ length: area.rows - 1 }, (_, place) => area.row + 1 + place).find(
    (place) => valueAt(sheet, place, area.column) === first,
  )!;
  const place = columns.findIndex(({ name }) => name === column);
  return { row, column: area.column + place, formula: sheet.rows[row]?.cells[area.column + place]?.formula };
}

const BOXES = 'VAT return 2026-Q3';
const amounts = ['Base to declare', 'VAT to declare', 'Base to the cent', 'VAT to the cent'];

/** The boxes with an amount, of the sheet. */
const filledBoxes = () =>
  Object.fromEntries(
    Object.entries(rowsOf(BOXES, ...amounts)).filter(([, cells]) =>
      cells.some((cell) => typeof cell === 'number' && cell !== 0),
    ),
  );

describe('The sheet of a VAT return', () => {
  it('has the boxes as formulas over the lines on the sheet beside it, as the return has them', async () => {
    await sell('01-07-2026', 121);
    await sell('30-09-2026', 60.5);
    await sell('30-09-2026', -10.9, '9% - Laag');
    await buy('15-08-2026', 100, '0% - Inkoop verlegd binnenland');
    await buy('15-08-2026', 24.2, '21% - Inkoop hoog');
    await sell('01-10-2026', 999);
    await pullList(context(), vatReturn, { Period: '2026-Q3' });
    expect(filledBoxes()).toEqual({
      '1a': [150, 32, 150, 31.5],
      '1b': [-10, -1, -10, -0.9],
      '2a': [100, 21, 100, 21],
      '5b': ['', 25, '', 25.2],
      '5a': ['', 52, '', 51.6],
      '5g': ['', 27, '', 26.4],
    });
    const { boxes } = await clientOf(shop).vatReturn('2026-Q3');
    const shown = rowsOf(BOXES, ...amounts);
    for (const { box, part, exact, declared } of boxes) {
      const [base, tax, baseCents, taxCents] = shown[box!]!;
      expect([box, part, ...(part === 'base' ? [base, baseCents] : [tax, taxCents])]).toEqual([
        box,
        part,
        Number(declared),
        Number(exact),
      ]);
    }
    for (const column of amounts) expect(cellAt(BOXES, '1a', column).formula).toMatch(/SUMIFS\(VAT_/);
    expect(Object.keys(shown).at(-1)).toBe('5g');
  });
});
