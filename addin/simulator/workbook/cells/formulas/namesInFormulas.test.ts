import { describe, expect, test } from 'vitest';
import { loseSheetIn, renameSheetIn } from './sheetsIn.ts';
import {
  loseColumnsIn,
  readStructured,
  renameColumnsIn,
  renameTableIn,
  showStructured,
  withTable,
} from './structured.ts';

describe('A formula after a sheet was renamed', () => {
  test.each([
    ['=Old!A1+old!$B:$B+Older!A1', 'New', '=New!A1+New!$B:$B+Older!A1'],
    ["='Old'!A1", "Bob's 2", "='Bob''s 2'!A1"],
    ['=Old!A1', 'A1', "='A1'!A1"],
    ['=Old!A1', 'R1C1', "='R1C1'!A1"],
    ['=Old!A1', 'C', "='C'!A1"],
    ['=Old!A1', '2026', "='2026'!A1"],
    ['=SUM(Old!A1 : Old!A3)', 'New', '=SUM(New!A1:A3)'],
    ['=SUM(Old:Last!A1)', 'New 1', "=SUM('New 1:Last'!A1)"],
    ["=SUM('First:Old'!A1)", 'New', '=SUM(First:New!A1)'],
    ['=Old!Rate+Old!#REF!+[1]Old!A1', 'New', '=New!Rate+New!#REF!+[1]Old!A1'],
    ['="Old!A1"&Table1[Old!A1]', 'New', '="Old!A1"&Table1[Old!A1]'],
  ])('%s to %s is %s', (formula, name, renamed) => {
    expect(renameSheetIn(formula, 'Old', name)).toBe(renamed);
  });
});

describe('A formula after a sheet was deleted', () => {
  test.each([
    ["=Old!A1+'OLD'!$A$1:$B$2+Other!A1", '=#REF!A1+#REF!$A$1:$B$2+Other!A1'],
    ['=SUM(Old!A1 : Old!A3)+Old!#REF!+Old!Rate', '=SUM(#REF!A1:A3)+#REF!+#REF!Rate'],
    ['=SUM(First:Last!A1)', '=SUM(First:Last!A1)'],
    ['=SUM(Old:Last!A1)', '=SUM(Last!A1)'],
    ['=SUM(First:Old!A1)', '=SUM(First!A1)'],
    ['=[1]Old!A1&"Old!A1"', '=[1]Old!A1&"Old!A1"'],
  ])('%s is %s', (formula, left) => {
    expect(loseSheetIn(formula, 'Old', ['First', 'Old', 'Last', 'Other'])).toBe(left);
  });
});

describe('A structured reference', () => {
  test.each([
    ['[Amount]', '[Amount]'],
    ['[ Sales Amount ]', '[Sales Amount]'],
    ['[]', '[]'],
    ['[@]', '[@]'],
    ['[@Amount]', '[@Amount]'],
    ['[@[Sales Amount]]', '[@[Sales Amount]]'],
    ['[@[a]:[b]]', '[@[a]:[b]]'],
    ['[#Headers]', '[#Headers]'],
    ['[[#Headers], [#Data]]', '[[#Headers],[#Data]]'],
    ['[[#This Row],[Amount]]', '[[#This Row],[Amount]]'],
    ['[[a]:[b]]', '[[a]:[b]]'],
    ["[it''s '[A1'] '#1]", "[[it''s '[A1'] '#1]]"],
    ['[[Total $ Amount]]', '[[Total $ Amount]]'],
  ])('%s is written again as %s', (part, written) => {
    expect(showStructured(readStructured(part)!)).toBe(written);
  });

  test('of several columns apart is none', () => {
    expect(readStructured('[[a],[b]]')).toBeUndefined();
  });
});

test('A formula follows the new name of a table', () => {
  expect(renameTableIn('=SUM(Old[a])+ROWS(old)+Older[a]+Sheet1!Old+"Old"&[@a]', 'Old', 'New')).toBe(
    '=SUM(New[a])+ROWS(New)+Older[a]+Sheet1!Old+"Old"&[@a]',
  );
});

test('A formula follows the new names of columns, also when two change places', () => {
  const renamed = (column: string) => ({ a: 'b', b: 'a', c: 'Net [#1]' })[column.toLowerCase()];
  const follow = (formula: string, isHome = false) => renameColumnsIn(formula, { name: 'T', isHome }, renamed);
  expect(follow('=SUM(T[a])+t[[#All],[B]:[d]]+U[a]+[@a]')).toBe('=SUM(T[b])+t[[#All],[a]:[d]]+U[a]+[@a]');
  expect(follow('=[@a]+[@c]+[[#This Row],[b]]', true)).toBe("=[@b]+[@[Net '['#1']]]+[[#This Row],[a]]");
  expect(follow('=SUM(T[c])')).toBe("=SUM(T[[Net '['#1']]])");
});

test('A formula loses deleted columns, and keeps those beside them', () => {
  const lose = (formula: string, isHome = false) =>
    loseColumnsIn(formula, { name: 'T', isHome }, ['a', 'b', 'c', 'd'], (column) =>
      ['b', 'd'].includes(column.toLowerCase()),
    );
  expect(lose('=SUM(T[b])+T[a]+T[[#Headers],[B]]+T+U[b]')).toBe('=SUM(#REF!)+T[a]+#REF!+T+U[b]');
  expect(lose('=SUM(T[[a]:[d]])+SUM(T[[b]:[c]])+SUM(T[[#All],[c]:[a]])')).toBe(
    '=SUM(T[[a]:[c]])+SUM(T[c])+SUM(T[[#All],[a]:[c]])',
  );
  expect(lose('=[@b]+[@a]', true)).toBe('=#REF!+[@a]');
});

test('A formula names the table that it stood in', () => {
  expect(withTable('=[@a]+[b]+U[c]+"[@a]"', 'T')).toBe('=T[@a]+T[b]+U[c]+"[@a]"');
});
