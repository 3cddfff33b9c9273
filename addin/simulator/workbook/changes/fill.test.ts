import { describe, expect, test } from 'vitest';
import { parseArea } from '../cells/address.ts';
import { dutch } from '../cells/locale.ts';
import { formulaAt, isHiddenRow, rowOf, type Sheet, sourceAt, textAt } from '../sheet.ts';
import { Workbook } from '../workbook.ts';
import { enterValues } from './enter.ts';
import { fillCells, filledTo } from './fill.ts';
import { setStyle } from './restyle.ts';

const area = (address: string) => parseArea(address)!;

const sheetWith = (address: string, values: unknown[][]): Sheet => {
  const sheet = new Workbook().active;
  enterValues(sheet, area(address), values);
  return sheet;
};

const filled = (sheet: Sheet, address: string): unknown[] => {
  const { row, column, rows, columns } = area(address);
  return Array.from({ length: rows * columns }, (_, index) =>
    formulaAt(sheet, row + Math.floor(index / columns), column + (index % columns)),
  );
};

/** What stands below some cells in column A after four more rows are filled from them. */
const below = (values: unknown[], isOther = false): unknown[] => {
  const sheet = sheetWith(
    `A1:A${values.length}`,
    values.map((value) => [value]),
  );
  fillCells(sheet, area(`A1:A${values.length}`), area(`A1:A${values.length + 4}`), isOther);
  return filled(sheet, `A${values.length + 1}:A${values.length + 4}`);
};

describe('Filling from cells', () => {
  // As Microsoft's support pages say of the fill handle.
  test.each<[what: string, from: unknown[], next: unknown[]]>([
    ['repeats a single number', [7], [7, 7, 7, 7]],
    ['continues numbers with even steps', [1, 3], [5, 7, 9, 11]],
    ['continues downwards', [10, 7.5], [5, 2.5, 0, -2.5]],
    ['keeps decimals exact', [0.1, 0.2], [0.3, 0.4, 0.5, 0.6]],
    ['repeats numbers with uneven steps', [1, 2, 4], [1, 2, 4, 1]],
    ['counts in texts that end in a number', ['INV-009'], ['INV-010', 'INV-011', 'INV-012', 'INV-013']],
    ['counts with the step of several texts', ['Q1', 'Q3'], ['Q5', 'Q7', 'Q9', 'Q11']],
    [
      'counts past the digits of a number',
      ['EAN 99999999999999999'],
      [0, 1, 2, 3].map((n) => `EAN 10000000000000000${n}`),
    ],
    ['repeats other texts', ['piece', 'box'], ['piece', 'box', 'piece', 'box']],
    ['repeats texts and numbers together', ['a', 1], ['a', 1, 'a', 1]],
    ['moves the references of formulas', ['=B1*$C$1'], ['=B2*$C$1', '=B3*$C$1', '=B4*$C$1', '=B5*$C$1']],
    ['repeats truth values', [true], [true, true, true, true]],
  ])('%s', (_, from, next) => {
    expect(below(from)).toEqual(next);
  });

  test('continues codes behind an apostrophe as texts', () => {
    const sheet = sheetWith('A1:A2', [["'0098"], ["'0099"]]);
    fillCells(sheet, area('A1:A2'), area('A1:A4'));
    expect([2, 3].map((row) => sourceAt(sheet, row, 0))).toEqual(["'0100", "'0101"]);
  });

  test('counts from a single number, and repeats a series, with Ctrl', () => {
    expect(below([7], true)).toEqual([8, 9, 10, 11]);
    expect(below([1, 3], true)).toEqual([1, 3, 1, 3]);
    expect(below(['INV-009'], true)).toEqual(['INV-009', 'INV-009', 'INV-009', 'INV-009']);
  });

  test('continues a date by days, with its format', () => {
    const sheet = new Workbook('nl').active;
    enterValues(sheet, area('A1'), '30-12-2026', dutch);
    fillCells(sheet, area('A1'), area('A1:C1'));
    expect(filled(sheet, 'A1:C1')).toEqual([46_386, 46_387, 46_388]);
    expect(sheet.rows[0]!.cells[2]!.style!.numberFormat).toBe(sheet.rows[0]!.cells[0]!.style!.numberFormat);
  });

  /** What stands below some cells in column A after three more rows are filled, as a Dutch user sees it. */
  const shownBelow = (...typed: string[]): string[] => {
    const sheet = new Workbook('nl').active;
    const from = { row: 0, column: 0, rows: typed.length, columns: 1 };
    enterValues(
      sheet,
      from,
      typed.map((text) => [text]),
      dutch,
    );
    fillCells(sheet, from, { ...from, rows: typed.length + 3 });
    return [0, 1, 2].map((index) => textAt(sheet, typed.length + index, 0));
  };

  // Microsoft's support pages, "Automatically fill in series": 1-Jan, 1-Mar continues with 1-May, and 9:00 with 10:00.
  test.each<[what: string, typed: string[], next: string[]]>([
    ['months', ['1-1-2026', '1-2-2026'], ['01-03-2026', '01-04-2026', '01-05-2026']],
    ['quarters', ['15-11-2025', '15-2-2026'], ['15-05-2026', '15-08-2026', '15-11-2026']],
    ['years', ['1-3-2023', '1-3-2024'], ['01-03-2025', '01-03-2026', '01-03-2027']],
    ['months, back', ['1-3-2026', '1-2-2026'], ['01-01-2026', '01-12-2025', '01-11-2025']],
    ['ends of months', ['31-12-2025', '31-1-2026'], ['28-02-2026', '31-03-2026', '30-04-2026']],
    ['days of months that some months lack', ['30-11-2025', '30-12-2025'], ['30-01-2026', '28-02-2026', '30-03-2026']],
    ['a month without a day', ['feb 2026'], ['mrt-26', 'apr-26', 'mei-26']],
    ['weeks', ['2-2-2026', '9-2-2026'], ['16-02-2026', '23-02-2026', '02-03-2026']],
    ['hours', ['22:30'], ['23:30', '0:30', '1:30']],
    ['half hours', ['9:00', '9:30'], ['10:00', '10:30', '11:00']],
  ])('continues %s', (_, typed, next) => {
    expect(shownBelow(...typed)).toEqual(next);
  });

  test('goes up and to the left, away from the cells', () => {
    const sheet = sheetWith('C3:C4', [[10], [20]]);
    fillCells(sheet, area('C3:C4'), area('C1:C4'));
    expect(filled(sheet, 'C1:C4')).toEqual([-10, 0, 10, 20]);
    fillCells(sheet, area('C4:C4'), area('A4:C4'));
    expect(filled(sheet, 'A4:C4')).toEqual([20, 20, 20]);
  });

  // As Microsoft's support pages say: "To fill in decreasing order, drag up or to the left."
  test('counts down from a single cell up and to the left', () => {
    const sheet = sheetWith('D4', [['INV-009']]);
    fillCells(sheet, area('D4'), area('D2:D4'));
    expect(filled(sheet, 'D2:D4')).toEqual(['INV-007', 'INV-008', 'INV-009']);
    fillCells(sheet, area('D4'), area('B4:D4'));
    expect(filled(sheet, 'B4:D4')).toEqual(['INV-007', 'INV-008', 'INV-009']);
    enterValues(sheet, area('A4'), 7);
    fillCells(sheet, area('A4'), area('A2:A4'), true);
    expect(filled(sheet, 'A2:A4')).toEqual([5, 6, 7]);
  });

  test.each([
    ['2-1-2026', ['31-12-2025', '01-01-2026', '02-01-2026']],
    ['feb 2026', ['dec-25', 'jan-26', 'feb-26']],
    ['9:00', ['7:00', '8:00', '9:00']],
  ])('counts up to %s from the cells before it', (typed, shown) => {
    const sheet = new Workbook('nl').active;
    enterValues(sheet, area('A3'), typed, dutch);
    fillCells(sheet, area('A3'), area('A1:A3'));
    expect([0, 1, 2].map((row) => textAt(sheet, row, 0))).toEqual(shown);
  });

  test('fills each column by itself, leaves hidden rows, and takes the style along', () => {
    const sheet = sheetWith('A1:B5', [
      [1, 'a1'],
      [2, 'a2'],
      ['', ''],
      ['hidden', 'hidden'],
      ['', ''],
    ]);
    rowOf(sheet, 3).hidden = true;
    expect(isHiddenRow(sheet, 3)).toBe(true);
    setStyle(sheet, area('A1'), 'bold', true);
    fillCells(sheet, area('A1:B2'), area('A1:B5'));
    expect(filled(sheet, 'A3:B5')).toEqual([3, 'a3', 'hidden', 'hidden', 4, 'a4']);
    expect(sheet.rows[2]!.cells[0]!.style?.bold).toBe(true);
  });
});

test('The handle fills along the side on which it was dragged furthest', () => {
  expect(filledTo(area('B2:C3'), { row: 6, column: 3 })).toEqual(area('B2:C7'));
  expect(filledTo(area('B2:C3'), { row: 0, column: 1 })).toEqual(area('B1:C3'));
  expect(filledTo(area('B2:C3'), { row: 2, column: 6 })).toEqual(area('B2:G3'));
  expect(filledTo(area('B2:C3'), { row: 2, column: 0 })).toEqual(area('A2:C3'));
  expect(filledTo(area('B2:C3'), { row: 1, column: 2 })).toEqual(area('B2:C3'));
});
