import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openExcel } from '../node.ts';
import { createWorkbook } from '../workbook/workbook.ts';

const open = () => {
  const workbook = createWorkbook();
  return { workbook, ...openExcel(workbook) };
};

/** The code an attempt fails with, and where. */
const failure = async (attempt: Promise<unknown>): Promise<{ code: string; location: string | undefined }> => {
  try {
    await attempt;
  } catch (error) {
    const { code, debugInfo } = error as OfficeExtension.Error;
    return { code, location: debugInfo?.errorLocation };
  }
  throw new Error('It did not fail.');
};

describe('Values and formats', () => {
  test('what is written is read back, typed as Excel types it', async () => {
    const { Excel } = open();
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

  test('null leaves a cell alone and an empty text empties it', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const range = context.workbook.worksheets.getActiveWorksheet().getRange('A1:C1');
      range.values = [['a', 'b', 'c']];
      range.values = [[null, '', 'd']];
      range.load('values');
      await context.sync();
      expect(range.values).toEqual([['a', '', 'd']]);
    });
  });

  test('text formats hold for cells written later', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
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

  test('a matrix that does not fit is refused and changes nothing', async () => {
    const { Excel, workbook } = open();
    const attempt = Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().getRange('A1:B2').values = [['x', 'y']];
      await context.sync();
    });
    expect(await failure(attempt)).toEqual({ code: 'InvalidArgument', location: 'Range.values' });
    expect(workbook.active.rows).toEqual([]);
  });

  test('a large matrix that does not fit is refused before its first block is written', async () => {
    const { Excel, workbook } = open();
    const attempt = Excel.run(async (context) => {
      const range = context.workbook.worksheets.getActiveWorksheet().getRange('A1:D2000');
      range.values = Array.from({ length: 1999 }, () => [1, 2, 3, 4]);
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('InvalidArgument');
    expect(workbook.active.rows).toEqual([]);
  });

  test.each(['A:A', '2:3'])('cells of %s are not set one and all', async (address) => {
    const { Excel } = open();
    const set = (member: 'values' | 'formulas' | 'numberFormat') =>
      Excel.run(async (context) => {
        context.workbook.worksheets.getActiveWorksheet().getRange(address)[member] = '@' as never;
        await context.sync();
      });
    await expect(set('values')).rejects.toMatchObject({ code: 'InvalidArgument' });
    await expect(set('formulas')).rejects.toMatchObject({ code: 'InvalidArgument' });
    await expect(set('numberFormat')).rejects.toMatchObject({ code: 'InvalidArgument' });
  });

  test('a whole column takes its format from a 1 x 1 array', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A:A').numberFormat = [['@']];
      sheet.getRange('A5').values = [['0100']];
      const cell = sheet.getRange('A5').load('values');
      await context.sync();
      expect(cell.values).toEqual([['0100']]);
    });
  });

  test('fonts, fills, widths and alignment are kept, and differing ones answer null', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
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

  test('any sequence of writes reads back the same', async () => {
    const { Excel } = open();
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
                // -0 does not survive JSON, neither here nor in Excel.
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

describe('Batches', () => {
  test('what was done before an action failed stays, and what comes after is not tried', async () => {
    const { Excel, workbook } = open();
    const attempt = Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1').values = [['before']];
      context.workbook.worksheets.getItem('Nowhere').getRange('A1').values = [['x']];
      sheet.getRange('A2').values = [['after']];
      await context.sync();
    });
    const { code } = await failure(attempt);
    expect(code).toBe('ItemNotFound');
    expect(workbook.active.rows.map((row) => row?.cells[0]?.value)).toEqual(['before']);
  });

  test('an unknown member is named', async () => {
    const { Excel } = open();
    const attempt = Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().shapes.addTextBox('note');
      await context.sync();
    });
    expect(await failure(attempt)).toEqual({ code: 'ApiNotFound', location: 'Worksheet.shapes' });
  });

  test('a property that was not loaded cannot be read: the client is the real one', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const range = context.workbook.worksheets.getActiveWorksheet().getRange('A1').load('address');
      await context.sync();
      expect(() => range.values).toThrow(/values/);
    });
  });

  test('a request of more than 5 MB is refused and changes nothing', async () => {
    const { Excel, workbook } = open();
    const attempt = Excel.run(async (context) => {
      const line = Array.from({ length: 10 }, () => 'x'.repeat(1000));
      context.workbook.worksheets.getActiveWorksheet().getRange('A1:J600').values = Array.from(
        { length: 600 },
        () => line,
      );
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('RequestPayloadSizeLimitExceeded');
    expect(workbook.active.rows).toEqual([]);
  });

  test('an answer of more than 5 MB is refused', async () => {
    const { Excel } = open();
    const attempt = Excel.run(async (context) => {
      const range = context.workbook.worksheets.getActiveWorksheet().getRange('A1:A6000');
      range.values = 'é'.repeat(500) as never;
      range.load('values');
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('ResponsePayloadSizeLimitExceeded');
  });

  test('while a cell is edited every request fails, or waits when asked to', async () => {
    const { Excel, workbook } = open();
    const read = async (context: Excel.RequestContext) => {
      const range = context.workbook.getActiveCell().load('address');
      await context.sync();
      return range.address;
    };
    workbook.editing = true;
    expect((await failure(Excel.run(read))).code).toBe('InvalidOperationInCellEditMode');
    const waiting = Excel.run({ delayForCellEdit: true }, read);
    workbook.editing = false;
    workbook.emit({ kind: 'editing' });
    expect(await waiting).toBe('Sheet1!A1');
  });
});

describe('Worksheets', () => {
  test('are added, named, found, moved, hidden and deleted', async () => {
    const { Excel, workbook } = open();
    await Excel.run(async (context) => {
      const { worksheets } = context.workbook;
      const products = worksheets.add('Products').load('id,name,position,visibility');
      worksheets.add().name = 'Stock';
      products.position = 0;
      await context.sync();
      expect(products.name).toBe('Products');
      products.visibility = 'Hidden';
      worksheets.getItem('Stock').activate();
      worksheets.load('items/name,items/visibility');
      const count = worksheets.getCount(true);
      const byId = worksheets.getItem(products.id).load('name');
      await context.sync();
      expect(worksheets.items.map(({ name, visibility }) => [name, visibility])).toEqual([
        ['Products', 'Hidden'],
        ['Sheet1', 'Visible'],
        ['Stock', 'Visible'],
      ]);
      expect(count.value).toBe(2);
      expect(byId.name).toBe('Products');
      worksheets.getItemOrNullObject('Products').delete();
      worksheets.getItemOrNullObject('Nothing').delete();
      await context.sync();
    });
    expect(workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Stock']);
    expect(workbook.active.name).toBe('Stock');
  });

  test.each(['', 'a'.repeat(32), 'a/b', 'a:b', '[x]', 'why?', "'quoted", 'History'])(
    'cannot be called %j',
    async (name) => {
      const { Excel } = open();
      const attempt = Excel.run(async (context) => {
        context.workbook.worksheets.getActiveWorksheet().name = name;
        await context.sync();
      });
      expect((await failure(attempt)).code).toBe('InvalidArgument');
    },
  );

  test('cannot have a name that another has, whatever its case', async () => {
    const { Excel } = open();
    const attempt = Excel.run(async (context) => {
      context.workbook.worksheets.add('SHEET1');
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('ItemAlreadyExists');
  });

  test('the last one cannot be deleted', async () => {
    const { Excel } = open();
    const attempt = Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().delete();
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('InvalidOperation');
  });

  test('a null object says so, and so does everything under it', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getItemOrNullObject('Nowhere');
      const used = context.workbook.worksheets.getActiveWorksheet().getUsedRangeOrNullObject(true);
      sheet.load('name');
      await context.sync();
      expect(sheet.isNullObject).toBe(true);
      expect(used.isNullObject).toBe(true);
    });
  });

  test('keep custom properties, whatever the case of the key', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const { customProperties } = context.workbook.worksheets.getActiveWorksheet();
      customProperties.add('Query', 'first');
      customProperties.add('query', 'second');
      const found = customProperties.getItemOrNullObject('QUERY').load('key,value');
      const none = customProperties.getItemOrNullObject('other');
      customProperties.load('items/key,items/value');
      await context.sync();
      expect([found.key, found.value]).toEqual(['Query', 'second']);
      expect(none.isNullObject).toBe(true);
      expect(customProperties.items.map(({ value }) => value)).toEqual(['second']);
      found.delete();
      const count = customProperties.getCount();
      await context.sync();
      expect(count.value).toBe(0);
    });
  });

  test('freeze panes, and tell where', async () => {
    const { Excel, workbook } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.freezePanes.freezeRows(1);
      const location = sheet.freezePanes.getLocationOrNullObject().load('address');
      await context.sync();
      expect(location.address).toBe('Sheet1!1:1');
    });
    expect(workbook.active.frozen).toEqual({ rows: 1, columns: 0 });
  });

  test('protected ones refuse writing, except to unlocked cells', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('B1').format.protection.locked = false;
      sheet.protection.protect();
      sheet.getRange('B1').values = [['mine']];
      await context.sync();
    });
    const attempt = Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().getRange('A1').values = [['x']];
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('AccessDenied');
  });

  test('writing outside of the sheet is refused', async () => {
    const { Excel } = open();
    const attempt = Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().getRangeByIndexes(1_048_575, 0, 2, 1).values = [[1], [2]];
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('InvalidArgument');
  });
});

describe('Ranges', () => {
  test('lead to other ranges', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
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
      ]);
    });
  });

  test('that are kept follow their cells when rows are inserted', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
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

  test('inserting and deleting moves cells and the formulas that point at them', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
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

  test('clearing contents keeps the format, clearing formats keeps the contents', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const range = context.workbook.worksheets.getActiveWorksheet().getRange('A1:A2');
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

  test('selecting changes what the workbook calls selected', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      context.workbook.worksheets.add('Other').getRange('B2:C4').select();
      const selected = context.workbook.getSelectedRange().load('address');
      const active = context.workbook.getActiveCell().load('address');
      await context.sync();
      expect([selected.address, active.address]).toEqual(['Other!B2:C4', 'Other!B2']);
    });
  });

  test('names lead to ranges', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      context.workbook.names.add('Rates', sheet.getRange('B2:B4'));
      const named = sheet.getRange('Rates').load('address');
      const item = context.workbook.names.getItem('rates').load('name,formula,type');
      await context.sync();
      expect(named.address).toBe('Sheet1!B2:B4');
      expect([item.name, item.formula, item.type]).toEqual(['Rates', '=Sheet1!$B$2:$B$4', 'Range']);
    });
  });
});

describe('Tables', () => {
  const withTable = async () => {
    const excel = open();
    await excel.Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('B2:D5').values = [
        ['Code', 'Name', 'Price'],
        ['B', 'Bolt', 2],
        ['A', 'Anchor', 30],
        ['C', 'Clamp', 4],
      ];
      sheet.tables.add('B2:D5', true).name = 'Products';
      await context.sync();
    });
    return excel;
  };

  test('know their parts', async () => {
    const { Excel } = await withTable();
    await Excel.run(async (context) => {
      const table = context.workbook.tables.getItem('products').load('id,name,style,showBandedRows');
      const header = table.getHeaderRowRange().load('address,values');
      const body = table.getDataBodyRange().load('address');
      const price = table.columns.getItem('Price').getDataBodyRange().load('values');
      table.columns.load('items/name,items/index,items/id,count');
      table.rows.load('count');
      table.worksheet.load('name');
      await context.sync();
      expect([table.name, table.style, table.showBandedRows]).toEqual(['Products', 'TableStyleMedium2', true]);
      expect(header.values).toEqual([['Code', 'Name', 'Price']]);
      expect(body.address).toBe('Sheet1!B3:D5');
      expect(price.values).toEqual([[2], [30], [4]]);
      expect(table.columns.items.map(({ name, index }) => [name, index])).toEqual([
        ['Code', 0],
        ['Name', 1],
        ['Price', 2],
      ]);
      expect([table.columns.count, table.rows.count, table.worksheet.name]).toEqual([3, 3, 'Sheet1']);
    });
  });

  test('take rows in the middle and at the end, and push down what lies below', async () => {
    const { Excel } = await withTable();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('B6').values = [['below']];
      const table = sheet.tables.getItem('Products');
      table.rows.add(1, [['X', 'Extra', 1]]);
      table.rows.add(undefined, [
        ['Y', 'Yoke', 5],
        ['Z', 'Zip', 6],
      ]);
      const all = table.getRange().load('values,address');
      const below = sheet.getRange('B9').load('values');
      await context.sync();
      expect(all.address).toBe('Sheet1!B2:D8');
      expect(all.values.map(([code]) => code)).toEqual(['Code', 'B', 'X', 'A', 'C', 'Y', 'Z']);
      expect(below.values).toEqual([['below']]);
    });
  });

  test('a table made of its headers alone takes its first rows without a gap', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      const table = sheet.tables.add('A1:B1', true);
      table.getHeaderRowRange().values = [['Code', 'Name']];
      table.rows.add(undefined, [
        ['a', 'b'],
        ['c', 'd'],
      ]);
      const body = table.getDataBodyRange().load('values');
      await context.sync();
      expect(body.values).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ]);
    });
  });

  test('headers are text, never empty and never twice the same', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:D2').values = [
        ['Name', 'Name', '', 2024],
        [1, 2, 3, 4],
      ];
      const header = sheet.tables.add('A1:D2', true).getHeaderRowRange().load('values');
      await context.sync();
      expect(header.values).toEqual([['Name', 'Name2', 'Column3', '2024']]);
    });
  });

  test('without headers of their own get a row of them above the data', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:B2').values = [
        [1, 2],
        [3, 4],
      ];
      const all = sheet.tables.add('A1:B2', false).getRange().load('values');
      await context.sync();
      expect(all.values).toEqual([
        ['Column1', 'Column2'],
        [1, 2],
        [3, 4],
      ]);
    });
  });

  test('cannot overlap', async () => {
    const { Excel } = await withTable();
    const attempt = Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().tables.add('D5:F8', true);
      await context.sync();
    });
    expect(await failure(attempt)).toEqual({ code: 'InvalidArgument', location: 'TableCollection.add' });
  });

  test('cannot share a name, nor be called like a cell', async () => {
    const { Excel } = await withTable();
    for (const name of ['PRODUCTS', 'A1', 'two words', '1st']) {
      const attempt = Excel.run(async (context) => {
        context.workbook.worksheets.getActiveWorksheet().tables.add('H1:I2', true).name = name;
        await context.sync();
      });
      expect((await failure(attempt)).code).toMatch(/InvalidArgument/);
      await Excel.run(async (context) => {
        context.workbook.worksheets.getActiveWorksheet().tables.getItemAt(1).delete();
        await context.sync();
      });
    }
  });

  test('sort whole rows, formulas following their row', async () => {
    const { Excel } = await withTable();
    await Excel.run(async (context) => {
      const table = context.workbook.tables.getItem('Products');
      table.columns.add(undefined, [['Double'], ['=D3*2'], ['=D4*2'], ['=D5*2']] as never);
      table.sort.apply([{ key: 2, ascending: false }]);
      const body = table.getDataBodyRange().load('formulas');
      table.sort.load('fields');
      await context.sync();
      expect(body.formulas).toEqual([
        ['A', 'Anchor', 30, '=D3*2'],
        ['C', 'Clamp', 4, '=D4*2'],
        ['B', 'Bolt', 2, '=D5*2'],
      ]);
      expect(table.sort.fields).toMatchObject([{ key: 2, ascending: false }]);
    });
  });

  test('hide the rows a filter leaves out, and hide no values from the API', async () => {
    const { Excel, workbook } = await withTable();
    await Excel.run(async (context) => {
      const table = context.workbook.tables.getItem('Products');
      table.columns.getItem('Price').filter.applyCustomFilter('>3');
      const body = table.getDataBodyRange().load('values');
      const visible = table.getDataBodyRange().getVisibleView().load('values');
      const hidden = body.getRow(0).load('rowHidden');
      table.autoFilter.load('isDataFiltered');
      await context.sync();
      expect(body.values).toHaveLength(3);
      expect(visible.values.map(([code]) => code)).toEqual(['A', 'C']);
      expect([hidden.rowHidden, table.autoFilter.isDataFiltered]).toEqual([true, true]);
      table.clearFilters();
      await context.sync();
    });
    expect(workbook.active.rows.some((row) => row?.filtered)).toBe(false);
  });

  test('lose rows and columns without touching their neighbours', async () => {
    const { Excel } = await withTable();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('F3:F5').values = [['x'], ['y'], ['z']];
      const table = sheet.tables.getItem('Products');
      table.rows.getItemAt(0).delete();
      table.columns.getItem('Name').delete();
      const all = table.getRange().load('values,address');
      const beside = sheet.getRange('E3:F5').load('values');
      await context.sync();
      expect(all.address).toBe('Sheet1!B2:C4');
      expect(all.values).toEqual([
        ['Code', 'Price'],
        ['A', 30],
        ['C', 4],
      ]);
      expect(beside.values).toEqual([
        ['x', ''],
        ['y', ''],
        ['', 'z'],
      ]);
    });
  });

  test('become plain cells, or go with their cells', async () => {
    const { Excel, workbook } = await withTable();
    await Excel.run(async (context) => {
      const range = context.workbook.tables.getItem('Products').convertToRange().load('values');
      await context.sync();
      expect(range.values).toHaveLength(4);
      context.workbook.tables.add('Sheet1!B2:D5', true).delete();
      await context.sync();
    });
    expect(workbook.active.tables).toEqual([]);
    expect(workbook.active.rows.every((row) => !row || row.cells.every((cell) => !cell))).toBe(true);
  });

  test('take in columns inserted on the sheet, and let go of those deleted', async () => {
    const { Excel } = await withTable();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      const table = sheet.tables.getItem('Products');
      sheet.getRange('C:C').insert('Right');
      table.columns.load('items/name');
      await context.sync();
      expect(table.columns.items.map(({ name }) => name)).toEqual(['Code', 'Column2', 'Name', 'Price']);
      sheet.getRange('B:C').delete('Left');
      const all = table.getRange().load('values,address');
      const columns = table.columns.load('items/name');
      await context.sync();
      expect(columns.items.map(({ name }) => name)).toEqual(['Name', 'Price']);
      expect(all.address).toBe('Sheet1!B2:C5');
      expect(all.values[0]).toEqual(['Name', 'Price']);
    });
  });

  test('whose rows are all deleted keep an empty one to start again', async () => {
    const { Excel } = await withTable();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('B7').values = [['below']];
      sheet.getRange('3:5').delete('Up');
      const table = sheet.tables.getItem('Products');
      const body = table.getDataBodyRange().load('address,values');
      table.rows.load('count');
      await context.sync();
      expect(body.address).toBe('Sheet1!B3:D3');
      expect(body.values).toEqual([['', '', '']]);
      expect(table.rows.count).toBe(0);
      table.rows.add(undefined, [['N', 'New', 1]]);
      const all = table.getRange().load('values');
      await context.sync();
      expect(all.values).toHaveLength(2);
    });
  });

  test('refuse insertions that would tear them', async () => {
    const { Excel } = await withTable();
    const attempt = Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().getRange('C1').insert('Down');
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('InsertDeleteConflict');
  });
});

describe('Events', () => {
  test('reach their handlers until they are removed', async () => {
    const { Excel } = open();
    const seen: string[] = [];
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      const registration = sheet.onChanged.add(
        async ({ address, changeType }) => void seen.push(`${changeType} ${address}`),
      );
      context.workbook.worksheets.onAdded.add(async ({ type }) => void seen.push(type));
      await context.sync();
      sheet.getRange('A1:B1').values = [[1, 2]];
      context.workbook.worksheets.add();
      await context.sync();
      registration.remove();
      await context.sync();
      sheet.getRange('A2').values = [[3]];
      await context.sync();
    });
    await new Promise((resolve) => setTimeout(resolve));
    expect(seen).toEqual(['RangeEdited A1:B1', 'WorksheetAdded']);
  });
});

describe('Settings and properties', () => {
  test('of the workbook are kept', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      context.workbook.settings.add('Layout', { columns: ['a', 'b'] });
      context.workbook.properties.custom.add('Pulled', 12);
      context.workbook.properties.title = 'Ledger';
      await context.sync();
    });
    await Excel.run(async (context) => {
      const setting = context.workbook.settings.getItemOrNullObject('Layout').load('value');
      const property = context.workbook.properties.custom.getItem('pulled').load('key,value,type');
      context.workbook.properties.load('title');
      await context.sync();
      expect(setting.value).toEqual({ columns: ['a', 'b'] });
      expect([property.key, property.value, property.type]).toEqual(['Pulled', 12, 'Number']);
      expect(context.workbook.properties.title).toBe('Ledger');
    });
  });

  test('data validation and conditional formats are kept', async () => {
    const { Excel } = open();
    await Excel.run(async (context) => {
      const range = context.workbook.worksheets.getActiveWorksheet().getRange('A1:A9');
      range.dataValidation.rule = { list: { inCellDropDown: true, source: 'yes,no' } };
      const format = range.conditionalFormats.add('Custom');
      format.custom.rule.formula = '=A1="no"';
      format.custom.format.font.color = '#AA0000';
      const validation = range.getCell(3, 0).dataValidation.load('type,rule');
      format.load('type,custom/rule/formula');
      await context.sync();
      expect([validation.type, validation.rule.list?.source]).toEqual(['List', 'yes,no']);
      expect([format.type, format.custom.rule.formula]).toEqual(['Custom', '=A1="no"']);
    });
  });
});
