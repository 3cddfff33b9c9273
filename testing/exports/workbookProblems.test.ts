import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { openExcel } from '../../addin/simulator/node.ts';
import { writeFile } from '../../addin/simulator/savedFile/writeFile.ts';
import { Workbook } from '../../addin/simulator/workbook/workbook.ts';
import { cellsUnderCharts, workbookProblems } from './workbookProblems.ts';

/* The reader finds what it looks for: each file is sound but for one change. */

let file: Uint8Array;
beforeAll(async () => {
  const workbook = new Workbook();
  await openExcel(workbook).Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:B3').values = [
      ['Code', 'Net [1]'],
      ['a', 1],
      ['b', 2],
    ];
    sheet.tables.add('A1:B3', true).name = 'Sales';
    sheet.getRange('D1:E1').values = [['Other', 'Text']];
    sheet.tables.add('D1:E2', true).name = 'Empty';
    sheet.getRange('G1').formulas = [["=SUM(Sales[Net '[1']])+Rate+Second!A1"]];
    sheet.getRange('G2:G3').numberFormat = [['0.000'], ['0.000']];
    sheet.getRange('H1:H2').dataValidation.rule = { list: { inCellDropDown: true, source: 'one,two' } };
    sheet.getRange('J1:K1').merge();
    sheet.getRange('J3:K3').merge();
    const second = context.workbook.worksheets.add('Second');
    second.getRange('A1').values = [[21]];
    const chart = second.charts.add('ColumnClustered', sheet.getRange('A1:B3'), 'Columns');
    Object.assign(chart, { left: 100, top: 100, width: 200, height: 100 });
    context.workbook.names.add('Rate', second.getRange('A1'));
    await context.sync();
  });
  file = await writeFile(workbook, '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea');
});

test('A sound file has no problems', () => {
  expect([workbookProblems(file), cellsUnderCharts(file)]).toEqual([[], []]);
});

const SHEET = 'xl/worksheets/sheet1.xml';
const TABLE = 'xl/tables/table1.xml';
const BOOK = 'xl/workbook.xml';

test.each<[part: string, from: string | RegExp, to: string, problem: string]>([
  ['[Content_Types].xml', /<Override[^>]*table1\.xml"[^>]*\/>/, '', 'table1.xml has no type'],
  ['xl/worksheets/_rels/sheet1.xml.rels', 'table1.xml', 'table9.xml', 'no xl/tables/table9.xml'],
  [BOOK, /r:id="([^"]+)"/, 'r:id="rId99"', 'sheet has no relation rId99'],
  [BOOK, 'name="Second"', 'name="SHEET1"', 'two sheets sheet1'],
  [BOOK, 'sheetId="2"', 'sheetId="1"', 'two sheets with the id 1'],
  [BOOK, 'name="Second"', 'name="Third"', 'the sheet Second is missing'],
  [BOOK, 'name="Rate"', 'name="Rates"', 'the name Rate is missing'],
  [BOOK, 'name="Rate"', 'name="Sales"', 'a table and a name Sales'],
  [BOOK, 'Second!$A$1', '#REF!', '#REF! is missing'],
  [TABLE, 'ref="A1:B3"', 'ref="A1:D3"', 'has 2 columns in A1:D3'],
  [TABLE, 'ref="A1:B3"', 'ref="C1:D3"', 'overlap'],
  [TABLE, 'name="Code"', 'name="Number"', 'Code stands above Number'],
  [TABLE, 'name="Net [1]"', 'name="code"', 'two columns of a name'],
  [TABLE, 'name="Net [1]"', 'name="Net"', 'Sales[Net [1]] is missing'],
  ['xl/tables/table2.xml', /id="2"/, 'id="1"', 'two tables with the id 1'],
  ['xl/tables/table2.xml', /"Empty"/g, '"SALES"', 'two tables sales'],
  [SHEET, 'Sales[', 'Sold[', 'the table Sold is missing'],
  [SHEET, /<v>0<\/v>/, '<v>99</v>', 'has no text 99'],
  [SHEET, /(<c r="G2" s=)"\d+"/, '$1"99"', 'no style 99'],
  [SHEET, 'ref="J3:K3"', 'ref="K1:L2"', 'merged cells overlap'],
  [SHEET, 'ref="J3:K3"', 'ref="B2:B3"', 'Sales has merged cells'],
  [SHEET, '"G3"', '"G1"', 'comes after a later cell'],
  [SHEET, 'one,two', 'x'.repeat(256), 'a list of 256 characters'],
  [SHEET, /(?:"|&quot;)one,two(?:"|&quot;)/, 'Lists!$A$1:$A$9', 'the sheet Lists is missing'],
  ['xl/styles.xml', /(<cellXfs.*?fontId=)"\d+"/s, '$1"99"', 'no fontId 99'],
  ['xl/styles.xml', /<numFmt [^>]*\/>/g, '', 'has no number format'],
  ['xl/charts/chart1.xml', 'Sheet1!$B$2', 'Gone!$B$2', 'the sheet Gone is missing'],
])('%s with %s as %s has a problem', (part, from, to, problem) => {
  const parts = unzipSync(file);
  const changed = strFromU8(parts[part]!).replace(from, to);
  expect(changed).not.toBe(strFromU8(parts[part]!));
  parts[part] = strToU8(changed);
  expect(workbookProblems(zipSync(parts)).join('\n')).toMatch(new RegExp(problem.replaceAll(/[[\]$]/g, '\\$&')));
});

test('Cells under a chart are found', () => {
  const parts = unzipSync(file);
  const drawing = 'xl/drawings/drawing1.xml';
  const moved = strFromU8(parts[drawing]!)
    .replaceAll(/(<xdr:from>.*?<xdr:(?:col|row)>)\d+/gs, '$10')
    .replace(/(<xdr:from>.*?<xdr:row>)\d+/s, '$10');
  expect(cellsUnderCharts(zipSync({ ...parts, [drawing]: strToU8(moved) }))).toEqual(['xl/worksheets/sheet2.xml A1']);
});
