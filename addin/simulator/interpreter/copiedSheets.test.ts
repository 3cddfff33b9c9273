import { describe, expect, test } from 'vitest';
import { failure, openEmpty } from '../../../testing/addin/emptyWorkbook.ts';

/** A sheet with everything that Excel copies with it, and its copy. */
const withCopy = async () => {
  const excel = openEmpty();
  await excel.Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:B4').values = [
      ['Code', 'Count'],
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ];
    sheet.getRange('B2:B4').dataValidation.rule = {
      wholeNumber: { formula1: 0, formula2: 9, operator: 'Between' },
    };
    sheet.getRange('B2:B4').dataValidation.prompt = { showPrompt: true, title: 'Count', message: 'From 0 to 9' };
    const format = sheet.getRange('A2:A4').conditionalFormats.add('Custom');
    format.custom.rule.formula = '=$B2>2';
    format.custom.format.font.color = '#AA0000';
    sheet.autoFilter.apply(sheet.getRange('A1:B4'), 1, { filterOn: 'Custom', criterion1: '>1' });
    sheet.names.add('Counts', sheet.getRange('B2:B4'), 'How many');
    sheet.names.add('Limit', '=2');
    context.workbook.names.add('Codes', sheet.getRange('A2:A4'));
    context.workbook.names.add('Rate', '=0.21');
    sheet.customProperties.add('Query', 'list=products');
    sheet.getRange('B2').format.protection.locked = false;
    sheet.protection.protect({ allowSort: true }, 'secret');
    sheet.getRange('B3').select();
    await context.sync();
    sheet.copy('End');
    await context.sync();
  });
  return excel;
};

describe('A copy of a sheet', () => {
  test('has data validation of its own', async () => {
    const { Excel } = await withCopy();
    await Excel.run(async (context) => {
      const { worksheets } = context.workbook;
      worksheets.getItem('Sheet1 (2)').protection.unprotect('secret');
      const own = worksheets.getItem('Sheet1 (2)').getRange('B2:B4').dataValidation;
      own.prompt = { showPrompt: true, title: 'Copied', message: 'Of the copy' };
      const original = worksheets.getItem('Sheet1').getRange('B2').dataValidation.load('prompt,type');
      own.load('prompt,type');
      await context.sync();
      expect([own.type, own.prompt.title]).toEqual(['WholeNumber', 'Copied']);
      expect([original.type, original.prompt.title]).toEqual(['WholeNumber', 'Count']);
    });
  });

  test('has conditional formats of its own', async () => {
    const { Excel } = await withCopy();
    await Excel.run(async (context) => {
      const [original, copy] = ['Sheet1', 'Sheet1 (2)'].map((name) =>
        context.workbook.worksheets.getItem(name).getRange('A2:A4').conditionalFormats.getItemAt(0),
      );
      copy!.custom.rule.formula = '=$B2<1';
      copy!.stopIfTrue = true;
      for (const format of [original!, copy!]) format.load('id,stopIfTrue,custom/rule/formula');
      await context.sync();
      expect([copy!.custom.rule.formula, copy!.stopIfTrue]).toEqual(['=$B2<1', true]);
      expect([original!.custom.rule.formula, original!.stopIfTrue]).toEqual(['=$B2>2', false]);
      expect(copy!.id).not.toBe(original!.id);
    });
  });

  test('is filtered as the original, and clearing its filter leaves the original filtered', async () => {
    const { Excel, workbook } = await withCopy();
    const hiddenRows = () =>
      workbook.sheets.map(({ rows }) => rows.flatMap((row, index) => (row?.filtered ? [index + 1] : [])));
    expect(hiddenRows()).toEqual([[2], [2]]);
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getItem('Sheet1 (2)');
      const range = sheet.autoFilter.getRange().load('address');
      sheet.autoFilter.load('criteria');
      await context.sync();
      expect(range.address).toBe("'Sheet1 (2)'!A1:B4");
      expect(sheet.autoFilter.criteria[1]).toMatchObject({ filterOn: 'Custom', criterion1: '>1' });
      sheet.autoFilter.clearCriteria();
      await context.sync();
    });
    expect(hiddenRows()).toEqual([[2], []]);
  });

  // Those of the workbook that refer to the sheet, too: the copy has them for itself.
  test('has the names for cells of the sheet, which refer to the copy', async () => {
    const { Excel } = await withCopy();
    await Excel.run(async (context) => {
      const names = context.workbook.worksheets
        .getItem('Sheet1 (2)')
        .names.load('items/name,items/formula,items/comment');
      const original = context.workbook.worksheets.getItem('Sheet1').names.load('items/formula');
      await context.sync();
      expect(names.items.map(({ name, formula, comment }) => [name, formula, comment])).toEqual([
        ['Counts', "='Sheet1 (2)'!$B$2:$B$4", 'How many'],
        ['Limit', '=2', ''],
        ['Codes', "='Sheet1 (2)'!$A$2:$A$4", ''],
      ]);
      expect(original.items.map(({ formula }) => formula)).toEqual(['=Sheet1!$B$2:$B$4', '=2']);
    });
  });

  test('is protected with the same password, and unprotecting it leaves the original protected', async () => {
    const { Excel, workbook } = await withCopy();
    const open = (password: string) =>
      Excel.run(async (context) => {
        const { protection } = context.workbook.worksheets.getItem('Sheet1 (2)');
        protection.load('protected,options');
        await context.sync();
        expect([protection.protected, protection.options.allowSort]).toEqual([true, true]);
        protection.unprotect(password);
        await context.sync();
      });
    expect((await failure(open('wrong'))).code).toBe('InvalidArgument');
    await open('secret');
    expect(workbook.sheets.map(({ protection }) => protection !== undefined)).toEqual([true, false]);
  });

  test('has the selection of the original, and none of its custom properties', async () => {
    const { workbook } = await withCopy();
    const copy = workbook.sheets[1]!;
    expect([copy.selection, copy.activeCell]).toEqual([
      { row: 2, column: 1, rows: 1, columns: 1 },
      { row: 2, column: 1 },
    ]);
    expect([...copy.customProperties.values()]).toEqual([]);
  });

  test.each<[string, (sheet: Excel.Worksheet, other: Excel.Worksheet) => Excel.Worksheet, string[]]>([
    ['by default', (sheet) => sheet.copy(), ['Data (2)', 'Sheet1', 'Data', 'Last']],
    ['at the end', (sheet) => sheet.copy('End'), ['Sheet1', 'Data', 'Last', 'Data (2)']],
    ['before another', (sheet, other) => sheet.copy('Before', other), ['Sheet1', 'Data', 'Data (2)', 'Last']],
    ['after another', (sheet, other) => sheet.copy('After', other), ['Sheet1', 'Data', 'Last', 'Data (2)']],
  ])('is placed %s', async (_, copy, order) => {
    const { Excel, workbook } = openEmpty();
    await Excel.run(async (context) => {
      const { worksheets } = context.workbook;
      copy(worksheets.add('Data'), worksheets.add('Last'));
      await context.sync();
    });
    expect(workbook.sheets.map(({ name }) => name)).toEqual(order);
  });

  test.each<'Before' | 'After'>(['Before', 'After', 'Somewhere' as 'Before'])(
    'is not placed %s no sheet',
    async (place) => {
      const attempt = openEmpty().Excel.run(async (context) => {
        context.workbook.worksheets.getFirst().copy(place);
        await context.sync();
      });
      expect(await failure(attempt)).toEqual({ code: 'InvalidArgument', location: 'Worksheet.copy' });
    },
  );

  test('has tables of their own names, with filters of their own', async () => {
    const { Excel, workbook } = openEmpty();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:A3').values = [['Code'], ['a'], ['b']];
      const table = sheet.tables.add('A1:A3', true);
      table.name = 'Codes';
      table.columns.getItemAt(0).filter.applyValuesFilter(['a']);
      const copied = sheet.copy('End').tables.getItemAt(0).load('name');
      await context.sync();
      expect(copied.name).not.toBe('Codes');
      copied.clearFilters();
      await context.sync();
    });
    expect(workbook.sheets.map(({ tables }) => tables[0]!.filters.size)).toEqual([1, 0]);
  });

  test('has formulas that refer to its own tables, and leaves those of the original', async () => {
    const { Excel } = openEmpty();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:A3').values = [['Amount'], [1], [2]];
      sheet.tables.add('A1:A3', true).name = 'Amounts';
      sheet.getRange('C1:C2').formulas = [['=SUM(Amounts[Amount])'], ['=ROWS(Amounts)&"Amounts"']];
      const copy = sheet.copy();
      const table = copy.tables.getItemAt(0).load('name');
      const [original, copied] = [sheet, copy].map((one) => one.getRange('C1:C2').load('formulas'));
      await context.sync();
      expect(copied!.formulas).toEqual([[`=SUM(${table.name}[Amount])`], [`=ROWS(${table.name})&"Amounts"`]]);
      expect(original!.formulas).toEqual([['=SUM(Amounts[Amount])'], ['=ROWS(Amounts)&"Amounts"']]);
    });
  });
});
