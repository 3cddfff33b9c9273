import { describe, expect, test } from 'vitest';
import { attachCalculator } from '../calculation/calculator.ts';
import { openExcel } from '../node.ts';
import { readFile } from '../savedFile/readFile.ts';
import { writeFile } from '../savedFile/writeFile.ts';
import { enterAsTyped } from '../workbook/changes/tableShape.ts';
import { redo, undo } from '../workbook/changes/undo.ts';
import { resolveReference } from '../workbook/reference.ts';
import { formulaAt, valueAt } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';

const ADD_IN = '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33';

/** A sheet with a table of rates, and one with everything that can refer to it. */
const opened = async () => {
  const workbook = new Workbook();
  attachCalculator(workbook);
  const { Excel } = openExcel(workbook);
  const run = <Result>(work: (context: Excel.RequestContext) => Promise<Result>): Promise<Result> =>
    Excel.run(async (context) => {
      const result = await work(context);
      await context.sync();
      return result;
    });
  await run(async (context) => {
    const { worksheets, names } = context.workbook;
    const rates = worksheets.getActiveWorksheet();
    rates.name = 'Rates';
    rates.getRange('A1:C4').values = [
      ['Code', 'Rate', 'Note'],
      ['high', 21, 'n1'],
      ['low', 9, 'n2'],
      ['none', 0, 'n3'],
    ];
    rates.tables.add('A1:C4', true).name = 'Tax';
    rates.getRange('E1:E3').values = [[1], [2], [4]];
    const sheet = worksheets.add('Uses');
    names.add('First', rates.getRange('E1'));
    names.add('Sums', '=SUM(Tax[Rate])');
    await context.sync();
    sheet.getRange('A1:A8').formulas = [
      ['=Rates!E1+Rates!$E$2'],
      ['=SUM(Rates!E:E)'],
      ['=SUM( Rates!E1 : E3 )'],
      ['=SUM(Tax[Rate])'],
      ['=First*10'],
      ['=Sums'],
      ['=ROWS(Tax)'],
      ['=SUMIFS(Tax[Rate],Tax[Code],"low")'],
    ];
    const { dataValidation } = sheet.getRange('C1');
    dataValidation.rule = { list: { inCellDropDown: true, source: '=Rates!$A$2:$A$4' } };
    sheet.getRange('C2').dataValidation.rule = { custom: { formula: '=C2<Rates!$E$3' } };
    const format = sheet.getRange('A1:A8').conditionalFormats.add('Custom');
    format.custom.rule.formula = '=A1>Rates!$E$3';
  });
  const formulas = (address: string) => {
    const { sheet, area } = resolveReference(workbook, address, workbook.active)!;
    return Array.from({ length: area.rows }, (_, row) => formulaAt(sheet, area.row + row, area.column));
  };
  const values = (address: string) => {
    workbook.settle();
    const { sheet, area } = resolveReference(workbook, address, workbook.active)!;
    return Array.from({ length: area.rows }, (_, row) => valueAt(sheet, area.row + row, area.column));
  };
  const rules = () =>
    run(async (context) => {
      const sheet = context.workbook.worksheets.getItem('Uses');
      const list = sheet.getRange('C1').dataValidation.load('rule');
      const custom = sheet.getRange('C2').dataValidation.load('rule');
      const format = sheet.getRange('A1').conditionalFormats.getItemAt(0).custom.rule.load('formula');
      const first = context.workbook.names.getItem('First').load('formula');
      const sums = context.workbook.names.getItem('Sums').load('formula');
      await context.sync();
      const { rule: listed } = list;
      return [listed.list!.source, custom.rule.custom!.formula, format.formula, first.formula, sums.formula];
    });
  return { workbook, run, formulas, values, rules };
};

const allOf = [3, 7, 7, 30, 10, 30, 3, 9];
const allRules = ['=Rates!$A$2:$A$4', '=C2<Rates!$E$3', '=A1>Rates!$E$3', '=Rates!$E$1', '=SUM(Tax[Rate])'];

describe('A sheet that gets another name', () => {
  test('is named so in all formulas, names, lists and rules, and undo takes that back at once', async () => {
    const { workbook, run, formulas, values, rules } = await opened();
    expect(values('Uses!A1:A8')).toEqual(allOf);
    await run(async (context) => {
      context.workbook.worksheets.getItem('Rates').name = "Bob's 2";
    });
    expect(formulas('Uses!A1:A3')).toEqual([
      "='Bob''s 2'!E1+'Bob''s 2'!$E$2",
      "=SUM('Bob''s 2'!E:E)",
      "=SUM( 'Bob''s 2'!E1:E3 )",
    ]);
    expect(values('Uses!A1:A8')).toEqual(allOf);
    expect(await rules()).toEqual(allRules.map((rule) => rule.replace('Rates', "'Bob''s 2'")));
    // Formulas follow what is entered under the new name.
    enterAsTyped(workbook.sheets[0]!, { row: 1, column: 4, rows: 1, columns: 1 }, '20');
    expect(values('Uses!A1:A3')).toEqual([21, 25, 25]);
    undo(workbook);
    expect(workbook.sheets[0]!.name).toBe('Rates');
    expect(formulas('Uses!A1:A3')).toEqual(['=Rates!E1+Rates!$E$2', '=SUM(Rates!E:E)', '=SUM( Rates!E1 : E3 )']);
    expect(await rules()).toEqual(allRules);
    redo(workbook);
    expect(workbook.sheets[0]!.name).toBe("Bob's 2");
    expect((await rules())[3]).toBe("='Bob''s 2'!$E$1");
  });

  test('has its formulas in the downloaded file, which opens with the same values', async () => {
    const { workbook, run, formulas, values } = await opened();
    await run(async (context) => {
      context.workbook.worksheets.getItem('Rates').name = "Bob's 2";
      context.workbook.tables.getItem('Tax').name = 'Vat';
    });
    const [before, results] = [formulas('Uses!A1:A8'), values('Uses!A1:A8')];
    const { workbook: again, leftOut } = await readFile(await writeFile(workbook, ADD_IN), ADD_IN, 'en');
    attachCalculator(again);
    again.recalculate();
    const column = (read: typeof valueAt) => before.map((_, row) => read(again.sheets[1]!, row, 0));
    expect([column(formulaAt), column(valueAt), leftOut]).toEqual([before, results, []]);
    expect(again.names.map(({ name, formula }) => [name, formula])).toEqual([
      ['First', "='Bob''s 2'!$E$1"],
      ['Sums', '=SUM(Vat[Rate])'],
    ]);
    expect(again.sheets[1]!.validations.map(({ rule }) => rule.list)).toContainEqual({
      inCellDropDown: true,
      source: "='Bob''s 2'!$A$2:$A$4",
    });
  });
});

describe('A sheet that is deleted', () => {
  test('leaves #REF! in what referred to it', async () => {
    const { workbook, run, formulas, values, rules } = await opened();
    await run(async (context) => context.workbook.worksheets.getItem('Rates').delete());
    expect(formulas('Uses!A1:A8')).toEqual([
      '=#REF!E1+#REF!$E$2',
      '=SUM(#REF!E:E)',
      '=SUM( #REF!E1:E3 )',
      '=SUM(#REF!)',
      '=First*10',
      '=Sums',
      '=ROWS(#REF!)',
      '=SUMIFS(#REF!,#REF!,"low")',
    ]);
    expect(values('Uses!A1:A8')).toEqual(Array.from({ length: 8 }, () => '#REF!'));
    expect(await rules()).toEqual(['=#REF!$A$2:$A$4', '=C2<#REF!$E$3', '=A1>#REF!$E$3', '=#REF!$E$1', '=SUM(#REF!)']);
    const { workbook: again } = await readFile(await writeFile(workbook, ADD_IN), ADD_IN, 'en');
    const sheet = again.sheets.find(({ name }) => name === 'Uses')!;
    expect([formulaAt(sheet, 0, 0), formulaAt(sheet, 7, 0)]).toEqual([
      '=#REF!E1+#REF!$E$2',
      '=SUMIFS(#REF!,#REF!,"low")',
    ]);
  });
});

describe('A table', () => {
  test('that gets another name has it in all formulas', async () => {
    const { workbook, run, formulas, values, rules } = await opened();
    await run(async (context) => {
      context.workbook.tables.getItem('Tax').name = 'Vat';
    });
    expect([formulas('Uses!A4'), formulas('Uses!A7:A8')].flat()).toEqual([
      '=SUM(Vat[Rate])',
      '=ROWS(Vat)',
      '=SUMIFS(Vat[Rate],Vat[Code],"low")',
    ]);
    expect(values('Uses!A1:A8')).toEqual(allOf);
    expect((await rules())[4]).toBe('=SUM(Vat[Rate])');
    undo(workbook);
    expect(formulas('Uses!A4')).toEqual(['=SUM(Tax[Rate])']);
  });

  test.each([
    [
      'typed over its heading',
      (workbook: Workbook) => enterAsTyped(workbook.sheets[0]!, { row: 0, column: 1, rows: 1, columns: 1 }, 'Net [#]'),
    ],
  ])('has the new name of a column in all formulas when it is %s', async (_, rename) => {
    const { workbook, run, formulas, values, rules } = await opened();
    await run(async (context) => {
      context.workbook.tables.getItem('Tax').columns.add(undefined, [['Double'], ['=[@Rate]*2'], [''], ['']] as never);
    });
    rename(workbook);
    expect(formulas('Uses!A4')).toEqual(["=SUM(Tax[[Net '['#']]])"]);
    expect(formulas('Uses!A8')).toEqual([`=SUMIFS(Tax[[Net '['#']]],Tax[Code],"low")`]);
    expect(formulas('Rates!D2')).toEqual(["=[@[Net '['#']]]*2"]);
    expect([...values('Uses!A1:A8'), ...values('Rates!D2')]).toEqual([...allOf, 42]);
    expect((await rules())[4]).toBe("=SUM(Tax[[Net '['#']]])");
    enterAsTyped(workbook.sheets[0]!, { row: 1, column: 1, rows: 1, columns: 1 }, '5');
    expect(values('Uses!A4')).toEqual([14]);
  });

  test('has the new name of a column that the add-in gave, and undo takes it back at once', async () => {
    const { workbook, run, formulas, values } = await opened();
    await run(async (context) => {
      context.workbook.tables.getItem('Tax').columns.getItem('Rate').name = 'Percentage';
    });
    expect(formulas('Uses!A8')).toEqual(['=SUMIFS(Tax[Percentage],Tax[Code],"low")']);
    expect(values('Uses!A1:A8')).toEqual(allOf);
    undo(workbook);
    expect(formulas('Uses!A8')).toEqual(['=SUMIFS(Tax[Rate],Tax[Code],"low")']);
    expect(workbook.sheets[0]!.tables[0]!.columns.map(({ name }) => name)).toEqual(['Code', 'Rate', 'Note']);
    expect(values('Uses!A1:A8')).toEqual(allOf);
  });

  test('whose column is deleted leaves #REF! for it, and no other', async () => {
    const { workbook, run, formulas, values } = await opened();
    await run(async (context) => {
      context.workbook.worksheets.getItem('Uses').getRange('A9').formulas = [['=COUNTA(Tax[[Code]:[Rate]])']];
    });
    await run(async (context) => context.workbook.tables.getItem('Tax').columns.getItem('Rate').delete());
    expect([formulas('Uses!A4'), formulas('Uses!A7:A9')].flat()).toEqual([
      '=SUM(#REF!)',
      '=ROWS(Tax)',
      '=SUMIFS(#REF!,Tax[Code],"low")',
      '=COUNTA(Tax[Code])',
    ]);
    expect(values('Uses!A4:A9')).toEqual(['#REF!', 10, '#REF!', 3, '#REF!', 3]);
    undo(workbook);
    expect(formulas('Uses!A9')).toEqual(['=COUNTA(Tax[[Code]:[Rate]])']);
    expect(values('Uses!A1:A8')).toEqual(allOf);
    // Also when the column of the sheet is deleted.
    await run(async (context) => context.workbook.worksheets.getItem('Rates').getRange('B:B').delete('Left'));
    expect(formulas('Uses!A8')).toEqual(['=SUMIFS(#REF!,Tax[Code],"low")']);
  });

  test('that is deleted leaves #REF!, also with its rows', async () => {
    const { workbook, run, formulas, values } = await opened();
    await run(async (context) => context.workbook.tables.getItem('Tax').delete());
    expect([formulas('Uses!A4'), formulas('Uses!A7')].flat()).toEqual(['=SUM(#REF!)', '=ROWS(#REF!)']);
    expect(values('Uses!A6')).toEqual(['#REF!']);
    undo(workbook);
    expect(values('Uses!A1:A8')).toEqual(allOf);
    await run(async (context) => context.workbook.worksheets.getItem('Rates').getRange('A:C').delete('Left'));
    expect([formulas('Uses!A2'), formulas('Uses!A4')].flat()).toEqual(['=SUM(Rates!B:B)', '=SUM(#REF!)']);
  });

  test('that becomes cells leaves references to those cells', async () => {
    const { workbook, run, formulas, values, rules } = await opened();
    await run(async (context) => {
      context.workbook.tables.getItem('Tax').columns.add(undefined, [['Double'], ['=[@Rate]*2'], [''], ['']] as never);
    });
    await run(async (context) => void context.workbook.tables.getItem('Tax').convertToRange());
    expect([formulas('Uses!A4'), formulas('Uses!A7:A8'), formulas('Rates!D2')].flat()).toEqual([
      '=SUM(Rates!$B$2:$B$4)',
      '=ROWS(Rates!$A$2:$D$4)',
      '=SUMIFS(Rates!$B$2:$B$4,Rates!$A$2:$A$4,"low")',
      '=Rates!$B2*2',
    ]);
    expect(values('Uses!A1:A8')).toEqual(allOf);
    expect((await rules())[4]).toBe('=SUM(Rates!$B$2:$B$4)');
    undo(workbook);
    expect(formulas('Rates!D2')).toEqual(['=[@Rate]*2']);
  });

  test('that is made narrower leaves #REF! for the columns beside it', async () => {
    const { run, formulas } = await opened();
    await run(async (context) => context.workbook.tables.getItem('Tax').resize('A1:A4'));
    expect(formulas('Uses!A8')).toEqual(['=SUMIFS(#REF!,Tax[Code],"low")']);
  });
});

describe('Cells that are moved to another sheet', () => {
  test('are followed by all that refers to them, and undo takes that back at once', async () => {
    const { workbook, run, formulas, values, rules } = await opened();
    const changedCells: string[] = [];
    await run(async (context) => {
      const sheet = context.workbook.worksheets.add("Bob's 2");
      sheet.getRange('B1').values = [['beside']];
      context.workbook.worksheets
        .getItem('Rates')
        .charts.add('ColumnClustered', context.workbook.worksheets.getItem('Rates').getRange('E1:E3'));
      context.workbook.worksheets.getItem('Uses').onChanged.add(async ({ address }) => void changedCells.push(address));
    });
    await run(async (context) =>
      context.workbook.worksheets.getItem('Rates').getRange('E1:E3').moveTo("'Bob''s 2'!D5"),
    );
    expect(formulas('Uses!A1:A3')).toEqual([
      "='Bob''s 2'!D5+'Bob''s 2'!$D$6",
      '=SUM(Rates!E:E)',
      "=SUM( 'Bob''s 2'!D5:D7 )",
    ]);
    expect(values('Uses!A1:A5')).toEqual([3, 0, 7, 30, 10]);
    expect((await rules()).slice(0, 4)).toEqual([
      '=Rates!$A$2:$A$4',
      "=C2<'Bob''s 2'!$D$7",
      "=A1>'Bob''s 2'!$D$7",
      "='Bob''s 2'!$D$5",
    ]);
    const [chart] = workbook.sheets[0]!.charts;
    expect(chart!.source).toEqual({
      sheetId: workbook.sheets[2]!.id,
      area: { row: 4, column: 3, rows: 3, columns: 1 },
    });
    // As in Excel, nothing was entered on the sheet with the formulas.
    expect(changedCells).toEqual([]);
    undo(workbook);
    expect(formulas('Uses!A1:A3')).toEqual(['=Rates!E1+Rates!$E$2', '=SUM(Rates!E:E)', '=SUM( Rates!E1 : E3 )']);
    expect(values('Uses!A1:A5')).toEqual([3, 7, 7, 30, 10]);
    expect(workbook.sheets[0]!.charts[0]!.source!.area).toEqual({ row: 0, column: 4, rows: 3, columns: 1 });
  });

  test('keep their own references, and take their table along', async () => {
    const { workbook, run, formulas, values } = await opened();
    await run(async (context) => {
      const rates = context.workbook.worksheets.getItem('Rates');
      context.workbook.tables
        .getItem('Tax')
        .columns.add(undefined, [['Sum'], ['=[@Rate]+$F$1+E2'], [''], ['']] as never);
      rates.getRange('F1').values = [[100]];
      rates.getRange('H2').formulas = [['=Tax[@Rate]*2']];
      context.workbook.worksheets.add('Away');
    });
    expect(values('Rates!D2')).toEqual([123]);
    await run(async (context) => context.workbook.worksheets.getItem('Rates').getRange('A1:D4').moveTo('Away!B2'));
    expect(formulas('Away!E3')).toEqual(['=[@Rate]+Rates!$F$1+Rates!E2']);
    expect(workbook.sheets[2]!.tables.map(({ name, area }) => [name, area])).toEqual([
      ['Tax', { row: 1, column: 1, rows: 4, columns: 4 }],
    ]);
    expect([...values('Away!E3'), ...values('Uses!A4:A8')]).toEqual([123, 30, 10, 30, 3, 9]);
    undo(workbook);
    expect(formulas('Rates!D2')).toEqual(['=[@Rate]+$F$1+E2']);
    expect(workbook.sheets[2]!.tables).toEqual([]);
    expect(values('Uses!A1:A8')).toEqual(allOf);
  });

  test('out of a table name it in their own references', async () => {
    const { run, formulas, values } = await opened();
    await run(async (context) => {
      context.workbook.tables.getItem('Tax').columns.add(undefined, [['Sum'], ['=SUM([Rate])'], [''], ['']] as never);
    });
    await run(async (context) => {
      const rates = context.workbook.worksheets.getItem('Rates');
      rates.getRange('H1').copyFrom('D2');
      rates.getRange('D2').moveTo('Uses!F1');
    });
    expect([formulas('Uses!F1'), formulas('Rates!H1')].flat()).toEqual(['=SUM(Tax[Rate])', '=SUM(Tax[Rate])']);
    expect(values('Uses!F1')).toEqual([30]);
  });
});

describe('Formulas with entire columns and rows', () => {
  test('follow inserted and deleted ones, and have their values', async () => {
    const { run, formulas, values } = await opened();
    await run(async (context) => {
      const rates = context.workbook.worksheets.getItem('Rates');
      const uses = context.workbook.worksheets.getItem('Uses');
      uses.getRange('G1:G2').formulas = [['=SUM(Rates!2:3)'], ['=SUM(Rates!$E:$E)']];
      rates.getRange('1:1').insert('Down');
      rates.getRange('A:A').insert('Right');
    });
    expect(formulas('Uses!G1:G2')).toEqual(['=SUM(Rates!3:4)', '=SUM(Rates!$F:$F)']);
    expect(values('Uses!G1:G2')).toEqual([21 + 9 + 2 + 4, 7]);
    await run(async (context) => {
      context.workbook.worksheets.getItem('Uses').getRange('H2').copyFrom('G1');
      context.workbook.worksheets.getItem('Rates').getRange('F:F').delete('Left');
    });
    expect(formulas('Uses!G2:H2')).toEqual(['=SUM(Rates!#REF!)']);
    expect(formulas('Uses!H2')).toEqual(['=SUM(Rates!4:5)']);
    expect(values('Uses!G2')).toEqual(['#REF!']);
  });
});

describe('A formula with blanks', () => {
  test('is calculated again for every cell that it refers to', async () => {
    const { workbook, values } = await opened();
    expect(values('Uses!A3')).toEqual([7]);
    enterAsTyped(workbook.sheets[0]!, { row: 1, column: 4, rows: 1, columns: 1 }, '50');
    expect(values('Uses!A3')).toEqual([55]);
  });
});
