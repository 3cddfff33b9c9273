import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { attachCalculator } from '../calculation/calculator.ts';
import { openExcel } from '../node.ts';
import { matrixOf, parseArea } from '../workbook/cells/address.ts';
import { copyCells } from '../workbook/changes/copy.ts';
import { enterValues } from '../workbook/changes/enter.ts';
import { setStyle } from '../workbook/changes/restyle.ts';
import { insertStyled } from '../workbook/changes/shift.ts';
import { addTable } from '../workbook/changes/tableShape.ts';
import { type Sheet, textAt, typedAt } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { readFile, UnreadableFile } from './readFile.ts';
import { writeFile } from './writeFile.ts';

const ADD_IN = '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** A file with one sheet, with the parts that the standard asks for and no others. */
function fileOf(
  sheet: string,
  more: { strings?: string; metadata?: string; is1904?: boolean; links?: string; table?: string } = {},
) {
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="a" Type="${RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}">${more.is1904 ? '<workbookPr date1904="1"/>' : ''}<sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="a" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="b" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/>${more.strings ? `<Relationship Id="c" Type="${RELATIONSHIPS}/sharedStrings" Target="texts.xml"/>` : ''}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': sheet,
    ...(more.strings ? { 'xl/texts.xml': more.strings } : {}),
    ...(more.metadata ? { 'xl/metadata.xml': more.metadata } : {}),
    ...(more.table ? { 'xl/tables/table1.xml': more.table } : {}),
    ...(more.links ? { 'xl/worksheets/_rels/sheet1.xml.rels': more.links } : {}),
  };
  const declared = Object.entries(parts).map(([path, xml]) => [path, strToU8(`<?xml version="1.0"?>\n${xml}`)]);
  return zipSync(Object.fromEntries(declared));
}

/** The values and formulas of the cells that are there, row by row. */
async function cellsOf(file: Uint8Array) {
  const { workbook, leftOut } = await readFile(file, ADD_IN, 'en');
  const cells = workbook.active.rows.map((row) =>
    (row?.cells ?? []).map((cell) => cell && (cell.formula === undefined ? cell.value : [cell.formula, cell.value])),
  );
  return { cells, leftOut, sheet: workbook.active };
}

const placeOf = (cell: string): [row: number, column: number] => {
  const { row, column } = parseArea(cell)!;
  return [row, column];
};

const sheetOf = (rows: string, behind = '') =>
  `<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheetData>${rows}</sheetData>${behind}</worksheet>`;

test('Cells of every kind are read as the standard describes them', async () => {
  const strings = `<sst xmlns="${MAIN}"><si><t xml:space="preserve"> two  </t></si><si><r><rPr><b/></rPr><t>A &amp; </t></r><r><t>B_x000D_</t></r><rPh sb="0" eb="1"><t>spoken</t></rPh></si><si><t/></si></sst>`;
  const rows = [
    '<row r="1" spans="1:9"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>',
    '<row r="2"><c r="A2"><v>1.5E-3</v></c><c r="B2" t="b"><v>1</v></c><c r="C2" t="e"><v>#N/A</v></c><c r="D2" t="n"/></row>',
    '<row r="4"><c r="B4" t="inlineStr"><is><t>in &lt;line&gt;</t></is></c><c r="D4" t="str"><v>_x005F_x0041_</v></c></row>',
    `<row><c><v>1</v></c><c t='b'><v>0</v></c></row>`,
    '<row r="6"><c r="A6" t="d"><v>2026-11-25T12:00:00</v></c></row>',
  ];
  const { cells, leftOut } = await cellsOf(fileOf(sheetOf(rows.join('\n')), { strings }));
  expect(cells).toEqual([
    [' two  ', 'A & B\r'],
    [0.0015, true, '#N/A'],
    [],
    [undefined, 'in <line>', undefined, '_x0041_'],
    [1, false],
    [46_351.5],
  ]);
  expect(leftOut).toEqual([]);
});

test('Formulas are read with their results, those that share one included', async () => {
  const metadata = `<metadata xmlns="${MAIN}"><metadataTypes count="1"><metadataType name="XLDAPR"/></metadataTypes><cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>`;
  const rows = [
    '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f t="shared" ref="B1:B3" si="0">A1*$A$1&amp;"x"</f><v>4</v></c></row>',
    '<row r="2"><c r="B2"><f t="shared" si="0"/><v>0</v></c><c r="C2" t="str"><f>IF(A1=2,"","no")</f><v></v></c></row>',
    '<row r="3"><c r="B3"><f t="shared" si="0"></f></c><c r="C3" cm="1"><f t="array" ref="C3:C4">_xlfn.UNIQUE(A1:A2)</f><v>2</v></c></row>',
    '<row r="4"><c r="C4"><v>0</v></c><c r="D4"><f t="array" ref="D4">SUM(A1:A2*2)</f><v>4</v></c></row>',
  ];
  const { cells, leftOut, sheet } = await cellsOf(fileOf(sheetOf(rows.join('')), { metadata }));
  expect(cells).toEqual([
    [2, ['=A1*$A$1&"x"', 4]],
    [undefined, ['=A2*$A$1&"x"', 0], ['=IF(A1=2,"","no")', '']],
    [undefined, ['=A3*$A$1&"x"', '=A3*$A$1&"x"'], ['=UNIQUE(A1:A2)', 2]],
    [undefined, undefined, 0, ['=SUM(A1:A2*2)', 4]],
  ]);
  expect(sheet.rows[2]?.cells[2]?.spills).toEqual({ row: 2, column: 2, rows: 2, columns: 1 });
  expect(sheet.rows[3]?.cells[2]?.spilled).toBe(true);
  expect(sheet.formulas).toBe(6);
  expect(sheet.rows[3]?.cells[3]?.array).toEqual({ rows: 1, columns: 1 });
  expect(leftOut).toEqual([]);
});

test('Formulas over several cells, as Excel had them before results filled cells, go on filling these', async () => {
  const rows = [
    '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><f t="array" ref="C1:D2">A1:A2*{1,10}</f><v>1</v></c><c r="D1"><v>10</v></c></row>',
    '<row r="2"><c r="A2"><v>2</v></c><c r="C2"><v>2</v></c><c r="D2"><v>20</v></c></row>',
  ];
  const { workbook } = await readFile(fileOf(sheetOf(rows.join(''))), ADD_IN, 'en');
  attachCalculator(workbook);
  const sheet = workbook.active;
  const shown = () =>
    ['C1:D1', 'C2:D2'].map((row) => matrixOf(parseArea(row)!, (at, column) => textAt(sheet, at, column))[0]);
  expect(shown()).toEqual([
    ['1', '10'],
    ['2', '20'],
  ]);
  enterValues(sheet, parseArea('A2')!, '3', workbook.locale);
  workbook.settle();
  expect(shown()).toEqual([
    ['1', '10'],
    ['3', '30'],
  ]);
});

// Microsoft's "Guidelines and examples of array formulas": one value is in every cell of the formula, one row in every
// row and one column in every column; cells beyond other results are #N/A, and results beyond the cells are not shown.
describe('An array formula of an earlier version of Excel, over the cells that its file names', () => {
  const opened = async (ref: string, formula: string) => {
    const rows = [
      `<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>4</v></c><c r="C1"><f t="array" ref="${ref}">${formula}</f><v>0</v></c></row>`,
      '<row r="2"><c r="A2"><v>2</v></c><c r="B2"><v>5</v></c></row>',
      '<row r="3"><c r="A3"><v>3</v></c><c r="B3"><v>6</v></c></row>',
    ];
    const { workbook, leftOut } = await readFile(fileOf(sheetOf(rows.join(''))), ADD_IN, 'en');
    attachCalculator(workbook);
    workbook.recalculate();
    return { workbook, leftOut, sheet: workbook.active };
  };
  const shown = (sheet: Sheet, area: string) =>
    matrixOf(parseArea(area)!, (row, column) => textAt(sheet, row, column)).map((row) => row.join(' '));

  test.each([
    ['one value', 'C1:C3', 'SUM(A1:A3*B1:B3)', ['32 ', '32 ', '32 ', ' ']],
    ['a row', 'C1:D3', 'TRANSPOSE(A1:A2)', ['1 2', '1 2', '1 2', ' ']],
    ['a column', 'C1:D3', 'A1:A3*10', ['10 10', '20 20', '30 30', ' ']],
    ['fewer values', 'C1:C4', 'A1:A3*10', ['10 ', '20 ', '30 ', '#N/A ']],
    ['more values, for one cell', 'C1', 'A1:A3*10', ['10 ', ' ', ' ', ' ']],
    ['more values, for two cells', 'C1:C2', 'A1:B3*10', ['10 ', '20 ', ' ', ' ']],
    ['an error', 'C1:C2', 'SUM(A1:A3/0)', ['#DIV/0! ', '#DIV/0! ', ' ', ' ']],
  ])('shows %s', async (_, ref, formula, expected) => {
    const { sheet } = await opened(ref, formula);
    expect(shown(sheet, 'C1:D4')).toEqual(expected);
  });

  test('keeps its cells when what it depends on changes, and when rows are inserted above', async () => {
    const { workbook, sheet, leftOut } = await opened('C1:C3', 'SUM(A1:A3*B1:B3)');
    enterValues(sheet, parseArea('A3')!, '10', workbook.locale);
    workbook.settle();
    expect(shown(sheet, 'C1:C4')).toEqual(['74', '74', '74', '']);
    insertStyled(sheet, parseArea('1:1')!, 'Down');
    enterValues(sheet, parseArea('A4')!, '3', workbook.locale);
    workbook.settle();
    expect(shown(sheet, 'C1:C5')).toEqual(['', '32', '32', '32', '']);
    expect(leftOut).toEqual([]);
  });

  test.each([
    ['C1:C3', 'SUM(A1:A3*B1:B3)', ['32', '32', '32']],
    ['C1', 'A1:A3*10', ['10', '', '']],
  ])('is the same formula in the file that is saved, and when that is opened: %s', async (ref, formula, expected) => {
    const { workbook } = await opened(ref, formula);
    const saved = await writeFile(workbook, ADD_IN);
    const part = strFromU8(unzipSync(saved)['xl/worksheets/sheet1.xml']!);
    expect(/<c r="C1"[^>]*>\s*<f[^>]*>/.exec(part)?.[0]).not.toContain(' cm=');
    expect(part).toContain(`<f t="array" ref="${ref}">${formula}</f>`);
    const again = (await readFile(saved, ADD_IN, 'en')).workbook;
    attachCalculator(again);
    again.recalculate();
    expect(shown(again.active, 'C1:C3')).toEqual(expected);
  });

  test.each(['C1:XFD1048576', 'C1:D1048576'])(
    'shows its first value where the file names too many: %s',
    async (ref) => {
      const { sheet } = await opened(ref, 'SUM(A1:A3*B1:B3)');
      expect(shown(sheet, 'C1:D2')).toEqual(['32 ', ' ']);
    },
  );

  test('becomes an ordinary formula where it is copied to', async () => {
    const { workbook, sheet } = await opened('C1:C3', 'SUM(A1:A3*B1:B3)');
    copyCells(sheet, parseArea('C1')!, sheet, parseArea('F1')!);
    workbook.settle();
    expect(shown(sheet, 'C1:F3').map((row) => row.split(' ').at(-1))).toEqual(['0', '', '']);
  });
});

test('A data table of a file keeps its values, and is named as what becomes them', async () => {
  const rows =
    '<row r="1"><c r="A1"><f t="dataTable" ref="A1:A2" dt2D="0" dtr="0" r1="C1"/><v>7</v></c></row><row r="2"><c r="A2"><v>8</v></c></row>';
  const { cells, leftOut } = await cellsOf(fileOf(sheetOf(rows)));
  expect(cells).toEqual([[7], [8]]);
  expect(leftOut).toEqual(['dataTables']);
});

// XlsxWriter writes 0 as the result of every formula, and one who fills in a template leaves those of the template.
test.each(['1', 'true'])(
  'Results that a file says (%s) are to be computed when it is opened are not shown',
  async (word) => {
    const rows =
      '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1*21</f><v>0</v></c><c r="C1" t="str"><f>"No. "&amp;B1</f><v>0</v></c></row>';
    const file = changedWorkbook(fileOf(sheetOf(rows)), (xml) =>
      xml.replace('</sheets>', `</sheets><calcPr calcId="124519" fullCalcOnLoad="${word}"/>`),
    );
    const { workbook } = await readFile(file, ADD_IN, 'en');
    attachCalculator(workbook);
    expect([1, 2].map((column) => textAt(workbook.active, 0, column))).toEqual(['42', 'No. 42']);
  },
);

test('A download is opened with the results that it was saved with', async () => {
  const { workbook } = await readFile(
    fileOf(sheetOf('<row r="1"><c r="A1"><f>LEDGER.BALANCE(1)</f><v>42</v></c></row>')),
    ADD_IN,
    'en',
  );
  const { workbook: again } = await readFile(await writeFile(workbook, ADD_IN), ADD_IN, 'en');
  attachCalculator(again);
  expect(textAt(again.active, 0, 0)).toBe('42');
});

// As Excel does when a user converts a table to a range.
test('Formulas refer to the cells of a table that becomes ordinary cells', async () => {
  const text = (cell: string, shown: string) => `<c r="${cell}" t="inlineStr"><is><t>${shown}</t></is></c>`;
  const formula = (cell: string, written: string) => `<c r="${cell}"><f>${written}</f></c>`;
  const rows = [
    `<row r="2">${text('A2', 'Price\nnet')}${text('B2', 'Gross')}${formula('D2', 'SUM(Prices[Gross])')}</row>`,
    `<row r="3"><c r="A3"><v>100</v></c>${formula('B3', 'Prices[[#This Row],[Price\nnet]]*2')}${formula('D3', 'Prices[[#Totals],[Gross]]+1')}</row>`,
    `<row r="4"><c r="A4"><v>50</v></c>${formula('B4', 'Prices[[#This Row],[Price\nnet]]*2')}${formula('D4', 'ROWS(Prices)*100+ROWS(Prices[#All])*10+ROWS(Prices[[#Headers],[Gross]])')}</row>`,
    `<row r="5">${text('A5', 'Total')}${formula('B5', 'SUBTOTAL(109,Prices[Gross])')}</row>`,
  ];
  const columns = '<tableColumn id="1" name="Price_x000a_net"/><tableColumn id="2" name="Gross"/>';
  const file = fileOf(sheetOf(rows.join(''), '<tableParts count="1"><tablePart r:id="t"/></tableParts>'), {
    table: `<table xmlns="${MAIN}" id="1" name="Prices" displayName="Prices" ref="A2:B5" totalsRowCount="1"><autoFilter ref="A2:B4"/><tableColumns count="2">${columns}</tableColumns></table>`,
    links: `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="t" Type="${RELATIONSHIPS}/table" Target="../tables/table1.xml"/></Relationships>`,
  });
  const { workbook, leftOut } = await readFile(file, ADD_IN, 'en');
  expect(leftOut).toEqual(['tables']);
  attachCalculator(workbook);
  const shown = () => ['B3', 'B4', 'B5', 'D2', 'D3', 'D4'].map((cell) => textAt(workbook.active, ...placeOf(cell)));
  expect(shown()).toEqual(['200', '100', '300', '300', '301', '241']);
  enterValues(workbook.active, parseArea('A4')!, '10', workbook.locale);
  workbook.settle();
  expect(shown()).toEqual(['200', '20', '220', '220', '221', '241']);
  // Excel takes a file with the name of a table that is not there for a damaged one.
  const parts = unzipSync(await writeFile(workbook, ADD_IN));
  expect(strFromU8(parts['xl/worksheets/sheet1.xml']!)).not.toContain('Prices');
});

test('Rows, styles and links are those of the file, whatever prefix its elements have', async () => {
  const rows = `<x:row r="2" ht="30" hidden="1"><x:c r="A2" s="1"><x:v>46351</x:v></x:c><x:c r="B2" s="2"/><x:c r="C2" t="str"><x:v>site</x:v></x:c></x:row>`;
  const xml = `<x:worksheet xmlns:x="${MAIN}" xmlns:r="${RELATIONSHIPS}"><x:sheetData>${rows}</x:sheetData><x:hyperlinks><x:hyperlink ref="C2" r:id="l" tooltip="Go"/></x:hyperlinks></x:worksheet>`;
  const links = `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="l" Type="${RELATIONSHIPS}/hyperlink" Target="https://example.com/?a=1&amp;b=2" TargetMode="External"/></Relationships>`;
  const { sheet } = await cellsOf(fileOf(xml, { links }));
  expect(sheet.rows[1]).toMatchObject({ height: 30, hidden: true });
  expect(textAt(sheet, 1, 0)).toBe('11/25/2026');
  expect(sheet.rows[1]?.cells[1]?.style).toEqual({ bold: true });
  expect(sheet.rows[1]?.cells[2]?.hyperlink).toEqual({ address: 'https://example.com/?a=1&b=2', screenTip: 'Go' });
});

const changed = (file: Uint8Array, by: (xml: string, path: string) => string) =>
  zipSync(
    Object.fromEntries(
      Object.entries(unzipSync(file)).map(([path, part]) => [path, strToU8(by(strFromU8(part), path))]),
    ),
  );
const changedWorkbook = (file: Uint8Array, by: (xml: string) => string) =>
  changed(file, (xml, path) => (path === 'xl/workbook.xml' ? by(xml) : xml));

test('Line ends of a text are those of XML, unless they are written as characters', async () => {
  const strings = `<sst xmlns="${MAIN}"><si><t>one\r\ntwo\rthree</t></si><si><t>one_x000D_\ntwo&#13;</t></si></sst>`;
  const rows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1"><f>SUM(1,\r\n2)</f><v>3</v></c></row>';
  const { cells } = await cellsOf(fileOf(sheetOf(rows), { strings }));
  expect(cells).toEqual([['one\ntwo\nthree', 'one\r\ntwo\r', ['=SUM(1,\n2)', 3]]]);
});

test('Formulas and names refer to a sheet by what is taken of its long name', async () => {
  const long = 'Trial balance '.repeat(3).trim();
  const rows = `<row r="1"><c r="A1"><v>5</v></c><c r="B1"><f>'${long}'!A1*2</f><v>10</v></c></row>`;
  const file = changedWorkbook(fileOf(sheetOf(rows)), (xml) =>
    xml
      .replace('"S"', `"${long}"`)
      .replace(
        '</sheets>',
        `</sheets><definedNames><definedName name="Total">'${long}'!$A$1</definedName><definedName name="Own" localSheetId="0">'${long}'!$A$1</definedName></definedNames>`,
      ),
  );
  const { cells, sheet } = await cellsOf(file);
  expect(cells).toEqual([[5, [`='${sheet.name}'!A1*2`, 10]]]);
  expect(sheet.workbook.names.map(({ formula }) => formula)).toEqual([`='${sheet.name}'!$A$1`]);
  expect(sheet.names.map(({ name, formula }) => [name, formula])).toEqual([['Own', `='${sheet.name}'!$A$1`]]);
});

test('Rows in comments are none', async () => {
  const rows = '<row r="1"><c r="A1"><v>5</v></c></row>';
  const comment = (text: string) => `<!-- ${text} <![CDATA[ -->`;
  const file = changed(fileOf(sheetOf(`${comment('<row r="9"><c r="A9"><v>7</v></c></row>')}${rows}`)), (xml) =>
    xml.replace('<sheets>', `${comment('<sheet name="Old" sheetId="2" r:id="z"/>')}<sheets>`),
  );
  const { cells, sheet } = await cellsOf(file);
  expect([sheet.name, cells]).toEqual(['S', [[5]]]);
});

test('A header that names the element of cells is none', async () => {
  const rows = '<row r="1"><c r="A1"><v>5</v></c><c r="B1" s="2"><v>6</v></c></row>';
  const behind =
    '<mergeCells count="1"><mergeCell ref="A2:B2"/></mergeCells><headerFooter><oddHeader>&amp;Lxml:sheetData sheetData</oddHeader></headerFooter>';
  const { cells, sheet } = await cellsOf(fileOf(sheetOf(rows, behind)));
  expect(cells).toEqual([[5, 6]]);
  expect(sheet.merges).toEqual([{ row: 1, column: 0, rows: 1, columns: 2 }]);
  expect(sheet.rows[0]?.cells[1]?.style).toEqual({ bold: true });
});

test.each([
  ['single quotes', (file: Uint8Array) => changed(file, (xml) => xml.replaceAll('"', "'"))],
  ['spaces around =', (file: Uint8Array) => changedWorkbook(file, (xml) => xml.replaceAll('="', ' = "'))],
  ['a name with >', (file: Uint8Array) => changedWorkbook(file, (xml) => xml.replace('"S"', '"Open > 90"'))],
  [
    'a longer name',
    (file: Uint8Array) => changedWorkbook(file, (xml) => xml.replace('"S"', `"${'Trial balance '.repeat(3)}"`)),
  ],
  [
    'another prefix of references',
    (file: Uint8Array) =>
      changed(file, (xml) => xml.replaceAll('xmlns:r=', 'xmlns:d3p1=').replaceAll(' r:id=', ' d3p1:id=')),
  ],
])('A sheet has its cells, styles and links in a file with %s', async (_, by) => {
  const rows = '<row r="2"><c r="A2" s="2"><v>5</v></c><c r="B2" t="str"><v>site</v></c></row>';
  const links = `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="l" Type="${RELATIONSHIPS}/hyperlink" Target="https://example.com/" TargetMode="External"/></Relationships>`;
  const xml = sheetOf(rows, '<hyperlinks><hyperlink ref="B2" r:id="l"/></hyperlinks>');
  const { cells, sheet } = await cellsOf(by(fileOf(xml, { links })));
  expect(cells).toEqual([[], [5, 'site']]);
  expect(sheet.rows[1]?.cells[0]?.style).toEqual({ bold: true });
  expect(sheet.rows[1]?.cells[1]?.hyperlink?.address).toBe('https://example.com/');
});

/** The bytes of each part that is XML. */
const inBytes = (file: Uint8Array, by: (xml: string) => Uint8Array) =>
  zipSync(Object.fromEntries(Object.entries(unzipSync(file)).map(([path, part]) => [path, by(strFromU8(part))])));

test.each([
  ['UTF-8 with a mark of its bytes', (xml: string) => strToU8(`\uFEFF${xml}`)],
  ['UTF-16', (xml: string) => new Uint8Array(Buffer.from(`\uFEFF${xml}`, 'utf16le'))],
  ['UTF-16 from the other end', (xml: string) => new Uint8Array(Buffer.from(`\uFEFF${xml}`, 'utf16le').swap16())],
])('A file whose parts are in %s is read', async (_, by) => {
  const strings = `<sst xmlns="${MAIN}"><si><t>Café 😀</t></si></sst>`;
  const rows = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>46351</v></c></row>';
  expect((await cellsOf(inBytes(fileOf(sheetOf(rows), { strings }), by))).cells).toEqual([['Café 😀', 46_351]]);
});

test.each([
  ['xl/texts.xml', 'xl/Texts.xml', false],
  ['xl/worksheets/sheet1.xml', 'xl/Worksheets/Sheet1.xml', false],
  ['xl/workbook.xml', 'xl/workbook22.xml', true],
  ['xl/styles.xml', 'xl/styles22.xml', true],
])('A file whose part %s is called %s is read as any other', async (path, name, isReferred) => {
  const strings = `<sst xmlns="${MAIN}"><si><t>hello</t></si></sst>`;
  const rows = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="2"><v>5</v></c></row>';
  const [before, after] = [path, name].map((one) => one.split('/').at(-1)!);
  const parts = Object.entries(unzipSync(fileOf(sheetOf(rows), { strings }))).map(([own, part]) => {
    const isOwn = own === path || (isReferred && own === `xl/_rels/${before}.rels`);
    const text = strFromU8(part);
    return [
      isOwn ? own.replace(path, name).replace(before!, after!) : own,
      isReferred ? text.replaceAll(before!, after!) : text,
    ];
  });
  const file = zipSync(Object.fromEntries(parts.map(([own, text]) => [own, strToU8(text!)])));
  const { cells, sheet } = await cellsOf(file);
  expect(cells).toEqual([['hello', 5]]);
  expect(sheet.rows[0]?.cells[1]?.style).toEqual({ bold: true });
});

/** A file with a table, whose parts have other names, and other texts. */
const renamedFile = async (rename: (path: string) => string, rewrite: (xml: string, path: string) => string) => {
  const workbook = new Workbook();
  enterValues(workbook.active, parseArea('A1:A2')!, [['Code'], ['x']]);
  addTable(workbook.active, parseArea('A1:A2')!, true);
  const parts = Object.entries(unzipSync(await writeFile(workbook, ADD_IN)));
  return zipSync(
    Object.fromEntries(parts.map(([path, part]) => [rename(path), strToU8(rewrite(strFromU8(part), path))])),
  );
};
const same = (text: string) => text;

test.each<[what: string, rename: (path: string) => string, rewrite: (xml: string, path: string) => string]>([
  ['has a blank', (path) => path.replace('sheet1', 'My sheet'), (xml) => xml.replaceAll('/sheet1.', '/My%20sheet.')],
  ['has %20', (path) => path.replace('sheet1', 'My%20sheet'), (xml) => xml.replaceAll('/sheet1.', '/My%20sheet.')],
  ['is in no folder', (path) => path.replace(/^xl\//, ''), (xml) => xml.replace(/"(\/?)xl\//g, '"$1')],
  ['is in another folder', (path) => path.replace('tables', 'lists'), (xml) => xml.replace('/tables/', '/lists/')],
  [
    'is the same, with relationships in elements with a prefix',
    same,
    (xml, path) => (path.endsWith('.rels') ? xml.replace(/(<\/?)R/g, '$1pr:R').replace(' xmlns=', ' xmlns:pr=') : xml),
  ],
])('A file is read with its sheets and tables where the name of their parts %s', async (_, rename, rewrite) => {
  const { cells, sheet } = await cellsOf(await renamedFile(rename, rewrite));
  expect(cells).toEqual([['Code'], ['x']]);
  expect(sheet.tables.map(({ area, columns }) => [area, columns.map(({ name }) => name)])).toEqual([
    [parseArea('A1:A2'), ['Code']],
  ]);
});

test('A number that is too large is the error that Excel has for it', async () => {
  const row = '<row r="1"><c r="A1"><v>1E+400</v></c><c r="B1"><f>-A2</f><v>-1E+400</v></c></row>';
  expect((await cellsOf(fileOf(sheetOf(row)))).cells).toEqual([['#NUM!', ['=-A2', '#NUM!']]]);
});

test('Sections of text are read as what they say', async () => {
  const strings = `<sst xmlns="${MAIN}"><si><t><![CDATA[Smith & <Sons>]]></t></si></sst>`;
  const rows = [
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>a<![CDATA[]]]]><![CDATA[>]]></t></is></c></row>',
    '<row r="2"><c r="A2"><f><![CDATA[IF(1<2,"&",0)]]></f><v><![CDATA[5]]></v></c></row>',
  ];
  expect((await cellsOf(fileOf(sheetOf(rows.join('')), { strings }))).cells).toEqual([
    ['Smith & <Sons>', 'a]]>'],
    [['=IF(1<2,"&",0)', 5]],
  ]);
});

test.each([
  ['en', '11/25/2026', '11/25/2026 18:00'],
  ['nl', '25-11-2026', '25-11-2026 18:00'],
  ['fr', '25/11/2026', '25/11/2026 18:00'],
] as const)(
  'Dates in the format of the system are those of the language %s, also in a download',
  async (language, day, moment) => {
    const rows = '<row r="1"><c r="A1" s="1"><v>46351</v></c><c r="B1" s="2"><v>46351.75</v></c></row>';
    const file = changed(fileOf(sheetOf(rows)), (xml) =>
      xml.replace('<xf numFmtId="0" fontId="1"', '<xf numFmtId="22" fontId="1"'),
    );
    const { workbook } = await readFile(file, ADD_IN, language);
    expect([0, 1].map((column) => textAt(workbook.active, 0, column))).toEqual([day, moment]);
    const styles = strFromU8(unzipSync(await writeFile(workbook, ADD_IN))['xl/styles.xml']!);
    expect([...styles.matchAll(/numFmtId="(\d+)"/g)].map(([, id]) => id)).toEqual(expect.arrayContaining(['14', '22']));
    expect(styles).not.toContain('formatCode');
  },
);

test.each(['1', 'true'])('Dates of a workbook that says %s to counting from 1904 are the same days', async (word) => {
  const rows = '<row r="1"><c r="A1" s="1"><v>44889</v></c><c r="B1"><v>44889</v></c></row>';
  const file = changedWorkbook(fileOf(sheetOf(rows), { is1904: true }), (xml) =>
    xml.replace('date1904="1"', `date1904="${word}"`),
  );
  expect((await cellsOf(file)).cells).toEqual([[46_351, 44_889]]);
});

test.each([
  ['a text that is not there', '<row r="1"><c r="A1" t="s"><v>7</v></c></row>'],
  ['a number that is none', '<row r="1"><c r="A1"><v>1,5</v></c></row>'],
  ['a row below the last', '<row r="1048577"><c r="A1048577"><v>1</v></c></row>'],
  ['a column beyond the last', '<row r="1"><c r="XFE1"><v>1</v></c></row>'],
])('A sheet with %s is refused', async (_, rows) => {
  await expect(readFile(fileOf(sheetOf(rows)), ADD_IN, 'en')).rejects.toBeInstanceOf(UnreadableFile);
});

test('A sheet of several megabytes is read whole, and says how far it is', async () => {
  const ROWS = 90_000;
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const r = at + 1;
    return `<row r="${r}"><c r="A${r}"><v>${r}</v></c><c r="B${r}" t="str"><v>é ${r}</v></c><c r="C${r}"><f>A${r}*2</f><v>${2 * r}</v></c></row>`;
  });
  const shares: number[] = [];
  const { workbook } = await readFile(fileOf(sheetOf(rows.join(''))), ADD_IN, 'en', undefined, (share) =>
    shares.push(share),
  );
  expect(workbook.active.rows.length).toBe(ROWS);
  workbook.active.rows.forEach((row, at) => {
    const r = at + 1;
    if (row!.cells[0]!.value !== r || row!.cells[1]!.value !== `é ${r}` || row!.cells[2]!.value !== 2 * r) {
      expect(row, `row ${r}`).toBeUndefined();
    }
  });
  expect(shares.length).toBeGreaterThan(1);
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});

test('What is true or false is read by either word for it, as LibreOffice writes it', async () => {
  const views =
    '<sheetPr><pageSetUpPr fitToPage="true"/></sheetPr><sheetViews><sheetView showGridLines="false" showRowColHeaders="false" workbookViewId="0"/></sheetViews>';
  const behind =
    '<sheetProtection sheet="true" formatCells="false" sort="true"/><pageSetup fitToWidth="2" fitToHeight="0" orientation="portrait"/>';
  const xml = sheetOf('<row r="1"><c r="A1" s="2"><v>1</v></c></row>', behind).replace('<sheetData>', `${views}$&`);
  const file = changed(fileOf(xml), (part, path) =>
    path === 'xl/styles.xml'
      ? part
          .replace('<b/>', '<b val="false"/><i val="true"/><strike val="0"/>')
          .replace(/(fontId="1"[^>]*)\/>/, '$1 applyProtection="true"><protection locked="false" hidden="false"/></xf>')
      : part,
  );
  const { sheet } = await cellsOf(file);
  expect(sheet).toMatchObject({
    gridlines: false,
    headings: false,
    protection: { options: { allowFormatCells: true } },
    print: { orientation: 'Portrait', zoom: { horizontalFitToPages: 2 } },
  });
  expect(sheet.protection?.options).not.toHaveProperty('allowSort');
  expect(sheet.rows[0]?.cells[0]?.style).toEqual({ italic: true, unlocked: true });
});

// Every collection of styles.xml may be absent: ECMA-376, SpreadsheetML 18.8.39.
describe('A file opens, with the styles that it has,', () => {
  const fonts = '<fonts><font><sz val="11"/></font><font><b/><sz val="11"/></font></fonts>';
  const formats = '<cellXfs><xf/><xf numFmtId="14" fontId="1" fillId="1" borderId="1"/></cellXfs>';
  const sheet = `<worksheet xmlns="${MAIN}"><cols><col min="1" max="1" width="20" style="1"/></cols><sheetData><row r="1" s="1" customFormat="1"><c r="A1" s="1"><v>46351</v></c></row></sheetData></worksheet>`;
  const date = { numberFormat: 'm/d/yyyy' };

  test.each([
    ['no collections', `<styleSheet xmlns="${MAIN}"></styleSheet>`, undefined],
    ['nothing at all', `<styleSheet xmlns="${MAIN}"/>`, undefined],
    ['cell formats only', `<styleSheet xmlns="${MAIN}">${formats}</styleSheet>`, date],
    ['cell formats and fonts', `<styleSheet xmlns="${MAIN}">${fonts}${formats}</styleSheet>`, { ...date, bold: true }],
    ['fonts only', `<styleSheet xmlns="${MAIN}">${fonts}</styleSheet>`, undefined],
    [
      'empty collections',
      `<x:styleSheet xmlns:x="${MAIN}"><x:fonts count="0"/><x:fills count="0"></x:fills>${formats.replace(/<(\/?)/g, '<$1x:')}</x:styleSheet>`,
      date,
    ],
  ])('when these have %s', async (_, styles, expected) => {
    const file = changed(fileOf(sheet), (part, path) => (path === 'xl/styles.xml' ? styles : part));
    const { sheet: read } = await cellsOf(file);
    const [cell] = read.rows[0]!.cells;
    expect(cell?.value).toBe(46_351);
    const { numberFormat, bold } = cell?.style ?? {};
    expect({ numberFormat, bold }).toEqual({ numberFormat: undefined, bold: undefined, ...expected });
  });

  test('when it has none', async () => {
    const { 'xl/styles.xml': _, ...parts } = unzipSync(fileOf(sheet));
    expect((await cellsOf(zipSync(parts))).cells).toEqual([[46_351]]);
  });
});

// LibreOffice 7.4 writes a text that was typed behind an apostrophe without the style for it.
test('A text such as #N/A is a text, and the error another one, in files whatever their styles say', async () => {
  const strings = `<sst xmlns="${MAIN}"><si><t>#N/A</t></si></sst>`;
  const text = 's="3" t="s"><v>0</v>';
  const rows = [
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>#N/A</t></is></c><c r="C1" t="str"><v>#N/A</v></c><c r="D1" t="e"><v>#N/A</v></c></row>',
    `<row r="2"><c r="A2" ${text}</c><c r="B2" t="str"><f>TEXTJOIN("+",TRUE,A1:C1)</f><v>#N/A+#N/A+#N/A</v></c><c r="C2"><f>COUNTA(A1:D1)-SUMPRODUCT(1*ISERROR(A1:D1))</f><v>0</v></c></row>`,
  ];
  const file = changed(fileOf(sheetOf(rows.join('')), { strings }), (part, path) =>
    path === 'xl/styles.xml' ? part.replace('</cellXfs>', '<xf numFmtId="49" fontId="0"/>$&') : part,
  );
  for (const read of [file, await writeFile((await readFile(file, ADD_IN, 'nl')).workbook, ADD_IN)]) {
    const { workbook } = await readFile(read, ADD_IN, 'nl');
    attachCalculator(workbook);
    workbook.recalculate();
    const shown = matrixOf(parseArea('A1:D2')!, (row, column) => textAt(workbook.active, row, column));
    expect(shown).toEqual([
      ['#N/A', '#N/A', '#N/A', '#N/B'],
      ['#N/A', '#N/A+#N/A+#N/A', '3', ''],
    ]);
    await openExcel(workbook).Excel.run(async (context) => {
      const range = context.workbook.worksheets.getActiveWorksheet().getRange('A1:D2').load('valueTypes');
      await context.sync();
      expect(range.valueTypes).toEqual([
        ['String', 'String', 'String', 'Error'],
        ['String', 'String', 'Double', 'Empty'],
      ]);
    });
    // As it is typed again: an apostrophe is needed where the format does not say that all are texts.
    expect([typedAt(workbook.active, 0, 0), typedAt(workbook.active, 1, 0)]).toEqual(["'#N/A", '#N/A']);
  }
});

test('A text such as #N/A that is entered into a cell of texts is one in the file', async () => {
  const workbook = new Workbook();
  const sheet = workbook.active;
  setStyle(sheet, parseArea('A1')!, 'numberFormat', '@');
  enterValues(sheet, parseArea('A1:B1')!, [['#N/A', '#N/A']], workbook.locale);
  const part = strFromU8(unzipSync(await writeFile(workbook, ADD_IN))['xl/worksheets/sheet1.xml']!);
  const typeOf = (cell: string) => new RegExp(`<c r="${cell}"[^>]* t="(\\w+)"`).exec(part)?.[1];
  expect(typeOf('A1')).not.toBe('e');
  expect(typeOf('B1')).toBe('e');
});
