import { describe, expect, test } from 'vitest';
import { failure, onEmptySheet, openEmpty } from '../../../testing/addin/emptyWorkbook.ts';

describe('Worksheets', () => {
  test('are added, named, found, moved, hidden and deleted', async () => {
    const { Excel, workbook } = openEmpty();
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
      const attempt = onEmptySheet(async (sheet, context) => {
        sheet.name = name;
        await context.sync();
      });
      expect((await failure(attempt)).code).toBe('InvalidArgument');
    },
  );

  test('cannot have the name of another one, in any case', async () => {
    const attempt = onEmptySheet(async (_, context) => {
      context.workbook.worksheets.add('SHEET1');
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('ItemAlreadyExists');
  });

  test('cannot be deleted when it is the last one', async () => {
    const attempt = onEmptySheet(async (sheet, context) => {
      sheet.delete();
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('InvalidOperation');
  });

  test('that were deleted are not found by what follows in the same batch', async () => {
    const attempts: ((sheet: Excel.Worksheet) => void)[] = [
      (sheet) => sheet.set({ name: 'Other' }),
      (sheet) => sheet.getRange('A1').set({ values: [['lost']] }),
      (sheet) => sheet.load('name'),
      (sheet) => sheet.delete(),
    ];
    for (const attempt of attempts) {
      const { Excel, workbook } = openEmpty();
      const run = Excel.run(async (context) => {
        const sheet = context.workbook.worksheets.add('Gone');
        await context.sync();
        sheet.delete();
        attempt(sheet);
        await context.sync();
      });
      expect((await failure(run)).code).toBe('ItemNotFound');
      expect(workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
    }
  });

  test('that do not exist are null objects, and so are their members', async () => {
    await onEmptySheet(async (sheet, context) => {
      const nowhere = context.workbook.worksheets.getItemOrNullObject('Nowhere').load('name');
      const used = sheet.getUsedRangeOrNullObject(true);
      await context.sync();
      expect(nowhere.isNullObject).toBe(true);
      expect(used.isNullObject).toBe(true);
    });
  });

  test('store custom properties, by keys in any case', async () => {
    await onEmptySheet(async (sheet, context) => {
      const { customProperties } = sheet;
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

  test('freeze panes, and return their location', async () => {
    const { Excel, workbook } = openEmpty();
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.freezePanes.freezeRows(1);
      const location = sheet.freezePanes.getLocationOrNullObject().load('address');
      await context.sync();
      expect(location.address).toBe('Sheet1!1:1');
    });
    expect(workbook.active.frozen).toEqual({ rows: 1, columns: 0 });
  });

  test('that are protected refuse writing, except to unlocked cells', async () => {
    const { Excel } = openEmpty();
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

  test('that are protected refuse links, hiding, fitting and merging, unless that is allowed', async () => {
    type Change = (range: Excel.Range) => void;
    const changes: [change: Change, allowed: Excel.WorksheetProtectionOptions | undefined][] = [
      [(range) => range.set({ hyperlink: { address: 'https://example.com' } }), { allowInsertHyperlinks: true }],
      [(range) => range.set({ rowHidden: true }), { allowFormatRows: true }],
      [(range) => range.set({ columnHidden: true }), { allowFormatColumns: true }],
      [(range) => range.format.autofitRows(), { allowFormatRows: true }],
      [(range) => range.format.autofitColumns(), { allowFormatColumns: true }],
      [(range) => range.merge(), undefined],
      [(range) => range.unmerge(), undefined],
    ];
    for (const [change, allowed] of changes) {
      const attempt = (options: Excel.WorksheetProtectionOptions) =>
        onEmptySheet(async (sheet, context) => {
          sheet.getRange('A1').values = [['locked']];
          sheet.protection.protect(options);
          await context.sync();
          change(sheet.getRange('A1:B2'));
          await context.sync();
        });
      expect((await failure(attempt({}))).code).toBe('AccessDenied');
      if (allowed !== undefined) await attempt(allowed);
    }
  });

  test('refuse writing outside of their cells', async () => {
    const attempt = onEmptySheet(async (sheet, context) => {
      sheet.getRangeByIndexes(1_048_575, 0, 2, 1).values = [[1], [2]];
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('InvalidArgument');
  });
});
