import { describe, expect, test } from 'vitest';
import { failure, onEmptySheet, openEmpty } from '../../../testing/addin/emptyWorkbook.ts';

describe('A batch', () => {
  test('keeps the changes before a failed action, and does not execute the actions after it', async () => {
    const { Excel, workbook } = openEmpty();
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

  test('names an unknown member in its error', async () => {
    const attempt = onEmptySheet(async (sheet, context) => {
      sheet.shapes.addTextBox('note');
      await context.sync();
    });
    expect(await failure(attempt)).toEqual({ code: 'ApiNotFound', location: 'Worksheet.shapes' });
  });

  test('refuses to load an unknown property, except for the name that samples of Microsoft use for none', async () => {
    const { Excel } = openEmpty();
    await Excel.run(async (context) => {
      const { worksheets } = context.workbook;
      worksheets.load('no-properties-needed');
      await context.sync();
      expect(worksheets.items).toHaveLength(1);
      expect(() => worksheets.items[0]!.name).toThrow(/name/);
    });
    const attempt = Excel.run(async (context) => {
      context.workbook.worksheets.load('nmae');
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('ApiNotFound');
  });

  test('has no property that was not loaded, since the client is the real one', async () => {
    await onEmptySheet(async (sheet, context) => {
      const range = sheet.getRange('A1').load('address');
      await context.sync();
      expect(() => range.values).toThrow(/values/);
    });
  });

  test('of more than 5 MB is refused, and changes nothing', async () => {
    const { Excel, workbook } = openEmpty();
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

  test('with a response of more than 5 MB is refused', async () => {
    const attempt = onEmptySheet(async (sheet, context) => {
      const range = sheet.getRange('A1:A6000');
      range.values = 'é'.repeat(500) as never;
      range.load('values');
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('ResponsePayloadSizeLimitExceeded');
  });

  test('fails while a cell is being edited, or waits with delayForCellEdit', async () => {
    const { Excel, workbook } = openEmpty();
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

describe('Events', () => {
  test('reach their handlers until these are removed', async () => {
    const seen: string[] = [];
    await onEmptySheet(async (sheet, context) => {
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

describe('A workbook', () => {
  test('stores settings and properties', async () => {
    const { Excel } = openEmpty();
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

  test('stores data validation and conditional formats', async () => {
    await onEmptySheet(async (sheet, context) => {
      const range = sheet.getRange('A1:A9');
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

  test('stores the source of a list as a formula when it is a range', async () => {
    await onEmptySheet(async (_, context) => {
      const words = context.workbook.worksheets.add('Words').getRange('A1:A3');
      const { dataValidation } = context.workbook.worksheets.getItem('Sheet1').getRange('B2:B9');
      dataValidation.rule = { list: { inCellDropDown: true, source: words } };
      dataValidation.load('rule');
      await context.sync();
      expect(dataValidation.rule.list).toEqual({ inCellDropDown: true, source: '=Words!$A$1:$A$3' });
    });
  });
});
