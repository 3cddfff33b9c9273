import { describe, expect, test } from 'vitest';
import { failure, openEmpty } from '../../testing/addin/emptyWorkbook.ts';
import { readExcelClasses } from '../../testing/officeDeclarations.ts';
import { attachCalculator } from './calculation/calculator.ts';
import { kinds } from './interpreter/kinds.ts';
import { enterAsTyped } from './workbook/changes/tableShape.ts';
import { recordStep, undo } from './workbook/changes/undo.ts';
import { select } from './workbook/sheets.ts';

/** Handlers run in a later task than the change. */
const raised = () => new Promise((resolve) => setTimeout(resolve));

/** What the handlers of a sheet's changes get, of an add-in's work and of a user's. */
const changesDuring = async (work: (excel: ReturnType<typeof openEmpty>) => Promise<unknown>) => {
  const excel = openEmpty();
  const seen: Excel.WorksheetChangedEventArgs[] = [];
  await excel.Excel.run(async (context) => {
    context.workbook.worksheets.getActiveWorksheet().onChanged.add(async (change) => void seen.push(change));
    await context.sync();
  });
  await work(excel);
  await raised();
  return seen;
};

const write = ({ Excel }: ReturnType<typeof openEmpty>, address: string, values: unknown[][]) =>
  Excel.run(async (context) => {
    context.workbook.worksheets.getActiveWorksheet().getRange(address).values = values;
    await context.sync();
  });

describe('A change of one cell', () => {
  test('tells its value and type before and after', async () => {
    const changes = await changesDuring(async (excel) => {
      await write(excel, 'B2', [[12.5]]);
      await write(excel, 'B2', [['twelve']]);
      await write(excel, 'B2', [[true]]);
      await write(excel, 'B2', [['']]);
    });
    expect(changes.map(({ address, changeType, source, type }) => [address, changeType, source, type])).toEqual(
      Array.from({ length: 4 }, () => ['B2', 'RangeEdited', 'Local', 'WorksheetChanged']),
    );
    expect(changes.map(({ details }) => details)).toEqual([
      { valueBefore: '', valueAfter: 12.5, valueTypeBefore: 'Empty', valueTypeAfter: 'Double' },
      { valueBefore: 12.5, valueAfter: 'twelve', valueTypeBefore: 'Double', valueTypeAfter: 'String' },
      { valueBefore: 'twelve', valueAfter: true, valueTypeBefore: 'String', valueTypeAfter: 'Boolean' },
      { valueBefore: true, valueAfter: '', valueTypeBefore: 'Boolean', valueTypeAfter: 'Empty' },
    ]);
  });

  test('tells them of what a user types and takes back, and who made it', async () => {
    const changes = await changesDuring(async (excel) => {
      const { workbook } = excel;
      await write(excel, 'A1', [['=1/4']]);
      const cell = { row: 0, column: 0, rows: 1, columns: 1 };
      recordStep(workbook, () => enterAsTyped(workbook.active, cell, '50%'));
      undo(workbook);
    });
    expect(
      changes.map(({ details, triggerSource }) => [details.valueBefore, details.valueAfter, triggerSource]),
    ).toEqual([
      ['', '=1/4', 'ThisLocalAddin'],
      ['=1/4', 0.5, 'Unknown'],
      [0.5, '=1/4', 'Unknown'],
    ]);
  });

  test('tells them in each of several changes of one request, and after other cells changed', async () => {
    const changes = await changesDuring(({ Excel }) =>
      Excel.run(async (context) => {
        const sheet = context.workbook.worksheets.getActiveWorksheet();
        sheet.getRange('A1:B1').values = [[1, 2]];
        sheet.getRange('B1').values = [[3]];
        sheet.getRange('B1').format.fill.color = '#FF0000';
        sheet.getRange('B1').values = [[4]];
        await context.sync();
      }),
    );
    expect(changes.map(({ address, details }) => [address, details?.valueBefore, details?.valueAfter])).toEqual([
      // Of several cells Excel tells nothing but where they are.
      ['A1:B1', undefined, undefined],
      ['B1', 2, 3],
      ['B1', 3, 4],
    ]);
  });

  test('tells them after a formula filled other cells, and after the formulas of its sheet followed others', async () => {
    const { Excel, workbook } = openEmpty();
    attachCalculator(workbook);
    const seen: Excel.WorksheetChangedEventArgs[] = [];
    await Excel.run(async (context) => {
      const [first, second] = [context.workbook.worksheets.getFirst(), context.workbook.worksheets.add('Second')];
      first.getRange('A1:C3').formulas = [
        ['=SEQUENCE(3)', '', 'filled'],
        ['', '', ''],
        ['', '', ''],
      ];
      second.getRange('A1:B1').formulas = [['=Sheet1!C3', 'followed']];
      await context.sync();
      for (const sheet of [first, second]) sheet.onChanged.add(async (change) => void seen.push(change));
      await context.sync();
      first.getRange('C1').values = [['new']];
      first.getRange('2:2').insert('Down');
      second.getRange('B1').values = [['newer']];
      await context.sync();
    });
    await raised();
    expect(seen.map(({ address, details }) => [address, details?.valueBefore, details?.valueAfter])).toEqual([
      ['C1', 'filled', 'new'],
      ['2:2', undefined, undefined],
      ['B1', 'followed', 'newer'],
    ]);
  });

  test('of a table tells them, too', async () => {
    const { Excel } = openEmpty();
    const seen: Excel.TableChangedEventArgs[] = [];
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:A2').values = [['Price'], [5]];
      const table = sheet.tables.add('A1:A2', true);
      table.onChanged.add(async (change) => void seen.push(change));
      await context.sync();
      sheet.getRange('A2').values = [[6]];
      sheet.getRange('C2').values = [[7]];
      await context.sync();
    });
    await raised();
    expect(seen.map(({ address, details }) => [address, details.valueBefore, details.valueAfter])).toEqual([
      ['A2', 5, 6],
    ]);
  });
});

test('Inserted and deleted cells tell where the others went, whole rows and columns that they are whole', async () => {
  const changes = await changesDuring(({ Excel }) =>
    Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('2:3').insert('Down');
      sheet.getRange('B:B').delete('Left');
      sheet.getRange('B2:B3').insert('Down');
      sheet.getRange('B2').insert('Right');
      sheet.getRange('B2').delete('Up');
      sheet.getRange('B2:C2').delete('Left');
      await context.sync();
    }),
  );
  expect(
    changes.map(({ address, changeType, changeDirectionState: state }) => [
      address,
      changeType,
      state?.insertShiftDirection ?? state?.deleteShiftDirection,
    ]),
  ).toEqual([
    ['2:3', 'RowInserted', undefined],
    ['B:B', 'ColumnDeleted', undefined],
    ['B2:B3', 'CellInserted', 'Down'],
    ['B2', 'CellInserted', 'Right'],
    ['B2', 'CellDeleted', 'Up'],
    ['B2:C2', 'CellDeleted', 'Left'],
  ]);
});

test('Formulas that change tell their cells and what they were; new results of them do not', async () => {
  const excel = openEmpty();
  attachCalculator(excel.workbook);
  const seen: Excel.WorksheetFormulaChangedEventArgs[] = [];
  await excel.Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:D1').formulas = [['2', '4', '24', '=A1 * B1']];
    sheet.onFormulaChanged.add(async (change) => void seen.push(change));
    await context.sync();
    sheet.getRange('D1').formulas = [['=A1 * C1']];
    await context.sync();
    sheet.getRange('A1').values = [[3]];
    await context.sync();
  });
  await raised();
  expect(seen.map(({ formulaDetails }) => formulaDetails)).toEqual([
    [{ cellAddress: 'D1', previousFormula: '=A1 * B1' }],
  ]);
});

test('Handlers get nothing while an add-in has turned events off', async () => {
  const changes = await changesDuring(async (excel) => {
    const turn = (on: boolean) =>
      excel.Excel.run(async (context) => {
        context.runtime.enableEvents = on;
        context.runtime.load('enableEvents');
        await context.sync();
        expect(context.runtime.enableEvents).toBe(on);
      });
    await turn(false);
    await write(excel, 'A1', [[1]]);
    await turn(true);
    await write(excel, 'A2', [[2]]);
  });
  expect(changes.map(({ address }) => address)).toEqual(['A2']);
});

describe('Of the events that Excel has', () => {
  /** The objects whose handlers are tried, by the class that they are of. */
  const objects: Record<string, (context: Excel.RequestContext) => object> = {
    Chart: ({ workbook }) => workbook.worksheets.getActiveWorksheet().charts.getItemAt(0),
    ChartCollection: ({ workbook }) => workbook.worksheets.getActiveWorksheet().charts,
    SettingCollection: ({ workbook }) => workbook.settings,
    Table: ({ workbook }) => workbook.tables.getItem('Items'),
    TableCollection: ({ workbook }) => workbook.tables,
    Workbook: ({ workbook }) => workbook,
    Worksheet: ({ workbook }) => workbook.worksheets.getActiveWorksheet(),
    WorksheetCollection: ({ workbook }) => workbook.worksheets,
  };

  const events = [...readExcelClasses()].flatMap(([name, members]) =>
    name in kinds || name in objects
      ? [...members]
          .filter(([member, { leadsTo }]) => /^on[A-Z]/.test(member) && leadsTo === 'EventHandlers')
          .map(([member]) => `${name}.${member}`)
      : [],
  );

  const open = async () => {
    const excel = openEmpty();
    attachCalculator(excel.workbook);
    await excel.Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:B3').formulas = [
        ['Item', 'Count'],
        ['b', 1],
        ['a', '=1+1'],
      ];
      sheet.tables.add('A1:B3', true).name = 'Items';
      sheet.charts.add('ColumnClustered', sheet.getRange('A1:B3'));
      await context.sync();
    });
    return excel;
  };

  type Handlers = { add(handler: (event: unknown) => Promise<unknown>): unknown };
  /** The code of the refusal of a handler; undefined when it is taken, and `seen` then gets its events. */
  const register = async ({ Excel }: Awaited<ReturnType<typeof open>>, event: string, seen: unknown[] = []) => {
    const [owner, member] = event.split('.') as [string, string];
    try {
      await Excel.run(async (context) => {
        const target = objects[owner]!(context) as Record<string, Handlers>;
        target[member]!.add(async (args) => void seen.push(args));
        await context.sync();
      });
      return undefined;
    } catch (error) {
      return (error as OfficeExtension.Error).code;
    }
  };

  /** Everything that raises an event, once. */
  const doEverything = async (excel: Awaited<ReturnType<typeof open>>) => {
    const { workbook } = excel;
    await excel.Excel.run(async (context) => {
      const { worksheets, tables } = context.workbook;
      const sheet = worksheets.getActiveWorksheet();
      sheet.getRange('B2').formulas = [['=2+2']];
      sheet.getRange('A2').format.fill.color = '#FFFF00';
      sheet.getRange('A2').select();
      tables.getItem('Items').sort.apply([{ key: 0 }]);
      sheet.getRange('D1:E1').values = [[2, 1]];
      sheet.getRange('D1:E1').sort.apply([{ key: 0 }], false, false, 'Columns');
      sheet.tables.add('D5:D6', true).delete();
      sheet.charts.add('ColumnClustered', sheet.getRange('A1:B3')).delete();
      const other = worksheets.add('Other');
      other.activate();
      sheet.activate();
      other.delete();
      await context.sync();
    });
    select(workbook.active, { row: 9, column: 0, rows: 1, columns: 1 });
    await raised();
  };

  test.each(events)('%s has handlers that are called, or none at all', async (event) => {
    const excel = await open();
    const seen: unknown[] = [];
    const refusal = await register(excel, event, seen);
    if (refusal !== undefined) {
      // The client itself says the second, of the events that are not Excel's own.
      expect(['ApiNotFound', 'CannotRegisterEvent']).toContain(refusal);
      return;
    }
    await doEverything(excel);
    expect(seen).not.toEqual([]);
  });

  test('those of the manifest’s requirement set that a workbook without people beside it has are raised', async () => {
    const refused: string[] = [];
    for (const event of events) if ((await register(await open(), event)) !== undefined) refused.push(event);
    expect(refused.toSorted()).toEqual([
      'Chart.onActivated',
      'Chart.onDeactivated',
      'ChartCollection.onActivated',
      'ChartCollection.onDeactivated',
      'SettingCollection.onSettingsChanged',
      'Workbook.onActivated',
      'Workbook.onAutoSaveSettingChanged',
      'Worksheet.onNameChanged',
      'Worksheet.onProtectionChanged',
      'Worksheet.onRowHiddenChanged',
      'Worksheet.onSingleClicked',
      'Worksheet.onVisibilityChanged',
      'WorksheetCollection.onMoved',
      'WorksheetCollection.onNameChanged',
      'WorksheetCollection.onProtectionChanged',
      'WorksheetCollection.onRowHiddenChanged',
      'WorksheetCollection.onSingleClicked',
      'WorksheetCollection.onVisibilityChanged',
    ]);
  });

  test('a refusal names the event', async () => {
    const excel = await open();
    const attempt = excel.Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().onSingleClicked.add(async () => {});
      await context.sync();
    });
    expect(await failure(attempt)).toEqual({ code: 'ApiNotFound', location: 'Worksheet._RegisterSingleClickedEvent' });
  });
});

test('A sort tells of the rows or columns that moved, and of none when all were in order', async () => {
  const { Excel } = openEmpty();
  const told: string[] = [];
  await Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:C5').values = [
      ['Kind', 'May', 'June'],
      ['a', 1, 7],
      ['b', 3, 5],
      ['c', 2, 6],
      ['d', 4, 4],
    ];
    sheet.onRowSorted.add(async ({ address }) => void told.push(`rows ${address}`));
    sheet.onColumnSorted.add(async ({ address }) => void told.push(`columns ${address}`));
    await context.sync();
    const range = sheet.getRange('A1:C5');
    range.sort.apply([{ key: 1 }], false, true);
    range.sort.apply([{ key: 1 }], false, true);
    range.sort.apply([{ key: 2 }], false, true);
    // By the row of "d", whose months are equal.
    range.sort.apply([{ key: 1, ascending: false }], false, true, 'Columns');
    await context.sync();
  });
  await raised();
  expect(told).toEqual(['rows A3:C4', 'rows ', 'rows A2:C5', 'columns ']);
});

test('Members of the document that are not there are refused by name', async () => {
  const { Excel, Office } = openEmpty();
  expect(() => Office.context.document.settings).toThrow('Office.context.document.settings is not part of');
  expect(() => Office.context.document.getFileAsync).toThrow('Office.context.document.getFileAsync is not part of');
  const attempt = Excel.run(async (context) => {
    context.workbook.settings.onSettingsChanged.add(async () => {});
    await context.sync();
  });
  await expect(attempt).rejects.toThrow('Office.context.document.settings is not part of');
});
