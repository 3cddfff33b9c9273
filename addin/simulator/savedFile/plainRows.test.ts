import { Workbook as LibraryWorkbook } from '@cj-tech-master/excelts';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { attachCalculator } from '../calculation/calculator.ts';
import { openExcel } from '../node.ts';
import { MAX_COLUMNS, parseArea } from '../workbook/cells/address.ts';
import { type Sheet, sourceAt, styleAt } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { readFile } from './readFile.ts';
import { writeFile } from './writeFile.ts';

const ADD_IN = '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33';

/** Rows of every kind between each other: plain ones, and those with what is in other parts of a file. */
const mixed = async (): Promise<Workbook> => {
  const workbook = new Workbook();
  attachCalculator(workbook);
  await openExcel(workbook).Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('B2:C2').values = [['plain', 1.5]];
    sheet.getRange('B3').values = [['noted']];
    sheet.getRange('B4:B5').formulas = [['=C2*2'], ['="a"&"<b>"']];
    sheet.getRange('B6:C6').merge();
    sheet.getRange('B6').values = [['merged']];
    sheet.getRange('B7').values = [['styled']];
    sheet.getRange('B7').format.font.bold = true;
    sheet.getRange('8:8').format.fill.color = '#FFFF00';
    sheet.getRange('B9').hyperlink = { address: 'https://example.com/', textToDisplay: 'linked' };
    sheet.getRange('B10').formulas = [['=SEQUENCE(2)']];
    sheet.getRange('B13').values = [[false]];
    sheet.getRange('B14').formulas = [['=1/0']];
    sheet.getRange('13:13').rowHidden = true;
    const other = context.workbook.worksheets.add('Other');
    other.getRange('A1').values = [['second']];
    other.getRange('A1').format.font.italic = true;
    await context.sync();
  });
  workbook.settle();
  workbook.sheets[0]!.rows[2]!.cells[1]!.note = { text: 'A note' };
  return workbook;
};

test('A download has its rows once each and in their order, for another reader as for the page', async () => {
  const workbook = await mixed();
  const file = await writeFile(workbook, ADD_IN);
  const xml = strFromU8(unzipSync(file)['xl/worksheets/sheet1.xml']!);
  const rows = [...xml.matchAll(/<row r="(\d+)"/g)].map(([, number]) => Number(number));
  expect(rows).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14]);
  expect(xml).toContain('<dimension ref="B2:C14"/>');

  const read = new LibraryWorkbook();
  await read.xlsx.load(file);
  const [first, second] = read.worksheets;
  const valueAt = (address: string) => first!.getCell(address).value;
  expect(['B2', 'C2', 'B3', 'B6', 'B7', 'B11', 'B13'].map(valueAt)).toEqual([
    'plain',
    1.5,
    'noted',
    'merged',
    'styled',
    2,
    false,
  ]);
  expect(valueAt('B4')).toMatchObject({ formula: 'C2*2', result: 3 });
  expect(valueAt('B5')).toMatchObject({ formula: '"a"&"<b>"', result: 'a<b>' });
  expect(valueAt('B9')).toMatchObject({ text: 'linked', hyperlink: 'https://example.com/' });
  expect(valueAt('B14')).toMatchObject({ formula: '1/0', result: { error: '#DIV/0!' } });
  expect(first!.getCell('B7').font?.bold).toBe(true);
  expect(first!.getRow(13).hidden).toBe(true);
  expect([first!.getCell('B6').isMerged, first!.getCell('B3').comment !== undefined]).toEqual([true, true]);
  expect([second!.getCell('A1').value, second!.getCell('A1').font?.italic]).toEqual(['second', true]);

  const { workbook: again } = await readFile(file, ADD_IN, 'en');
  const cellsOf = ({ sheets }: Workbook) =>
    sheets.map((sheet) =>
      sheet.rows.flatMap((row, at) =>
        (row?.cells ?? []).flatMap((cell, column) =>
          cell === undefined || (cell.value === '' && !cell.style)
            ? []
            : [[at, column, cell.value, cell.formula, { ...cell.style }, cell.note?.text, cell.spills]],
        ),
      ),
    );
  expect(cellsOf(again)).toEqual(cellsOf(workbook));
});

test('Characters that XML does not allow are named as Excel names them, and text that looks so stays text', async () => {
  const texts = ['bell\u0007', 'a_x0041_x0042_b', '\uFFFE', 'tab\tand\r\nline', ' <&>"\' '];
  const workbook = new Workbook();
  workbook.active.rows = texts.map((value) => ({ cells: [{ value }] }));
  const file = await writeFile(workbook, ADD_IN);
  const xml = strFromU8(unzipSync(file)['xl/worksheets/sheet1.xml']!);
  expect([...xml.matchAll(/<t xml:space="preserve">(.*?)<\/t>/g)].map(([, text]) => text)).toEqual([
    'bell_x0007_',
    'a_x005F_x0041_x005F_x0042_b',
    '_xFFFE_',
    'tab&#9;and&#13;&#10;line',
    " &lt;&amp;&gt;&quot;' ",
  ]);
  const { workbook: again } = await readFile(file, ADD_IN, 'en');
  expect(again.active.rows.map((row) => row?.cells[0]?.value)).toEqual(texts);
});

test('A sheet whose every column has a width of its own has its cells in a download', async () => {
  const workbook = new Workbook();
  workbook.active.columns = Array.from({ length: MAX_COLUMNS }, (_, column) => ({ width: 50 + (column % 40) }));
  workbook.active.rows = [{ cells: [{ value: 'first' }] }];
  workbook.active.rows[0]!.cells[MAX_COLUMNS - 1] = { value: 'last' };
  const { workbook: again } = await readFile(await writeFile(workbook, ADD_IN), ADD_IN, 'en');
  const [row] = again.active.rows;
  expect([row?.cells[0]?.value, row?.cells[MAX_COLUMNS - 1]?.value]).toEqual(['first', 'last']);
  expect(again.active.columns[MAX_COLUMNS - 1]?.width).toBeCloseTo(workbook.active.columns[MAX_COLUMNS - 1]!.width!, 0);
});

test('Cells in formatted rows and columns look so in a download, for another reader as for the page', async () => {
  const workbook = new Workbook();
  await openExcel(workbook).Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('C:C').numberFormat = [['0.00']];
    sheet.getRange('3:3').format.font.bold = true;
    sheet.getRange('B1:C3').values = [1, 2, 3].map((value) => [value, value]);
    sheet.getRange('C2').numberFormat = [['General']];
    sheet.getRange('C4').numberFormat = [['General']];
    sheet.getRange('C5:D5').values = [['noted', 'linked']];
    sheet.getRange('D5').hyperlink = { address: 'https://example.com/', textToDisplay: 'linked' };
    await context.sync();
  });
  const addresses = ['B1', 'C1', 'C2', 'B3', 'C3', 'D3', 'C4', 'C5', 'C6'];
  const looks = [
    {},
    { numberFormat: '0.00' },
    {},
    { bold: true },
    { numberFormat: '0.00', bold: true },
    { bold: true },
    {},
    { numberFormat: '0.00' },
    { numberFormat: '0.00' },
  ];
  const looksIn = (sheet: Sheet) =>
    addresses.map((address) => parseArea(address)!).map(({ row, column }) => styleAt(sheet, row, column));
  expect(looksIn(workbook.active)).toEqual(looks);
  const file = await writeFile(workbook, ADD_IN);
  expect(looksIn((await readFile(file, ADD_IN, 'en')).workbook.active)).toEqual(looks);

  // Excel takes a cell by its own style only; the library would add that of the column.
  const xml = strFromU8(unzipSync(file)['xl/worksheets/sheet1.xml']!);
  expect(xml).toMatch(/<c r="C1" s="[1-9]\d*"/);
  const read = new LibraryWorkbook();
  await read.xlsx.load(file);
  const written = ['C1', 'B3', 'C3', 'C5'].map((address) => read.worksheets[0]!.getCell(address).style);
  expect(written.map(({ numFmt, font }) => [numFmt, font?.bold])).toEqual([
    ['0.00', undefined],
    [undefined, true],
    ['0.00', true],
    ['0.00', undefined],
  ]);
});

test('What was typed behind an apostrophe is so in a file as well, and is the same text when it is entered again', async () => {
  const workbook = new Workbook();
  await openExcel(workbook).Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:B4').values = [
      ["'0100", '0100'],
      ["'=1+1", 'text'],
      ["'2026-01-02", 5],
      ["'#N/A", '#N/A'],
    ];
    sheet.getRange('A2').format.font.bold = true;
    sheet.getRange('B2').format.font.bold = true;
    sheet.getRange('A3:C3').merge();
    await context.sync();
  });
  const file = await writeFile(workbook, ADD_IN);
  const { workbook: read } = await readFile(file, ADD_IN, 'en');
  const sources = (one: Workbook) =>
    [0, 1, 2, 3].map((row) => [0, 1].map((column) => sourceAt(one.active, row, column)));
  expect(sources(read)).toEqual([
    ["'0100", '100'],
    ["'=1+1", 'text'],
    ["'2026-01-02", ''],
    ["'#N/A", '#N/A'],
  ]);
  expect([styleAt(read.active, 1, 0).bold, styleAt(read.active, 0, 0).bold]).toEqual([true, undefined]);
  const parts = unzipSync(file);
  const formats = /<cellXfs count="(\d+)">(.*)<\/cellXfs>/s.exec(strFromU8(parts['xl/styles.xml']!))!;
  const xfs = formats[2]!.match(/<xf\b/g)!;
  expect(xfs).toHaveLength(Number(formats[1]));
  const isQuoted = [...formats[2]!.matchAll(/<xf\b([^>]*)/g)].map(([, xf]) => xf!.includes('quotePrefix="1"'));
  const cells = [...strFromU8(parts['xl/worksheets/sheet1.xml']!).matchAll(/<c r="(\w+)"(?: s="(\d+)")?/g)];
  const quoted = cells.filter(([, , style]) => isQuoted[Number(style ?? 0)]).map(([, address]) => address);
  expect(quoted).toEqual(['A1', 'A2', 'A3', 'A4']);
  const ofErrors = strFromU8(parts['xl/worksheets/sheet1.xml']!).match(/<c r="[AB]4".*?<\/c>/g)!;
  expect(ofErrors.map((cell) => / t="(\w+)"/.exec(cell)?.[1])).toEqual(['inlineStr', 'e']);
  // Opened and saved once more.
  expect(sources((await readFile(await writeFile(read, ADD_IN), ADD_IN, 'en')).workbook)).toEqual(sources(read));
});
