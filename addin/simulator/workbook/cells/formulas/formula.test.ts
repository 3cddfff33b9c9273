import { describe, expect, test } from 'vitest';
import { followMove, moveFormula, shiftFormula, transposeFormula } from './formula.ts';

describe('A formula that moves', () => {
  test.each([
    ['=C2*2', '=C5*2'],
    ['=$C$2+C$2+$C2', '=$C$2+C$2+$C5'],
    ['=SUM(A1:B2)', '=SUM(A4:B5)'],
    ['="C2"&C2', '="C2"&C5'],
    ['=[@Amount]*2', '=[@Amount]*2'],
    ["='My C2'!C2", "='My C2'!C5"],
    ['=LOG10(C2)', '=LOG10(C5)'],
    ['=SUM(C:C)+SUM(2:3)+SUM($2:3)', '=SUM(C:C)+SUM(5:6)+SUM($2:6)'],
    ['=SUM( A1 : B$2 )', '=SUM( A4:B$2 )'],
    ['=1E5+C2', '=1E5+C5'],
    ['=Sheet2!C2+Sheet2!2:2', '=Sheet2!C5+Sheet2!5:5'],
    ['=SUM(Jan:Mar!C2)+[Book.xlsx]Sheet1!C2', '=SUM(Jan:Mar!C5)+[Book.xlsx]Sheet1!C5'],
    ['=SUM(C2#)+C2:INDEX(C:C,9)', '=SUM(C5#)+C5:INDEX(C:C,9)'],
    ['={1,2}+Table1[[#This Row],[C2]]+#REF!C2', '={1,2}+Table1[[#This Row],[C2]]+#REF!C2'],
  ])('%s three rows down becomes %s', (formula, moved) => {
    expect(moveFormula(formula, 3, 0)).toBe(moved);
  });

  test('takes entire columns along when it moves to the right', () => {
    expect(moveFormula('=SUM(A:B)+SUM($A:A)+SUM(2:2)', 0, 1)).toBe('=SUM(B:C)+SUM($A:B)+SUM(2:2)');
  });

  test('has #REF! for a reference that would leave the sheet', () => {
    expect(moveFormula('=A1+Sheet2!A:A', -1, -1)).toBe('=#REF!+Sheet2!#REF!');
  });
});

describe('A transposed formula', () => {
  test.each([
    ['=SUM(A1:D1)', '=SUM(G7:G10)'],
    ['=C1*$C$1', '=G9*$C$1'],
    ['=E4', '=J11'],
    ['=SUM(D:E)+SUM($A:$A)', '=SUM(10:11)+SUM($A:$A)'],
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
    ['=SUM($2:$5)+SUM(A:A)', 2, 2, '=SUM($2:$7)+SUM(A:A)'],
    ['=SUM(3:4)', 2, -2, '=SUM(#REF!)'],
    ['=SUM( A1 : A5 )', 2, 2, '=SUM( A1:A7 )'],
    ['=SUM( A1 : A5 )', 9, 2, '=SUM( A1 : A5 )'],
    ['=SUM(A5:A1)', 2, 2, '=SUM(A7:A1)'],
    ['=SUM(Sheet1!A1:Sheet1!A5)', 2, 2, '=SUM(Sheet1!A1:A7)'],
    ['=A5#+@A5+SUM(A1:A5 A5:C5)', 2, 2, '=A7#+@A7+SUM(A1:A7 A7:C7)'],
    ['=A1:INDEX(A:A,5)+A5:A6:A9', 2, 2, '=A1:INDEX(A:A,5)+A7:A8:A11'],
    [
      "=SUM(Sheet1:Sheet3!A5)+[1]Sheet1!A5+'[B 1.xlsx]Sheet1'!A5",
      2,
      2,
      "=SUM(Sheet1:Sheet3!A5)+[1]Sheet1!A5+'[B 1.xlsx]Sheet1'!A5",
    ],
    ['=Table1[A5]+"A5"&#REF!A5+1E5+A5B', 2, 2, '=Table1[A5]+"A5"&#REF!A5+1E5+A5B'],
    ['=A1048576+SUM(A1048570:A1048576)', 0, 1, '=#REF!+SUM(A1048571:A1048576)'],
  ])('%s at row %i by %i becomes %s', (formula, at, count, shifted) => {
    expect(shiftFormula(formula, 'Sheet1', 'Sheet1', rows(at, count))).toBe(shifted);
  });

  test.each([
    ['=SUM(B:D)', 2, 1, '=SUM(B:E)'],
    ['=SUM($B:$D)', 1, -1, '=SUM($B:$C)'],
    ['=SUM(B:B)', 1, -1, '=SUM(#REF!)'],
    ["=SUM( 'Sheet1'!C : D )+SUM(2:3)", 0, 1, "=SUM( 'Sheet1'!D:E )+SUM(2:3)"],
  ])('of columns: %s at column %i by %i becomes %s', (formula, at, count, shifted) => {
    const columns = { axis: 'column' as const, at, count, band: { start: 0, length: 1_048_576 } };
    expect(shiftFormula(formula, 'Sheet1', 'Sheet1', columns)).toBe(shifted);
  });

  test('keeps entire columns when cells of some rows were inserted', () => {
    const some = { axis: 'column' as const, at: 0, count: 1, band: { start: 0, length: 4 } };
    expect(shiftFormula('=SUM(B:B)+B2+B9', 'Sheet1', 'Sheet1', some)).toBe('=SUM(B:B)+C2+B9');
  });
});

describe('A formula after cells were moved', () => {
  const row = { row: 0, column: 0, rows: 1, columns: 5 };
  const move = { sheet: 'Sheet1', from: row, toSheet: 'Sheet1', to: { ...row, row: 11, column: 6 } };
  const away = { ...move, toSheet: 'New one' };

  test('follows them, and no others', () => {
    expect(followMove('=SUM(A1:D1)+$A$1+A2', 'Sheet1', move)).toBe('=SUM(G12:J12)+$G$12+A2');
    expect(followMove('=SUM(A1:D2)', 'Sheet1', move)).toBe('=SUM(A1:D2)');
    expect(followMove('=Sheet1!B1&B1', 'Other', move)).toBe('=Sheet1!H12&B1');
    expect(followMove('=SUM( A1 : B1 )&SUM(1:1)&[1]Sheet1!A1', 'Sheet1', move)).toBe(
      '=SUM( G12:H12 )&SUM(1:1)&[1]Sheet1!A1',
    );
  });

  test('loses what they were moved over', () => {
    expect(followMove('=G12+SUM(G12:H12)+SUM(G12:G13)', 'Sheet1', move)).toBe('=#REF!+SUM(#REF!)+SUM(G12:G13)');
    expect(followMove("='New one'!G12+G12", 'Sheet1', away)).toBe("='New one'!#REF!+G12");
  });

  test('follows them to another sheet', () => {
    expect(followMove('=SUM(A1:D1)+A2', 'Sheet1', away)).toBe("=SUM('New one'!G12:J12)+A2");
    expect(followMove('=Sheet1!B1', 'New one', away)).toBe("='New one'!H12");
    expect(followMove('=sheet1!$B$1', 'Other', away)).toBe("='New one'!$H$12");
  });

  test('keeps its references when it was moved to another sheet itself', () => {
    expect(followMove("=A1+A2+Sheet1!A3+'New one'!A4+Other!A5", 'Sheet1', away, 'New one')).toBe(
      "=G12+Sheet1!A2+Sheet1!A3+'New one'!A4+Other!A5",
    );
  });

  test('begins or ends where the first or last cells of a range are now', () => {
    const last = { row: 4, column: 0, rows: 1, columns: 1 };
    const down = { sheet: 'Sheet1', from: last, toSheet: 'Sheet1', to: { ...last, row: 7 } };
    expect(followMove('=SUM(A1:A5)+SUM(A1:B5)', 'Sheet1', down)).toBe('=SUM(A1:A8)+SUM(A1:B5)');
    const up = { ...down, to: { ...last, row: 1 } };
    expect(followMove('=SUM($A$1:$A$5)', 'Sheet1', up)).toBe('=SUM($A$1:$A$2)');
    const aside = { ...down, to: { ...last, row: 4, column: 3 } };
    expect(followMove('=SUM(A1:A5)+SUM(A5:B5)', 'Sheet1', aside)).toBe('=SUM(A1:A5)+SUM(B5:D5)');
  });
});
