import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deeper, isDeep } from '../../../testing/deep.ts';
import { libreOffice, openInLibreOffice } from '../../../testing/exports/libreOffice.ts';
import { folderOfTest } from '../../../testing/temporaryFolder.ts';
import { openExcel } from '../node.ts';
import { readFile } from '../savedFile/readFile.ts';
import { writeFile as writeWorkbook } from '../savedFile/writeFile.ts';
import { enterAsTyped } from '../workbook/changes/tableShape.ts';
import { redo, undo } from '../workbook/changes/undo.ts';
import { cellAt, type Sheet, sourceAt, textAt, valueAt } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

/** A workbook that calculates, with what the pane or a person does in it. */
function calculating(language: 'en' | 'nl' | 'fr' = 'en') {
  const workbook = new Workbook(language);
  attachCalculator(workbook);
  const { Excel } = openExcel(workbook);
  const at = (sheet: Sheet, row: number, column: number) => valueAt(sheet, row, column);
  return {
    workbook,
    Excel,
    type: (row: number, column: number, text: string) => {
      enterAsTyped(workbook.active, { row, column, rows: 1, columns: 1 }, text);
      workbook.settle();
    },
    /** The values of a column of the active sheet. */
    column: (column: number, rows: number) =>
      Array.from({ length: rows }, (_, row) => at(workbook.active, row, column)),
  };
}

describe('a formula that needs its own result', () => {
  const shown = (entered: readonly string[]) => {
    const { workbook, type, column } = calculating();
    for (const [row, text] of entered.entries()) type(row, 0, text);
    const values = column(0, entered.length);
    const messages = values.map((_, row) => cellAt(workbook.active, row, 0)?.message?.slice(0, 12));
    return { values, messages };
  };
  const none = (entered: readonly string[]) => {
    const reason = 'This formula';
    expect([entered, shown(entered)]).toEqual([
      entered,
      { values: entered.map(() => '#CALC!'), messages: entered.map(() => reason) },
    ]);
  };
  test('is no figure, and its cell says why', () => {
    none(['=A1+1']);
    none(['=A2', '=A3*2', '=A1+1']);
    expect(shown(['=A2', '=A3*2', '=A1+1', '=A1+A2']).values[3]).toBe('#CALC!');
    expect(shown(['=SUM(A1:A3)', '5', '7']).values).toEqual(['#CALC!', 5, 7]);
    expect(shown(['=A2', '=A1', '=A1']).values).toEqual(['#CALC!', '#CALC!', '#CALC!']);
  });
  test('is none behind functions that may leave a reference out, or answer an error', () => {
    none(['=IF(A1>0,1,2)']);
    none(['=IF(A2>0,A2,0)', '=A1+1']);
    none(['=IFERROR(A2,0)', '=IFERROR(A3,7)', '=A1+1']);
    none(['=ISERROR(A1)']);
    none(['=CHOOSE(2,5,A1)']);
    none(['=LET(x,A1,x)']);
    none(['=VLOOKUP(1,A1:B2,2,FALSE)']);
    none(['=AND(FALSE,A1)']);
    expect(shown(['=MAP(A2:A3,LAMBDA(x,x+1))', '', '=A1']).values[0]).toMatch(/^#/);
  });
  test('is none where its own calculation says which cells it refers to', () => {
    none(['=OFFSET(A1,0,0)+1']);
    none(['=INDIRECT("A2")+1', '=A1+1']);
    none(['=OFFSET(B1,0,-1)']);
  });
  test('is none when it needs a cell that its result fills', () => {
    const { type, column } = calculating();
    type(0, 0, '=SEQUENCE(3,1,B1)');
    type(0, 1, '=A3+1');
    expect([column(0, 3), column(1, 1)]).toEqual([['#CALC!', '', ''], ['#CALC!']]);
    type(0, 1, '4');
    expect(column(0, 3)).toEqual([4, 5, 6]);
  });
  test('is a figure again once it no longer does', () => {
    const { type, column } = calculating();
    type(0, 0, '=A2+1');
    type(1, 0, '=A1+1');
    expect(column(0, 2)).toEqual(['#CALC!', '#CALC!']);
    type(1, 0, '3');
    expect(column(0, 2)).toEqual([4, 3]);
  });
  test('is none that asks where its cell is, or leaves the reference out', () => {
    expect(shown(['=ROW(A1)', '=ROWS(A$1:A2)', '=IF(TRUE,5,A3)']).values).toEqual([1, 2, 5]);
    expect(shown(['=A2', '=IF(FALSE,A1,5)']).values).toEqual([5, 5]);
    expect(shown(['=IF(A3=1,A2,2)', '=IF(A3=2,A1,9)', '1']).values).toEqual([9, 9, 1]);
    expect(shown(['=LET(x,A1,2)', '=CHOOSE(1,5,A2)']).values).toEqual([2, 5]);
  });
  test('is no figure either when more of them wait for each other than can be calculated', () => {
    const { workbook, column } = calculating();
    enterColumn(workbook, 2000, (row) => `=IF(A${(row % 2000) + 1}>0,A${(row % 2000) + 1},1)`);
    expect(new Set(column(0, 2000))).toEqual(new Set(['#CALC!']));
    expect(cellAt(workbook.active, 1000, 0)?.message).toContain('in a circle');
  });
});

test('A formula that takes cells by INDEX or XLOOKUP has its result as soon as it is typed', () => {
  const { workbook, type, column } = calculating();
  for (const [row, amount] of ['10', '20', '30'].entries()) type(row, 0, amount);
  const sums = ['=SUM(A1:INDEX(A:A,3))', '=SUM(INDEX(A1:A3,2):A3)', '=SUM(A1:XLOOKUP(20,A1:A3,A1:A3))'];
  for (const [row, formula] of sums.entries()) type(row, 2, formula);
  expect(column(2, 3)).toEqual([60, 50, 30]);
  // A running balance.
  type(0, 1, '5');
  for (const row of [1, 2]) type(row, 1, `=INDEX(B:B,ROW()-1)+A${row + 1}`);
  expect(column(1, 3)).toEqual([5, 25, 55]);
  type(1, 0, '21');
  expect([column(1, 3), column(2, 3)]).toEqual([
    [5, 26, 56],
    [61, 51, '#N/A'],
  ]);
  workbook.recalculate();
  expect([column(1, 3), column(2, 3)]).toEqual([
    [5, 26, 56],
    [61, 51, '#N/A'],
  ]);
});

/** Puts formulas into the first column of the active sheet, and calculates them. @param formula of a row, from 1 */
function enterColumn(workbook: Workbook, count: number, formula: (row: number) => string): void {
  const sheet = workbook.active;
  sheet.rows = Array.from({ length: count }, (_, index) => {
    const text = formula(index + 1);
    return { cells: [{ value: text, formula: text }] };
  });
  sheet.formulas = count;
  workbook.emit({ kind: 'sorted', sheet, area: { row: 0, column: 0, rows: count, columns: 1 } });
  workbook.settle();
}

/** The data beside which the formulas stand: A1:C7, a table. */
const data = [
  ['Code', 'Soort', 'Bedrag'],
  ["'0100", 'appel', 12.5],
  ["'0200", 'peer', -3.25],
  ["'0300", 'appelmoes', 100],
  ["'0400", 'Appel', 0.1],
  ["'0500", '', 0.2],
  ["'0600", 'peer', 7],
];

/** Formulas with their results, as Excel's documentation and arithmetic say. */
const results: readonly [string, string | number | boolean][] = [
  ['=SUM(C2:C7)', 116.55],
  ['=ROUND(C5+C6,2)=0.3', true],
  ['=SUMIFS(T[Bedrag],T[Soort],"appel*")', 112.6],
  ['=SUMIF(B2:B7,"peer",C2:C7)', 3.75],
  ['=COUNTIFS(T[Bedrag],">0",T[Soort],"<>")', 4],
  ['=XLOOKUP("0300",T[Code],T[Bedrag])', 100],
  ['=XLOOKUP("0999",T[Code],T[Bedrag],"geen")', 'geen'],
  ['=VLOOKUP("0200",A2:C7,3,FALSE)', -3.25],
  ['=INDEX(C2:C7,MATCH("0600",A2:A7,0))', 7],
  ['=ROUND(2.5,0)', 3],
  ['=ROUND(-2.5,0)', -3],
  ['=ROUND(1.005,2)', 1.01],
  ['=TEXT(1234.5,"#,##0.00")', '1,234.50'],
  ['=TEXT(DATE(2026,3,1),"yyyy-mm-dd")', '2026-03-01'],
  ['=IFERROR(1/0,"deling")', 'deling'],
  ['=1/0', '#DIV/0!'],
  ['=C2*B2', '#VALUE!'],
  ['=NOSUCHFUNCTION(1)', '#NAME?'],
  ['=MATCH("x",A2:A7,0)', '#N/A'],
  ['=LEFT("Ledgerline",6)&"-"&LEN("é😀")', 'Ledger-3'],
  ['=TEXT(EOMONTH(DATE(2026,1,31),1),"yyyy-mm-dd")', '2026-02-28'],
  ['=ROUND(0.285,2)+ROUND(-1.005,2)', -0.72],
  ['=ROUND(1234567.885,2)', 1234567.89],
  ['=ROUND(149,-2)', 100],
  ['=SUMPRODUCT(ROUND(C2:C7,0))', 117],
  ['=ROUND(B2,2)', '#VALUE!'],
  ['=ROUND(D2,2)', 0],
  ['=SUBTOTAL(9,C2:C7)', 116.55],
  ['=SUMPRODUCT((B2:B7="peer")*C2:C7)', 3.75],
  ['=AVERAGE(T[Bedrag])', 19.425],
  ['=MAX(T[Bedrag])-MIN(T[Bedrag])', 103.25],
  ['=IF(AND(C2>0,OR(C3>0,NOT(C3>0))),"ja","nee")', 'ja'],
  ['=TRUE', true],
];

const withData = async ({ workbook, Excel } = calculating()) => {
  await Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:C7').values = data;
    sheet.tables.add('A1:C7', true).name = 'T';
    sheet.getRange(`E1:E${results.length}`).formulas = results.map(([formula]) => [formula]);
    await context.sync();
  });
  return workbook;
};

/** Numbers that are equal but for the last digits of a float. */
const rounded = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value);

describe('Formulas', () => {
  test('have their results', async () => {
    const own = calculating();
    await withData(own);
    const found = own.column(4, results.length).map((value, row) => [results[row]![0], rounded(value)]);
    expect(found).toEqual(results.map(([formula, value]) => [formula, value]));
  });

  test.skipIf(!libreOffice.isThere)(libreOffice.title('have the results of another program'), async () => {
    // Without results in the file, the other program calculates.
    const uncalculated = new Workbook();
    const workbook = await withData({ ...calculating(), workbook: uncalculated, Excel: openExcel(uncalculated).Excel });
    const file = path.join(folderOfTest(), 'results.xlsx');
    await writeFile(file, await writeWorkbook(workbook, '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea'));
    const rows = (await openInLibreOffice(file)).Sheet1!;
    // It counts a character outside of the first plane as one, and its older versions have no XLOOKUP.
    const others = results.map(([formula]) => formula).filter((formula) => /LEN\(|XLOOKUP/.test(formula));
    for (const [row, [formula, value]] of results.entries()) {
      if (others.includes(formula)) continue;
      const shown = rows[row]?.[4] ?? '';
      const other =
        shown.startsWith('#') && !/^#[A-Z]/.test(shown)
          ? rounded(Number(shown.slice(1)))
          : shown.replace(/^#(?=TRUE|FALSE)/, '');
      const ours = typeof value === 'boolean' ? String(value).toUpperCase() : value;
      expect(`${formula} ${other}`).toBe(`${formula} ${ours}`);
    }
  });

  test('are calculated again when a cell changes that they refer to, also by way of others', () => {
    const { type, column } = calculating();
    type(0, 0, '2');
    type(1, 0, '=A1*10');
    type(2, 0, '=SUM(A1:A2)');
    type(3, 0, '=Later+1');
    expect(column(0, 4)).toEqual([2, 20, 22, '#NAME?']);
    type(0, 0, '3');
    expect(column(0, 3)).toEqual([3, 30, 33]);
    type(1, 0, '5');
    expect(column(0, 3)).toEqual([3, 5, 8]);
  });

  test('are calculated again when their cells move, and after undo and redo', async () => {
    const { type, column, workbook, Excel } = calculating();
    type(0, 0, '2');
    type(1, 0, '=A1*10');
    await Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().getRange('1:1').insert('Down');
      context.workbook.worksheets.getActiveWorksheet().getRange('A2').values = [[4]];
      await context.sync();
    });
    workbook.settle();
    expect(column(0, 3)).toEqual(['', 4, 40]);
    undo(workbook);
    workbook.settle();
    expect(column(0, 2)).toEqual([2, 20]);
    redo(workbook);
    workbook.settle();
    expect(column(0, 3)).toEqual(['', 4, 40]);
  });

  test('are read by an add-in as values and as formulas, in the same request', async () => {
    const { Excel } = calculating();
    await Excel.run(async (context) => {
      const range = context.workbook.worksheets.getActiveWorksheet().getRange('A1:A2');
      range.formulas = [['=1+2'], ['=A1*2']];
      range.load('values,formulas,text,valueTypes');
      await context.sync();
      expect([range.values, range.formulas, range.text]).toEqual([
        [[3], [6]],
        [['=1+2'], ['=A1*2']],
        [['3'], ['6']],
      ]);
      expect(range.valueTypes).toEqual([['Double'], ['Double']]);
    });
  });

  test('are typed in Dutch', () => {
    const { type, workbook } = calculating('nl');
    type(0, 0, '1,5');
    type(1, 0, '=ALS(A1>1;AFRONDEN(A1*1,21;2);0)');
    expect(textAt(workbook.active, 1, 0)).toBe('1,82');
  });

  test('that refer to themselves end', () => {
    const { type, column } = calculating();
    type(0, 0, '=B1+1');
    type(0, 1, '=A1+1');
    type(1, 0, '=A2');
    expect(column(0, 2).every((value) => typeof value === 'number' || String(value).startsWith('#'))).toBe(true);
  });

  test('fill the cells below them, which are empty again when the result is shorter, and refuse cells in use', () => {
    const { type, column } = calculating();
    for (const [row, value] of ['3', '1', '2'].entries()) type(row, 0, value);
    type(0, 1, '=SORT(FILTER(A1:A3,A1:A3>C1))');
    type(0, 3, '=SUM(B1:B3)');
    expect([column(1, 4), column(3, 1)]).toEqual([[1, 2, 3, ''], [6]]);
    type(0, 2, '1');
    expect([column(1, 4), column(3, 1)]).toEqual([[2, 3, '', ''], [5]]);
    type(0, 2, '0');
    type(2, 1, 'x');
    expect(column(1, 3)).toEqual(['#SPILL!', '', 'x']);
    type(2, 1, '');
    expect(column(1, 3)).toEqual([1, 2, 3]);
    type(0, 1, '');
    expect(column(1, 3)).toEqual(['', '', '']);
  });

  test('in a file are opened with their results, and those in several cells as such', async () => {
    const { type, workbook } = calculating();
    for (const [row, value] of ['3', '1', '2'].entries()) type(row, 0, value);
    type(0, 1, '=SORT(A1:A3)');
    type(0, 2, '=SUM(A1:A3)');
    const addIn = '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea';
    const { workbook: opened, leftOut } = await readFile(await writeWorkbook(workbook, addIn), addIn, 'en');
    const shown = () => [0, 1, 2].map((row) => [0, 1, 2].map((column) => valueAt(opened.active, row, column)));
    expect(leftOut).toEqual([]);
    attachCalculator(opened);
    expect(shown()).toEqual([
      [3, 1, 6],
      [1, 2, ''],
      [2, 3, ''],
    ]);
    enterAsTyped(opened.active, { row: 0, column: 0, rows: 1, columns: 1 }, '0');
    opened.settle();
    expect(shown()).toEqual([
      [0, 0, 3],
      [1, 1, ''],
      [2, 2, ''],
    ]);
  });

  test.each(['=A1', '=IF(TRUE,A1,0)', '=INDEX(A1:A3,1)', '=IFERROR(A1,1)'])(
    '%s of an empty cell is 0, also for formulas that refer to it',
    (formula) => {
      const { type, column } = calculating();
      type(0, 1, formula);
      type(1, 1, '=B1&"x"');
      type(2, 1, '=LEN(B1)');
      // All at once.
      type(0, 0, '5');
      type(0, 0, '');
      expect(column(1, 3)).toEqual([0, '0x', 1]);
    },
  );

  test.each([`=${'('.repeat(4000)}1${')'.repeat(4000)}`, `=${'-'.repeat(8000)}1`])(
    'that the engine cannot read have no result and say so, and others go on',
    (unread) => {
      const { type, column, workbook } = calculating();
      type(0, 0, unread);
      type(1, 0, '=1+1');
      type(2, 0, '=SUM(A1:A2)');
      expect(column(0, 3)).toEqual(['#CALC!', 2, '#CALC!']);
      expect(cellAt(workbook.active, 0, 0)?.message).toContain('cannot be read');
    },
  );

  test
    .skipIf(isDeep)
    .each([
      '=SUM(SEQUENCE(10000000))',
      '=SUM(MMULT(SEQUENCE(1000,1000),SEQUENCE(1000,1000)))',
      '=SUM(MUNIT(100000))',
      '=COUNTBLANK(B1:XFD1048575)',
      '=ROWS(REDUCE(1,SEQUENCE(24),LAMBDA(a,b,VSTACK(a,a))))',
      '=SUM(XMATCH(SEQUENCE(50000),SEQUENCE(50000)))',
      '=LET(f,LAMBDA(g,n,IF(n=0,1,g(g,n-1)+g(g,n-1))),f(f,40))',
      '=REDUCE(0,SEQUENCE(1000),LAMBDA(a,b,a+SUM(SEQUENCE(100000))))',
      '=REGEXTEST(REPT("a",40),"^(a+)+b$")',
      '=REGEXREPLACE(REPT("a",30000),"a*a*a*b","b")',
      '=SEARCH("*a*a*a*b",REPT("a",30000))',
      '=TEXT(1,REPT("0",32000)&REPT("#",10000))&TEXT(1,REPT("0",40000))',
      '=DCOUNTA(VSTACK("h",REPT("a",30000)),1,VSTACK("h","*a*a*a*b"))',
      '=BINOM.DIST(5E8,1E9,0.5,TRUE)',
      '=VDB(1E9,1,1E9,0,1E9)',
      '=WORKDAY.INTL(1,1E9,"1111110")',
    ])('%s would take too long, and its cell says so', (formula) => {
    const { type, column, workbook } = calculating();
    type(0, 0, formula);
    type(1, 0, '=SUM(SEQUENCE(100))');
    expect(column(0, 2)).toEqual(['#CALC!', 5050]);
    expect(cellAt(workbook.active, 0, 0)?.message).toContain('too long');
  });

  test.each([
    ['=SUM(MMULT(SEQUENCE(2,3),SEQUENCE(3,2)))', 163],
    ['=ROWS(B1:XFD1048576)', 1_048_576],
    ['=SUM(B1:XFD1048576)', 0],
    ['=ROWS(B:B)', 1_048_576],
    ['=COUNTBLANK(B:B)', 1_048_576],
    ['=COUNTIF(B:C,"<>x")', 2_097_152],
    ['=SUM(COUNTIF(2:2,{"","<>"}))', 16_384],
    ['=COUNTIFS(B:B,"",C:C,"y")', 0],
    ['=COLUMNS(2:3)', 16_384],
    ['=LET(f,LAMBDA(g,n,IF(n=0,1,n*g(g,n-1))),f(f,10))', 3_628_800],
    ['=SUM(SEQUENCE(3,,5))', 18],
    ['=VDB(2400,300,10,0,1)', 480],
    ['=REGEXTEST("alfa-12","^[a-z]+-[0-9]+$")', true],
    ['=SEARCH("f*2","alfa-12")', 3],
    ['=COUNTIF(A2,"*a*a*a*a*a*a*a*a*b")', 0],
    ['=IFNA(MATCH("*a*a*a*a*a*a*a*a*b",A2:A2,0),"none")', 'none'],
    ['=XLOOKUP("*a*a*a*a*a*a*a*a*b",A2:A2,A2:A2,"none",2)', 'none'],
    ['=IFNA(VLOOKUP("*a*a*a*a*a*a*a*a*b",A2:A2,1,FALSE),"none")', 'none'],
    ['=SUM(SORT(UNIQUE(SEQUENCE(20000))))', 200_010_000],
  ])('%s is not too much', (formula, value) => {
    const { type, column } = calculating();
    type(1, 0, '=REPT("a",30000)');
    type(0, 0, formula);
    expect(column(0, 1).map(rounded)).toEqual([value]);
  });

  test('of any number have their results, also where those above refer to those below', () => {
    const COUNT = 12_000;
    const { workbook, column } = calculating();
    const formulasOf = (row: number) => [
      `=ROW()*2`,
      `=A${row}+1`,
      row < COUNT ? `=C${row + 1}+1` : '=1',
      `=SUM(B${row}:B${COUNT})`,
    ];
    const sheet = workbook.active;
    sheet.rows = Array.from({ length: COUNT }, (_, index) => ({
      cells: formulasOf(index + 1).map((formula) => ({ value: formula, formula })),
    }));
    for (const row of sheet.rows) row!.cells.length = row === sheet.rows[0] ? 4 : 3;
    sheet.formulas = 3 * COUNT + 1;
    workbook.emit({ kind: 'sorted', sheet, area: { row: 0, column: 0, rows: COUNT, columns: 4 } });
    workbook.settle();
    expect(column(0, COUNT)).toEqual(Array.from({ length: COUNT }, (_, row) => 2 * (row + 1)));
    expect(column(1, COUNT)).toEqual(Array.from({ length: COUNT }, (_, row) => 2 * (row + 1) + 1));
    expect(column(2, COUNT)).toEqual(Array.from({ length: COUNT }, (_, row) => COUNT - row));
    expect(column(3, 1)).toEqual([COUNT * (COUNT + 1) + COUNT]);
  });

  test('that refer to the one below them, more than are calculated at a time, have their results', () => {
    const COUNT = deeper(6000, 60_000);
    const { workbook, column } = calculating();
    enterColumn(workbook, COUNT, (row) => (row < COUNT ? `=A${row + 1}+1` : '=1'));
    expect(column(0, COUNT)).toEqual(Array.from({ length: COUNT }, (_, row) => COUNT - row));
    // The circle goes through cells that are calculated at different times.
    enterColumn(workbook, COUNT, (row) => (row === 2 ? `=IF(A${COUNT}>0,1,2)` : row === COUNT ? '=A2' : '=1'));
    expect([column(0, 3), column(0, COUNT).at(-1)]).toEqual([[1, '#CALC!', 1], '#CALC!']);
  });

  test('calculated one after the other have the results that they have when all are calculated at once', async () => {
    // A formula refers to cells before its own: what one has that refers to itself depends on where it begins.
    const name = (index: number) => `${'ABC'[index % 3]}${Math.floor(index / 3) + 1}`;
    const step = fc
      .tuple(fc.nat({ max: 17 }), fc.nat({ max: 16 }), fc.nat({ max: 16 }), fc.nat({ max: 11 }))
      .map(([index, first, second, kind]): [number, string] => {
        const [a, b] = [name(Math.min(first, index - 1)), name(Math.min(second, index - 1))];
        const inputs = [
          '',
          'x',
          '=1/0',
          `=${a}+${b}`,
          `=${a}&${b}`,
          `=${a}*${b}`,
          `=SUM(${a}:${b})`,
          `=IF(${a}>0,${b},0)`,
          // Downwards in the last column, so that no two results are for the same cells.
          index % 3 === 2 ? `=SEQUENCE(MOD(LEN(${a}),4))*${first}` : `=SUM(A1:${a})`,
          `=Rate+${a}`,
        ];
        return [index, (index > 0 ? inputs[kind] : undefined) ?? String(first - 8)];
      });
    await fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const one = calculating();
        const rate = { id: '1', name: 'Rate', formula: '=2', comment: '', visible: true, scope: undefined };
        const all = new Workbook();
        all.names.push({ ...rate, formula: '=Sheet1!$A$1' });
        one.workbook.names.push(rate);
        for (const [count, [index, text]] of steps.entries()) {
          one.type(Math.floor(index / 3), index % 3, text);
          if (count !== steps.length >> 1) continue;
          rate.formula = '=Sheet1!$A$1';
          one.workbook.emit({ kind: 'names' });
          one.workbook.settle();
        }
        for (const [index, text] of steps) {
          enterAsTyped(all.active, { row: Math.floor(index / 3), column: index % 3, rows: 1, columns: 1 }, text);
        }
        attachCalculator(all);
        const valuesOf = (workbook: Workbook) =>
          [0, 1, 2, 3, 4, 5].map((row) => [0, 1, 2].map((column) => rounded(valueAt(workbook.active, row, column))));
        expect(valuesOf(one.workbook)).toEqual(valuesOf(all));
      }),
      {
        numRuns: deeper(60, 300),
        // The result of IF was an empty cell for the formula that refers to it.
        examples: [
          [
            [
              [5, '=IF(B2>0,A1,0)'],
              [4, 'x'],
              [6, '=A1&C2'],
            ],
          ],
        ],
      },
    );
  });
});

test.each([
  ['nl', ['=1/0', '=NB()', '="a"+1', '=onbekend'], ['#DEEL/0!', '#N/B', '#WAARDE!', '#NAAM?']],
  ['fr', ['=1/0', '=NA()', '="a"+1', '=inconnu'], ['#DIV/0!', '#N/A', '#VALEUR!', '#NOM?']],
] as const)(
  'In the language %s cells show errors by its names, and the API has those of English',
  async (language, entered, shown) => {
    const { workbook, Excel, type, column } = calculating(language);
    for (const [row, text] of entered.entries()) type(row, 0, text);
    expect(entered.map((_, row) => textAt(workbook.active, row, 0))).toEqual(shown);
    expect(column(0, entered.length)).toEqual(['#DIV/0!', '#N/A', '#VALUE!', '#NAME?']);
    // A cell that has no formula: what the formula bar shows makes the same cell again.
    type(0, 1, shown[2]);
    const source = sourceAt(workbook.active, 0, 1);
    type(1, 1, source);
    type(2, 1, "'#VALUE!");
    expect([source, ...column(1, 2), textAt(workbook.active, 2, 1)]).toEqual([
      shown[2],
      '#VALUE!',
      '#VALUE!',
      '#VALUE!',
    ]);
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('D1:D4').values = [['List'], ['#VALUE!'], ['#N/A'], ['other']];
      const table = sheet.tables.add('D1:D4', true);
      const range = sheet.getRange('D2:D3').load('values,text');
      const found = async (values: string[]) => {
        table.columns.getItemAt(0).filter.applyValuesFilter(values);
        const view = sheet.getRange('D2:D4').getVisibleView().load('values');
        await context.sync();
        return view.values.flat();
      };
      // By the name in a file, and by what cells show.
      expect(await found(['#VALUE!'])).toEqual(['#VALUE!']);
      expect(await found([shown[2]])).toEqual(['#VALUE!']);
      expect([range.values[0], range.text[0]]).toEqual([['#VALUE!'], [shown[2]]]);
    });
  },
);

test('FORMULATEXT is the formula as its cell has it, in the language of the workbook', () => {
  const { workbook, type, column } = calculating('nl');
  for (const [row, text] of ['=SOM(C1:C2;1,5)', '=D1:D2*2', '7'].entries()) type(row, 1, text);
  type(0, 0, '=FORMULETEKST(B1)');
  type(1, 0, '=FORMULETEKST(B4)&"?"');
  type(5, 0, '=FORMULETEKST(B1:B2)');
  expect(column(0, 7)).toEqual(['=SOM(C1:C2;1,5)', '#N/A', '', '', '', '=SOM(C1:C2;1,5)', '=D1:D2*2']);
  enterAsTyped(workbook.active, { row: 0, column: 1, rows: 1, columns: 1 }, '=B4+1');
  workbook.settle();
  expect(column(0, 1)).toEqual(['=B4+1']);
});

test('ROW and COLUMN take the cell that a function finds', () => {
  const { type, column } = calculating();
  for (const [row, text] of ['x', 'y', 'z'].entries()) type(row, 0, text);
  const formulas: [string, unknown][] = [
    ['=ROW(INDEX(A:A,5))', 5],
    ['=COLUMN(OFFSET(A1,2,3))', 4],
    ['=ROW(OFFSET(A1,2,3))', 3],
    ['=ROW(INDEX(A1:A3,MATCH("y",A1:A3,0)))', 2],
    ['=ROW(XLOOKUP("z",A1:A3,A1:A3))', 3],
    ['=SUM(ROW(OFFSET(A1,1,0,3)))', 9],
    ['=ROW(INDEX(A1:A3,4))', '#REF!'],
    ['=ROW(INDEX(A1:A3,MATCH("q",A1:A3,0)))', '#N/A'],
  ];
  for (const [row, [text]] of formulas.entries()) type(row, 5, text);
  expect(column(5, formulas.length)).toEqual(formulas.map(([, result]) => result));
});
