import { expect, test } from 'vitest';
import { openExcel } from '../node.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

/*
 * What Microsoft's samples do with results of formulas (OfficeDev/office-js-snippets, samples/excel: range-copyfrom,
 * reference-worksheets-by-relative-position, working-with-dates, create-and-remove-named-item), which are not part of this repository.
 */

function excel() {
  const workbook = new Workbook();
  attachCalculator(workbook);
  return openExcel(workbook).Excel;
}

test('The results of formulas are copied without them, and formulas with them move along', async () => {
  await excel().run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:C2').formulas = [
      [1, 2, '=A1+B1'],
      [10, 20, '=SUM(A1:B2)'],
    ];
    await context.sync();
    sheet.getRange('E1').copyFrom('C1:C2', 'Values');
    sheet.getRange('D1').copyFrom('C1:C2', 'Formulas');
    const copies = sheet.getRange('D1:E2').load('values, formulas');
    await context.sync();
    expect(copies.formulas).toEqual([
      ['=B1+C1', 3],
      ['=SUM(B1:C2)', 33],
    ]);
    expect(copies.values).toEqual([
      [5, 3],
      [58, 33],
    ]);
  });
});

test('Sheets that are found by their place show the tax that their tables compute', async () => {
  await excel().run(async (context) => {
    const { worksheets } = context.workbook;
    let [revenue, rate] = [10_000, 0.213];
    for (const year of [2014, 2015, 2016, 2017]) {
      const sheet = worksheets.add(`Taxes${year}`);
      const table = sheet.tables.add('A1:C1', true);
      table.name = `TaxesCalculation${year}`;
      table.getHeaderRowRange().values = [['Revenue', 'Tax Rate', 'Tax Due']];
      table.rows.add(undefined, [[revenue, rate, '=A2 * B2']]);
      sheet.getRange('A2:C2').numberFormat = [['$#,##0.00', '0.00%', '$#,##0.00']];
      table.getRange().format.autofitColumns();
      table.getRange().format.autofitRows();
      sheet.activate();
      revenue += 150;
      rate += 0.0025;
    }
    await context.sync();
    const current = worksheets.getActiveWorksheet();
    const [due, dueBefore] = [current, current.getPrevious()].map((sheet) => sheet.getRange('C2').load('text'));
    const [first, last] = [worksheets.getFirst().getNext(), worksheets.getLast()].map((sheet) =>
      sheet.getRange('B2').load('text'),
    );
    await context.sync();
    // 10,450 at 22.05% and 10,300 at 21.8%.
    expect([due!.text, dueBefore!.text]).toEqual([[['$2,304.23']], [['$2,245.40']]]);
    expect([first!.text, last!.text]).toEqual([[['21.30%']], [['22.05%']]]);
  });
});

test('A date is a number for an add-in, whether a formula gives it or the add-in', async () => {
  await excel().run(async (context) => {
    const sheet = context.workbook.worksheets.add('Sample');
    sheet.getRange('B2:B3').formulas = [['Now'], ['=NOW()']];
    const dates = sheet.getRange('B3:B4');
    dates.numberFormat = [['[$-409]m/d/yy h:mm AM/PM;@'], ['[$-409]m/d/yy h:mm AM/PM;@']];
    // 25 November 2026, a quarter past two in the afternoon.
    sheet.getRange('B4').values = [[46_351 + 14.25 / 24]];
    dates.format.autofitColumns();
    sheet.activate();
    dates.load('values, text');
    const before = Date.now();
    await context.sync();
    const offset = new Date().getTimezoneOffset() * 60_000;
    const [[now], [typed]] = dates.values as [[number], [number]];
    // Excel's clock is that of the place; its days count from the end of 1899.
    const millisecond = (now - 25_569) * 86_400_000 + offset;
    expect(Math.abs(millisecond - before)).toBeLessThan(60_000);
    expect(typed).toBe(46_351 + 14.25 / 24);
    expect(dates.text[1]).toEqual(['11/25/26 2:15 PM']);
    expect(dates.text[0]![0]).toMatch(/^\d+\/\d+\/\d\d \d+:\d\d [AP]M$/);
  });
});

test('A name may be a number, a text or a formula, and formulas with it have its value', async () => {
  await excel().run(async (context) => {
    const { names, worksheets } = context.workbook;
    const sheet = worksheets.getActiveWorksheet();
    sheet.getRange('A1:A3').values = [[1], [2], [3]];
    names.add('Rate', '=0.5');
    names.add('Greeting', '="hi"');
    names.add('Total', `=SUM(Sheet1!$A$1:$A$3)`);
    sheet.names.add('Own', '=Sheet1!$A$3+1');
    sheet.getRange('C1:C4').formulas = [['=Rate*2'], ['=Greeting&"!"'], ['=Total'], ['=Own']];
    const results = sheet.getRange('C1:C4').load('values');
    await context.sync();
    expect(results.values).toEqual([[1], ['hi!'], [6], [4]]);
  });
});

test('Formulas follow cells that are moved, and are calculated again when those change', async () => {
  await excel().run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1').values = [[5]];
    sheet.getRange('C1').formulas = [['=A1*2']];
    await context.sync();
    sheet.getRange('A1').moveTo('A5');
    const moved = sheet.getRange('C1').load('formulas, values');
    await context.sync();
    expect([moved.formulas, moved.values]).toEqual([[['=A5*2']], [[10]]]);
    sheet.getRange('A5').values = [[7]];
    moved.load('values');
    await context.sync();
    expect(moved.values).toEqual([[14]]);
  });
});

test('The name of a table stands for the cells of its rows', async () => {
  await excel().run(async (context) => {
    const sheet = context.workbook.worksheets.add("Rows' sheet");
    sheet.getRange('A1:B4').values = [
      ['n', 'm'],
      [1, 10],
      [2, 20],
      [3, 30],
    ];
    sheet.tables.add('A1:B4', true).name = 'Parts';
    const formulas = ['SUM(Parts)', 'ROWS(Parts)', 'COUNTA(Parts)', 'INDEX(Parts,2,2)', 'VLOOKUP(3,Parts,2,FALSE)'];
    const results = sheet.getRange('D1:D5');
    results.formulas = formulas.map((formula) => [`=${formula}`]);
    results.load('values');
    await context.sync();
    expect(results.values).toEqual([[66], [3], [6], [20], [30]]);
    sheet.getRange('B4').values = [[40]];
    results.load('values');
    await context.sync();
    expect(results.values).toEqual([[76], [3], [6], [20], [40]]);
  });
});

test('Functions that return cells are ends of ranges, and names may stand for what a formula fills or for two areas', async () => {
  await excel().run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:B5').values = [
      ['n', 'm'],
      [1, 10],
      [2, 20],
      [3, 30],
      [4, 40],
    ];
    sheet.getRange('D1').formulas = [['=SEQUENCE(3)']];
    const { names } = context.workbook;
    names.add('Filled', '=Sheet1!$D$1#');
    names.add('Two', '=Sheet1!$A$2:$A$3,Sheet1!$B$2:$B$3');
    names.add('Used', '=Sheet1!$A$2:INDEX(Sheet1!$A:$A,COUNT(Sheet1!$A:$A)+1)');
    names.add('Last', '=Sheet1!$A$5');
    const results: [string, unknown][] = [
      ['=SUM(Filled)', 6],
      ['=LET(x,10,SUM(Filled)+x)', 16],
      ['=LET(Filled,10,Filled+1)', 11],
      ['=SUM(Two)', 33],
      ['=SUM(Used)', 10],
      ['=COUNTIF(Used,">2")', 2],
      ['=SUM(A2:Last)', 10],
      ['=SUM(A2:INDEX(A:A,4))', 6],
      ['=SUM(INDEX(A2:B5,2,1):INDEX(A2:B5,3,2))', 55],
      ['=SUM(A2:INDEX(A2:B5,0,2))', 110],
      ['=SUM(A2:INDEX(A2:A5,MATCH(3,A2:A5,0)))', 6],
      ['=SUM(A2:INDEX(A2:A5,9))', '#REF!'],
      ['=SUM(A2:INDEX(A2:A5,MATCH("x",A2:A5,0)))', '#N/A'],
      ['=SUM(A2:OFFSET(A2,2,0))', 6],
      ['=SUM(A2:OFFSET(A5,0,0,-2,1))', 10],
      ['=SUM(A2:OFFSET(A2,-9,0))', '#REF!'],
      ['=SUM(XLOOKUP(2,A2:A5,B2:B5):XLOOKUP(4,A2:A5,B2:B5))', 90],
      ['=ROWS(A2:INDEX(A:A,4))', 3],
      ['=SUMIF(A2:INDEX(A:A,5),">2",B2:INDEX(B:B,5))', 70],
      // What is no area has no cells.
      ['=COUNTIF(A2:INDEX({1,2},1),1)', '#CALC!'],
      ['=5', 5],
      // The cell above, in a column of such formulas.
      ['=INDEX(F:F,ROW()-1)+1', 6],
      ['=INDEX(F:F,ROW()-1)+1', 7],
      ['=SUM(F21:INDEX(F:F,ROW()-1))', 18],
      ['=INDEX(F:F,ROW())', '#CALC!'],
    ];
    const cells = sheet.getRange(`F1:F${results.length}`);
    cells.formulas = results.map(([formula]) => [formula]);
    cells.load('values');
    await context.sync();
    expect(results.map(([formula], row) => [formula, cells.values[row]![0]])).toEqual(results);
    sheet.getRange('A4').values = [[5]];
    sheet.getRange('D1').formulas = [['=SEQUENCE(4)']];
    cells.load('values');
    await context.sync();
    expect([cells.values[0]![0], cells.values[7]![0]]).toEqual([10, 8]);
  });
});

test('The name of a formula has the value and the type of its result, and of cells their address', async () => {
  await excel().run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:B4').formulas = [
      ['Date', 'Amount'],
      ['1/1/2017', '$120'],
      ['1/2/2017', '$40'],
      ['1/3/2017', '=B2+B3'],
    ];
    sheet.tables.add('A1:B4', true).name = 'Expenses';
    const formulas = {
      Total: '=SUM(Expenses[AMOUNT])',
      Column: '=SUM(Sheet1!$B:$B)+COUNTA(Sheet1!$C:$C)',
      Word: '="a"&"b"',
      Truth: '=1>0',
      Wrong: '=1/0',
      Number: '=5',
    };
    for (const [name, formula] of Object.entries(formulas)) sheet.names.add(name, formula);
    sheet.names.add('Heading', sheet.getRange('A1:B1'));
    const names = sheet.names.load('name, type, value');
    const used = sheet.getUsedRange().load('address');
    await context.sync();
    expect(names.items.map(({ name, type, value }) => [name, type, value])).toEqual([
      ['Total', 'Double', 320],
      ['Column', 'Double', 320],
      ['Word', 'String', 'ab'],
      ['Truth', 'Boolean', true],
      ['Wrong', 'Error', '#DIV/0!'],
      ['Number', 'Double', 5],
      ['Heading', 'Range', 'Sheet1!$A$1:$B$1'],
    ]);
    expect(used.address).toBe('Sheet1!A1:B4');
  });
});
