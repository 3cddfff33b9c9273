import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { deeper, isDeep } from '../../../testing/deep.ts';
import { workbookProblems } from '../../../testing/exports/workbookProblems.ts';
import { attachCalculator } from '../calculation/calculator.ts';
import { openExcel } from '../node.ts';
import { areaAddress, MAX_COLUMNS, MAX_ROWS } from '../workbook/cells/address.ts';
import { clearArea, enterValues } from '../workbook/changes/enter.ts';
import { deleteCells, insertCells } from '../workbook/changes/shift.ts';
import type { Sheet } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { type LeftOut, limits, readFile, UnreadableFile } from './readFile.ts';
import { writeFile } from './writeFile.ts';

const ADD_IN = '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33';

const opened = async (workbook: Workbook) => readFile(await writeFile(workbook, ADD_IN), ADD_IN, 'en');

/** A workbook that was made through Microsoft's client, as the pane makes one. */
async function made(make: (context: Excel.RequestContext) => void): Promise<Workbook> {
  const workbook = new Workbook();
  await openExcel(workbook).Excel.run(async (context) => {
    make(context);
    await context.sync();
  });
  return workbook;
}

/** What a sheet has, without the numbers that Excel gives its parts. */
const contentsOf = (sheet: Sheet) => ({
  name: sheet.name,
  visibility: sheet.visibility,
  rows: sheet.rows.flatMap((row, at) =>
    row === undefined
      ? []
      : [
          {
            at,
            height: row.height,
            hidden: Boolean(row.hidden),
            filtered: Boolean(row.filtered),
            cells: row.cells.flatMap((cell, column) =>
              cell === undefined || (cell.value === '' && !cell.style)
                ? []
                : [{ column, value: cell.value, formula: cell.formula, style: { ...cell.style } }],
            ),
          },
        ],
  ),
  columns: sheet.columns.map((column) => column && { hidden: Boolean(column.hidden), style: { ...column.style } }),
  widths: sheet.columns.map((column) => (column?.width === undefined ? undefined : Math.round(column.width))),
  tables: sheet.tables.map(({ name, area, columns, style, showBandedRows, showFilterButton, filters }) => ({
    name,
    area,
    columns: columns.map((column) => column.name),
    style,
    showBandedRows,
    showFilterButton,
    filters: [...filters.values()],
  })),
  charts: sheet.charts.map(({ id: _, name: __, left, top, width, height, source, ...chart }) => ({
    ...chart,
    area: source?.area,
    place: [left, top, width, height].map(Math.round),
  })),
  properties: [...sheet.customProperties],
  frozen: sheet.frozen,
  validations: sheet.validations
    .map(({ areas, rule }) => ({ areas, rule }))
    .sort((a, b) => a.areas[0]!.column - b.areas[0]!.column),
  merges: sheet.merges,
  gridlines: sheet.gridlines,
  tabColor: sheet.tabColor,
  protection: sheet.protection?.options,
  activeCell: sheet.activeCell,
});

/** Everything that a workbook of the pane may have. */
const everything = () =>
  made((context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.name = 'Artikelen & prijzen';
    sheet.getRange('A1:D6').values = [
      ['Code', 'Prijs', 'Aantal', 'Datum'],
      ['0100', 12.5, 3, 45_678.5],
      ['=1+1', -0.01, 0, 45_679],
      ['#N/A', 1e21, '', true],
      [' spatie\nregel', 0.1 + 0.2, 5, false],
      ['zoë 😀', 12_345_678.9, 1, ''],
    ].map((row) => row.map((value) => (typeof value === 'string' && value !== '' ? `'${value}` : value)));
    sheet.getRange('B2:B6').numberFormat = [['#,##0.00']];
    sheet.getRange('D2:D3').numberFormat = [['dd-mm-yyyy']];
    const table = sheet.tables.add('A1:D6', true);
    table.name = 'Artikelen';
    table.style = 'TableStyleLight9';
    table.columns.getItem('Aantal').filter.applyValuesFilter(['3', '5']);
    sheet.getRange('F1').formulas = [['=SUM(Artikelen[Prijs])']];
    sheet.getRange('F2').formulas = [['=XLOOKUP("0100",Artikelen[Code],Artikelen[Prijs],"_xlfn.")']];
    const styled = sheet.getRange('F3');
    styled.values = [['opmaak']];
    Object.assign(styled.format.font, { bold: true, italic: true, color: '#C00000', name: 'Arial', size: 14 });
    styled.format.fill.color = '#FFFF00';
    styled.format.horizontalAlignment = 'Center';
    styled.format.wrapText = true;
    Object.assign(styled.format.borders.getItem('EdgeBottom'), { style: 'Double', weight: 'Thick' });
    sheet.getRange('C2:C6').dataValidation.rule = { list: { inCellDropDown: true, source: '1,2,"3"' } };
    sheet.getRange('B2:B6').dataValidation.rule = { decimal: { formula1: 0, formula2: 99.5, operator: 'Between' } };
    sheet.getRange('A:A').format.columnWidth = 120;
    sheet.getRange('E:E').columnHidden = true;
    sheet.getRange('8:8').format.rowHeight = 40;
    sheet.getRange('9:9').rowHidden = true;
    sheet.getRange('H1:I2').merge();
    sheet.freezePanes.freezeRows(1);
    sheet.showGridlines = false;
    sheet.tabColor = '#00B050';
    sheet.customProperties.add('Ledgerline "memory" <1>', 'é'.repeat(30_000));
    sheet.customProperties.add('other', '');
    const second = context.workbook.worksheets.add('Second');
    second.getRange('A1:B3').values = [
      ['', 'Sum'],
      ['Jan', 3],
      ['Feb', 5],
    ];
    const chart = second.charts.add('ColumnClustered', second.getRange('A1:B3'), 'Columns');
    Object.assign(chart, { left: 200, top: 30, width: 300, height: 150 });
    chart.title.text = 'Totals';
    second.protection.protect({ allowFormatCells: true });
    context.workbook.worksheets.add('Hidden').visibility = 'Hidden';
    context.workbook.names.add('Tarief', second.getRange('B2'));
    context.workbook.settings.add('books', '{"name":"A & B"}');
    second.activate();
  });

describe('A downloaded workbook', () => {
  test('is the same when the page opens it again', async () => {
    const workbook = await everything();
    const { workbook: again, leftOut } = await opened(workbook);
    expect(leftOut).toEqual([]);
    expect(again.sheets.map(contentsOf)).toEqual(workbook.sheets.map(contentsOf));
    expect(again.active.name).toBe('Second');
    expect(again.names.map(({ name, formula }) => [name, formula])).toEqual([['Tarief', '=Second!$B$2']]);
    expect([...again.settings.values()]).toEqual([{ key: 'books', value: '{"name":"A & B"}' }]);
    // What it has when it is downloaded from there is the same once more.
    expect((await opened(again)).workbook.sheets.map(contentsOf)).toEqual(workbook.sheets.map(contentsOf));
  });

  test('refers only to parts that are there, names each part’s kind, and has tables whose headings are their cells', async () => {
    const workbook = await everything();
    workbook.active.rows[0]!.cells[1]!.note = { text: 'A note' };
    const file = await writeFile(workbook, ADD_IN);
    expect(workbookProblems(file)).toEqual([]);
    const table = strFromU8(unzipSync(file)['xl/tables/table1.xml']!);
    expect(table).toContain(' ref="A1:D6"');
    expect([...table.matchAll(/<tableColumn [^>]*name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      ...['Code', 'Prijs', 'Aantal', 'Datum'],
    ]);
    expect(table).toContain('<filter val="3"/><filter val="5"/>');
  });

  test('has every number, text and truth value as it was, whatever they are', async () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
      fc.boolean(),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('_x000D_', '  two  ', '\ttab', 'line\nline', '<&>"\'', ']]>', '=1+1', '1e5', '#REF', '👩‍👩‍👧'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(value, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (rows) => {
        const workbook = new Workbook();
        workbook.active.rows = rows.map((row) => ({ cells: row.map((one) => ({ value: one })) }));
        const { workbook: again } = await opened(workbook);
        const [read, written] = [again.active, workbook.active].map(({ rows: all }) =>
          all.flatMap((row, at) =>
            (row?.cells ?? []).flatMap((cell, column) =>
              cell === undefined || cell.value === '' ? [] : [[at, column, cell.value]],
            ),
          ),
        );
        expect(read).toEqual(written);
      }),
      { numRuns: deeper(40, 400) },
    );
  });
});

test('A table without rows has none in the file either, and its first row goes where Excel puts it', async () => {
  const workbook = await made((context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.tables.add('A1:B1', true).name = 'Leeg';
    const other = sheet.tables.add('D1:E2', true);
    other.name = 'Gevuld';
    sheet.getRange('D2').values = [[5]];
  });
  const { workbook: again } = await opened(workbook);
  await openExcel(again).Excel.run(async (context) => {
    const { tables } = context.workbook;
    const [empty, other] = ['Leeg', 'Gevuld'].map((name) => tables.getItem(name)) as [Excel.Table, Excel.Table];
    for (const table of [empty, other]) table.rows.load('count');
    await context.sync();
    expect([empty.rows.count, other.rows.count]).toEqual([0, 1]);
    for (const table of [empty, other]) table.rows.add(undefined, [[1, 2]]);
    const ranges = [empty, other].map((table) => table.getRange().load('values'));
    await context.sync();
    expect(ranges.map(({ values }) => values.slice(1))).toEqual([
      [[1, 2]],
      [
        [5, ''],
        [1, 2],
      ],
    ]);
  });
});

describe('Notes', () => {
  const noted = () => {
    const workbook = new Workbook();
    workbook.active.rows = [
      { cells: [{ value: 'Prijs', note: { text: 'Excl. btw\n<&> "2026"', author: 'Jan & Zoë' } }, { value: 2 }] },
      { cells: [{ value: 1 }, { value: '', note: { text: 'empty besides', author: 'An' } }] },
    ];
    return workbook;
  };
  const notesOf = (sheet: Sheet) =>
    sheet.rows.flatMap((row, at) =>
      (row?.cells ?? []).flatMap((cell, column) =>
        cell?.note ? [[at, column, cell.note.text, cell.note.author]] : [],
      ),
    );

  test('are in the file, also of cells that are empty besides, and there when the page opens it again', async () => {
    const { workbook, leftOut } = await opened(noted());
    expect(leftOut).toEqual([]);
    expect(notesOf(workbook.active)).toEqual([
      [0, 0, 'Excl. btw\n<&> "2026"', 'Jan & Zoë'],
      [1, 1, 'empty besides', 'An'],
    ]);
  });

  test('stay with their cells, whose contents change, move and are cleared', () => {
    const { active } = noted();
    enterValues(active, { row: 0, column: 0, rows: 2, columns: 2 }, [
      ['Price', ''],
      [3, '=1'],
    ]);
    clearArea(active, { row: 1, column: 1, rows: 1, columns: 1 }, 'Contents');
    insertCells(active, { row: 1, column: 0, rows: 2, columns: MAX_COLUMNS }, 'Down');
    expect(notesOf(active).map(([row, column, text]) => [row, column, text])).toEqual([
      [0, 0, 'Excl. btw\n<&> "2026"'],
      [3, 1, 'empty besides'],
    ]);
    clearArea(active, { row: 3, column: 1, rows: 1, columns: 1 }, 'All');
    expect(notesOf(active).length).toBe(1);
  });

  test('are what threaded comments become, with each reply as a line', async () => {
    const parts = unzipSync(await writeFile(noted(), ADD_IN));
    const relationships = 'xl/worksheets/_rels/sheet1.xml.rels';
    const { workbook } = await readFile(
      zipSync({
        ...parts,
        [relationships]: strToU8(
          strFromU8(parts[relationships]!).replace(
            '</Relationships>',
            '<Relationship Id="t1" Type="http://schemas.microsoft.com/office/2017/10/relationships/threadedComment" Target="../threadedComments/threadedComment1.xml"/></Relationships>',
          ),
        ),
        'xl/threadedComments/threadedComment1.xml': strToU8(
          '<ThreadedComments><threadedComment ref="A1" personId="{1}" id="{a}"><text>Klopt dit &amp; dat?</text></threadedComment>' +
            '<threadedComment ref="A1" personId="{2}" id="{b}" parentId="{a}"><text>Ja.</text></threadedComment></ThreadedComments>',
        ),
        'xl/persons/person.xml': strToU8(
          '<personList><person displayName="Jan" id="{1}"/><person displayName="Zoë" id="{2}"/></personList>',
        ),
      }),
      ADD_IN,
      'en',
    );
    expect(notesOf(workbook.active)).toEqual([
      [0, 0, 'Jan: Klopt dit & dat?\nZoë: Ja.', 'Jan'],
      [1, 1, 'empty besides', 'An'],
    ]);
  });
});

describe('Conditional formats', () => {
  const formats = [
    '<dxf><font><b/><color rgb="FF9C0006"/></font><fill><patternFill><bgColor rgb="FFFFC7CE"/></patternFill></fill></dxf>',
    '<dxf><numFmt numFmtId="165" formatCode="0.0&quot; €&quot;"/></dxf>',
  ];
  /** As Excel writes them, each for one or several areas. */
  const written = [
    '<conditionalFormatting sqref="B2:B9 D2:D9"><cfRule type="expression" dxfId="0" priority="3" stopIfTrue="1"><formula>AND($C2&lt;&gt;"a&amp;b",B2&gt;B$20)</formula></cfRule></conditionalFormatting>',
    '<conditionalFormatting sqref="A2:A9"><cfRule type="cellIs" dxfId="1" priority="4" operator="between"><formula>1</formula><formula>$F$1</formula></cfRule><cfRule type="duplicateValues" dxfId="0" priority="5"/><cfRule type="beginsWith" dxfId="0" priority="6" operator="beginsWith" text="x"><formula>LEFT(A2,LEN("x"))="x"</formula></cfRule></conditionalFormatting>',
    '<conditionalFormatting sqref="C2:C9"><cfRule type="colorScale" priority="1"><colorScale><cfvo type="min"/><cfvo type="percentile" val="50"/><cfvo type="num" val="$F$2"/><color rgb="FFF8696B"/><color theme="0" tint="-0.25"/><color rgb="FF63BE7B"/></colorScale></cfRule></conditionalFormatting>',
    '<conditionalFormatting sqref="E2:E9"><cfRule type="iconSet" priority="2"><iconSet iconSet="3Arrows" reverse="1"><cfvo type="percent" val="0"/><cfvo type="percent" val="33"/><cfvo type="percent" val="67" gte="0"/></iconSet></cfRule></conditionalFormatting>',
  ];
  const file = async (elements: readonly string[] = written) => {
    const workbook = new Workbook();
    workbook.active.rows = [{ cells: [{ value: 1 }] }];
    const parts = unzipSync(await writeFile(workbook, ADD_IN));
    const changed = (path: string, from: string, to: string) => {
      const xml = strFromU8(parts[path]!);
      expect(xml).toContain(from);
      return { [path]: strToU8(xml.replace(from, to)) };
    };
    return zipSync({
      ...parts,
      ...changed('xl/styles.xml', '<dxfs count="0"/>', `<dxfs count="2">${formats.join('')}</dxfs>`),
      ...changed('xl/worksheets/sheet1.xml', '</sheetData>', `</sheetData>${elements.join('')}`),
    });
  };
  /** The rules in a file: each with its areas, and its format in place of that one's number. */
  const rulesIn = (bytes: Uint8Array): string[] => {
    const parts = unzipSync(bytes);
    const found = [...strFromU8(parts['xl/styles.xml']!).matchAll(/<dxf>.*?<\/dxf>/g)].map(([whole]) => whole);
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!).replaceAll('&quot;', '"');
    return [...sheet.matchAll(/<conditionalFormatting sqref="([^"]*)">(.*?)<\/conditionalFormatting>/g)].flatMap(
      ([, areas, rules]) =>
        [...rules!.matchAll(/<cfRule [^>]*?(?:\/>|>.*?<\/cfRule>)/g)].map(([rule]) => {
          const attributes = [.../ ([a-zA-Z]+)="([^"]*)"/g[Symbol.matchAll](/^<cfRule[^>]*/.exec(rule)![0])].map(
            ([, name, value]) => (name === 'dxfId' ? found[Number(value)] : `${name} ${value}`),
          );
          return [areas, ...attributes.sort(), rule.replace(/^<cfRule[^>]*?\/?>|<\/cfRule>$/g, '')].join(' | ');
        }),
    );
  };

  test('are in a download as they were in the file', async () => {
    const bytes = await file();
    const { workbook, leftOut } = await readFile(bytes, ADD_IN, 'en');
    expect(leftOut).toEqual([]);
    const again = await writeFile(workbook, ADD_IN);
    expect(rulesIn(again)).toEqual(rulesIn(bytes));
    expect(rulesIn(again).length).toBe(6);
    expect(workbook.active.conditionalFormats.map(({ type }) => type)).toEqual([
      'Custom',
      'CellValue',
      'PresetCriteria',
      'ContainsText',
      'ColorScale',
      'IconSet',
    ]);
  });

  test('follow rows and columns that are inserted and deleted, with their formulas', async () => {
    const rulesAfter = async (change: (sheet: Sheet) => void) => {
      const { workbook } = await readFile(await file(), ADD_IN, 'en');
      change(workbook.active);
      return workbook.active.conditionalFormats.map(({ areas, rule }) =>
        [areas.map((area) => areaAddress(area)).join(' '), ...rule!.formulas, ...(rule!.scale?.values[2]?.val ?? '')]
          .join(' ')
          .trim(),
      );
    };
    const rows = (row: number, count: number) => ({ row, column: 0, rows: count, columns: MAX_COLUMNS });
    const columns = (column: number) => ({ row: 0, column, rows: MAX_ROWS, columns: 1 });
    const inserted = await rulesAfter((sheet) => insertCells(sheet, rows(0, 2), 'Down'));
    expect(inserted.slice(0, 2)).toEqual(['B4:B11 D4:D11 =AND($C4<>"a&b",B4>B$22)', 'A4:A11 =1 =$F$3']);
    // The first row of the areas goes: the formulas are those of the next one.
    const deleted = await rulesAfter((sheet) => deleteCells(sheet, rows(1, 1), 'Up'));
    expect(deleted.slice(0, 2)).toEqual(['B2:B8 D2:D8 =AND($C2<>"a&b",B2>B$19)', 'A2:A8 =1 =$F$1']);
    // The first area goes: the formulas are those of the second one.
    const narrower = await rulesAfter((sheet) => deleteCells(sheet, columns(1), 'Left'));
    expect(narrower[0]).toBe('C2:C9 =AND($B2<>"a&b",C2>C$20)');
    expect(await rulesAfter((sheet) => deleteCells(sheet, rows(1, 8), 'Up'))).toEqual([]);
  });

  test('of later versions are named as what is left out of them', async () => {
    const later =
      '<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:conditionalFormattings><x14:conditionalFormatting xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:cfRule type="dataBar" id="{1}"><x14:dataBar minLength="0" maxLength="100" gradient="0"><x14:cfvo type="autoMin"/><x14:cfvo type="autoMax"/></x14:dataBar></x14:cfRule><xm:sqref>A2:A9</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>';
    const bar =
      '<conditionalFormatting sqref="A2:A9"><cfRule type="dataBar" priority="1"><dataBar><cfvo type="min"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar><extLst><ext uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:id>{1}</x14:id></ext></extLst></cfRule></conditionalFormatting>';
    for (const elements of [[bar], []]) {
      const parts = unzipSync(await file(elements));
      const path = 'xl/worksheets/sheet1.xml';
      const xml = strFromU8(parts[path]!).replace('</worksheet>', `${later}</worksheet>`);
      const { workbook, leftOut } = await readFile(zipSync({ ...parts, [path]: strToU8(xml) }), ADD_IN, 'en');
      expect(leftOut).toEqual(['conditionalFormats']);
      expect(rulesIn(await writeFile(workbook, ADD_IN)).length).toBe(elements.length);
    }
  });
});

describe('Validation', () => {
  const validation = (attributes: string, formulas: string) =>
    `<dataValidation allowBlank="1" showErrorMessage="1" ${attributes}>${formulas}</dataValidation>`;
  const bounds = (...texts: string[]) =>
    texts.map((text, at) => `<formula${at + 1}>${text}</formula${at + 1}>`).join('');
  const inFile = [
    validation('type="date" operator="greaterThan" sqref="A1"', bounds('46023')),
    validation('type="date" operator="lessThanOrEqual" sqref="A2"', bounds('TODAY()')),
    validation('type="date" operator="between" sqref="A3"', bounds('$B$1', '46030')),
    validation('type="time" operator="notBetween" sqref="A4"', bounds('0.25', '0.75')),
    validation('type="whole" operator="between" sqref="A5"', bounds('1', 'B5+5')),
    validation('type="decimal" operator="lessThan" sqref="A6"', bounds('B6*1.5')),
    validation('type="textLength" operator="equal" sqref="A7"', bounds('LEN(B7)')),
    validation('type="custom" sqref="A8"', bounds('ISNUMBER(_xlfn.XMATCH(A8,$B$1:$B$5))')),
    validation('type="list" showDropDown="1" errorTitle="Kind" sqref="A9"', bounds('"a,""b"""')),
    validation('type="list" sqref="A10:A1048576"', bounds('$B$1:$B$5')),
    validation('showInputMessage="1" promptTitle="Date" prompt="As on the &lt;invoice&gt;" sqref="C1"', ''),
  ];
  /** As Excel writes a list of another sheet. */
  const later =
    '<extLst><ext xmlns:x14="urn:x14" uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}"><x14:dataValidations xmlns:xm="urn:xm" ' +
    'count="1"><x14:dataValidation type="list" allowBlank="1" showErrorMessage="1"><x14:formula1><xm:f>Other!$A$1:$A$3' +
    '</xm:f></x14:formula1><xm:sqref>D1:D5</xm:sqref></x14:dataValidation></x14:dataValidations></ext></extLst>';
  const rules = [
    { date: { formula1: 46_023, operator: 'GreaterThan' } },
    { date: { formula1: '=TODAY()', operator: 'LessThanOrEqualTo' } },
    { date: { formula1: '=$B$1', formula2: 46_030, operator: 'Between' } },
    { time: { formula1: 0.25, formula2: 0.75, operator: 'NotBetween' } },
    { wholeNumber: { formula1: 1, formula2: '=B5+5', operator: 'Between' } },
    { decimal: { formula1: '=B6*1.5', operator: 'LessThan' } },
    { textLength: { formula1: '=LEN(B7)', operator: 'EqualTo' } },
    { custom: { formula: '=ISNUMBER(XMATCH(A8,$B$1:$B$5))' } },
    { list: { inCellDropDown: false, source: 'a,"b"' } },
    { list: { inCellDropDown: true, source: '=$B$1:$B$5' } },
    {},
    { list: { inCellDropDown: true, source: '=Other!$A$1:$A$3' } },
  ];

  test('is that of the file, and of a download again, also with formulas, times and prompts', async () => {
    const start = await made((context) => context.workbook.worksheets.add('Other'));
    const parts = unzipSync(await writeFile(start, ADD_IN));
    const path = 'xl/worksheets/sheet1.xml';
    const xml = strFromU8(parts[path]!)
      .replace(
        '</sheetData>',
        () => `</sheetData><dataValidations count="${inFile.length}">${inFile.join('')}</dataValidations>`,
      )
      .replace('</worksheet>', () => `${later}</worksheet>`);
    const { workbook } = await readFile(zipSync({ ...parts, [path]: strToU8(xml) }), ADD_IN, 'en');
    const { validations } = workbook.sheets[0]!;
    expect(validations.map(({ rule }) => rule)).toEqual(rules);
    expect(validations[8]!.settings.errorAlert).toMatchObject({ title: 'Kind', showAlert: true, style: 'Stop' });
    const prompt = { message: 'As on the <invoice>', title: 'Date', showPrompt: true };
    expect(validations[10]!.settings.prompt).toEqual(prompt);
    const download = await writeFile(workbook, ADD_IN);
    expect(workbookProblems(download)).toEqual([]);
    expect(strFromU8(unzipSync(download)[path]!)).toContain(
      '<formula1>ISNUMBER(_xlfn.XMATCH(A8,$B$1:$B$5))</formula1>',
    );
    expect((await readFile(download, ADD_IN, 'en')).workbook.sheets[0]!.validations).toEqual(validations);
  });

  test('of an add-in is in a file with the numbers of dates and times, and with its formulas', async () => {
    const workbook = await made((context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      const validationOf = (address: string) => sheet.getRange(address).dataValidation;
      validationOf('A1').rule = { date: { formula1: '2026-01-01', formula2: '=TODAY()', operator: 'Between' } };
      validationOf('A2').rule = { time: { formula1: '08:30', operator: 'GreaterThan' } };
      validationOf('A3').rule = { custom: { formula: '=IFS(A3>1,TRUE)' } };
    });
    const xml = strFromU8(unzipSync(await writeFile(workbook, ADD_IN))['xl/worksheets/sheet1.xml']!);
    const formulas = [...xml.matchAll(/<formula\d>(.*?)<\/formula\d>/g)].map(([, formula]) => formula);
    expect(formulas).toEqual(['46023', 'TODAY()', String(8.5 / 24), '_xlfn.IFS(A3&gt;1,TRUE)']);
  });
});

test('A chart that would have other series on the page is named as what is left out', async () => {
  const workbook = await made((context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:D3').values = [
      ['Month', 'Net', 'VAT', 'Gross'],
      ['January', 100, 21, 121],
      ['February', 200, 42, 242],
    ];
    sheet.charts.add('ColumnStacked', sheet.getRange('A1:C3'), 'Columns');
  });
  const parts = unzipSync(await writeFile(workbook, ADD_IN));
  const path = Object.keys(parts).find((name) => /charts\/chart\d+\.xml$/.test(name))!;
  const chart = strFromU8(parts[path]!);
  const openedWith = async (xml: string) => {
    const { workbook, leftOut } = await readFile(zipSync({ ...parts, [path]: strToU8(xml) }), ADD_IN, 'en');
    return [workbook.sheets[0]!.charts.map(({ source }) => areaAddress(source!.area)), leftOut];
  };
  expect(await openedWith(chart)).toEqual([['A1:C3'], []]);
  // The second series is of a column that is not beside the first.
  expect(await openedWith(chart.replaceAll('$C$', '$D$'))).toEqual([[], ['charts']]);
  expect(await openedWith(chart.replaceAll('$A$', '$D$'))).toEqual([[], ['charts']]);
  expect(await openedWith(chart.replace('"stacked"', '"percentStacked"'))).toEqual([[], ['charts']]);
});

test('Names of a sheet stay beside those of the workbook, in the file and when the page opens it again', async () => {
  const workbook = await made((context) => {
    const first = context.workbook.worksheets.getActiveWorksheet();
    const second = context.workbook.worksheets.add("Jan's & co");
    context.workbook.names.add('Tarief', first.getRange('B2'));
    context.workbook.names.add('Btw', '=21/100');
    second.names.add('Tarief', second.getRange('C3:C4'));
    second.names.add('Korting', '=0.5*Btw').visible = false;
    context.workbook.names.add('Kolom', '=Sheet1!$A:$A');
    context.workbook.names.add('Rijen', '=Sheet1!$1:$2');
    context.workbook.names.add('Links', '=Sheet1!A1');
    context.workbook.names.add('Beide', '=Sheet1!$A$1:$A$2,Sheet1!$C$1', 'Begin & "eind"');
  });
  const xml = new TextDecoder().decode(unzipSync(await writeFile(workbook, ADD_IN))['xl/workbook.xml']);
  const names = [...xml.matchAll(/<definedName name="(\w+)"([^>]*)>([^<]*)</g)].map(([, ...parts]) =>
    parts.join('|').replaceAll('&apos;', "'"),
  );
  expect(names.sort()).toEqual([
    'Beide| comment="Begin &amp; &quot;eind&quot;"|Sheet1!$A$1:$A$2,Sheet1!$C$1',
    'Btw||21/100',
    'Kolom||Sheet1!$A:$A',
    'Korting| localSheetId="1" hidden="1"|0.5*Btw',
    'Links||Sheet1!A1',
    'Rijen||Sheet1!$1:$2',
    "Tarief| localSheetId=\"1\"|'Jan''s &amp; co'!$C$3:$C$4",
    'Tarief||Sheet1!$B$2',
  ]);
  const { workbook: again, leftOut } = await opened(workbook);
  expect(leftOut).toEqual([]);
  const read = [...again.names, ...again.sheets.flatMap((sheet) => sheet.names)].map((item) => [
    item.name,
    item.formula,
    item.scope?.name,
    item.visible,
    item.comment,
  ]);
  expect(read.sort()).toEqual(
    [
      ['Beide', '=Sheet1!$A$1:$A$2,Sheet1!$C$1', undefined, true, 'Begin & "eind"'],
      ['Btw', '=21/100', undefined, true, ''],
      ['Kolom', '=Sheet1!$A:$A', undefined, true, ''],
      ['Korting', '=0.5*Btw', "Jan's & co", false, ''],
      ['Links', '=Sheet1!A1', undefined, true, ''],
      ['Rijen', '=Sheet1!$1:$2', undefined, true, ''],
      ['Tarief', "='Jan''s & co'!$C$3:$C$4", "Jan's & co", true, ''],
      ['Tarief', '=Sheet1!$B$2', undefined, true, ''],
    ].sort(),
  );
});

/** A file with one sheet, whose part is another. */
async function withSheet(change: (xml: string) => string): Promise<Uint8Array> {
  const parts = unzipSync(await writeFile(new Workbook(), ADD_IN));
  const path = 'xl/worksheets/sheet1.xml';
  return zipSync({
    ...parts,
    [path]: strToU8(change(strFromU8(parts[path]!).replace('<sheetData></sheetData>', '<sheetData/>'))),
  });
}

test('A small file that names the whole sheet opens: merged cells, columns beyond the last, ten thousand rules', async () => {
  const rules = Array.from(
    { length: 10_000 },
    (_, row) => `<dataValidation type="whole" sqref="A${row + 1}:B${row + 1}"><formula1>1</formula1></dataValidation>`,
  );
  const file = await withSheet((xml) =>
    xml.replace(
      /(?:<cols>.*?<\/cols>)?<sheetData\/>/s,
      `<cols><col min="2" max="999999999" width="20" customWidth="1"/></cols><sheetData/>
      <mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>
      <dataValidations>${rules.join('')}</dataValidations>`,
    ),
  );
  const { workbook } = await readFile(file, ADD_IN, 'en');
  const [sheet] = workbook.sheets;
  expect(sheet!.merges).toEqual([{ row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS }]);
  expect([sheet!.columns.length, sheet!.validations.length]).toEqual([MAX_COLUMNS, 10_000]);
});

test('A file with elements within elements thirty thousand deep is refused, or they are passed over', async () => {
  const deep = `${'<a>'.repeat(30_000)}${'</a>'.repeat(30_000)}`;
  const inCells = await withSheet((xml) => xml.replace('<sheetData/>', `<sheetData>${deep}</sheetData>`));
  expect((await readFile(inCells, ADD_IN, 'en')).workbook.sheets).toHaveLength(1);
  const behind = await withSheet((xml) => xml.replace('<sheetData/>', `<sheetData/>${deep}`));
  await expect(readFile(behind, ADD_IN, 'en')).rejects.toMatchObject({ reason: 'notWorkbook' });
  const cut = await withSheet((xml) =>
    xml.replace('<sheetData/>', '<sheetData><row r="1"><c r="A1"><v>1</v></row></sheetData>'),
  );
  await expect(readFile(cut, ADD_IN, 'en')).rejects.toMatchObject({ reason: 'notWorkbook' });
});

describe.skipIf(isDeep)('A file that cannot be opened', () => {
  const refused = async (bytes: Uint8Array, max = limits) => {
    const error = await readFile(bytes, ADD_IN, 'en', max).catch((thrown: unknown) => thrown);
    return error instanceof UnreadableFile ? error.reason : error;
  };

  test('is refused with the reason', async () => {
    const file = await writeFile(new Workbook(), ADD_IN);
    expect(await refused(strToU8('a,b\n1,2\n'))).toBe('notWorkbook');
    expect(await refused(new Uint8Array())).toBe('notWorkbook');
    expect(await refused(zipSync({ 'word/document.xml': strToU8('<w/>') }))).toBe('notWorkbook');
    expect(await refused(file.slice(0, file.length / 2))).toBe('notWorkbook');
    expect(await refused(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0]))).toBe('encrypted');
    expect(await refused(zipSync({ ...unzipSync(file), 'xl/workbook.xml': strToU8('<workbook><sheets>') }))).toBe(
      'notWorkbook',
    );
  });

  test('is refused before it is unpacked when it would be too large', async () => {
    const bomb = zipSync({ 'xl/workbook.xml': strToU8('<x/>'), a: new Uint8Array(30_000_000) });
    expect(bomb.length).toBeLessThan(100_000);
    expect(await refused(bomb, { ...limits, unpacked: 20_000_000 })).toBe('tooLarge');
    expect(await refused(bomb, { ...limits, file: 10_000 })).toBe('tooLarge');
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`a${index}`, new Uint8Array()]));
    expect(await refused(zipSync({ 'xl/workbook.xml': strToU8('<x/>'), ...many }))).toBe('tooLarge');
    const workbook = new Workbook();
    // Cells in the last column of a hundred thousand rows have a billion places before them.
    const last = Array.from(
      { length: 100_000 },
      (_, row) => `<row r="${row + 1}"><c r="XFD${row + 1}"><v>1</v></c></row>`,
    );
    expect(
      await refused(await withSheet((xml) => xml.replace('<sheetData/>', `<sheetData>${last.join('')}</sheetData>`))),
    ).toBe('tooLarge');
    workbook.active.rows = [{ cells: Array.from({ length: 11 }, () => ({ value: 1 })) }];
    expect(await refused(await writeFile(workbook, ADD_IN), { ...limits, cells: 10 })).toBe('tooLarge');
  });
});

describe.skipIf(isDeep)('A small file that unpacks to very much', () => {
  const changed = async (path: string, by: (xml: string) => string, more: Record<string, string> = {}) => {
    const parts = unzipSync(await writeFile(new Workbook(), ADD_IN));
    const others = Object.entries(more).map(([name, xml]) => [name, strToU8(xml)] as const);
    return zipSync({ ...parts, [path]: strToU8(by(strFromU8(parts[path]!))), ...Object.fromEntries(others) });
  };
  const outcome = async (bytes: Uint8Array, max = limits) => {
    const read = readFile(bytes, ADD_IN, 'en', max);
    return read.then(
      ({ workbook }) => workbook.sheets.length,
      (error) => (error as UnreadableFile).reason,
    );
  };
  /** A file whose cells share some texts. */
  const withTexts = (texts: string) =>
    changed(
      'xl/_rels/workbook.xml.rels',
      (xml) =>
        xml.replace(
          '</Relationships>',
          `<Relationship Id="own" Target="sharedStrings.xml"
            Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"/></Relationships>`,
        ),
      {
        'xl/sharedStrings.xml': `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${texts}</sst>`,
      },
    );

  test('is refused when it has more texts or sheets than are opened', async () => {
    const texts = await withTexts('<si><t>a</t></si>'.repeat(1000));
    expect([await outcome(texts), await outcome(texts, { ...limits, texts: 999 })]).toEqual([1, 'tooLarge']);
    const sheets = await changed('xl/workbook.xml', (xml) =>
      xml.replace(/<sheet [^>]*>/, (sheet) =>
        Array.from({ length: 20_000 }, (_, number) => sheet.replace(/name="[^"]*"/, `name="S${number}"`)).join(''),
      ),
    );
    expect(await outcome(sheets)).toBe('tooLarge');
  });

  test.each(['"', "'"])('is opened when a table says between %s that it is the whole sheet', async (quote) => {
    const workbook = new Workbook();
    await openExcel(workbook).Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:B2').values = [
        ['n', 't'],
        [1, 'a'],
      ];
      sheet.tables.add('A1:B2', true).name = 'T';
      await context.sync();
    });
    const parts = unzipSync(await writeFile(workbook, ADD_IN));
    const path = 'xl/tables/table1.xml';
    const xml = strFromU8(parts[path]!).replace(' ref="A1:B2"', ` ref=${quote}A1:XFD1048576${quote}`);
    expect(xml).toContain('XFD1048576');
    const { workbook: read, leftOut } = await readFile(zipSync({ ...parts, [path]: strToU8(xml) }), ADD_IN, 'en');
    expect(read.active.tables.map(({ name, area }) => [name, area])).toEqual([
      ['T', { row: 0, column: 0, rows: 1_048_576, columns: 2 }],
    ]);
    expect(leftOut).toEqual([]);
  });

  test('is opened, and calculated, when it says of anything that it is the whole sheet', async () => {
    const workbook = new Workbook();
    attachCalculator(workbook);
    await openExcel(workbook).Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:A3').values = [[3], [1], [2]];
      sheet.getRange('C1').formulas = [['=A1:A3']];
      sheet.getRange('E1:E2').values = [['n'], [1]];
      sheet.tables.add('E1:E2', true);
      sheet.getRange('A6:B7').merge();
      sheet.getRange('A9').hyperlink = { address: 'https://example.com', textToDisplay: 'x' };
      sheet.getRange('B9').dataValidation.rule = { list: { inCellDropDown: true, source: 'a,b' } };
      sheet.autoFilter.apply(sheet.getRange('A1:A3'));
      const format = sheet.getRange('A1:A3').conditionalFormats.add('CellValue');
      format.cellValue.rule = { formula1: '1', operator: 'GreaterThan' };
      await context.sync();
    });
    const parts = unzipSync(await writeFile(workbook, ADD_IN));
    const places = Object.entries(parts).flatMap(([path, part]) =>
      [...strFromU8(part).matchAll(/<(\w+)[^>]*? (?:ref|sqref)="([^"]*)"/g)].map((found) => ({ path, found })),
    );
    const elements = places.map(({ found }) => found[1]);
    expect(elements).toEqual(expect.arrayContaining(['autoFilter', 'dataValidation', 'f', 'hyperlink', 'mergeCell']));
    for (const { path, found } of places) {
      const xml = strFromU8(parts[path]!);
      const end = found.index + found[0].length - 1;
      const huge = `${xml.slice(0, end - found[2]!.length)}A1:XFD1048576${xml.slice(end)}`;
      const { workbook: read } = await readFile(zipSync({ ...parts, [path]: strToU8(huge) }), ADD_IN, 'en');
      attachCalculator(read);
      await openExcel(read).Excel.run(async (context) => {
        const sheet = context.workbook.worksheets.getActiveWorksheet();
        sheet.getRange('A20').values = [[5]];
        sheet.getRange('B20').formulas = [['=A20*2']];
        const cell = sheet.getRange('B20').load('values');
        await context.sync();
        expect([found[1], cell.values]).toEqual([found[1], [[10]]]);
      });
    }
  });

  test('is refused when a text has no end for millions of characters', async () => {
    expect(await outcome(await withTexts(`<si>${'<r><t>a</t></r>'.repeat(5_000_000)}</si>`))).toBe('notWorkbook');
  });

  test('opens when what its texts are made of has no end, each of which was once searched for to the end', async () => {
    for (const part of ['<t>', '<t ', '<rPh>', '<r><rPr>']) {
      expect(await outcome(await withTexts(`<si>${part.repeat(300_000)}</si>`))).toBe(1);
    }
  });

  test.each([
    ['refused', 'notWorkbook', 'xl/worksheets/sheet1.xml', '</worksheet>'],
    ['refused', 'notWorkbook', 'xl/worksheets/sheet1.xml', '<sheetData'],
    ['refused', 'notWorkbook', 'xl/workbook.xml', '<sheets>'],
    ['refused', 'notWorkbook', 'xl/styles.xml', '<fonts'],
    ['refused', 'notWorkbook', '[Content_Types].xml', '</Types>'],
    // Of relationships only those are read that have a meaning.
    ['opened', 1, 'xl/_rels/workbook.xml.rels', '</Relationships>'],
  ])('is %s (%s) with a million elements within each other in %s before %s', async (_, result, path, before) => {
    const deep = `${'<a>'.repeat(1_000_000)}${'</a>'.repeat(1_000_000)}`;
    expect(await outcome(await changed(path, (xml) => xml.replace(before, `${deep}${before}`)))).toBe(result);
  });
});

test('What a file has besides is named before anything is lost, and never followed', async () => {
  const parts = unzipSync(await writeFile(new Workbook(), ADD_IN));
  const other = (path: string) => zipSync({ ...parts, [path]: strToU8('<x/>') });
  const found: [string, LeftOut][] = [
    ['xl/vbaProject.bin', 'macros'],
    ['xl/externalLinks/externalLink1.xml', 'links'],
    ['xl/connections.xml', 'connections'],
    ['xl/media/image1.png', 'pictures'],
    ['xl/ctrlProps/ctrlProp1.xml', 'controls'],
  ];
  for (const [path, kind] of found) expect((await readFile(other(path), ADD_IN, 'en')).leftOut, path).toEqual([kind]);
});
