import { expect, test } from 'vitest';
import { openExcel } from '../node.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

/** Numbers of the powers of ten in A2:A6, a table, and formulas over them in C1 and below. */
async function overRows(
  formulas: readonly string[],
  work: (results: () => Promise<unknown[]>, sheet: Excel.Worksheet, table: Excel.Table) => Promise<void>,
): Promise<void> {
  const workbook = new Workbook();
  attachCalculator(workbook);
  await openExcel(workbook).Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:A6').values = [['n'], [1], [10], [100], [1000], [10_000]];
    const table = sheet.tables.add('A1:A6', true);
    table.name = 'N';
    const cells = sheet.getRange(`C1:C${formulas.length}`);
    cells.formulas = formulas.map((formula) => [formula]);
    const results = async () => {
      cells.load('values');
      await context.sync();
      return cells.values.flat();
    };
    await work(results, sheet, table);
  });
}

test('SUBTOTAL leaves out rows that a filter hides, and with 101 to 111 also those that somebody hid', async () => {
  const formulas = [
    '=SUBTOTAL(9,A2:A6)',
    '=SUBTOTAL(109,A2:A6)',
    '=SUBTOTAL(9,N[n])',
    '=SUBTOTAL(2,Sheet1!$A$2:$A$6)',
    '=SUBTOTAL(103,A:A)',
    '=SUBTOTAL(9,OFFSET(A2,0,0,5,1))',
    '=C1&"!"',
    '=SUM(A2:A6)',
  ];
  await overRows(formulas, async (results, sheet, table) => {
    expect(await results()).toEqual([11_111, 11_111, 11_111, 5, 6, 11_111, '11111!', 11_111]);
    sheet.getRange('2:2').rowHidden = true;
    expect(await results()).toEqual([11_111, 11_110, 11_111, 5, 5, 11_111, '11111!', 11_111]);
    table.columns.getItem('n').filter.applyCustomFilter('<5000');
    expect(await results()).toEqual([1111, 1110, 1111, 4, 4, 1111, '1111!', 11_111]);
    table.columns.getItem('n').filter.applyCustomFilter('>50');
    expect(await results()).toEqual([11_100, 11_100, 11_100, 3, 4, 11_100, '11100!', 11_111]);
    table.clearFilters();
    expect(await results()).toEqual([11_111, 11_110, 11_111, 5, 5, 11_111, '11111!', 11_111]);
    sheet.getRange('2:2').rowHidden = false;
    expect(await results()).toEqual([11_111, 11_111, 11_111, 5, 6, 11_111, '11111!', 11_111]);
  });
});

test('SUBTOTAL leaves out a single cell in a hidden row, also for each row of a condition', async () => {
  const formulas = [
    '=SUBTOTAL(103,A2)',
    '=SUBTOTAL(109,A6)',
    '=SUBTOTAL(109,OFFSET(A2,0,0))',
    '=SUMPRODUCT(SUBTOTAL(109,OFFSET(A2,ROW(A2:A6)-ROW(A2),0)),--(A2:A6>5))',
    '=SUMPRODUCT(SUBTOTAL(103,OFFSET(N[[#Headers],[n]],ROW(N[n])-1,0)),--(N[n]<5000))',
    '=SUBTOTAL(9,C2)',
    '=AGGREGATE(9,5,A2)',
    '=SUM(SUBTOTAL(109,OFFSET(A2,{0;2},0,{2;3},1)))',
  ];
  await overRows(formulas, async (results, sheet, table) => {
    expect(await results()).toEqual([1, 10_000, 1, 11_110, 4, 0, 1, 11_111]);
    sheet.getRange('2:2').rowHidden = true;
    expect(await results()).toEqual([0, 10_000, 0, 11_110, 3, 0, 0, 11_110]);
    table.columns.getItem('n').filter.applyCustomFilter('<500');
    expect(await results()).toEqual([0, 0, 0, 110, 2, 0, 0, 110]);
  });
});

test('AGGREGATE leaves out hidden rows, errors and other subtotals by its option', async () => {
  const formulas = [
    '=AGGREGATE(9,4,A2:A6)',
    '=AGGREGATE(9,5,A2:A6)',
    '=AGGREGATE(4,1,A2:A6)',
    '=AGGREGATE(14,5,A2:A6,2)',
    '=AGGREGATE(9,6,A2:A6)',
    '=AGGREGATE(9,7,A2:A6)',
  ];
  await overRows(formulas, async (results, sheet, table) => {
    expect(await results()).toEqual([11_111, 11_111, 10_000, 1000, 11_111, 11_111]);
    table.columns.getItem('n').filter.applyCustomFilter('<5000');
    sheet.getRange('5:5').rowHidden = true;
    expect(await results()).toEqual([11_111, 111, 100, 10, 11_111, 111]);
    sheet.getRange('A2').formulas = [['=1/0']];
    expect(await results()).toEqual(['#DIV/0!', '#DIV/0!', '#DIV/0!', '#DIV/0!', 11_110, 110]);
  });
});

test('Subtotals leave out other subtotals, also when only one of them is calculated again', async () => {
  const formulas = [
    '=SUBTOTAL(9,A2:A3)',
    '=SUBTOTAL(9,A4:A6)+0',
    '=SUBTOTAL(9,C1:C2,A2:A6)',
    '=AGGREGATE(9,4,C1:C2)',
    '=AGGREGATE(9,0,C1:C2,A2:A6)',
  ];
  await overRows(formulas, async (results, sheet) => {
    expect(await results()).toEqual([11, 11_100, 11_111, 11_111, 11_111]);
    sheet.getRange('A6').values = [[20_000]];
    expect(await results()).toEqual([11, 21_100, 21_111, 21_111, 21_111]);
  });
});

test('A subtotal of another sheet follows the filter of that sheet', async () => {
  await overRows(['=1'], async (results, sheet) => {
    const other = sheet.context.workbook.worksheets.add('Other').getRange('A1:A2');
    other.formulas = [['=SUBTOTAL(9,Sheet1!A2:A6)'], ['=SUBTOTAL(9,N[n])']];
    await results();
    sheet.tables.getItem('N').columns.getItem('n').filter.applyCustomFilter('>500');
    other.load('values');
    await sheet.context.sync();
    expect(other.values).toEqual([[11_000], [11_000]]);
  });
});
