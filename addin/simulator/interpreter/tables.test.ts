import { describe, expect, test } from 'vitest';
import { failure, onEmptySheet, openEmpty } from '../../../testing/addin/emptyWorkbook.ts';

const withTable = async () => {
  const excel = openEmpty();
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

type Work = (table: Excel.Table, sheet: Excel.Worksheet, context: Excel.RequestContext) => Promise<void>;
/** Runs a function of an add-in on that table and its sheet. */
const onTable = async (work: Work): Promise<void> => {
  const { Excel } = await withTable();
  await Excel.run((context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    return work(sheet.tables.getItem('Products'), sheet, context);
  });
};

describe('Tables', () => {
  test('have headers, rows, columns and a body', async () => {
    await onTable(async (_table, _sheet, context) => {
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

  test('take rows in the middle and at the end, and move the cells below down', async () => {
    await onTable(async (table, sheet, context) => {
      sheet.getRange('B6').values = [['below']];
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

  test('made of headers alone take their first rows without a gap', async () => {
    await onEmptySheet(async (sheet, context) => {
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

  test('have headers of text, none of them empty or a duplicate', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('A1:D2').values = [
        ['Name', 'Name', '', 2024],
        [1, 2, 3, 4],
      ];
      const header = sheet.tables.add('A1:D2', true).getHeaderRowRange().load('values');
      await context.sync();
      expect(header.values).toEqual([['Name', 'Name2', 'Column3', '2024']]);
    });
  });

  test('without headers get a row of headers above the data', async () => {
    await onEmptySheet(async (sheet, context) => {
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
    const attempt = onTable(async (_table, sheet, context) => {
      sheet.tables.add('D5:F8', true);
      await context.sync();
    });
    expect(await failure(attempt)).toEqual({ code: 'InvalidArgument', location: 'TableCollection.add' });
  });

  test('cannot have the name of another table, nor that of a cell', async () => {
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
});

describe('Tables that change', () => {
  test('lose rows and columns without changes to cells beside them', async () => {
    await onTable(async (table, sheet, context) => {
      sheet.getRange('F3:F5').values = [['x'], ['y'], ['z']];
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

  test('become plain cells, or are deleted with their cells', async () => {
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

  test('get columns that are inserted on the sheet, and lose those that are deleted', async () => {
    await onTable(async (table, sheet, context) => {
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

  test('whose rows are all deleted keep an empty one', async () => {
    await onTable(async (table, sheet, context) => {
      sheet.getRange('B7').values = [['below']];
      sheet.getRange('3:5').delete('Up');
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

  test('refuse an insertion that would move only some of their columns', async () => {
    const attempt = onTable(async (_table, sheet, context) => {
      sheet.getRange('C1').insert('Down');
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('InsertDeleteConflict');
  });
});

describe('Tables with sorts and filters', () => {
  test('are sorted by whole rows, with formulas that follow their row', async () => {
    await onTable(async (table, _sheet, context) => {
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

  test('hide the rows that a filter excludes, but not their values from the API', async () => {
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

  test('return filter criteria with null for members that are not set, and refuse null in criteria', async () => {
    const { Excel } = await withTable();
    const again = (change: (criteria: Excel.FilterCriteria) => Excel.FilterCriteria) =>
      Excel.run(async (context) => {
        const { filter } = context.workbook.tables.getItem('Products').columns.getItem('Name');
        filter.applyValuesFilter(['Bolt']);
        filter.load('criteria');
        await context.sync();
        expect(filter.criteria).toMatchObject({ filterOn: 'Values', values: ['Bolt'], criterion1: null, color: null });
        filter.apply(change(filter.criteria));
        await context.sync();
      });
    expect((await failure(again((criteria) => criteria))).code).toBe('InvalidArgument');
    await again(({ filterOn, values }) => ({ filterOn, values: values! }));
  });

  test('refuse to apply filters again after their filter buttons were removed', async () => {
    const { Excel } = await withTable();
    const attempt = Excel.run(async (context) => {
      const table = context.workbook.tables.getItem('Products');
      table.autoFilter.remove();
      table.reapplyFilters();
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('InvalidOperation');
  });
});
