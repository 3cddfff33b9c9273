import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failure, onEmptySheet, openEmpty } from '../../../testing/addin/emptyWorkbook.ts';

describe('A range', () => {
  test('reads back what was written, typed as Excel types it', async () => {
    const { Excel } = openEmpty();
    await Excel.run(async (context) => {
      const range = context.workbook.worksheets.getActiveWorksheet().getRange('B2:D3');
      range.values = [
        ['0100', '=A1', true],
        ['text', 12.5, '2024-02-29'],
      ];
      range.load('values,formulas,text,numberFormat,valueTypes,address,rowIndex,columnIndex,rowCount,columnCount');
      await context.sync();
      expect(range.values).toEqual([
        [100, '=A1', true],
        ['text', 12.5, 45351],
      ]);
      expect(range.formulas[0]![1]).toBe('=A1');
      expect(range.text).toEqual([
        ['100', '=A1', 'TRUE'],
        ['text', '12.5', '2/29/2024'],
      ]);
      expect(range.numberFormat[1]).toEqual(['General', 'General', 'm/d/yyyy']);
      expect(range.valueTypes).toEqual([
        ['Double', 'String', 'Boolean'],
        ['String', 'Double', 'Double'],
      ]);
      expect(range.address).toBe('Sheet1!B2:D3');
      expect([range.rowIndex, range.columnIndex, range.rowCount, range.columnCount]).toEqual([1, 1, 2, 3]);
    });
  });

  test('leaves a cell as it is for null, and empties it for an empty text', async () => {
    await onEmptySheet(async (sheet, context) => {
      const range = sheet.getRange('A1:C1');
      range.values = [['a', 'b', 'c']];
      range.values = [[null, '', 'd']];
      range.load('values');
      await context.sync();
      expect(range.values).toEqual([['a', '', 'd']]);
    });
  });

  test('formatted as text stores numbers and formulas written later as text', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('A1:A9').numberFormat = '@' as never;
      sheet.getRange('A1:B2').values = [
        ['0100', '0100'],
        ['=cmd', '1-2'],
      ];
      const range = sheet.getRange('A1:B2').load('values,numberFormat');
      await context.sync();
      expect(range.values.map(([first]) => first)).toEqual(['0100', '=cmd']);
      expect(range.values[0]![1]).toBe(100);
      expect(range.numberFormat[0]).toEqual(['@', 'General']);
    });
  });

  test('refuses a matrix that does not fit, and changes nothing', async () => {
    const { Excel, workbook } = openEmpty();
    const attempt = Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().getRange('A1:B2').values = [['x', 'y']];
      await context.sync();
    });
    expect(await failure(attempt)).toEqual({ code: 'InvalidArgument', location: 'Range.values' });
    expect(workbook.active.rows).toEqual([]);
  });

  test('refuses a large matrix that does not fit before its first block is written', async () => {
    const { Excel, workbook } = openEmpty();
    const attempt = Excel.run(async (context) => {
      const range = context.workbook.worksheets.getActiveWorksheet().getRange('A1:D2000');
      range.values = Array.from({ length: 1999 }, () => [1, 2, 3, 4]);
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('InvalidArgument');
    expect(workbook.active.rows).toEqual([]);
  });

  test.each(['A:A', '2:3'])('refuses to set all cells of %s', async (address) => {
    const set = (member: 'values' | 'formulas' | 'numberFormat') =>
      onEmptySheet(async (sheet, context) => {
        sheet.getRange(address)[member] = '@' as never;
        await context.sync();
      });
    await expect(set('values')).rejects.toMatchObject({ code: 'InvalidArgument' });
    await expect(set('formulas')).rejects.toMatchObject({ code: 'InvalidArgument' });
    await expect(set('numberFormat')).rejects.toMatchObject({ code: 'InvalidArgument' });
  });

  test('of an entire column takes its format from a 1 x 1 array', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('A:A').numberFormat = [['@']];
      sheet.getRange('A5').values = [['0100']];
      const cell = sheet.getRange('A5').load('values');
      await context.sync();
      expect(cell.values).toEqual([['0100']]);
    });
  });

  test('stores fonts, fills, widths and alignment, and returns null for different ones', async () => {
    await onEmptySheet(async (sheet, context) => {
      const header = sheet.getRange('A1:B1');
      header.format.font.bold = true;
      header.format.fill.color = '#ddeeff';
      header.format.columnWidth = 120;
      header.format.horizontalAlignment = 'Right';
      header.format.wrapText = true;
      header.load('format/columnWidth,format/wrapText,format/horizontalAlignment,format/font/bold,format/fill/color');
      const both = sheet.getRange('A1:A2').load('format/font/bold');
      await context.sync();
      expect(header.toJSON().format).toEqual({
        columnWidth: 120,
        wrapText: true,
        horizontalAlignment: 'Right',
        font: { bold: true },
        fill: { color: '#DDEEFF' },
      });
      expect(both.format.font.bold).toBeNull();
    });
  });

  test('reads back any sequence of writes', async () => {
    const { Excel } = openEmpty();
    const value = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
      fc.boolean(),
      fc.string().map((text) => `_${text}`),
    );
    const write = fc
      .record({
        row: fc.nat(20),
        column: fc.nat(10),
        rows: fc.integer({ min: 1, max: 4 }),
        columns: fc.integer({ min: 1, max: 4 }),
      })
      .chain((area) =>
        fc.record({
          area: fc.constant(area),
          values: fc.array(fc.array(value, { minLength: area.columns, maxLength: area.columns }), {
            minLength: area.rows,
            maxLength: area.rows,
          }),
        }),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 8 }), async (writes) => {
        await Excel.run(async (context) => {
          const sheet = context.workbook.worksheets.add();
          const expected = Array.from({ length: 30 }, () => Array.from({ length: 20 }, (): unknown => ''));
          for (const { area, values } of writes) {
            sheet.getRangeByIndexes(area.row, area.column, area.rows, area.columns).values = values;
            values.forEach((line, row) => {
              line.forEach((cell, column) => {
                // JSON has no -0, neither here nor in Excel.
                expected[area.row + row]![area.column + column] = Object.is(cell, -0) ? 0 : cell;
              });
            });
          }
          const all = sheet.getRangeByIndexes(0, 0, 30, 20).load('values');
          await context.sync();
          expect(all.values).toEqual(expected);
        });
      }),
      { numRuns: 60 },
    );
  });
});
