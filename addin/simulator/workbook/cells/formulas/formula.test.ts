import { describe, expect, test } from 'vitest';
import { followCells, moveFormula, shiftFormula, transposeFormula } from './formula.ts';

describe('A formula that moves', () => {
  test.each([
    ['=C2*2', '=C5*2'],
    ['=$C$2+C$2+$C2', '=$C$2+C$2+$C5'],
    ['=SUM(A1:B2)', '=SUM(A4:B5)'],
    ['="C2"&C2', '="C2"&C5'],
    ['=[@Amount]*2', '=[@Amount]*2'],
    ["='My C2'!C2", "='My C2'!C5"],
    ['=LOG10(C2)', '=LOG10(C5)'],
  ])('%s three rows down becomes %s', (formula, moved) => {
    expect(moveFormula(formula, 3, 0)).toBe(moved);
  });

  test('has #REF! for a reference that would leave the sheet', () => {
    expect(moveFormula('=A1', -1, 0)).toBe('=#REF!');
  });
});

describe('A transposed formula', () => {
  test.each([
    ['=SUM(A1:D1)', '=SUM(G7:G10)'],
    ['=C1*$C$1', '=G9*$C$1'],
    ['=E4', '=J11'],
  ])('%s of E1 becomes %s in G11', (formula, transposed) => {
    expect(transposeFormula(formula, { row: 0, column: 4 }, { row: 10, column: 6 })).toBe(transposed);
  });
});

describe('A formula after rows were inserted or deleted', () => {
  const rows = (at: number, count: number) => ({ axis: 'row' as const, at, count, band: { start: 0, length: 16_384 } });

  test.each([
    ['=A1+A5', 2, 2, '=A1+A7'],
    ['=SUM(A1:A5)', 2, 2, '=SUM(A1:A7)'],
    ['=A$5', 0, 1, '=A$6'],
    ['=SUM(A1:A5)', 1, -2, '=SUM(A1:A3)'],
    ['=A2', 1, -1, '=#REF!'],
    ['=Other!A5', 0, 1, '=Other!A5'],
  ])('%s at row %i by %i becomes %s', (formula, at, count, shifted) => {
    expect(shiftFormula(formula, 'Sheet1', 'Sheet1', rows(at, count))).toBe(shifted);
  });
});

test('A formula follows the cells it refers to when they are moved, and no others', () => {
  const moved = { row: 0, column: 0, rows: 1, columns: 5 };
  const follow = (formula: string, home = 'Sheet1') =>
    followCells(formula, home, 'Sheet1', moved, { row: 11, column: 6 });
  expect(follow('=SUM(A1:D1)+$A$1+A2')).toBe('=SUM(G12:J12)+$G$12+A2');
  expect(follow('=SUM(A1:D2)')).toBe('=SUM(A1:D2)');
  expect(follow('=Sheet1!B1&B1', 'Other')).toBe('=Sheet1!H12&B1');
});
