import { describe, expect, test } from 'vitest';
import { en } from '../../../taskpane/locales/outside/en.ts';
import { type Area, areaAddress, cellArea, MAX_ROWS, parseArea } from '../../workbook/cells/address.ts';
import { enterValues } from '../../workbook/changes/enter.ts';
import { applySheetFilter, filterTable } from '../../workbook/changes/filter.ts';
import { setStyle } from '../../workbook/changes/restyle.ts';
import { addTable } from '../../workbook/changes/tableShape.ts';
import { columnOf, formulaAt, rowOf } from '../../workbook/sheet.ts';
import { select } from '../../workbook/sheets.ts';
import { Workbook } from '../../workbook/workbook.ts';
import { createActions } from './actions.ts';
import { type EntryRow, moveAfterEntry } from './draft.ts';
import { moveSelection } from './moves.ts';

const areaOf = (address: string): Area => parseArea(address)!;

/** A workbook whose first sheet has some values, and what a user does to it. */
function opened(address: string, values: unknown[][], language: 'en' | 'nl' = 'en') {
  const workbook = new Workbook(language);
  const sheet = workbook.active;
  enterValues(sheet, areaOf(address), values);
  const actions = createActions(
    workbook,
    en.page,
    () => undefined,
    () => undefined,
  );
  let text = '';
  const clipboard = {
    setData: (_type: string, copied: string) => {
      text = copied;
    },
    getData: () => text,
  } as unknown as DataTransfer;
  const on = (selected: string, action: () => void) => {
    select(workbook.active, areaOf(selected));
    action();
  };
  return {
    workbook,
    sheet,
    actions,
    on,
    copy: (selected: string, isCut = false) => on(selected, () => actions.copy(clipboard, isCut)),
    paste: (selected: string) => on(selected, () => actions.paste(clipboard)),
    /** Pastes what another program copied. */
    pasteText: (selected: string, other: string) => {
      text = other;
      on(selected, () => actions.paste(clipboard));
    },
    copiedText: () => text,
    cells: (shown: string) => {
      const { row, column, rows, columns } = areaOf(shown);
      return Array.from({ length: rows }, (_, down) =>
        Array.from({ length: columns }, (_, across) => formulaAt(sheet, row + down, column + across)),
      );
    },
  };
}

describe('Entire rows and columns', () => {
  test('are pasted as they are, from their first cell on', () => {
    const { copy, paste, cells } = opened('B2:C3', [
      ['b2', 'c2'],
      ['b3', ''],
    ]);
    copy('B:B');
    paste('E:E');
    expect(cells('E1:E4')).toEqual([[''], ['b2'], ['b3'], ['']]);
    copy('2:2');
    paste('6:6');
    expect(cells('A6:F6')).toEqual([['', 'b2', 'c2', '', 'b2', '']]);
  });

  test('are pasted once into an entire row, however many columns are in use', () => {
    const { copy, paste, cells, sheet } = opened('A1:D1', [['a', 'b', 'c', 'd']]);
    copy('1:1');
    paste('3:3');
    expect(cells('A3:F3')).toEqual([['a', 'b', 'c', 'd', '', '']]);
    expect(sheet.rows[2]?.cells.length).toBeLessThan(30);
  });

  test('are filled from the whole row above or column before, also when they are empty', () => {
    const { on, actions, cells } = opened('A1:D2', [
      ['a', 'b', '=A1', 'd'],
      ['', 'own', '', ''],
    ]);
    on('2:2', actions.fillDown);
    expect(cells('A2:E2')).toEqual([['a', 'b', '=A2', 'd', '']]);
    on('3:3', actions.fillDown);
    expect(cells('A3:E3')).toEqual([['a', 'b', '=A3', 'd', '']]);
    on('E:E', actions.fillRight);
    expect(cells('E1:E4')).toEqual([['d'], ['d'], ['d'], ['']]);
  });
});

describe('Rows that a filter hides', () => {
  const filteredList = () => {
    const list = opened('A1:B6', [
      ['Code', 'Price'],
      ['x1', 1],
      ['y2', 2],
      ['x3', 3],
      ['y4', 4],
      ['x5', 5],
    ]);
    const { sheet } = list;
    const table = addTable(sheet, areaOf('A1:B6'), true);
    filterTable(table, table.columns[0]!, { filterOn: 'Custom', criterion1: '=x*' });
    return list;
  };
  const codes = ({ cells }: ReturnType<typeof opened>, address = 'A2:A6') => cells(address).flat();

  test('keep their cells when the selection is cleared, and come back with the others by undo', () => {
    const list = filteredList();
    list.on('A2:A6', list.actions.clear);
    expect(codes(list)).toEqual(['', 'y2', '', 'y4', '']);
    list.actions.undo();
    expect(codes(list)).toEqual(['x1', 'y2', 'x3', 'y4', 'x5']);
  });

  test('stay when the selected rows are deleted', () => {
    const list = filteredList();
    list.on('B2:B5', list.actions.deleteRows);
    expect(list.cells('A1:B5')).toEqual([
      ['Code', 'Price'],
      ['y2', 2],
      ['y4', 4],
      ['x5', 5],
      ['', ''],
    ]);
    expect([1, 2, 3].map((row) => list.sheet.rows[row]?.filtered ?? false)).toEqual([true, true, false]);
    list.actions.undo();
    expect(codes(list)).toEqual(['x1', 'y2', 'x3', 'y4', 'x5']);
  });

  test('stay with all others when the heading is selected too', () => {
    const list = filteredList();
    list.on('A1:A5', list.actions.deleteRows);
    expect(codes(list, 'A1:A6')).toEqual(['Code', 'x1', 'y2', 'x3', 'y4', 'x5']);
  });

  test('are left out by a fill with keys', () => {
    const list = filteredList();
    list.on('B2:B6', list.actions.fillDown);
    expect(codes(list, 'B2:B6')).toEqual([1, 2, 1, 4, 1]);
    list.on('A2:B6', list.actions.fillRight);
    expect(codes(list, 'B2:B6')).toEqual(['x1', 2, 'x3', 4, 'x5']);
  });

  test('are not copied, for this page or for other programs', () => {
    const list = filteredList();
    list.copy('A2:B6');
    expect(list.copiedText()).toBe('x1\t1\r\nx3\t3\r\nx5\t5');
    list.paste('D10');
    expect(list.cells('D10:E13')).toEqual([
      ['x1', 1],
      ['x3', 3],
      ['x5', 5],
      ['', ''],
    ]);
    list.paste('G10:H15');
    expect(codes(list, 'G10:G15')).toEqual(['x1', 'x3', 'x5', 'x1', 'x3', 'x5']);
  });

  test('are not copied to where the copied rows are themselves', () => {
    const list = filteredList();
    list.copy('A4:A6');
    list.paste('A5');
    expect(codes(list)).toEqual(['x1', 'y2', 'x3', 'x3', 'x5']);
    list.copy('A2:A6');
    list.paste('A4');
    expect(codes(list)).toEqual(['x1', 'y2', 'x1', 'x3', 'x5']);
  });

  test('keep their cells when one value is pasted into the selection', () => {
    const list = filteredList();
    list.copy('A2');
    list.paste('B2:B6');
    expect(codes(list, 'B2:B6')).toEqual(['x1', 2, 'x1', 4, 'x1']);
    list.pasteText('B2:B6', '7');
    expect(codes(list, 'B2:B6')).toEqual([7, 2, 7, 4, 7]);
  });
});

describe('Copied and cut cells', () => {
  const list = [['=B2'], ['second'], ['third']];

  test('are the same ones when rows before them are inserted or deleted meanwhile', () => {
    const { on, actions, copy, paste, cells } = opened('A2:A4', list);
    copy('A2:A3');
    on('1:1', actions.insertRows);
    paste('D1');
    expect(cells('D1:D2')).toEqual([['=E1'], ['second']]);
    copy('A4:A5', true);
    on('1:1', actions.deleteRows);
    paste('D8');
    expect([cells('A2:A4'), cells('D8:D9')]).toEqual([
      [['=B2'], [''], ['']],
      [['second'], ['third']],
    ]);
  });

  test('are pasted as text when some of them were deleted meanwhile, and others stay', () => {
    const { on, actions, copy, paste, cells } = opened('A2:A4', list);
    copy('A3:A4', true);
    on('3:3', actions.deleteRows);
    paste('D1');
    expect([cells('A2:A3'), cells('D1:D2')]).toEqual([
      [['=B2'], ['third']],
      [['second'], ['third']],
    ]);
  });
});

describe('A table that is cut', () => {
  const table = [
    ['Code', 'Price'],
    ['a', 1],
    ['b', 2],
  ];

  test.each([
    ['one row down', 'A2', 'A2:B4'],
    ['below its own cells', 'A4', 'A4:B6'],
    ['beside its own cells', 'C1', 'C1:D3'],
  ])('is pasted as a whole %s', (_, target, moved) => {
    const { sheet, actions, copy, paste, cells } = opened('A1:B3', table);
    const { area, columns } = addTable(sheet, areaOf('A1:B3'), true);
    copy('A1:B3', true);
    paste(target);
    expect(cells(moved)).toEqual(table);
    expect(sheet.tables.map((one) => [one.area, one.columns])).toEqual([[areaOf(moved), columns]]);
    actions.undo();
    expect(cells('A1:B3')).toEqual(table);
    expect(sheet.tables.map((one) => one.area)).toEqual([area]);
  });

  test('is pasted right below another table, which stays as it is', () => {
    const { sheet, copy, paste, cells } = opened('D1:E3', table);
    enterValues(sheet, areaOf('A1:B3'), table);
    const [upper, lower] = ['A1:B3', 'D1:E3'].map((address) => addTable(sheet, areaOf(address), true));
    copy('D1:E3', true);
    paste('A4');
    expect([upper!.area, lower!.area]).toEqual([areaOf('A1:B3'), areaOf('A4:B6')]);
    expect(cells('A4:B6')).toEqual(table);
  });
});

test('What is cut is pasted once, and a table gets no more rows than that', () => {
  const { sheet, copy, paste, cells } = opened('A1:A3', [['Code'], ['a'], ['b']]);
  enterValues(sheet, areaOf('D1'), 'c');
  const table = addTable(sheet, areaOf('A1:A3'), true);
  copy('D1', true);
  paste('A4:A6');
  expect(table.area).toEqual(areaOf('A1:A4'));
  expect(cells('A4:A5')).toEqual([['c'], ['']]);
  expect(sheet.selection).toEqual(areaOf('A4'));
});

describe('A paste that is refused', () => {
  const list = () => {
    const page = opened('A1:A3', [['Code'], ['a'], ['b']]);
    return { ...page, table: addTable(page.sheet, areaOf('A1:A3'), true) };
  };

  test('leaves no part of a text from elsewhere, and no row more in a table', () => {
    const { pasteText, cells, table } = list();
    // More characters than a cell holds.
    pasteText('A4', `c\r\n${'x'.repeat(32_768)}`);
    expect(cells('A4:A5')).toEqual([[''], ['']]);
    expect(table.area).toEqual(areaOf('A1:A3'));
  });

  test('into a part of merged cells leaves a table above them as it is, and what is undone next', () => {
    const { sheet, actions, on, copy, paste, cells, table } = list();
    sheet.merges = [areaOf('A4:B4')];
    on('A3', actions.clear);
    copy('A2');
    paste('A4');
    expect(table.area).toEqual(areaOf('A1:A3'));
    actions.undo();
    expect(cells('A3')).toEqual([['b']]);
  });
});

test('Ctrl and an arrow lead past rows that are hidden, and columns', () => {
  const { sheet } = opened('A1:D6', [
    ['a', 'b', 'c', 'd'],
    ['a', '', '', ''],
    ['a', '', '', ''],
    ['', '', '', ''],
    ['a', '', '', ''],
    ['a', '', '', ''],
  ]);
  rowOf(sheet, 2).filtered = true;
  rowOf(sheet, 5).hidden = true;
  columnOf(sheet, 3).hidden = true;
  const from = (address: string, key: string) => {
    select(sheet, areaOf(address));
    return moveSelection(sheet, { key, ctrl: true, shift: false, page: 20 })!.activeCell;
  };
  expect([from('A1', 'ArrowDown'), from('A2', 'ArrowDown')]).toEqual([
    { row: 1, column: 0 },
    { row: 4, column: 0 },
  ]);
  expect(from('A5', 'ArrowUp')).toEqual({ row: 1, column: 0 });
  expect(from('A1', 'ArrowRight')).toEqual({ row: 0, column: 2 });
  expect(from('A5', 'ArrowDown').row).toBe(MAX_ROWS - 1);
});

// Microsoft's support pages, "Use calculated columns in an Excel table".
describe('A formula that is typed into a column of a table', () => {
  const typedInto = (values: unknown[][], isProtected = false) => {
    const page = opened('A1:B4', values);
    addTable(page.sheet, areaOf('A1:B4'), true);
    if (isProtected) {
      setStyle(page.sheet, areaOf('B3'), 'unlocked', true);
      page.sheet.protection = { options: {} };
    }
    page.actions.type(page.sheet, { row: 2, column: 1 }, '=A3*2');
    return page;
  };

  test('fills the column where it is empty otherwise, which is undone with it', () => {
    const { cells, actions } = typedInto([
      ['Net', 'Twice'],
      [1, ''],
      [2, ''],
      [3, ''],
    ]);
    expect(cells('B1:B5')).toEqual([['Twice'], ['=A2*2'], ['=A3*2'], ['=A4*2'], ['']]);
    actions.undo();
    expect(cells('B1:B5')).toEqual([['Twice'], [''], [''], [''], ['']]);
  });

  test('fills the column that it begins beside the table', () => {
    const { sheet, cells, actions } = typedInto([
      ['Net', 'VAT'],
      [1, 5],
      [2, 6],
      [3, 7],
    ]);
    actions.type(sheet, { row: 1, column: 2 }, '=A2+B2');
    expect(cells('B2:C4')).toEqual([
      [5, '=A2+B2'],
      ['=A3*2', '=A3+B3'],
      [7, '=A4+B4'],
    ]);
  });

  test('fills no cells of a protected sheet', () => {
    const { cells } = typedInto(
      [
        ['Net', 'Twice'],
        [1, ''],
        [2, ''],
        [3, ''],
      ],
      true,
    );
    expect(cells('B2:B4')).toEqual([[''], ['=A3*2'], ['']]);
  });
});

test('Home, End, the page keys and the edges of the sheet lead to no hidden cell', () => {
  const { sheet } = opened(
    'A1:D6',
    Array.from({ length: 6 }, () => ['', 'b', 'c', 'd']),
  );
  sheet.frozen = { rows: 1, columns: 0 };
  for (const row of [1, 5]) rowOf(sheet, row).filtered = true;
  for (const column of [0, 3]) columnOf(sheet, column).hidden = true;
  const from = (address: string, key: string, ctrl = false) => {
    select(sheet, areaOf(address));
    const { row, column } = moveSelection(sheet, { key, ctrl, shift: false, page: 20 })!.activeCell;
    return areaAddress(cellArea({ row, column }));
  };
  expect([from('C4', 'Home'), from('B4', 'End'), from('F4', 'End')]).toEqual(['B4', 'C4', 'F4']);
  expect([from('C1', 'Home', true), from('C4', 'Home', true), from('C1', 'End', true)]).toEqual(['B3', 'B3', 'C5']);
  expect(from('C4', 'ArrowLeft', true)).toBe('B4');
  rowOf(sheet, 0).hidden = true;
  expect([from('C4', 'PageUp'), from('F4', 'ArrowUp', true)]).toEqual(['C3', 'F3']);
});

// "Keyboard shortcuts in Excel": Enter and Tab move within a selection of several cells, which stays.
test('Enter and Tab lead through the cells of a selection, and Shift the other way round', () => {
  const { sheet } = opened(
    'A1:E6',
    Array.from({ length: 6 }, () => ['', '', '', '', '']),
  );
  rowOf(sheet, 2).filtered = true;
  columnOf(sheet, 2).hidden = true;
  const through = (press: (key: string) => void, key: string) => {
    select(sheet, areaOf('B2:D4'));
    return Array.from({ length: 5 }, () => {
      press(key);
      expect(areaAddress(sheet.selection)).toBe('B2:D4');
      return areaAddress(cellArea(sheet.activeCell));
    });
  };
  const move = (shift: boolean) => (key: string) => {
    const { selection, activeCell } = moveSelection(sheet, { key, ctrl: false, shift, page: 20 })!;
    select(sheet, selection, activeCell);
  };
  expect(through(move(false), 'Tab')).toEqual(['D2', 'B4', 'D4', 'B2', 'D2']);
  expect(through(move(false), 'Enter')).toEqual(['B4', 'D2', 'D4', 'B2', 'B4']);
  expect(through(move(true), 'Tab')).toEqual(['D4', 'B4', 'D2', 'B2', 'D4']);
  expect(through(move(true), 'Enter')).toEqual(['D4', 'D2', 'B4', 'B2', 'D4']);

  let row: EntryRow | undefined;
  const enter = (key: string) => {
    row = moveAfterEntry(sheet, key, false, row);
  };
  expect(through(enter, 'Tab')).toEqual(['D2', 'B4', 'D4', 'B2', 'D2']);
  enter('Enter');
  expect([areaAddress(sheet.selection), areaAddress(cellArea(sheet.activeCell))]).toEqual(['B2:D4', 'D4']);
});

test('A filter by text finds the errors that a Dutch page shows, and copied cells name them in Dutch', async () => {
  const { sheet, actions, copy, copiedText } = opened('A1:A4', [['List'], ['#N/A'], ['#VALUE!'], ['N/B']], 'nl');
  const table = addTable(sheet, areaOf('A1:A4'), true);
  actions.filter(table, table.columns[0]!, '#n/b');
  await expect.poll(() => [1, 2, 3].map((row) => sheet.rows[row]?.filtered ?? false)).toEqual([false, true, true]);
  copy('A1:A4');
  expect(copiedText()).toBe('List\r\n#N/B');
});

// Knowledge Base Q138821: Excel adds the sign to numbers from 1 on, and to those that begin with a zero or a minus.
test.each([
  ['21', 0.21],
  ['19,5', 0.195],
  ['0,5', 0.005],
  ['-3', -0.03],
  ['1.000', 10],
  [',5', 0.5],
  ['21%', 0.21],
  ['text', 'text'],
  ['1-2-2026', 46_054],
  ['-B1', '=-B1'],
])('%s that is typed into a cell of percentages is %s', (input, value) => {
  const { sheet, actions } = opened('A1', [['9%']], 'nl');
  actions.type(sheet, { row: 0, column: 0 }, input);
  expect(formulaAt(sheet, 0, 0)).toBe(value);
});

test('The rule of a cell of percentages checks what a number that is typed becomes', () => {
  const { sheet, actions } = opened('A1', [['9%']], 'nl');
  const decimal = { formula1: 0, formula2: 1, operator: 'Between' };
  sheet.validations = [{ areas: [areaOf('A1')], rule: { decimal }, settings: {} }];
  expect(actions.type(sheet, { row: 0, column: 0 }, '21')).toBe(true);
  expect(formulaAt(sheet, 0, 0)).toBe(0.21);
  expect(actions.type(sheet, { row: 0, column: 0 }, '101')).toBe(false);
});

describe('The rows that a filter hides', () => {
  /** A table in B2:C5 of which a filter of its second column hides the last two rows. */
  const filtered = () => {
    const page = opened('B2:C5', [
      ['Code', 'Price'],
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ]);
    const table = addTable(page.sheet, areaOf('B2:C5'), true);
    filterTable(table, table.columns[1]!, { filterOn: 'Custom', criterion1: '=2' });
    return { ...page, table };
  };
  const hidden = ({ rows }: { rows: ({ filtered?: boolean } | undefined)[] }) =>
    rows.flatMap((row, at) => (row?.filtered ? [at + 1] : []));

  test.each(['C:C', 'B:C', 'A:D'])(
    'are shown when the filter is gone with %s, and hidden when it is back',
    (columns) => {
      const { on, actions, sheet } = filtered();
      on(columns, actions.deleteColumns);
      expect(hidden(sheet)).toEqual([]);
      actions.undo();
      expect(hidden(sheet)).toEqual([3, 4]);
      actions.redo();
      expect(hidden(sheet)).toEqual([]);
    },
  );

  test('are the same when another column is deleted', () => {
    const { on, actions, sheet } = filtered();
    on('B:B', actions.deleteColumns);
    expect(hidden(sheet)).toEqual([3, 4]);
  });

  test('are those of the table where it is moved to', () => {
    const { copy, paste, actions, sheet, table } = filtered();
    copy('B2:C5', true);
    paste('E11');
    expect(table.area).toEqual(areaOf('E11:F14'));
    expect(hidden(sheet)).toEqual([12, 13]);
    actions.undo();
    expect(hidden(sheet)).toEqual([3, 4]);
    actions.redo();
    expect(hidden(sheet)).toEqual([12, 13]);
  });

  test('are found by the same column of a filter of the sheet', () => {
    const { on, actions, sheet } = opened('B2:C5', [
      ['Code', 'Price'],
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ]);
    sheet.filter = { area: areaOf('B2:C5'), criteria: new Map([[1, { filterOn: 'Custom', criterion1: '=2' }]]) };
    applySheetFilter(sheet);
    on('C:C', actions.insertColumns);
    expect(sheet.filter).toMatchObject({ area: areaOf('B2:D5'), criteria: new Map([[2, expect.anything()]]) });
    on('B:B', actions.deleteColumns);
    expect([...sheet.filter.criteria.keys()]).toEqual([1]);
    expect(hidden(sheet)).toEqual([3, 4]);
    on('C:C', actions.deleteColumns);
    expect(sheet.filter.criteria.size).toBe(0);
    expect(hidden(sheet)).toEqual([]);
  });
});
