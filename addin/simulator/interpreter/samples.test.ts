import { describe, expect, test } from 'vitest';
import { failure, onEmptySheet, openEmpty } from '../../../testing/addin/emptyWorkbook.ts';

/*
 * What Microsoft's samples rely on (OfficeDev/office-js-snippets, samples/excel), and what is refused of them. The samples
 * are not part of this repository; those that need results of formulas are in calculation/samples.test.ts.
 */

/** A table of payments on the sheet. */
const withPayments = (sheet: Excel.Worksheet): Excel.Table => {
  const table = sheet.tables.add('A1:C1', true);
  table.name = 'Payments';
  table.getHeaderRowRange().values = [['Day', 'Kind', 'Paid']];
  table.rows.add(undefined, [
    ['3/1/2026', 'Rent', '$900'],
    ['3/2/2026', 'Food', '$45'],
    ['3/9/2026', 'Books', '$30'],
    ['3/9/2026', 'Food', '$60'],
  ]);
  return table;
};

describe('Ranges of the samples', () => {
  test('are beside each other, or have nothing in common', async () => {
    await onEmptySheet(async (sheet, context) => {
      withPayments(sheet);
      const base = sheet.getRange('B2:C5');
      const found = [
        base.getColumnsAfter(2),
        base.getColumnsBefore(1),
        base.getRowsAbove(1),
        base.getLastColumn(),
        base.getUsedRange(true).getLastColumn().getIntersection('A4:D9'),
        base.getIntersectionOrNullObject('C5:C9'),
        base.findOrNullObject('food', { completeMatch: true }),
      ].map((range) => range.load('address'));
      const none = [base.getIntersectionOrNullObject('E1:F9'), base.findOrNullObject('Travel', {})];
      await context.sync();
      expect(found.map(({ address }) => address.replace('Sheet1!', ''))).toEqual([
        ...['D2:E5', 'A2:A5', 'B1:C1', 'C2:C5', 'C4:C5', 'C5', 'B3'],
      ]);
      expect(none.map(({ isNullObject }) => isNullObject)).toEqual([true, true]);
    });
  });

  test('have several properties set at once, also from another range', async () => {
    await onEmptySheet(async (sheet, context) => {
      const first = sheet.getRange('A1:B1');
      first.set({ format: { fill: { color: 'SkyBlue' }, font: { name: 'Verdana', italic: true } } });
      first.load('format/fill/color,format/font/name,format/font/italic');
      await context.sync();
      const second = sheet.getRange('A3:B3');
      second.set(first);
      second.load('format/fill/color,format/font/name,format/font/italic');
      await context.sync();
      const { fill, font } = second.format;
      expect([fill.color, font.name, font.italic]).toEqual(['#87CEEB', 'Verdana', true]);
    });
  });

  test('are no longer merged', async () => {
    await onEmptySheet(async (sheet, context) => {
      const title = sheet.getRange('A1:C1');
      title.merge(true);
      title.unmerge();
      sheet.getRange('A2:C3').values = [
        [2, 'b', ''],
        [1, 'a', ''],
      ];
      // Merged cells could not be sorted.
      sheet.getRange('A1:C3').sort.apply([{ key: 0 }]);
      const sorted = sheet.getRange('A1:B2').load('values');
      await context.sync();
      expect(sorted.values).toEqual([
        [1, 'a'],
        [2, 'b'],
      ]);
    });
  });
});

describe('Tables of the samples', () => {
  test('show the rows that two filters leave, and all again', async () => {
    await onEmptySheet(async (sheet, context) => {
      const table = withPayments(sheet);
      table.columns.getItem('PAID').filter.apply({ filterOn: 'Dynamic', dynamicCriteria: 'BelowAverage' });
      table.columns.getItem('Kind').filter.apply({ filterOn: 'Values', values: ['Food', 'Rent'] });
      const filtered = table.getDataBodyRange().getVisibleView().load('text,rowCount');
      await context.sync();
      expect([filtered.rowCount, filtered.text]).toEqual([
        2,
        [
          ['3/2/2026', 'Food', '$45'],
          ['3/9/2026', 'Food', '$60'],
        ],
      ]);
      table.clearFilters();
      const all = table.getDataBodyRange().getVisibleView().load('rowCount');
      await context.sync();
      expect(all.rowCount).toBe(4);
    });
  });

  test('are sorted and resized, and their parts have colours of their own', async () => {
    await onEmptySheet(async (sheet, context) => {
      const table = withPayments(sheet);
      table.sort.apply([{ key: 2, ascending: false }]);
      table.getDataBodyRange().format.fill.color = '#DAF7A6';
      table.rows.getItemAt(1).getRange().format.fill.color = '#FFC300';
      table.columns.getItemAt(0).getDataBodyRange().format.fill.color = '#FFA07A';
      table.resize('A1:C9');
      const paid = table.columns.getItem('Paid').getRange().load('values');
      const colors = ['A2', 'A3', 'B3', 'B2'].map((address) => sheet.getRange(address).load('format/fill/color'));
      table.load('showHeaders');
      table.rows.load('count');
      await context.sync();
      expect(paid.values.flat()).toEqual(['Paid', 900, 60, 45, 30, '', '', '', '']);
      expect(colors.map(({ format }) => format.fill.color)).toEqual(['#FFA07A', '#FFA07A', '#FFC300', '#DAF7A6']);
      expect([table.showHeaders, table.rows.count]).toEqual([true, 8]);
    });
  });

  test.each<[string, (table: Excel.Table) => Excel.Range]>([
    ['Table.getTotalRowRange', (table) => table.getTotalRowRange()],
    ['TableColumn.getTotalRowRange', (table) => table.columns.getItemAt(0).getTotalRowRange()],
  ])('have no totals: %s', async (location, find) => {
    const attempt = onEmptySheet(async (sheet, context) => {
      find(withPayments(sheet)).load('address');
      await context.sync();
    });
    expect(await failure(attempt)).toEqual({ code: 'ItemNotFound', location });
  });
});

test('Charts of the samples show series of columns or rows, of the type of the chart', async () => {
  await onEmptySheet(async (sheet, context) => {
    sheet.getRange('A1:C3').values = [
      ['Part', 'May', 'June'],
      ['Frame', 5, 7],
      ['Wheel', 4, 3],
    ];
    const chart = sheet.charts.add('ColumnStacked', sheet.getRange('A1:C3'), 'Columns');
    chart.setPosition('B5', 'C8');
    chart.load('chartType,left,top,width,height');
    const columns = chart.series.load('items/name,items/chartType');
    await context.sync();
    expect([chart.chartType, chart.left, chart.top, chart.width, chart.height]).toEqual([
      'ColumnStacked',
      48,
      60,
      96,
      60,
    ]);
    expect(columns.items.map(({ name, chartType }) => [name, chartType])).toEqual([
      ['May', 'ColumnStacked'],
      ['June', 'ColumnStacked'],
    ]);
    chart.setData(sheet.getRange('A1:C3'), 'Rows');
    const rows = chart.series.load('items/name');
    await context.sync();
    expect(rows.items.map(({ name }) => name)).toEqual(['Frame', 'Wheel']);
    chart.setData(sheet.getRange('A1:C3'), 'Cells' as 'Rows');
    expect((await failure(context.sync())).code).toBe('InvalidArgument');
  });
});

describe('Sheets of the samples', () => {
  test('freeze their first columns, rows, or both', async () => {
    await onEmptySheet(async (sheet, context) => {
      const { freezePanes } = sheet;
      const seen: (string | undefined)[] = [];
      const freezing = [
        () => freezePanes.freezeColumns(2),
        () => freezePanes.freezeRows(3),
        () => freezePanes.freezeAt('C2:D4'),
        () => freezePanes.unfreeze(),
      ];
      for (const freeze of freezing) {
        freeze();
        const place = freezePanes.getLocationOrNullObject().load('address');
        await context.sync();
        seen.push(place.isNullObject ? undefined : place.address);
      }
      expect(seen).toEqual(['Sheet1!A:B', 'Sheet1!1:3', 'Sheet1!A1:D4', undefined]);
      freezePanes.getLocation().load('address');
      expect((await failure(context.sync())).code).toBe('ItemNotFound');
    });
  });

  test('are found beside each other, and hide their grid, headings and colour', async () => {
    await onEmptySheet(async (sheet, context) => {
      const second = context.workbook.worksheets.add('Second');
      Object.assign(sheet, { showGridlines: false, showHeadings: false, tabColor: 'orange' });
      sheet.load('showGridlines,showHeadings,tabColor');
      const beside = [sheet.getNextOrNullObject(), second.getPreviousOrNullObject()].map((one) => one.load('name'));
      const beyond = [sheet.getPreviousOrNullObject(), second.getNextOrNullObject()];
      await context.sync();
      expect([sheet.showGridlines, sheet.showHeadings, sheet.tabColor]).toEqual([false, false, '#FFA500']);
      expect(beside.map(({ name }) => name)).toEqual(['Second', 'Sheet1']);
      expect(beyond.map(({ isNullObject }) => isNullObject)).toEqual([true, true]);
      sheet.tabColor = '';
      sheet.load('tabColor');
      await context.sync();
      expect(sheet.tabColor).toBe('');
    });
  });
});

describe('A workbook of the samples', () => {
  test('has the words and signs of its language', async () => {
    await openEmpty().Excel.run(async (context) => {
      const { application } = context;
      application.load('decimalSeparator,thousandsSeparator,useSystemSeparators');
      application.cultureInfo.numberFormat.load('numberDecimalSeparator,numberGroupSeparator');
      const dates = application.cultureInfo.datetimeFormat;
      dates.load('dateSeparator,shortDatePattern,longDatePattern,longTimePattern,timeSeparator');
      application.suspendScreenUpdatingUntilNextSync();
      await context.sync();
      const { numberDecimalSeparator, numberGroupSeparator } = application.cultureInfo.numberFormat;
      expect([application.decimalSeparator, application.thousandsSeparator, application.useSystemSeparators]).toEqual([
        ...['.', ',', true],
      ]);
      expect([numberDecimalSeparator, numberGroupSeparator]).toEqual(['.', ',']);
      expect(dates.toJSON()).toEqual({
        dateSeparator: '/',
        shortDatePattern: 'M/d/yyyy',
        longDatePattern: 'dddd, MMMM d, yyyy',
        longTimePattern: 'h:mm:ss tt',
        timeSeparator: ':',
      });
    });
  });

  test('keeps what is told about it', async () => {
    await openEmpty().Excel.run(async (context) => {
      const { properties } = context.workbook;
      const told = { title: 'Ledger', subject: 'Year', keywords: 'tax', manager: 'Ann', company: 'Bikes' };
      Object.assign(properties, told, { author: 'Bo', revisionNumber: 3 });
      properties.custom.add('Number', 12);
      properties.custom.add('Text', '12');
      const [number, text] = ['number', 'TEXT'].map((key) => properties.custom.getItem(key).load('value,type'));
      properties.load('title,subject,keywords,manager,company,lastAuthor,revisionNumber');
      await context.sync();
      const { lastAuthor, revisionNumber, title, subject, keywords, manager, company } = properties;
      expect({ title, subject, keywords, manager, company }).toEqual(told);
      expect([lastAuthor, revisionNumber]).toEqual(['Bo', 3]);
      expect([number!.value, number!.type, text!.value, text!.type]).toEqual([12, 'Number', '12', 'String']);
      properties.custom.deleteAll();
      const count = properties.custom.getCount();
      await context.sync();
      expect(count.value).toBe(0);
    });
  });

  test('is saved, and in no unknown way', async () => {
    await openEmpty().Excel.run(async (context) => {
      context.workbook.save('Prompt');
      context.workbook.save();
      await context.sync();
      context.workbook.save('Later' as 'Save');
      expect((await failure(context.sync())).code).toBe('InvalidArgument');
    });
  });
});

test.each<[string, (sheet: Excel.Worksheet, context: Excel.RequestContext) => void]>([
  ['Worksheet.pivotTables', (sheet) => sheet.pivotTables.refreshAll()],
  ['Worksheet.shapes', (sheet) => sheet.shapes.addTextBox('x')],
  ['Worksheet.slicers', (sheet) => sheet.slicers.load('items')],
  ['Worksheet.comments', (sheet) => sheet.comments.add('A1', 'x')],
  ['Worksheet.horizontalPageBreaks', (sheet) => sheet.horizontalPageBreaks.add('A5')],
  ['Worksheet.getRanges', (sheet) => sheet.getRanges('A1,C3').load('address')],
  ['Worksheet.showOutlineLevels', (sheet) => sheet.showOutlineLevels(1, 1)],
  ['Range.setCellProperties', (sheet) => sheet.getRange('A1').setCellProperties([[{}]])],
  ['Range.getSpecialCells', (sheet) => sheet.getRange('A1').getSpecialCells('Formulas').load('address')],
  ['Range.getDirectPrecedents', (sheet) => sheet.getRange('A1').getDirectPrecedents().areas.load('address')],
  ['Range.getPivotTables', (sheet) => sheet.getRange('A1').getPivotTables().load('items')],
  ['Range.removeDuplicates', (sheet) => sheet.getRange('A1:B3').removeDuplicates([0], false).load('removed')],
  ['Range.autoFill', (sheet) => sheet.getRange('A1').autoFill('A1:A3')],
  ['RangeFormat.textOrientation', (sheet) => Object.assign(sheet.getRange('A1').format, { textOrientation: 90 })],
  ['Workbook.pivotTables', (_, { workbook }) => workbook.pivotTables.load('items')],
  ['Workbook.slicers', (_, { workbook }) => workbook.slicers.load('items')],
  ['Workbook.comments', (_, { workbook }) => workbook.comments.load('items')],
  ['Workbook.bindings', (_, { workbook }) => workbook.bindings.add('Sheet1!A1', 'Range', 'x')],
  ['Workbook.customXmlParts', (_, { workbook }) => workbook.customXmlParts.add('<x/>')],
  ['Functions.sum', (_, { workbook }) => workbook.functions.sum(1, 2).load('value')],
  ['Workbook.styles', (_, { workbook }) => workbook.styles.add('x')],
  ['ChartCollection.add', (sheet) => sheet.charts.add('Pie', sheet.getRange('A1:B2'))],
])('%s is refused by name', async (location, use) => {
  const attempt = onEmptySheet(async (sheet, context) => {
    use(sheet, context);
    await context.sync();
  });
  expect(await failure(attempt)).toEqual({ code: 'ApiNotFound', location });
});
