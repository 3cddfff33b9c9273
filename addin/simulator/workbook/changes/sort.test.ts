import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CellValue } from '../cells/entry.ts';
import { resultOf } from '../parts.ts';
import { type Cell, cellAt, putCell, rowOf, type Sheet, valueAt } from '../sheet.ts';
import { stableOrder } from '../stableOrder.ts';
import { Workbook } from '../workbook.ts';
import { enterValues } from './enter.ts';
import { filterTable } from './filter.ts';
import { sortRows, sortTable } from './sort.ts';
import { addTable } from './tableShape.ts';
import { recordStep, redo, undo } from './undo.ts';

const at = (row: number, column: number, rows = 1, columns = 1) => ({ row, column, rows, columns });

/** Values in the order of Excel; those of a group are equal. Blank cells come last in both directions. */
const groups: CellValue[][] = [
  [-2],
  [0, -0],
  [1.5],
  [10],
  ['10'],
  ['a', 'A'],
  ['ä'],
  ['b'],
  [false],
  [true],
  ['#N/A', '#DIV/0!'],
];
const place = (value: CellValue) => groups.findIndex((group) => group.includes(value));

const anyValue = fc.option(fc.constantFrom(...groups.flat()), { nil: '', freq: 4 });
const anyRow = fc.tuple(anyValue, anyValue);

/** The numbers of rows in order, by one value of each, and by another where these are equal. */
const expectedOrder = (rows: readonly (readonly CellValue[])[], directions: readonly boolean[]): number[] =>
  rows
    .map((row, index) => ({ row, index }))
    .sort((one, other) => {
      for (const [key, ascending] of directions.entries()) {
        const [left, right] = [one.row[key]!, other.row[key]!];
        if ((left === '') !== (right === '')) return left === '' ? 1 : -1;
        const order = place(left) - place(right);
        if (order !== 0) return ascending ? order : -order;
      }
      return one.index - other.index;
    })
    .map(({ index }) => index);

const put = (sheet: Sheet, row: number, column: number, value: CellValue, more: Partial<Cell> = {}) =>
  putCell(sheet, row, column, value === '' && Object.keys(more).length === 0 ? undefined : { value, ...more });

/** Everything that is in the cells of a sheet. */
const picture = (sheet: Sheet) => ({
  formulas: sheet.formulas,
  cells: sheet.rows.map((line) => {
    const cells = line?.cells.map((cell) => cell ?? null) ?? [];
    return cells.slice(0, cells.findLastIndex(Boolean) + 1);
  }),
});

test('A sort puts the rows of an area in the order of Excel, and undo and redo take them back and forth', () => {
  fc.assert(
    fc.property(
      fc.array(anyRow, { minLength: 1, maxLength: 12 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }),
      fc.boolean(),
      fc.boolean(),
      (rows, directions, hasFormulas, hasNeighbours) => {
        const workbook = new Workbook();
        const sheet = workbook.active;
        // The number of the row is in the last column: its own cell, or a formula that refers to its own row.
        for (const [index, row] of rows.entries()) {
          for (const [column, value] of row.entries()) put(sheet, 2 + index, 1 + column, value);
          const formula = `=B${3 + index}&"${index}"`;
          put(sheet, 2 + index, 3, hasFormulas ? formula : index, hasFormulas ? { formula } : {});
          if (hasNeighbours) for (const column of [0, 5]) put(sheet, 2 + index, column, `beside ${index}`);
        }
        const before = picture(sheet);
        const fields = directions.map((ascending, key) => ({ key, ascending }));
        recordStep(workbook, () => sortRows(sheet, at(2, 1, rows.length, 3), fields));
        const order = expectedOrder(rows, directions);
        const sorted = rows.map((_, index) => [1, 2, 3].map((column) => valueAt(sheet, 2 + index, column)));
        expect(sorted).toEqual(
          order.map((from, index) => [...rows[from]!, hasFormulas ? `=B${3 + index}&"${from}"` : from]),
        );
        const beside = rows.map((_, index) => [0, 5].map((column) => valueAt(sheet, 2 + index, column)));
        expect(beside).toEqual(rows.map((_, index) => Array(2).fill(hasNeighbours ? `beside ${index}` : '')));
        const after = picture(sheet);
        undo(workbook);
        expect(picture(sheet)).toEqual(before);
        redo(workbook);
        expect(picture(sheet)).toEqual(after);
        undo(workbook);
        expect(picture(sheet)).toEqual(before);
      },
    ),
  );
});

test('A change after a sort is undone before it, and both are done again', () => {
  const workbook = new Workbook();
  const sheet = workbook.active;
  enterValues(sheet, at(0, 0, 3, 2), [
    ['b', 1],
    ['c', 2],
    ['a', 3],
  ]);
  const before = picture(sheet);
  recordStep(workbook, () => sortRows(sheet, at(0, 0, 3, 2), [{ key: 0, ascending: true }]));
  recordStep(workbook, () => enterValues(sheet, at(0, 0), 'typed'));
  recordStep(workbook, () => sortRows(sheet, at(0, 0, 3, 2), [{ key: 1, ascending: true }]));
  const after = picture(sheet);
  expect([0, 1, 2].map((row) => valueAt(sheet, row, 0))).toEqual(['b', 'c', 'typed']);
  while (undo(workbook) === 'done');
  expect(picture(sheet)).toEqual(before);
  while (redo(workbook) === 'done');
  expect(picture(sheet)).toEqual(after);
});

test('Rows that a filter hides keep their places, heights and cells in a sort', () => {
  const workbook = new Workbook();
  const sheet = workbook.active;
  enterValues(sheet, at(0, 0, 6, 2), [
    ['Name', 'Kind'],
    ['d', 'x'],
    ['c', 'hidden'],
    ['b', 'x'],
    ['e', 'hidden'],
    ['a', 'x'],
  ]);
  rowOf(sheet, 1).height = 40;
  const table = addTable(sheet, at(0, 0, 6, 2), true);
  filterTable(table, table.columns[1]!, { filterOn: 'Values', values: ['x'] });
  recordStep(workbook, () => sortTable(table, [{ key: 0, ascending: true }]));
  const names = () => [1, 2, 3, 4, 5].map((row) => valueAt(sheet, row, 0));
  expect(names()).toEqual(['a', 'c', 'b', 'e', 'd']);
  expect(sheet.rows[1]!.height).toBe(40);
  expect(sheet.rows.map((line) => Boolean(line?.filtered))).toEqual([false, false, true, false, true, false]);
  undo(workbook);
  expect(names()).toEqual(['d', 'c', 'b', 'e', 'a']);
});

test('Undo of a sort selects the cells that it changed', () => {
  const workbook = new Workbook();
  const sheet = workbook.active;
  enterValues(sheet, at(0, 1, 4), [[1], [3], [2], [4]]);
  recordStep(workbook, () => sortRows(sheet, at(0, 0, 4, 5), [{ key: 1, ascending: true }]));
  undo(workbook);
  expect(sheet.selection).toEqual(at(1, 1, 2));
});

test('A sort of more cells than undo holds one by one is undone', () => {
  const workbook = new Workbook();
  const sheet = workbook.active;
  const [rows, columns] = [60_000, 40];
  for (let row = 0; row < rows; row += 1) {
    rowOf(sheet, row).cells = [{ value: -row }, ...Array(columns - 1).fill({ value: row })];
  }
  recordStep(workbook, () => sortRows(sheet, at(0, 0, rows, columns), [{ key: 0, ascending: true }]));
  expect([cellAt(sheet, 0, 1)?.value, cellAt(sheet, rows - 1, 39)?.value]).toEqual([rows - 1, 0]);
  expect(undo(workbook)).toBe('done');
  expect([cellAt(sheet, 0, 1)?.value, cellAt(sheet, rows - 1, 39)?.value]).toEqual([0, rows - 1]);
});

test('A stable order is that of a sort of the language, also of many numbers', () => {
  const counts = fc.oneof(fc.nat(8), fc.integer({ min: 500, max: 5000 }));
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 2000 }), fc.integer(), (count, kinds, seed) => {
      const values = Array.from(
        { length: count },
        (_, index) => Math.abs((seed + index * 7919) ^ (index << 3)) % kinds,
      );
      const expected = values
        .map((value, index) => ({ value, index }))
        .sort((one, other) => one.value - other.value || one.index - other.index)
        .map(({ index }) => index);
      expect([...resultOf(stableOrder(count, (a, b) => values[a]! - values[b]!))]).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('Rows that somebody hid keep their places in a sort, as hidden columns do', () => {
  const workbook = new Workbook();
  const sheet = workbook.active;
  enterValues(sheet, at(0, 0, 4, 1), [['d'], ['a'], ['c'], ['b']]);
  rowOf(sheet, 1).hidden = true;
  sortRows(sheet, at(0, 0, 4, 1), [{ key: 0, ascending: true }]);
  expect([0, 1, 2, 3].map((row) => valueAt(sheet, row, 0))).toEqual(['b', 'a', 'c', 'd']);
});
