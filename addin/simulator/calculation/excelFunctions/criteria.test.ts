import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { libreOffice, openInLibreOffice } from '../../../../testing/exports/libreOffice.ts';
import { folderOfTest } from '../../../../testing/temporaryFolder.ts';
import { writeFile as writeWorkbook } from '../../savedFile/writeFile.ts';
import { enterAsTyped } from '../../workbook/changes/tableShape.ts';
import { textAt, valueAt } from '../../workbook/sheet.ts';
import { addSheet } from '../../workbook/sheets.ts';
import { Workbook } from '../../workbook/workbook.ts';
import { attachCalculator } from '../calculator.ts';

/** A1:C8, as typed. Two rows have no stock, one no kind. */
const data = [
  ['Code', 'Kind', 'Stock'],
  ["'0100", 'apple', '5'],
  ["'0200", 'Apple pie', '0'],
  ["'0300", 'pear', ''],
  ["'X-1*", '', '-2'],
  ['100', 'p?ar', '12.5'],
  ["'0500", 'pear', ''],
  ['TRUE', 'zebra', '7'],
];

/** Formulas with their results by Microsoft's descriptions of these functions. */
const results: readonly [string, number | string][] = [
  ['=COUNTIF(C2:C8,"<5")', 2],
  ['=COUNTIF(C2:C8,0)', 1],
  ['=COUNTIF(C2:C8,"<>0")', 6],
  ['=COUNTIF(C2:C8,"=")', 2],
  ['=COUNTIF(C2:C8,"")', 2],
  ['=COUNTIF(C2:C8,"<>")', 5],
  ['=COUNTIF(B2:B8,"apple*")', 2],
  ['=COUNTIF(B2:B8,"=p?ar")', 3],
  ['=COUNTIF(B2:B8,"p~?ar")', 1],
  ['=COUNTIF(B2:B8,"<>p*")', 4],
  ['=COUNTIF(B2:B8,">pear")', 1],
  ['=COUNTIF(A2:A8,"*~*")', 1],
  ['=COUNTIF(A2:A8,TRUE)', 1],
  ['=SUMIF(C2:C8,">0")', 24.5],
  ['=SUMIF(B2:B8,"PEAR",C2:C8)', 0],
  ['=SUMIFS(C2:C8,A2:A8,"0200",C2:C8,">=0")', 0],
  ['=SUMIFS(C2:C8,A2:A8,"0200")+SUMIFS(C2:C8,B2:B8,"zebra")', 7],
  ['=AVERAGEIFS(C2:C8,C2:C8,">="&C3)', 6.125],
  ['=AVERAGEIF(B2:B8,"kiwi",C2:C8)', '#DIV/0!'],
  ['=MINIFS(C2:C8,B2:B8,"<>zebra")', -2],
  ['=MAXIFS(C2:C8,B2:B8,"kiwi")', 0],
  ['=SUMIFS(C3:C3,B3:B3,"?*")+COUNTIF(C3,">-100")', 1],
  ['=SUMPRODUCT(COUNTIF(B2:B8,{"apple","pear"}))', 3],
  ['=SUMIF(B2:B8,"apple",C2:C9)', 5],
  ['=SUMIF(B2:B8,"zebra",C2)', 7],
  ['=SUMIF(B2:B8,"=p?ar",C1:C2)', 10.5],
  ['=SUMIF(B:B,"zebra",C1)+SUMIF(B:B,"zebra",A2)', 7],
  ['=AVERAGEIF(B2:B8,"zebra",C2:D2)', 7],
];

/** Microsoft counts a code of digits and its number alike; LibreOffice looks at texts or at numbers. */
const ofCodes: readonly [string, number | string][] = [
  ['=COUNTIF(A2:A8,"0100")', 2],
  ['=SUMIFS(C2:C8,A2:A8,"0100")', 17.5],
  ['=COUNTIF(A2:A8,">=100")', 1],
  ['=SUMIFS(C2:C9,B2:B8,"apple")', '#VALUE!'],
];

function workbookWith(formulas: readonly string[], language: 'en' | 'nl' = 'en'): Workbook {
  const workbook = new Workbook(language);
  const enter = (row: number, column: number, text: string) =>
    enterAsTyped(workbook.active, { row, column, rows: 1, columns: 1 }, text);
  for (const [row, cells] of data.entries()) {
    for (const [column, text] of cells.entries()) {
      if (text !== '') enter(row, column, language === 'nl' ? text.replace('.', ',').replace('TRUE', 'WAAR') : text);
    }
  }
  for (const [row, formula] of formulas.entries()) enter(row, 4, formula);
  return workbook;
}

const calculated = (workbook: Workbook, rows: number) => {
  attachCalculator(workbook);
  return Array.from({ length: rows }, (_, row) => valueAt(workbook.active, row, 4));
};

test('Cells that meet criteria are counted and added up as Microsoft describes it', () => {
  const all = [...results, ...ofCodes];
  const found = calculated(workbookWith(all.map(([formula]) => formula)), all.length);
  expect(all.map(([formula], row) => [formula, found[row]])).toEqual(all);
});

test.skipIf(!libreOffice.isThere)(
  libreOffice.title('Cells that meet criteria are counted and added up as another program does it'),
  async () => {
    const file = path.join(folderOfTest(), 'criteria.xlsx');
    const workbook = workbookWith(results.map(([formula]) => formula));
    await writeFile(file, await writeWorkbook(workbook, '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33'));
    const shown = (await openInLibreOffice(file)).Sheet1!.map((row) => row[4] ?? '');
    const numbers = shown.map((text) => (/^#-?\d/.test(text) ? Number(text.slice(1)) : text));
    expect(results.map(([formula], row) => [formula, numbers[row]])).toEqual(results);
  },
);

test('A sum over the cells beside its range changes with them', () => {
  const workbook = workbookWith(['=SUMIF(B2:B8,"zebra",C2)', '=AVERAGEIF(B2:B8,"zebra",C1:C3)']);
  expect(calculated(workbook, 2)).toEqual([7, '#DIV/0!']);
  for (const [row, text] of [
    [7, '9'],
    [6, '4'],
  ] as const) {
    enterAsTyped(workbook.active, { row, column: 2, rows: 1, columns: 1 }, text);
  }
  workbook.settle();
  expect([0, 1].map((row) => valueAt(workbook.active, row, 4))).toEqual([9, 4]);
});

test('Entire columns of two sheets are compared row by row, wherever their cells begin and end', () => {
  const workbook = workbookWith([
    '=SUMIF(B:B,"zebra",Other!B:B)',
    '=SUMIFS(Other!B:B,B:B,"zebra",Other!B:B,">0")',
    '=AVERAGEIFS(B:B,Other!B:B,">0")',
    '=MAXIFS(Other!B:B,B:B,"zebra")',
  ]);
  const other = addSheet(workbook, 'Other');
  for (const [row, text] of [
    [4, '50'],
    [7, '80'],
    [9, '100'],
  ] as const) {
    enterAsTyped(other, { row, column: 1, rows: 1, columns: 1 }, text);
  }
  expect(calculated(workbook, 4)).toEqual([80, 80, '#DIV/0!', 80]);
});

test('Criteria name errors, so that a sum can leave them out', () => {
  const workbook = workbookWith([
    '=COUNTIF(G1:G5,"#N/A")',
    '=COUNTIF(G1:G5,"=#n/a")',
    '=COUNTIF(G1:G5,"#DIV/0!")',
    '=COUNTIF(G1:G5,"<>#N/A")',
    '=SUMIF(G1:G4,"<>#N/A")',
    '=SUMIFS(G1:G5,G1:G5,"<>#N/A",G1:G5,"<>#DIV/0!")',
    '=COUNTIF(G1:G5,"#1")',
  ]);
  for (const [row, text] of ['1.5', '=NA()', '2', '#1', '=1/0'].entries()) {
    enterAsTyped(workbook.active, { row, column: 6, rows: 1, columns: 1 }, text);
  }
  expect(calculated(workbook, 7)).toEqual([1, 1, 1, 4, 3.5, 3.5, 1]);
});

test('Criteria are read in the language of the workbook', () => {
  const typed = ['=AANTAL.ALS(C2:C8;">12,4")', '=AANTAL.ALS(C2:C8;"<1-1-1900")', '=AANTAL.ALS(A2:A8;"WAAR")'];
  const workbook = workbookWith([...typed, '=AANTAL.ALS(E5;"#N/B")', '=NB()'], 'nl');
  expect(calculated(workbook, 5)).toEqual([1, 2, 1, 1, '#N/A']);
  expect(textAt(workbook.active, 5, 2)).toBe('12,5');
});
