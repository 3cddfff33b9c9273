import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openExcel } from '../../node.ts';
import { MAX_COLUMNS, MAX_ROWS } from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { cellAt, columnOf, rowOf, type Sheet, styleAt } from '../sheet.ts';
import { addSheet, setVisibility } from '../sheets.ts';
import { Workbook } from '../workbook.ts';
import { autofitColumns, recordWidth } from './autofit.ts';
import { enterValues } from './enter.ts';
import { filterTable } from './filter.ts';
import { setNumberFormats, setStyle } from './restyle.ts';
import { deleteCells, insertCells } from './shift.ts';
import { sortRows, sortTable } from './sort.ts';
import { deleteRow } from './tableRows.ts';
import { addTable, growByTyping, resizeTable } from './tableShape.ts';
import { recordStep, redo, undo } from './undo.ts';

const at = (row: number, column: number, rows = 1, columns = 1) => ({ row, column, rows, columns });

const opened = () => {
  const workbook = new Workbook();
  const { Excel } = openExcel(workbook);
  const write = (address: string, values: unknown[][]) =>
    Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().getRange(address).values = values as never;
      await context.sync();
    });
  return { workbook, sheet: workbook.active, Excel, write };
};

const type = (workbook: Workbook, row: number, column: number, text: string) =>
  recordStep(workbook, () => enterValues(workbook.active, at(row, column), text));

const value = (workbook: Workbook, row: number, column: number) => cellAt(workbook.active, row, column)?.value;

describe('Undo', () => {
  test('takes back changes of add-ins and of the user, the last one first, and redo repeats them', async () => {
    const { workbook, write } = opened();
    type(workbook, 0, 0, '5');
    await write('A1:B1', [['', 'Added']]);
    expect([value(workbook, 0, 0), value(workbook, 0, 1)]).toEqual([undefined, 'Added']);
    undo(workbook);
    expect([value(workbook, 0, 0), value(workbook, 0, 1)]).toEqual([5, undefined]);
    undo(workbook);
    expect(value(workbook, 0, 0)).toBeUndefined();
    undo(workbook);
    redo(workbook);
    redo(workbook);
    expect([value(workbook, 0, 0), value(workbook, 0, 1)]).toEqual([undefined, 'Added']);
  });

  test('takes back the width that a user gave a column, before what was typed earlier', () => {
    const { workbook, sheet } = opened();
    type(workbook, 0, 0, 'a long text, which needs a wide column');
    autofitColumns(sheet, at(0, 0, MAX_ROWS));
    recordWidth(sheet, 0, undefined);
    const fitted = columnOf(sheet, 0).width!;
    expect(fitted).toBeGreaterThan(100);
    columnOf(sheet, 0).width = 30;
    recordWidth(sheet, 0, fitted);
    recordWidth(sheet, 0, 30);
    const widths = [undo, undo, redo, redo, undo].map((step) => [step(workbook), columnOf(sheet, 0).width]);
    expect(widths).toEqual([fitted, undefined, fitted, 30, fitted].map((width) => ['done', width]));
    undo(workbook);
    expect(value(workbook, 0, 0)).toContain('long');
    undo(workbook);
    expect(value(workbook, 0, 0)).toBeUndefined();
  });

  test('has no step for a request that leaves every cell as it is', async () => {
    const { workbook, write } = opened();
    await write('A1:B1', [['kept', 5]]);
    await write('A1:B1', [[null, null]]);
    expect(undo(workbook)).toBe('done');
    expect([value(workbook, 0, 0), value(workbook, 0, 1)]).toEqual([undefined, undefined]);
  });

  test('leaves the cells below alone, with which a cell that is as they are shares its memory', async () => {
    const { workbook, sheet, write } = opened();
    setNumberFormats(sheet, at(0, 0, 3), '@');
    await write('A1:A3', [['Bakkerij Jansen'], ['Bakkerij Jansen'], ['Bakkerij Jansen']]);
    expect(cellAt(sheet, 1, 0)).toBe(cellAt(sheet, 0, 0));
    recordStep(workbook, () => setStyle(sheet, at(0, 0), 'bold', true));
    type(workbook, 1, 0, '0100');
    const cells = () => [0, 1, 2].map((row) => [value(workbook, row, 0), styleAt(sheet, row, 0)]);
    const text = { numberFormat: '@' };
    expect(cells()).toEqual([
      ['Bakkerij Jansen', { ...text, bold: true }],
      ['0100', text],
      ['Bakkerij Jansen', text],
    ]);
    undo(workbook);
    undo(workbook);
    expect(cells()).toEqual(new Array(3).fill(['Bakkerij Jansen', text]));
    undo(workbook);
    expect([0, 1, 2].map((row) => value(workbook, row, 0))).toEqual(['', '', '']);
  });

  test('takes back the deletion of more rows than a function takes arguments', () => {
    const { workbook, sheet } = opened();
    const last = 200_000;
    type(workbook, last, 0, 'below');
    recordStep(workbook, () => deleteCells(sheet, at(0, 0, last, MAX_COLUMNS), 'Up'));
    expect(value(workbook, 0, 0)).toBe('below');
    undo(workbook);
    expect(value(workbook, last, 0)).toBe('below');
  });

  test('takes back a sort, and the growth of a table', () => {
    const { workbook, sheet } = opened();
    enterValues(sheet, at(0, 0, 4), [['Number'], [3], [1], [2]]);
    const table = addTable(sheet, at(0, 0, 4), true);
    recordStep(workbook, () => sortRows(sheet, at(1, 0, 3), [{ key: 0, ascending: true }]));
    recordStep(workbook, () => {
      growByTyping(sheet, at(4, 0));
      enterValues(sheet, at(4, 0), 9);
    });
    expect([table.area.rows, value(workbook, 1, 0)]).toEqual([5, 1]);
    undo(workbook);
    expect([table.area.rows, value(workbook, 4, 0)]).toEqual([4, undefined]);
    undo(workbook);
    expect([1, 2, 3].map((row) => value(workbook, row, 0))).toEqual([3, 1, 2]);
  });

  test('repeats a sort after a deletion to its left was taken back and repeated', () => {
    const { workbook, sheet } = opened();
    enterValues(sheet, at(0, 1, 3, 3), [
      [2, 'two', '=1+1'],
      [3, 'three', '=1+2'],
      [1, 'one', '=1'],
    ]);
    const cells = () => [0, 1, 2].map((row) => [0, 1, 2].map((column) => value(workbook, row, column)));
    recordStep(workbook, () => insertCells(sheet, at(0, 0, MAX_ROWS, 1), 'Right'));
    recordStep(workbook, () => deleteCells(sheet, at(0, 4, MAX_ROWS, 1), 'Left'));
    recordStep(workbook, () => sortRows(sheet, at(0, 0, 3, 4), [{ key: 2, ascending: true }]));
    for (let step = 0; step < 3; step += 1) undo(workbook);
    expect(cells().map(([, number]) => number)).toEqual([2, 3, 1]);
    for (let step = 0; step < 3; step += 1) redo(workbook);
    expect(cells()).toEqual([
      [undefined, undefined, 1],
      [undefined, undefined, 2],
      [undefined, undefined, 3],
    ]);
  });

  test('ends at an added sheet, and returns this as its reason', async () => {
    const { workbook, write, Excel } = opened();
    expect(undo(workbook)).toBe('nothing');
    await write('A1', [['kept']]);
    await Excel.run(async (context) => {
      context.workbook.worksheets.add('Another');
      await context.sync();
    });
    await write('A2', [['later']]);
    expect(undo(workbook)).toBe('done');
    expect(undo(workbook)).toBe('sheets');
    expect([value(workbook, 0, 0), value(workbook, 1, 0)]).toEqual(['kept', undefined]);
  });

  test('shows the sheet of the changes, but none that is hidden', async () => {
    const { workbook, Excel } = opened();
    const [lists, notes] = [addSheet(workbook, 'Lists'), addSheet(workbook, 'Notes')];
    setVisibility(workbook, lists, 'Hidden');
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Lists').getRange('A1').values = [['High']];
      await context.sync();
    });
    recordStep(workbook, () => enterValues(notes, at(0, 0), 'noted'));
    const told: unknown[] = [];
    workbook.subscribe((change) => {
      if (change.kind === 'activated') told.push(`${change.left.name} to ${change.sheet.name}`);
    });
    undo(workbook);
    expect(told).toEqual(['Sheet1 to Notes']);
    undo(workbook);
    expect([cellAt(lists, 0, 0), workbook.active.name]).toEqual([undefined, 'Notes']);
  });

  test('takes back formats of a request that Excel refuses at a later cell, and leaves other cells', () => {
    const { workbook, sheet } = opened();
    enterValues(sheet, at(0, 0, 1, 3), [[1, 2, '']]);
    const formats = () => [0, 1, 2].map((column) => styleAt(sheet, 0, column).numberFormat);
    recordStep(workbook, () => setNumberFormats(sheet, at(0, 2), '0%'));
    const work = () => setNumberFormats(sheet, at(0, 0, 1, 3), [['0.00', '[', '0.00']]);
    expect(() => recordStep(workbook, work)).toThrow(ExcelError);
    undo(workbook);
    expect([formats(), value(workbook, 0, 0)]).toEqual([[undefined, undefined, '0%'], 1]);
    undo(workbook);
    expect(formats()).toEqual([undefined, undefined, undefined]);
  });

  test('takes back an entry into one of the cells that were formatted together', () => {
    const { workbook, sheet } = opened();
    recordStep(workbook, () => setNumberFormats(sheet, at(0, 0, 3), '@'));
    type(workbook, 1, 0, '007');
    expect([0, 1, 2].map((row) => value(workbook, row, 0))).toEqual(['', '007', '']);
    undo(workbook);
    expect([0, 1, 2].map((row) => [value(workbook, row, 0), styleAt(sheet, row, 0).numberFormat])).toEqual(
      Array(3).fill(['', '@']),
    );
    undo(workbook);
    redo(workbook);
    redo(workbook);
    expect([0, 1, 2].map((row) => value(workbook, row, 0))).toEqual(['', '007', '']);
  });

  test('restores deleted rows with their heights, and the formulas that refer to them', () => {
    const { workbook, sheet } = opened();
    enterValues(sheet, at(0, 0, 4, 2), [
      [1, '=A2*2'],
      [2, '=SUM(A1:A4)'],
      [3, ''],
      [4, '=A3'],
    ]);
    rowOf(sheet, 2).height = 40;
    recordStep(workbook, () => deleteCells(sheet, { row: 1, column: 0, rows: 2, columns: MAX_COLUMNS }, 'Up'));
    expect([value(workbook, 0, 1), value(workbook, 1, 1), sheet.rows[2]?.height]).toEqual([
      '=#REF!*2',
      '=#REF!',
      undefined,
    ]);
    undo(workbook);
    expect([0, 1, 2, 3].map((row) => value(workbook, row, 0))).toEqual([1, 2, 3, 4]);
    expect([0, 1, 3].map((row) => value(workbook, row, 1))).toEqual(['=A2*2', '=SUM(A1:A4)', '=A3']);
    expect(sheet.rows[2]?.height).toBe(40);
  });
});

/** Everything of a sheet that a user sees. */
const picture = ({ rows, columns, tables, formulas }: Sheet) => ({
  rows: rows
    .map((line) => ({
      cells: line?.cells
        .map((cell) => cell && [cell.formula ?? cell.value, cell.style?.bold])
        .map((cell) => cell ?? null),
      filtered: line?.filtered ?? false,
    }))
    .map(({ cells = [], filtered }) => ({ cells: cells.slice(0, cells.findLastIndex((cell) => cell) + 1), filtered }))
    .filter(
      ({ cells, filtered }, index, all) =>
        cells.length > 0 || filtered || all.slice(index).some((line) => line.cells.length > 0),
    ),
  widths: columns
    .map((column) => column?.width ?? null)
    .filter((width, index, all) => width ?? all.slice(index).some(Boolean)),
  tables: tables.map(({ name, area, columns: all, filters, sort }) => ({
    name,
    area,
    columns: all.map((column) => column.name),
    filters: [...filters],
    sort,
  })),
  formulas,
});

type Place = { row: number; column: number; count: number };

/** What a user or an add-in may do to a sheet. */
const actions: Record<string, (sheet: Sheet, place: Place) => unknown> = {
  type: (sheet, { row, column }) => {
    growByTyping(sheet, at(row, column));
    enterValues(sheet, at(row, column), `typed ${row}`);
  },
  formula: (sheet, { row, column }) => enterValues(sheet, at(row, column), `=A${column + 1}&B${row + 1}`),
  insertRows: (sheet, { row, count }) => insertCells(sheet, at(row, 0, count, MAX_COLUMNS), 'Down'),
  deleteRows: (sheet, { row, count }) => deleteCells(sheet, at(row, 0, count, MAX_COLUMNS), 'Up'),
  insertColumns: (sheet, { column, count }) => insertCells(sheet, at(0, column, MAX_ROWS, count), 'Right'),
  deleteColumns: (sheet, { column, count }) => deleteCells(sheet, at(0, column, MAX_ROWS, count), 'Left'),
  insertCells: (sheet, { row, column, count }) =>
    insertCells(sheet, at(row, column, count, 2), row % 2 ? 'Down' : 'Right'),
  deleteCells: (sheet, { row, column, count }) =>
    deleteCells(sheet, at(row, column, count, 2), row % 2 ? 'Up' : 'Left'),
  table: (sheet, { row, column, count }) => addTable(sheet, at(row, column, count + 1, 3), true),
  bold: (sheet, { row, column, count }) => setStyle(sheet, at(row, column, count, count), 'bold', true),
  sort: ({ tables: [table] }, { row }) => table && sortTable(table, [{ key: 0, ascending: row % 2 === 0 }]),
  filter: ({ tables: [table] }, { row }) =>
    table && filterTable(table, table.columns[0]!, row % 2 ? { filterOn: 'Custom', criterion1: '=*n*' } : undefined),
  resize: ({ tables: [table] }, { count }) => table && resizeTable(table, { ...table.area, rows: count + 1 }),
  removeRow: ({ tables: [table] }) => table && deleteRow(table, 0),
};

test('Undoing all steps restores the beginning, and redoing them the end', () => {
  const action = fc.record({
    kind: fc.constantFrom(...Object.keys(actions)),
    row: fc.nat({ max: 5 }),
    column: fc.nat({ max: 5 }),
    count: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(action, { minLength: 1, maxLength: 14 }), (done) => {
      const workbook = new Workbook();
      const sheet = workbook.active;
      enterValues(sheet, at(0, 0, 6, 4), [
        ['Name', 'Price', 'Stock', 'Sum'],
        ...[5, 3, 4, 1, 2].map((number, index) => [`n${number}`, number, index, `=B${index + 2}*2`]),
      ]);
      columnOf(sheet, 1).width = 90;
      const before = picture(sheet);
      for (const { kind, ...place } of done) {
        try {
          recordStep(workbook, () => actions[kind]!(sheet, place));
        } catch (error) {
          // Excel refuses the action; its changes until then can be undone.
          if (!(error instanceof ExcelError)) throw error;
        }
      }
      const after = picture(sheet);
      while (undo(workbook) === 'done');
      expect(picture(sheet)).toEqual(before);
      while (redo(workbook) === 'done');
      expect(picture(sheet)).toEqual(after);
    }),
    {
      numRuns: 300,
      examples: [
        [
          [
            { kind: 'deleteColumns', row: 0, column: 0, count: 1 },
            { kind: 'table', row: 0, column: 0, count: 2 },
            { kind: 'insertColumns', row: 0, column: 0, count: 1 },
            { kind: 'deleteColumns', row: 0, column: 3, count: 1 },
            { kind: 'sort', row: 0, column: 0, count: 1 },
          ],
        ],
      ],
    },
  );
});
