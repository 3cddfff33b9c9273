import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import writeExcelFile, { type SheetData } from 'write-excel-file/node';
import { importInto, NOW } from '../../../../testing/builtin/imports.ts';
import { temporaryFolder } from '../../../../testing/temporaryFolder.ts';
import { plainMapping } from '../import/bind.ts';
import { importRows } from '../import/importRows.ts';
import { resources } from '../import/resources.ts';
import { readXlsx } from './readXlsx.ts';

const folder = temporaryFolder();
let files = 0;

const day = (text: string) => ({ value: new Date(`${text}Z`), type: Date, format: 'dd-mm-yyyy' }) as const;

async function workbook(sheets: Record<string, SheetData>): Promise<string> {
  const file = path.join(folder, `boek-${++files}.xlsx`);
  await writeExcelFile(Object.entries(sheets).map(([sheet, data]) => ({ sheet, data }))).toFile(file);
  return file;
}

/** A workbook of some data, with a part that is changed. */
async function changedWorkbook(data: SheetData, part: RegExp, by: (xml: string) => string): Promise<string> {
  const made = unzipSync(await writeExcelFile([{ sheet: 'Blad1', data }]).toBuffer());
  const name = Object.keys(made).find((one) => part.test(one))!;
  made[name] = new TextEncoder().encode(by(new TextDecoder().decode(made[name])));
  const file = path.join(folder, `boek-${++files}.xlsx`);
  writeFileSync(file, zipSync(made));
  return file;
}

/** A workbook whose sheet has the given XML of rows. */
const rawWorkbook = (rows: string): Promise<string> =>
  changedWorkbook([['x']], /worksheets\/sheet1\.xml$/, (xml) =>
    xml.replace(/<sheetData>.*<\/sheetData>/s, `<sheetData>${rows}</sheetData>`),
  );

async function cellsOf(file: string): Promise<(readonly string[])[]> {
  const rows = await Array.fromAsync((await readXlsx(file)).rows);
  return rows.map(({ cells }) => cells);
}

async function load(resource: keyof typeof resources, file: string, sheet?: string) {
  const { db, administrationId } = await importInto();
  const result = await importRows(db, resources[resource], await readXlsx(file, sheet), {
    administrationId,
    now: NOW,
    mapping: plainMapping,
  });
  return { db, result, problems: result.problems.map((one) => `${one.place}: ${one.column}: ${one.message}`) };
}

describe('an import from a workbook', () => {
  test('reads text as text, exact numbers, dates and booleans', async () => {
    const { db, result, problems } = await load(
      'products',
      await workbook({
        Artikelen: [
          ['ArticleNumber', 'Name', 'Price', 'StockQty', 'Archived', 'TaxCode', 'Custom: Vanaf (Date)'],
          ['0100', ' =1+1 ', 36.3, 0.1, true, '21% - Hoog', day('2026-03-31T00:00:00')],
          [null, null, null, null, null, null, null],
          [200, 'Nummer', 1234.56789, -3, false, null, '01-04-2026'],
        ],
      }),
    );
    expect(problems).toEqual([]);
    expect(result.counts.added).toBe(2);
    const rows = await db.selectFrom('product').orderBy('article_number').selectAll().execute();
    expect(rows).toMatchObject([
      { article_number: '0100', name: '=1+1', price: 3_630_000_000n, stock: 10_000_000n, archived: 1n },
      { article_number: '200', name: 'Nummer', price: 123_456_789_000n, stock: -300_000_000n, archived: 0n },
    ]);
    const fields = await db.selectFrom('product_custom_field').orderBy('value').select('value').execute();
    expect(fields.map(({ value }) => value)).toEqual(['2026-03-31', '2026-04-01']);
  });

  test('reads the sheet of the argument, else the first', async () => {
    const file = await workbook({
      Leeg: [],
      Een: [['Name'], ['Winkel']],
      Twee: [[null], ['Name'], ['Markt'], ['winkel']],
    });
    expect((await load('cost-centers', file, 'Twee')).result.counts.added).toBe(2);
    expect((await load('cost-centers', file, 'Een')).result.counts.added).toBe(1);
    await expect(readXlsx(file)).rejects.toThrow('expected a row of headings, got the empty sheet "Leeg"');
    await expect(readXlsx(file, 'Drie')).rejects.toThrow('expected a sheet "Drie", got "Leeg", "Een", "Twee"');
  });

  test('reads the result of a formula', async () => {
    const { db, problems } = await load(
      'cost-centers',
      await rawWorkbook(
        '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row><row r="2"><c r="A2" t="str"><f>"Win"&amp;"kel"</f><v>Winkel</v></c></row>',
      ),
    );
    expect(problems).toEqual([]);
    expect(await db.selectFrom('cost_center').select('name').execute()).toEqual([{ name: 'Winkel' }]);
  });

  test('reads texts and numbers that stand in sections of CDATA', async () => {
    const file = await rawWorkbook(
      `<row r="1"><c r="A1" t="inlineStr"><is><t><![CDATA[Naam]]></t></is></c><c r="B1" t="inlineStr"><is><t>Prijs</t></is></c></row>
      <row r="2"><c r="A2" t="inlineStr"><is><t><![CDATA[Brood & <b>beleg</b> é]]> &amp; zo</t></is></c><c r="B2"><v><![CDATA[1.5]]></v></c></row>
      <row r="3"><c r="B3"><v><![CDATA[2.5]]></v></c></row>`,
    );
    expect((await readXlsx(file)).headings).toEqual(['Naam', 'Prijs']);
    expect(await cellsOf(file)).toEqual([
      ['Brood & <b>beleg</b> é & zo', '1.5'],
      ['', '2.5'],
    ]);
  });

  // LibreOffice writes "true".
  test.each(['1', 'true'])('reads the dates of one that says %s to counting from 1904', async (word) => {
    const data = [['Datum'], [day('2022-03-30T00:00:00')]];
    const file = await changedWorkbook(data, /xl\/workbook\.xml$/, (xml) =>
      xml.replace(/<workbookPr[^>]*>/, '').replace('<sheets>', `<workbookPr date1904="${word}"/><sheets>`),
    );
    // The same number is 1462 days later.
    expect(await cellsOf(file)).toEqual([['2026-03-31']]);
  });

  test.each(['Europe/Amsterdam', 'America/New_York'])(
    'reads dates that are texts as the same days in %s',
    async (zone) => {
      vi.stubEnv('TZ', zone);
      onTestFinished(() => {
        vi.unstubAllEnvs();
      });
      expect(new Date(2026, 0, 1).getTimezoneOffset()).not.toBe(0);
      const dates = ['2026-03-01', '2026-03-01T00:00:00', '2026-03-01T23:30:00.000', '2026-03-01T00:00:00Z'];
      const cells = dates.map((date, index) => `<c r="${'ABCD'[index]}2" t="d"><v>${date}</v></c>`);
      const text = '<c r="E2" t="str"><f>A1</f><v>2026-03-01T00:00:00</v></c>';
      const file = await rawWorkbook(
        `<row r="1"><c r="A1" t="inlineStr"><is><t>Datum</t></is></c></row><row r="2">${cells.join('')}${text}</row>`,
      );
      const midnight = '2026-03-01';
      expect(await cellsOf(file)).toEqual([
        [midnight, midnight, '2026-03-01T23:30:00.000Z', midnight, '2026-03-01T00:00:00'],
      ]);
    },
  );

  test.each([
    ['a CSV file called .xlsx', Buffer.from('Name\nWinkel\n')],
    ['an archive of something else', Buffer.from(zipSync({ 'a.txt': new Uint8Array([1]) }))],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s', async (_, content) => {
    const file = path.join(folder, `stuk-${++files}.xlsx`);
    writeFileSync(file, content);
    await expect(readXlsx(file)).rejects.toThrow('is not a valid .xlsx workbook: ');
  });
});

describe('an import from a wrong workbook', () => {
  test('names sheet, row and column of a problem', async () => {
    const heading = Array.from({ length: 26 }, (_, index) => `Extra ${index}`);
    const { problems, db } = await load(
      'accounts',
      await workbook({
        Rekeningen: [
          ['Number', 'Name', 'FiscalYear', 'LedgerType', ...heading, 'DebetOrCredit'],
          ['0100', 'Grond', 2026, 'BalanceSheet', ...heading, 'X'],
          ['0200', null, day('2026-01-01T00:00:00'), 'BalanceSheet', ...heading, 'debet'],
        ],
      }),
    );
    const place = /^boek-\d+\.xlsx, sheet "Rekeningen", row /;
    expect(problems.every((problem) => place.test(problem))).toBe(true);
    expect(problems.map((problem) => problem.replace(place, ''))).toEqual([
      '2, column AE: DebetOrCredit: expected debet or credit, got "X"',
      '3, column B: Name: is required, got an empty cell',
      '3, column C: FiscalYear: expected no date, got 2026-01-01: format the column as Text and type it again',
    ]);
    expect(await db.selectFrom('ledger_account').where('name', '=', 'Grond').select('name').execute()).toEqual([]);
  });

  test('refuses identifiers stored as too long numbers, and dates made of article numbers', async () => {
    const { problems } = await load(
      'relations',
      await rawWorkbook(
        `<row r="1">${['RelationGUID', 'Name', 'Phone', 'Custom: Limiet (Decimal)']
          .map((text, index) => `<c r="${'ABCD'[index]}1" t="inlineStr"><is><t>${text}</t></is></c>`)
          .join('')}</row>
        <row r="2"><c r="A2"><v>9007199254740993</v></c><c r="B2"><v>123456789012345</v></c><c r="C2"><v>3.1205550101E10</v></c><c r="D2"><v>36.300000000000004</v></c></row>
        <row r="3"><c r="A3"><v>12</v></c><c r="B3"><v>1E-3</v></c><c r="D3"><v>1.5E3</v></c></row>`,
      ),
    );
    const advice = 'format the column as Text and fill it again from the source';
    expect(problems.map((problem) => problem.replace(/^.*row /, ''))).toEqual([
      `2, column A: RelationGUID: expected a text; as a number, 9007199254740993, it has lost digits past the fifteenth: ${advice}`,
      `2, column C: Phone: expected a text; as a number, 31205550101, it has lost digits past the fifteenth: ${advice}`,
      `3, column B: Name: expected a text; as a number, 0.001, it has lost digits past the fifteenth: ${advice}`,
    ]);
    const dated = await load(
      'products',
      await workbook({
        A: [
          ['ArticleNumber', 'Name'],
          [day('2026-02-01T00:00:00'), 'x'],
        ],
      }),
    );
    expect(dated.problems).toEqual([
      expect.stringContaining('row 2, column A: ArticleNumber: expected no date, got 2026-02-01'),
    ]);
  });

  test('says that a sheet is too large to be read on a slow machine', async () => {
    const file = await workbook({
      Blad1: Array.from({ length: 5000 }, (_, row) => [`a long enough text of row ${row}`]),
    });
    let now = 0;
    // The library reads ever smaller parts while its clock says that they take long.
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 10));
    try {
      await expect(readXlsx(file)).rejects.toThrow('save it as CSV');
    } finally {
      clock.mockRestore();
    }
  });

  test('refuses a number below one as a percentage: a workbook may show it as another', async () => {
    const shown = (value: number) => ({ value, type: Number, format: '0%' }) as const;
    const headings = ['TaxPc', 'Name', 'TaxType'];
    const refused = await load('tax-codes', await workbook({ A: [headings, [shown(0.21), 'Marge', 'Sales']] }));
    expect(refused.problems.map((problem) => problem.replace(/^.*row /, ''))).toEqual([
      '2, column A: TaxPc: expected a percentage such as 21, got the number 0.21, which a workbook may show as 21%: write 21, or, if 0.21% is meant, format the column as Text and type 0.21',
    ]);
    const invoice = ['InvoiceNumber', 'InvoiceDate', 'CustomerNumber', 'Quantity', 'UnitPriceExclTax'];
    const shares = ['TaxPc', 'DiscountPc', 'InvoiceDiscountPc'];
    const { problems } = await load(
      'invoices',
      await workbook({
        A: [
          [...invoice, ...shares],
          [1, '15-03-2026', 1, 0.5, 0.21, ...shares.map(() => 0.05)],
        ],
      }),
    );
    const columns = problems
      .filter((problem) => problem.includes('expected a percentage'))
      .map((one) => one.split(': ')[1]);
    expect(columns).toEqual(['InvoiceDiscountPc', 'DiscountPc', 'TaxPc']);
    const accepted = await load(
      'tax-codes',
      await workbook({
        A: [headings, [21, 'Marge', 'Sales'], [0, 'Nul', 'Sales'], ['0.21', 'Klein', 'Sales'], [1, 'Een', 'Sales']],
      }),
    );
    expect(accepted.problems).toEqual([]);
  });
});
