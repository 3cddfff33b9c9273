import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { openExcel } from '../node.ts';
import { Workbook } from '../workbook/workbook.ts';
import { readFile } from './readFile.ts';
import { writeFile } from './writeFile.ts';

const ADD_IN = '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33';

/** Each kind of filter, and its elements in a file (ECMA-376, part 1, 18.3.2). */
const kinds: [string, Excel.FilterCriteria, string][] = [
  [
    'two conditions',
    { filterOn: 'Custom', criterion1: '>=2', criterion2: '<>a&"b"', operator: 'And' },
    '<customFilters and="1"><customFilter operator="greaterThanOrEqual" val="2"/>' +
      '<customFilter operator="notEqual" val="a&amp;&quot;b&quot;"/></customFilters>',
  ],
  [
    'what is not blank',
    { filterOn: 'Custom', criterion1: '<>' },
    '<customFilters and="1"><customFilter operator="notEqual" val=" "/></customFilters>',
  ],
  ['the largest', { filterOn: 'TopItems', criterion1: '3' }, '<top10 val="3"/>'],
  ['the smallest percents', { filterOn: 'BottomPercent', criterion1: '25' }, '<top10 top="0" percent="1" val="25"/>'],
  ['an average', { filterOn: 'Dynamic', dynamicCriteria: 'AboveAverage' }, '<dynamicFilter type="aboveAverage"/>'],
  ['a period', { filterOn: 'Dynamic', dynamicCriteria: 'YearToDate' }, '<dynamicFilter type="yearToDate"/>'],
  [
    'a month of every year',
    { filterOn: 'Dynamic', dynamicCriteria: 'AllDatesInPeriodFebruray' },
    '<dynamicFilter type="M2"/>',
  ],
  [
    'a quarter of every year',
    { filterOn: 'Dynamic', dynamicCriteria: 'AllDatesInPeriodQuarter3' },
    '<dynamicFilter type="Q3"/>',
  ],
  [
    'values, blanks and dates',
    {
      filterOn: 'Values',
      values: ['x', '', { date: '2026-02-01T00:00:00', specificity: 'Month' }],
    },
    '<filters blank="1"><filter val="x"/>' +
      '<dateGroupItem year="2026" month="2" dateTimeGrouping="month"/></filters>',
  ],
];

const filtered = async (criteria: Excel.FilterCriteria, isTable: boolean): Promise<Workbook> => {
  const workbook = new Workbook();
  await openExcel(workbook).Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.name = 'Bills & more';
    const values = ['Value', 1, 2, 3, 'x', '', 46_055];
    sheet.getRange('B2:C8').values = values.map((value) => [`n${value}`, value]);
    if (isTable) sheet.tables.add('B2:C8', true).columns.getItem('Value').filter.apply(criteria);
    else sheet.autoFilter.apply(sheet.getRange('B2:C8'), 1, criteria);
    await context.sync();
  });
  return workbook;
};

/** What the one filter of a workbook is by, and the rows that it hides. */
const filterOf = ({ active: { rows, tables, filter } }: Workbook) => ({
  criteria: [...(tables[0]?.filters ?? filter?.criteria ?? new Map()).values()],
  area: filter?.area,
  hidden: rows.flatMap((row, at) => (row?.filtered ? [at + 1] : [])),
});

test.each(kinds)(
  'A filter by %s is in a download, of a table and of a sheet, and there again',
  async (_, criteria, xml) => {
    for (const isTable of [true, false]) {
      const workbook = await filtered(criteria, isTable);
      const file = await writeFile(workbook, ADD_IN);
      const part = strFromU8(unzipSync(file)[isTable ? 'xl/tables/table1.xml' : 'xl/worksheets/sheet1.xml']!);
      expect(part).toContain(`<autoFilter ref="B2:C8">`);
      expect(part).toContain(`<filterColumn colId="1"${isTable ? ' hiddenButton="0"' : ''}>${xml}</filterColumn>`);
      const { workbook: again, leftOut } = await readFile(file, ADD_IN, 'en');
      expect(filterOf(again)).toEqual(filterOf(workbook));
      expect(leftOut).toEqual([]);
    }
  },
);

test('The filter of a sheet has the hidden name that Excel gives its cells, and stays without criteria', async () => {
  const workbook = await filtered({ filterOn: 'TopItems', criterion1: '1' }, false);
  workbook.active.filter!.criteria.clear();
  const file = await writeFile(workbook, ADD_IN);
  expect(strFromU8(unzipSync(file)['xl/workbook.xml']!)).toMatch(
    /<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">&apos;Bills &amp; more&apos;!\$B\$2:\$C\$8<\/definedName>/,
  );
  const { workbook: again } = await readFile(file, ADD_IN, 'en');
  expect(filterOf(again)).toMatchObject({ area: { row: 1, column: 1, rows: 7, columns: 2 }, criteria: [] });
  expect(again.names).toEqual([]);
});

test.each([true, false])('A filter by what the page does not have is named before it is lost', async (isTable) => {
  const parts = unzipSync(await writeFile(await filtered({ filterOn: 'TopItems', criterion1: '1' }, isTable), ADD_IN));
  const path = isTable ? 'xl/tables/table1.xml' : 'xl/worksheets/sheet1.xml';
  for (const other of [
    '<colorFilter dxfId="0"/>',
    '<iconFilter iconSet="3Arrows" iconId="0"/>',
    '<dynamicFilter type="null"/>',
    '<top10 val="9999"/>',
    '<filters><dateGroupItem year="x" dateTimeGrouping="year"/></filters>',
  ]) {
    const sorted = '<sortState ref="B3:C8"><sortCondition ref="B3:B8"/></sortState>';
    const xml = strFromU8(parts[path]!).replace('<top10 val="1"/>', other).replace('</autoFilter>', `$&${sorted}`);
    expect(xml).toContain(other);
    const { workbook, leftOut } = await readFile(zipSync({ ...parts, [path]: strToU8(xml) }), ADD_IN, 'en');
    expect(leftOut).toEqual(['filters']);
    expect(filterOf(workbook).criteria).toEqual([]);
  }
});
