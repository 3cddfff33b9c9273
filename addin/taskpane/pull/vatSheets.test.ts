import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeEntries } from '../../../functions/administrations/builtin/ledger/storeEntries.ts';
import { BooksChanged, createVatClient } from '../../../shared/client/vatClient.ts';
import { noLedger } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { libreOffice, openInLibreOffice } from '../../../testing/exports/libreOffice.ts';
import { openShop, type Shop } from '../../../testing/shop.ts';
import { folderOfTest } from '../../../testing/temporaryFolder.ts';
import { attachCalculator } from '../../simulator/calculation/calculator.ts';
import { writeFile as writeWorkbook } from '../../simulator/savedFile/writeFile.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
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
const LINES = 'VAT lines 2026-Q3';
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

  it('names a VAT code without a box in a row and in the remarks, and keeps its lines out of the boxes', async () => {
    await sell('01-07-2026', 121);
    await shop.addTaxCode({ percentage: '7', name: 'Eigen' });
    await sell('02-07-2026', 107, '7% - Eigen');
    await pullList(context(), vatReturn, { Period: '2026-Q3' });
    const shown = rowsOf(BOXES, ...amounts);
    expect(Object.keys(shown).at(-1)).toBe('–');
    expect(shown['–']).toEqual(['', '', 100, 7]);
    expect(shown['5a']).toEqual(['', 21, '', 21]);
    expect(rowsOf(BOXES, 'Description')['–']).toEqual(['In no box: tax codes without a rule']);
    expect(Object.keys(rowsOf('VAT remarks 2026-Q3')).join()).toContain('"7% - Eigen": no box is known for 100.00');
  });

  it('has all of a document without a box that is on several accounts', async () => {
    await shop.addTaxCode({ percentage: '21', name: 'Eigen', type: 'Purchase' });
    const line = { SubTotalInclTax: 121, TaxCode: '21% - Eigen' };
    await shop.accepted('addpurchasetransaction', {
      SupplierNumber: 3,
      InvoiceDate: '15-08-2026',
      Invoice_InvoiceLine: [
        { ...line, LedgerAccountNumber: '7000' },
        { ...line, LedgerAccountNumber: '4000' },
      ],
    });
    await pullList(context(), vatReturn, { Period: '2026-Q3' });
    expect(rowsOf(BOXES, ...amounts)['–']).toEqual(['', '', 200, 42]);
  });

  it('has the lines of each customer of an entry that has several', async () => {
    const { administrationId } = shop;
    const administration = await app.db
      .selectFrom('administration')
      .where('id', '=', administrationId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const relations = await app.db
      .selectFrom('relation')
      .where('administration_id', '=', administrationId)
      .orderBy('id')
      .limit(2)
      .select('id')
      .execute();
    const ofCustomers = relations.flatMap(({ id: relation_id }, index) => {
      const base = 10_000n * BigInt(index + 1);
      const tax = -(base * 21n) / 100n;
      const line = { relation_id, document: 'V1' };
      return [
        { ...line, ledger_account_number: '1300', amount: base - tax },
        { ...line, ledger_account_number: '8000', amount: -base },
        {
          ...line,
          ledger_account_number: '1500',
          amount: tax,
          tax_code: '21% - Hoog',
          tax_base: -base,
          tax_amount: tax,
        },
      ];
    });
    await storeEntries({ db: app.db, administration }, [
      { journal: 'sales', date: '2026-08-03', description: 'V1', created_on: 1n, lines: ofCustomers },
    ]);
    await pullList(context(), vatReturn, { Period: '2026-Q3' });
    expect(filledBoxes()).toMatchObject({ '1a': [300, 63, 300, 63] });
    // With the row of headings.
    expect(excel.sheet(LINES).tables[0]!.area.rows).toBe(3);
  });

  it('has each remark of a refreshed return once, also on documents with one number', async () => {
    const vat = clientOf(shop);
    const remarkOn = (tax: string) => ({ code: 'UNUSUAL_RATE', values: ['12', tax, '100.00'], message: '' });
    const remarking = {
      ...vat,
      vatReturn: async (period: string) => ({
        ...(await vat.vatReturn(period)),
        remarks: ['5.00', '7.00', '8.00'].map(remarkOn),
      }),
    };
    const remarks = () => Object.keys(rowsOf('VAT remarks 2026-Q3'));
    const pulled = () => pullList(context('en', { vat: remarking }), vatReturn, { Period: '2026-Q3' });
    await pulled();
    const all = ['5.00', '7.00', '8.00'].map((tax) => `12: ${tax} of VAT on 100.00 is no usual rate on its date.`);
    expect(remarks()).toEqual(all);
    await pulled();
    expect(remarks()).toEqual(all);
  });

  it('keeps what a person typed beside a row when it is refreshed, and counts no formula as a change', async () => {
    await sell('01-07-2026', 121);
    await pullList(context(), vatReturn, { Period: '2026-Q3' });
    const { row } = cellAt(BOXES, '1a', 'Box');
    await Excel.run(async (run) => {
      for (const name of [BOXES, LINES]) {
        run.workbook.worksheets.getItem(name).tables.getItemAt(0).columns.add(undefined, undefined, 'Note');
      }
      await run.sync();
    });
    excel.type(BOXES, row, 6, 'ask Piet');
    const { row: line } = cellAt(LINES, '1a', 'Box');
    excel.type(LINES, line, 14, 'checked');
    await sell('02-07-2026', 242);
    const [boxes, lines] = await pullList(context('en', { marksChanges: true }), vatReturn, { Period: '2026-Q3' });
    expect(boxes).toMatchObject({ work: 'refreshed', changed: 0, added: 0, removed: 0, marked: 0 });
    expect(lines).toMatchObject({ work: 'refreshed', changed: 0, added: 1, removed: 0 });
    expect(rowsOf(BOXES, ...amounts, 'Note')['1a']).toEqual([300, 63, 300, 63, 'ask Piet']);
    expect(valueAt(excel.sheet(LINES), line, 14)).toBe('checked');
    const [again] = await pullList(context('nl'), vatReturn, { Period: '2026-Q3' });
    expect(again).toMatchObject({ work: 'refreshed', sheetName: BOXES, changed: 0 });
  });

  it('has each formula in its own row when its rows are sorted before they are written', async () => {
    await sell('01-07-2026', 121);
    await buy('15-08-2026', 24.2, '21% - Inkoop hoog');
    let isSorted = false;
    excel.watch((_, body) => {
      if (isSorted || !body.includes('SUMIFS')) return undefined;
      isSorted = true;
      sortTable(excel.sheet(BOXES).tables[0]!, [{ key: 0, ascending: false }], false);
      return undefined;
    });
    await pullList(context(), vatReturn, { Period: '2026-Q3' });
    expect(isSorted).toBe(true);
    expect(filledBoxes()).toEqual({
      '1a': [100, 21, 100, 21],
      '5a': ['', 21, '', 21],
      '5b': ['', 4, '', 4.2],
      '5g': ['', 17, '', 16.8],
    });
  });

  it('stays right when its rows are sorted and its columns are renamed, and has values for a deleted column', async () => {
    await sell('01-07-2026', 121);
    await buy('15-08-2026', 24.2, '21% - Inkoop hoog');
    await pullList(context(), vatReturn, { Period: '2026-Q3' });
    sortTable(excel.sheet(BOXES).tables[0]!, [{ key: 0, ascending: false }], false);
    await Excel.run(async (run) => {
      const { columns } = run.workbook.worksheets.getItem(LINES).tables.getItemAt(0);
      columns.getItem('Base').name = 'Grondslag, netto';
      run.workbook.worksheets.getItem(BOXES).tables.getItemAt(0).columns.getItem('VAT to the cent').name = "It's #1";
      columns.getItem('VAT').delete();
      await run.sync();
    });
    await sell('02-07-2026', 242);
    await pullList(context(), vatReturn, { Period: '2026-Q3' });
    const shown = rowsOf(BOXES, ...amounts.slice(0, 3), "It's #1");
    expect(Object.keys(shown)[0]).toBe('5g');
    expect(shown).toMatchObject({
      '1a': [300, 63, 300, 63],
      '5a': ['', 63, '', 63],
      '5b': ['', 4, '', 4.2],
      '5g': ['', 59, '', 58.8],
    });
    expect(cellAt(BOXES, '1a', 'Base to the cent').formula).toContain('[Grondslag, netto]');
    for (const column of ["It's #1", 'VAT to declare']) expect(cellAt(BOXES, '1a', column).formula).toBeUndefined();
  });

  it('has boxes of 0 and an empty sheet of lines for a period without any, which later lines fill', async () => {
    const written = await pullList(context(), vatReturn, { Period: '2026-07' });
    expect(written.map(({ sheetName, rows }) => [sheetName, rows])).toEqual([
      ['VAT return 2026-07', 14],
      ['VAT lines 2026-07', 0],
    ]);
    expect(rowsOf('VAT return 2026-07', ...amounts)['5g']).toEqual(['', 0, '', 0]);
    await sell('01-07-2026', 121);
    await pullList(context(), vatReturn, { Period: '2026-07' });
    expect(rowsOf('VAT return 2026-07', ...amounts)['1a']).toEqual([100, 21, 100, 21]);
  });

  it('rounds in favour of who declares when that is asked, and says how and whether it was filed', async () => {
    await sell('01-07-2026', 60.5);
    await buy('15-08-2026', 24.2, '21% - Inkoop hoog');
    await pullList(context(), vatReturn, { Period: '2026-Q3', Rounding: 'favourable' });
    const [sheet] = excel.workbook.sheets.filter(({ name }) => name.startsWith('VAT return')).map(({ name }) => name);
    expect(rowsOf(sheet!, 'VAT to declare')).toMatchObject({ '1a': [10], '5b': [5], '5g': [5] });
    expect(
      excel
        .cells(sheet!)
        .slice(0, 3)
        .map(([cell]) => cell),
    ).toEqual(['VAT return 2026-Q3', '01-07-2026 – 30-09-2026', 'Not filed. Whole euros: in favour of who declares.']);
    await clientOf(shop).file('2026-Q3');
    await pullList(context(), vatReturn, { Period: '2026-Q3', Rounding: 'favourable' });
    expect(excel.cells(sheet!)[2]![0]).toBe('Filed on 20-10-2026. Whole euros: in favour of who declares.');
  });

  it('says what changed since it was filed', async () => {
    await sell('01-07-2026', 121);
    await clientOf(shop).file('2026-Q3');
    app.setTime(Date.UTC(2026, 9, 21, 11) / 1000);
    await sell('02-07-2026', 242);
    await pullList(context('nl'), vatReturn, { Period: '2026-Q3' });
    const remarks = Object.keys(rowsOf('Btw-opmerkingen 2026-Q3'));
    expect(remarks.filter((text) => text.includes('nadat deze aangifte was ingediend'))).toHaveLength(1);
  });

  it.each([
    ['nl', 'Btw-opmerkingen', '20-09-2026', '210,00', '1.000,00', '2.210,00'],
    ['fr', 'Remarques TVA', '20-09-2026', '210,00', '1 000,00', '2 210,00'],
    ['en', 'VAT remarks', '20-09-2026', '210.00', '1,000.00', '2,210.00'],
  ] as const)(
    'writes the days and the amounts of its remarks as %s does',
    async (language, name, day, tax, was, now) => {
      await sell('01-07-2026', 1210);
      await clientOf(shop).file('2026-Q3');
      app.setTime(Date.UTC(2026, 9, 21, 11) / 1000);
      await sell('20-09-2026', 1210);
      const changed = { code: 'CHANGED', values: ['1a', 'base', '1000.00', '2210.00'], message: '' };
      const found = await clientOf(shop).vatReturn('2026-Q3');
      const vat = { ...clientOf(shop), vatReturn: async () => ({ ...found, remarks: [...found.remarks, changed] }) };
      await pullList(context(language, { vat }), vatReturn, { Period: '2026-Q3' });
      const remarks = Object.keys(rowsOf(`${name} 2026-Q3`)).map((text) => text.replace(/[\u00a0\u202f]/g, ' '));
      const late = remarks.find((text) => text.includes(day));
      expect(late).toContain(tax);
      const both = remarks.find((text) => text.includes('1a'));
      expect(both).toContain(was);
      expect(both).toContain(now);
      expect(remarks.filter((text) => /\d{4}-\d\d-\d\d|\d{4}\.\d\d/.test(text))).toEqual([]);
    },
  );

  it('has the listing with its total', async () => {
    await sell('01-07-2026', 50, '0% - Goederen naar EU-landen');
    await sell('01-07-2026', 70, '0% - Diensten naar EU-landen');
    await pullList(context(), vatReturn, { Period: '2026-Q3' });
    const cells = excel.cells('VAT listing EU 2026-Q3');
    expect(cells.slice(-2).map((row) => row.slice(1, 5))).toEqual([
      ['Bakkerij Jansen', 'Supplies of goods', 'L', 50],
      ['Bakkerij Jansen', 'Supplies of services', 'S', 70],
    ]);
    excel.workbook.settle();
    expect(valueAt(excel.sheet('VAT listing EU 2026-Q3'), 4, 4)).toBe(120);
  });

  it('is refused, and makes no sheet, when the books change while its lines are read', async () => {
    await sell('01-07-2026', 121);
    const vat = clientOf(shop);
    const changing = {
      ...vat,
      async *vatLines(period: string) {
        await sell('02-07-2026', 242);
        yield* vat.vatLines(period);
      },
    };
    const before = excel.workbook.sheets.length;
    await expect(pullList(context('en', { vat: changing }), vatReturn, { Period: '2026-Q3' })).rejects.toThrow(
      BooksChanged,
    );
    expect(excel.workbook.sheets).toHaveLength(before);
  });

  it.skipIf(!libreOffice.isThere)(
    libreOffice.title('has Belgian boxes with the same figures in another program'),
    async () => {
      shop = await openShop(app, 'BE');
      await sell('01-07-2026', 121, '21% - Normaal tarief');
      await sell('02-07-2026', -24.2, '21% - Normaal tarief');
      await buy('03-07-2026', 60.5, '21% - Aankoop normaal tarief');
      await buy('04-07-2026', -12.1, '21% - Aankoop normaal tarief');
      await buy('05-07-2026', 100, '0% - Intracommunautaire verwerving');
      // Without results in the file, the other program calculates.
      excel = openTestWorkbook();
      await pullList(context(), vatReturn, { Period: '2026-Q3' });
      const file = path.join(folderOfTest(), 'vat.xlsx');
      await writeFile(file, await writeWorkbook(excel.workbook, '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea'));
      const rows = new Map((await openInLibreOffice(file))[BOXES]!.map((row) => [row[0], row]));
      const { boxes } = await clientOf(shop).vatReturn('2026-Q3');
      expect(boxes.filter(({ declared }) => declared !== '0').length).toBeGreaterThan(8);
      for (const { box, part, exact, declared } of boxes) {
        const cells = rows.get(box) ?? rows.get(`#${box}`)!;
        const shown = (part === 'base' ? [cells[2], cells[4]] : [cells[3], cells[5]]).map((cell) =>
          Number(cell!.replace(/[#,]/g, '')),
        );
        expect([box, part, ...shown]).toEqual([box, part, Number(declared), Number(exact)]);
      }
    },
  );
});
