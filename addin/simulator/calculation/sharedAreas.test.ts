import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deeper } from '../../../testing/deep.ts';
import { libreOffice, openInLibreOffice } from '../../../testing/exports/libreOffice.ts';
import { folderOfTest } from '../../../testing/temporaryFolder.ts';
import { writeFile as writeWorkbook } from '../savedFile/writeFile.ts';
import { addTable, enterAsTyped } from '../workbook/changes/tableShape.ts';
import { valueAt } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

const ROWS = 60;
type Value = string | number | boolean;

/** Formulas over the columns Code, Kind, Amount, and Twice, which is a formula; and below them one that they refer to. */
const formulas = [
  `=SUM(C2:C${ROWS + 1})`,
  '=SUM(C:C)',
  '=SUM(A:D)',
  `=SUMIFS($C$2:$C$${ROWS + 1},$B$2:$B$${ROWS + 1},"k1*")`,
  '=SUMIFS(C:C,B:B,"k2",C:C,">"&5)',
  `=SUMIF(B2:B${ROWS + 1},"k1",C2:C${ROWS + 1})`,
  `=COUNTIFS(Sheet1!B2:B${ROWS + 1},"<>",'Sheet1'!C2:C${ROWS + 1},"<50")`,
  `=COUNTA(A1:C${ROWS + 1})+COUNT(A1:C${ROWS + 1})+COUNTIF(B2:B${ROWS + 1},"")`,
  `=IF(MAX(C2:C${ROWS + 1})>MIN(C2:C${ROWS + 1}),AVERAGE(C2:C${ROWS + 1}),"one, ""or"" none")`,
  `=SUM(D2:D${ROWS + 1})`,
  `=SUMIFS(D2:D${ROWS + 1},B2:B${ROWS + 1},"k1")`,
  `=SUM(C2:C${ROWS + 1},(D2:D${ROWS + 1}),1)`,
  `=SUMPRODUCT(--(B2:B${ROWS + 1}="k1"),--(C2:C${ROWS + 1}>5))`,
  `=VLOOKUP("a7",A2:C${ROWS + 1},3,FALSE)`,
  `=ROWS(C2:C${ROWS + 1})+SUBTOTAL(109,C2:C${ROWS + 1})`,
];
const twice = (row: number): string => `=IF(ISNUMBER(C${row}),C${row}*2,0)`;

function oursOf(rows: readonly Value[][], hasTable: boolean): Workbook {
  const workbook = new Workbook();
  const sheet = workbook.active;
  sheet.rows = [['Code', 'Kind', 'Amount', 'Twice'], ...rows].map((row, at) => ({
    cells: [
      ...row.map((value) => (value === '' ? undefined : { value })),
      ...(at === 0 ? [] : [{ value: twice(at + 1), formula: twice(at + 1) }]),
      ...(at < formulas.length ? [undefined, undefined, { value: formulas[at]!, formula: formulas[at]! }] : []),
    ],
  }));
  // Headings have no cell for a formula of their own.
  sheet.rows[0]!.cells = [
    ...sheet.rows[0]!.cells.slice(0, 4),
    undefined,
    undefined,
    { value: formulas[0]!, formula: formulas[0]! },
  ];
  sheet.formulas = rows.length + formulas.length;
  if (hasTable) addTable(sheet, { row: 0, column: 0, rows: ROWS + 1, columns: 4 }, true);
  return workbook;
}

/** Results in another program may differ in the last of fifteen digits. */
const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(12)) : value);

const resultsOf = (workbook: Workbook): unknown[] =>
  formulas.map((_, row) => rounded(valueAt(workbook.active, row, 6)));

/** Their results when each reads its own ranges. */
function unshared(rows: readonly Value[][]): unknown[] {
  const workbook = oursOf(rows, false);
  const sheet = workbook.active;
  // CHOOSE gives the engine a range that is not an argument of its own.
  formulas.forEach((formula, at) => {
    const cell = sheet.rows[at]!.cells[6]!;
    cell.formula = formula.replace(/(?<=[(,])((?:'?Sheet1'?!)?\$?[A-D]\$?\d*:\$?[A-D]\$?\d*)(?=[,)])/g, 'CHOOSE(1,$1)');
    cell.value = cell.formula;
  });
  attachCalculator(workbook);
  return resultsOf(workbook);
}

const rowsOf = fc.array(
  fc.tuple(
    fc.constantFrom('a1', 'a7', 'A7', ''),
    fc.constantFrom('k1', 'k2', 'k10', 'K1', ''),
    fc.oneof(fc.integer({ min: -9, max: 99 }), fc.constantFrom<Value>('', 'text', '12', true, 0.1)),
  ),
  { minLength: ROWS, maxLength: ROWS },
) as fc.Arbitrary<Value[][]>;

test('Formulas that share ranges have the results that they have without sharing them, also after a cell changes', () => {
  fc.assert(
    fc.property(rowsOf, fc.nat(ROWS - 1), fc.integer({ min: -9, max: 99 }), (rows, at, value) => {
      const workbook = oursOf(rows, false);
      attachCalculator(workbook);
      expect(resultsOf(workbook)).toEqual(unshared(rows));
      enterAsTyped(workbook.active, { row: at + 1, column: 2, rows: 1, columns: 1 }, String(value));
      workbook.settle();
      const changed = rows.map((row, index) => (index === at ? [...row.slice(0, 2), value] : row));
      expect(resultsOf(workbook)).toEqual(unshared(changed));
    }),
    { numRuns: deeper(15, 200) },
  );
});

const ordinary = Array.from({ length: ROWS }, (_, at): Value[] => [
  `a${at}`,
  ['k1', 'k2', 'k10', ''][at % 4]!,
  at % 7 === 3 ? '' : at * 1.25 - 10,
]);

test('Sums over columns of a table have the results of sums over their cells', () => {
  const workbook = oursOf(ordinary, true);
  const [table] = workbook.active.tables;
  const column = (name: string) => `${table!.name}[${name}]`;
  attachCalculator(workbook);
  const typed: [string, string][] = [
    [`=SUM(${column('Amount')})`, `=SUM(C2:C${ROWS + 1})`],
    [`=SUMIFS(${column('Twice')},${column('Kind')},"k1*")`, `=SUMIFS(D2:D${ROWS + 1},B2:B${ROWS + 1},"k1*")`],
    [`=COUNTIF(${table!.name}[[#All],[Kind]],"Kind")`, `=COUNTIF(B1:B${ROWS + 1},"Kind")`],
  ];
  for (const [row, pair] of typed.entries()) {
    for (const [at, text] of pair.entries()) {
      enterAsTyped(workbook.active, { row, column: 8 + at, rows: 1, columns: 1 }, text);
    }
  }
  workbook.settle();
  const results = typed.map((_, row) => [8, 9].map((at) => rounded(valueAt(workbook.active, row, at))));
  for (const [ofTable, ofCells] of results) expect(ofTable).toBe(ofCells);
  const amounts = ordinary.map(([, , amount]) => (typeof amount === 'number' ? amount : 0));
  expect(results[0]![0]).toBe(rounded(amounts.reduce((sum, amount) => sum + amount, 0)));
});

test('The name that stands for a shared range is no function for who types it', () => {
  const workbook = oursOf(ordinary, false);
  attachCalculator(workbook);
  enterAsTyped(workbook.active, { row: 0, column: 8, rows: 1, columns: 1 }, '=SUM(LEDGERLINE_AREA("anything"))');
  workbook.settle();
  expect(valueAt(workbook.active, 0, 8)).toBe('#NAME?');
});

test.skipIf(!libreOffice.isThere)(
  libreOffice.title('Formulas that share ranges have the results of another program'),
  async () => {
    const file = path.join(folderOfTest(), 'shared.xlsx');
    // Without results in the file, the other program calculates.
    await writeFile(file, await writeWorkbook(oursOf(ordinary, false), '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33'));
    const shown = (await openInLibreOffice(file)).Sheet1!.slice(0, formulas.length).map((row) => row[6] ?? '');
    const workbook = oursOf(ordinary, false);
    attachCalculator(workbook);
    const numbers = shown.map((text) => (text.startsWith('#') ? rounded(Number(text.slice(1))) : text));
    expect(resultsOf(workbook)).toEqual(numbers);
  },
);
