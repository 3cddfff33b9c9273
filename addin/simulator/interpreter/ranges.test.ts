import { describe, expect, test } from 'vitest';
import { failure, onEmptySheet } from '../../../testing/addin/emptyWorkbook.ts';

describe('Ranges', () => {
  test('return other ranges beside and within them', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('C3:D4').values = [
        [1, 2],
        [3, 4],
      ];
      const base = sheet.getRange('B2:C3');
      const found = [
        base.getCell(0, 0),
        base.getRow(1),
        base.getColumn(1),
        base.getResizedRange(1, 1),
        base.getOffsetRange(2, 0),
        base.getEntireColumn(),
        base.getEntireRow(),
        base.getLastRow(),
        base.getLastCell(),
        base.getRowsBelow(2),
        base.getColumnsBefore(),
        base.getBoundingRect('E9'),
        base.getIntersection('C1:C9'),
        sheet.getUsedRange(true),
        sheet.getRange('C3').getSurroundingRegion(),
        sheet.getRange('C3').getRangeEdge('Down'),
        base.getRangeEdge('Down', sheet.getRange('C3')),
        base.getExtendedRange('Right', 'C3'),
        sheet.getRange('D5').getResizedRange(0, -2),
        sheet.getRange('C3:D4').getResizedRange(-3, -1),
      ].map((range) => range.load('address'));
      await context.sync();
      expect(found.map(({ address }) => address.replace('Sheet1!', ''))).toEqual([
        'B2',
        'B3:C3',
        'C2:C3',
        'B2:D4',
        'B4:C5',
        'B:C',
        '2:3',
        'B3:C3',
        'C3',
        'B4:C5',
        'A2:A3',
        'B2:E9',
        'C2:C3',
        'C3:D4',
        'C3:D4',
        'C4',
        'C4',
        'B2:D3',
        'B5:D5',
        'C1:C3',
      ]);
    });
  });

  test.each<[string, (sheet: Excel.Worksheet) => Excel.Range, string]>([
    ['an edge from a cell outside', (sheet) => sheet.getRange('B2:C3').getRangeEdge('Down', 'D4'), 'InvalidArgument'],
    ['a last row above the sheet', (sheet) => sheet.getRange('B2').getResizedRange(-2, 0), 'InvalidArgument'],
    ['the cells in use where there are none', (sheet) => sheet.getRange('B2:C3').getUsedRange(), 'ItemNotFound'],
  ])('have not: %s', async (_, find, code) => {
    const attempt = onEmptySheet(async (sheet, context) => {
      find(sheet).load('address');
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe(code);
  });

  test('lose conditional formats and merging with their formats, and validation when all is cleared', async () => {
    await onEmptySheet(async (sheet, context) => {
      for (const address of ['A1:B2', 'A4:B5']) {
        const range = sheet.getRange(address);
        range.values = [
          ['x', ''],
          ['', ''],
        ];
        range.merge();
        range.conditionalFormats.add('Custom');
        range.dataValidation.rule = { custom: { formula: '=TRUE' } };
      }
      const [formats, all] = ['A1:B2', 'A4:B5'].map((address) => sheet.getRange(address));
      formats!.clear('Formats');
      all!.clear();
      const states = [formats!, all!].map((range) => ({
        count: range.conditionalFormats.getCount(),
        validation: range.dataValidation.load('type'),
        cells: range.load('values'),
      }));
      await context.sync();
      expect(states.map(({ count, validation, cells }) => [count.value, validation.type, cells.values[0]![0]])).toEqual(
        [
          [0, 'Custom', 'x'],
          [0, 'None', ''],
        ],
      );
      // Rows with merged cells cannot be sorted.
      sheet.getRange('A1:B5').sort.apply([{ key: 0 }]);
      await context.sync();
      sheet.getRange('A1').clear('Everything' as 'All');
      await expect(context.sync()).rejects.toThrow('invalid');
    });
  });

  test('are not all made when a formatted column is cleared to its end', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('B:B').numberFormat = [['0.00']];
      sheet.getRange('B1:B3').values = [[5], [6], [7]];
      sheet.getRange('B2:B1048576').clear('Formats');
      const used = sheet.getUsedRange().load('address');
      const cells = ['B1', 'B2', 'B3'].map((address) => sheet.getRange(address).load('numberFormat'));
      await context.sync();
      expect(used.address).toMatch(/!B1:B3$/);
      expect(cells.map(({ numberFormat }) => numberFormat[0]![0])).toEqual(['0.00', 'General', 'General']);
    });
  });

  test('have no format after they were cleared, also in a row or a column that has one', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('B:B').numberFormat = [['0.00']];
      sheet.getRange('3:3').format.font.bold = true;
      sheet.getRange('B2').values = [[5]];
      sheet.getRange('B2:B3').clear('Formats');
      sheet.getRange('B4').clear();
      sheet.getRange('C3').clear('Formats');
      sheet.getRange('6:6').clear();
      const read = (address: string) => sheet.getRange(address).load('numberFormat,format/font/bold');
      const cells = ['B1', 'B2', 'B3', 'B4', 'C3', 'D3', 'B6'].map(read);
      await context.sync();
      expect(cells.map(({ numberFormat, format }) => [numberFormat[0]![0], format.font.bold])).toEqual([
        ['0.00', false],
        ['General', false],
        ['General', false],
        ['General', false],
        ['General', false],
        ['General', true],
        ['General', false],
      ]);
    });
  });

  test('keep their formulas under a link, and lose its look only when it is removed', async () => {
    await onEmptySheet(async (sheet, context) => {
      const range = sheet.getRange('A1:A2');
      range.formulas = [['=1+1'], ['text']];
      range.hyperlink = { address: 'https://example.com' };
      range.load('formulas');
      sheet.getRange('A1').clear('Hyperlinks');
      sheet.getRange('A2').clear('RemoveHyperlinks');
      const cells = ['A1', 'A2'].map((address) =>
        sheet.getRange(address).load('hyperlink,values,format/font/underline'),
      );
      await context.sync();
      expect(range.formulas).toEqual([['=1+1'], ['text']]);
      expect(cells.map(({ hyperlink, format }) => [hyperlink, format.font.underline])).toEqual([
        [null, 'Single'],
        [null, 'None'],
      ]);
      expect(cells[1]!.values).toEqual([['text']]);
    });
  });

  test('keep the first content when they are merged, from whichever cell', async () => {
    await onEmptySheet(async (sheet, context) => {
      const range = sheet.getRange('A1:B2');
      range.values = [
        ['', 'first'],
        ['second', ''],
      ];
      range.merge();
      range.load('values');
      await context.sync();
      expect(range.values).toEqual([
        ['first', ''],
        ['', ''],
      ]);
    });
  });

  test('have borders along their edges, between their cells, and in common with the cells beside them', async () => {
    await onEmptySheet(async (sheet, context) => {
      const range = sheet.getRange('B2:D4');
      for (const side of ['EdgeTop', 'EdgeBottom', 'EdgeLeft', 'EdgeRight'] as const) {
        range.format.borders.getItem(side).style = 'Continuous';
      }
      Object.assign(range.format.borders.getItem('InsideVertical'), { style: 'Dot', color: '#FF0000' });
      const borders = (
        [
          ['B2:D4', 'EdgeTop'],
          ['B2:D4', 'InsideHorizontal'],
          ['C3', 'EdgeTop'],
          ['C3', 'EdgeLeft'],
          ['B2', 'EdgeLeft'],
          ['B1', 'EdgeBottom'],
          ['E4', 'EdgeLeft'],
          ['B2:C2', 'InsideVertical'],
          ['A1:D4', 'EdgeTop'],
          ['B2:E4', 'InsideVertical'],
        ] as const
      ).map(([address, side]) => sheet.getRange(address).format.borders.getItem(side).load('style,color'));
      await context.sync();
      expect(borders.map(({ style, color }) => [style, color])).toEqual([
        ['Continuous', '#000000'],
        ['None', '#000000'],
        ['None', '#000000'],
        ['Dot', '#FF0000'],
        ['Continuous', '#000000'],
        ['Continuous', '#000000'],
        ['Continuous', '#000000'],
        ['Dot', '#FF0000'],
        ['None', '#000000'],
        [null, null],
      ]);
      // The cell beside takes its side of the line away for both.
      sheet.getRange('B1').format.borders.getItem('EdgeBottom').style = 'None';
      const below = sheet.getRange('B2').format.borders.getItem('EdgeTop').load('style');
      await context.sync();
      expect(below.style).toBe('None');
    });
  });

  test('refuse styles of cells by name in words, but for the plain one', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('A1').style = 'Normal';
      await context.sync();
      sheet.getRange('A1').style = 'Heading1';
      await expect(context.sync()).rejects.toThrow('no other styles of cells than Normal');
    });
  });

  test('that are tracked follow their cells when rows are inserted', async () => {
    await onEmptySheet(async (sheet, context) => {
      const range = sheet.getRange('A2');
      range.values = [['kept']];
      await context.sync();
      sheet.getRange('1:2').insert('Down');
      await context.sync();
      range.load('address,values');
      await context.sync();
      expect([range.address, range.values]).toEqual(['Sheet1!A4', [['kept']]]);
    });
  });

  test('move cells, and change references to them, when they are inserted or deleted', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('A1:B2').formulas = [
        ['a', '=A2'],
        ['b', '=SUM(A1:A2)'],
      ];
      sheet.getRange('A2:B2').insert('Down');
      sheet.getRange('A1').getEntireColumn().insert('Right');
      const after = sheet.getRange('A1:C3').load('formulas');
      await context.sync();
      expect(after.formulas).toEqual([
        ['', 'a', '=B3'],
        ['', '', ''],
        ['', 'b', '=SUM(B1:B3)'],
      ]);
      sheet.getRange('2:2').delete('Up');
      const shrunk = sheet.getRange('B1:C2').load('formulas');
      await context.sync();
      expect(shrunk.formulas).toEqual([
        ['a', '=B2'],
        ['b', '=SUM(B1:B2)'],
      ]);
    });
  });

  test('look like the cells above or to the left where they are inserted', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('A1:C1').format.fill.color = '#FFFF00';
      sheet.getRange('A2:C2').numberFormat = [['0.00', '0.00', '0.00']];
      sheet.getRange('1:1').format.rowHeight = 40;
      sheet.getRange('A:A').format.columnWidth = 90;
      sheet.getRange('2:2').insert('Down');
      sheet.getRange('B:B').insert('Right');
      sheet.getRange('A4:B4').insert('Down');
      sheet.getRange('C1').insert('Right');
      const [row, column, band, cell, first] = ['A2', 'B3', 'A4:B4', 'C1', 'A1'].map((address) =>
        sheet.getRange(address).load('numberFormat,format/fill/color,format/rowHeight,format/columnWidth'),
      );
      sheet.getRange('1:1').insert('Down');
      const top = sheet.getRange('A1').load('format/fill/color');
      await context.sync();
      expect([row!.format.fill.color, row!.format.rowHeight]).toEqual(['#FFFF00', 40]);
      expect([column!.numberFormat, column!.format.columnWidth]).toEqual([[['0.00']], 90]);
      expect(band!.numberFormat).toEqual([['0.00', '0.00']]);
      expect([cell!.format.fill.color, first!.format.fill.color]).toEqual(['#FFFF00', '#FFFF00']);
      // Above the first row there is none.
      expect(top.format.fill.color).toBe('#FFFFFF');
    });
  });

  test('look like the row below where they are inserted under the headings of a table', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('A1:A2').values = [['Amount'], [1]];
      sheet.tables.add('A1:A2', true);
      sheet.getRange('A1').format.font.bold = true;
      sheet.getRange('A2').numberFormat = [['0.00']];
      sheet.getRange('2:2').insert('Down');
      const fresh = sheet.getRange('A2').load('numberFormat,format/font/bold');
      await context.sync();
      expect([fresh.numberFormat, fresh.format.font.bold]).toEqual([[['0.00']], false]);
    });
  });

  test('keep their format when contents are cleared, and their contents when formats are cleared', async () => {
    await onEmptySheet(async (sheet, context) => {
      const range = sheet.getRange('A1:A2');
      range.values = [[1], [2]];
      range.numberFormat = [['0.00'], ['0.00']];
      range.getCell(0, 0).clear('Contents');
      range.getCell(1, 0).clear('Formats');
      range.load('values,numberFormat');
      await context.sync();
      expect(range.values).toEqual([[''], [2]]);
      expect(range.numberFormat).toEqual([['0.00'], ['General']]);
    });
  });

  test('get values and formulas without the link of the copied cell', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('A1').hyperlink = { address: 'https://example.com', textToDisplay: 'link' };
      sheet.getRange('B1').copyFrom('A1', 'Values');
      sheet.getRange('C1').copyFrom('A1', 'Formulas');
      sheet.getRange('D1').copyFrom('A1');
      const cells = ['B1', 'C1', 'D1'].map((address) => sheet.getRange(address).load('values,hyperlink'));
      await context.sync();
      expect(cells.map(({ values, hyperlink }) => [values[0]![0], hyperlink?.address])).toEqual([
        ['link', undefined],
        ['link', undefined],
        ['link', 'https://example.com'],
      ]);
    });
  });

  test('become the selection of the workbook when they are selected', async () => {
    await onEmptySheet(async (_, context) => {
      context.workbook.worksheets.add('Other').getRange('B2:C4').select();
      const selected = context.workbook.getSelectedRange().load('address');
      const active = context.workbook.getActiveCell().load('address');
      await context.sync();
      expect([selected.address, active.address]).toEqual(['Other!B2:C4', 'Other!B2']);
    });
  });

  test('have formulas for their new place after they were copied and transposed', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('A1:C1').formulas = [[3, 5, '=SUM(A1:B1)']];
      sheet.getRange('E7').copyFrom('A1:C1', 'All', false, true);
      const copied = sheet.getRange('E7:E9').load('formulas');
      await context.sync();
      expect(copied.formulas).toEqual([[3], [5], ['=SUM(E7:E8)']]);
    });
  });

  test('are found by their names', async () => {
    await onEmptySheet(async (sheet, context) => {
      context.workbook.names.add('Rates', sheet.getRange('B2:B4'));
      const named = sheet.getRange('Rates').load('address');
      const item = context.workbook.names.getItem('rates').load('name,formula,type');
      await context.sync();
      expect(named.address).toBe('Sheet1!B2:B4');
      expect([item.name, item.formula, item.type]).toEqual(['Rates', '=Sheet1!$B$2:$B$4', 'Range']);
    });
  });
});

test('What belongs to a range is still itself after the range was used in an earlier batch', async () => {
  await onEmptySheet(async (sheet, context) => {
    const range = sheet.getRange('A1:A3');
    range.format.fill.load('color');
    range.dataValidation.load('type');
    range.conditionalFormats.clearAll();
    await context.sync();
    range.format.fill.color = '#0000FF';
    range.format.font.bold = true;
    range.dataValidation.rule = { custom: { formula: '=TRUE' } };
    range.conditionalFormats.add('Custom');
    range.format.fill.load('color');
    range.format.font.load('bold');
    range.dataValidation.load('type');
    const count = range.conditionalFormats.getCount();
    await context.sync();
    expect([range.format.fill.color, range.format.font.bold, range.dataValidation.type, count.value]).toEqual([
      '#0000FF',
      true,
      'Custom',
      1,
    ]);
  });
});
