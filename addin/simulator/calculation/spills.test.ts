import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openExcel } from '../node.ts';
import { readFile } from '../savedFile/readFile.ts';
import { writeFile } from '../savedFile/writeFile.ts';
import { redo, undo } from '../workbook/changes/undo.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

/** Three rows of numbers and texts: A1:B3, and a table T of them beside it, in I1:J4. */
async function withData(
  work: (sheet: Excel.Worksheet, context: Excel.RequestContext, workbook: Workbook) => Promise<void>,
): Promise<void> {
  const workbook = new Workbook();
  attachCalculator(workbook);
  await openExcel(workbook).Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:B3').values = [
      [3, 'a'],
      [1, 'bb'],
      [2, 'ccc'],
    ];
    sheet.getRange('I1:J4').values = [
      ['n', 't'],
      [3, 'a'],
      [1, 'bb'],
      [2, 'ccc'],
    ];
    sheet.tables.add('I1:J4', true).name = 'T';
    await work(sheet, context, workbook);
  });
}

/** The rows that a formula in D2 fills, read from D1:G5. */
async function filled(formula: string): Promise<unknown[][]> {
  let rows: unknown[][] = [];
  await withData(async (sheet, context) => {
    sheet.getRange('D2').formulas = [[formula]];
    const around = sheet.getRange('D1:G5').load('values');
    await context.sync();
    rows = around.values.map((row) => row.slice(0, row.findLastIndex((value) => value !== '') + 1));
    expect(rows.shift()).toEqual([]);
    rows = rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1);
  });
  return rows;
}

/** Formulas in D2 and what they fill, by Microsoft's descriptions of the functions and arithmetic. */
const formulas: readonly [string, unknown[][]][] = [
  ['=A1:A3', [[3], [1], [2]]],
  ['={1,2,3}', [[1, 2, 3]]],
  [
    '={1,2;"x",TRUE}',
    [
      [1, 2],
      ['x', true],
    ],
  ],
  ['=A1:A3*2', [[6], [2], [4]]],
  ['=-A1:A3', [[-3], [-1], [-2]]],
  ['=A1:A3&B1:B3', [['3a'], ['1bb'], ['2ccc']]],
  [
    '=A1:A3+{10,20}',
    [
      [13, 23],
      [11, 21],
      [12, 22],
    ],
  ],
  ['=A1:A3>1', [[true], [false], [true]]],
  ['=IF(A1:A3>1,B1:B3,"no")', [['a'], ['no'], ['ccc']]],
  ['=IFERROR(FILTER(A1:A3,A1:A3>1),"")', [[3], [2]]],
  ['=IFERROR(1/(A1:A3-1),"e")', [[0.5], ['e'], [1]]],
  ['=LET(x,A1:A3,x+1)', [[4], [2], [3]]],
  ['=LET(x,B1:B3,LEN(x))', [[1], [2], [3]]],
  ['=SORT(A1:A3)&"x"', [['1x'], ['2x'], ['3x']]],
  [
    '=SEQUENCE(2,2)*10',
    [
      [10, 20],
      [30, 40],
    ],
  ],
  ['=TRANSPOSE(A1:A3)', [[3, 1, 2]]],
  ['=T[n]', [[3], [1], [2]]],
  [
    '=T',
    [
      [3, 'a'],
      [1, 'bb'],
      [2, 'ccc'],
    ],
  ],
  ['=T[n]*2', [[6], [2], [4]]],
  ['=LEN(B1:B3)', [[1], [2], [3]]],
  ['=UPPER(LEFT(B1:B3,1))', [['A'], ['B'], ['C']]],
  ['=ROUND(A1:A3/7,2)', [[0.43], [0.14], [0.29]]],
  ['=ROUND(10/A1:A3,A1:A3)', [[3.333], [10], [5]]],
  ['=TEXT(A1:A3,"0.0")', [['3.0'], ['1.0'], ['2.0']]],
  ['=DATE(2026,A1:A3,1)', [[46082], [46023], [46054]]],
  ['=MOD(A1:A3,2)', [[1], [1], [0]]],
  [
    '=ISNUMBER(A1:B3)',
    [
      [true, false],
      [true, false],
      [true, false],
    ],
  ],
  ['=IFS(A1:A3>2,"hi",TRUE,"lo")', [['hi'], ['lo'], ['lo']]],
  ['=SWITCH(A1:A3,1,"one","other")', [['other'], ['one'], ['other']]],
  ['=SUMIF(A1:A3,A1:A3)', [[3], [1], [2]]],
  ['=COUNTIF(A1:A3,">"&A1:A3)', [[0], [2], [1]]],
  ['=SUMIFS(A1:A3,B1:B3,B1:B3)', [[3], [1], [2]]],
  ['=VLOOKUP(A1:A3,A1:B3,2,FALSE)', [['a'], ['bb'], ['ccc']]],
  ['=MATCH(B1:B3,B1:B3,0)', [[1], [2], [3]]],
  ['=XLOOKUP({"ccc","a"},B1:B3,A1:A3)', [[2, 3]]],
  ['=XLOOKUP("bb",B1:B3,A1:B3)', [[1, 'bb']]],
  ['=INDEX(A1:B3,0,2)', [['a'], ['bb'], ['ccc']]],
  ['=INDEX(A1:A3,{3;1})', [[2], [3]]],
  [
    '=CHOOSE({1,2},B1:B3,A1:A3)',
    [
      ['a', 3],
      ['bb', 1],
      ['ccc', 2],
    ],
  ],
  ['=ROW(A1:A3)', [[1], [2], [3]]],
  ['=COLUMN(A1:C1)', [[1, 2, 3]]],
  [
    '=OFFSET(A1,1,0,2,2)',
    [
      [1, 'bb'],
      [2, 'ccc'],
    ],
  ],
  ['=INDIRECT("A1:A2")', [[3], [1]]],
  ['=A2:C2', [[1, 'bb', 0]]],
  ['=MAP(A1:A3,LAMBDA(x,x*x))', [[9], [1], [4]]],
  ['=FILTER(A1:A3,A1:A3>9)', [['#CALC!']]],
  // One value.
  ['=SUM(A1:A3*2)', [[12]]],
  ['=SUM(LEN(B1:B3))', [[6]]],
  ['=SUMPRODUCT((A1:A3>1)*A1:A3)', [[5]]],
  ['=MAX(IF(A1:A3<3,A1:A3))', [[2]]],
  ['=TEXTJOIN("-",TRUE,B1:B3&"!")', [['a!-bb!-ccc!']]],
  ['=SUM(COUNTIF(A1:A3,{1,2}))', [[2]]],
  ['=INDEX(A1:B3,2,2)', [['bb']]],
  ['=AND(A1:A3>0)', [[true]]],
  // Implicit intersection: the cell in the row or column of D2.
  ['=@A1:A3', [[1]]],
  ['=@A1:A3*2', [[2]]],
  ['=@A1:D1', [['#REF!']]],
  ['=@A5:A9', [['#VALUE!']]],
  ['=@A:A', [[1]]],
  ['=@SEQUENCE(3)', [[1]]],
  ['=@T[n]', [[3]]],
  ['=LEN(@B1:B3)', [[2]]],
];

describe('A formula with several values', () => {
  test.each(formulas.filter(([formula]) => formula !== '=@A1:D1'))('%s fills as many cells', async (formula, rows) => {
    expect(await filled(formula)).toEqual(rows);
  });

  test('is a formula in its first cell only, and says where it spills', async () => {
    await withData(async (sheet, context) => {
      sheet.getRange('D2').formulas = [['=A1:B3']];
      const anchor = sheet.getRange('D2').load('hasSpill,formulas');
      const inside = sheet.getRange('E3').load('hasSpill,values');
      const outside = sheet.getRange('A1').load('hasSpill');
      const both = sheet.getRange('C2:D2').load('hasSpill');
      const to = anchor.getSpillingToRange().load('address');
      const parent = inside.getSpillParent().load('address');
      const own = anchor.getSpillParentOrNullObject().load('address');
      const none = outside.getSpillParentOrNullObject().load('address');
      const nowhere = outside.getSpillingToRangeOrNullObject().load('address');
      await context.sync();
      expect([anchor.formulas, inside.values]).toEqual([[['=A1:B3']], [['bb']]]);
      expect([anchor.hasSpill, inside.hasSpill, outside.hasSpill, both.hasSpill]).toEqual([true, true, false, null]);
      expect([to.address, parent.address, own.address]).toEqual(['Sheet1!D2:E4', 'Sheet1!D2', 'Sheet1!D2']);
      expect([none.isNullObject, nowhere.isNullObject]).toEqual([true, true]);
      sheet.getRange('A1').getSpillParent().load('address');
      await expect(context.sync()).rejects.toMatchObject({ code: 'ItemNotFound' });
    });
  });

  test('is #SPILL! and nothing else while a cell is in its way', async () => {
    await withData(async (sheet, context) => {
      const all = sheet.getRange('D2:E4');
      const read = async () => {
        all.load('values,valueTypes');
        await context.sync();
        return all.values;
      };
      sheet.getRange('D4').values = [['x']];
      sheet.getRange('D2:E2').formulas = [['=A1:A3', '=D2']];
      sheet.getRange('E3:E4').formulas = [['=D3&"!"'], ['=D4&"!"']];
      expect(await read()).toEqual([
        ['#SPILL!', '#SPILL!'],
        ['', '!'],
        ['x', 'x!'],
      ]);
      expect(all.valueTypes[0]).toEqual(['Error', 'Error']);
      sheet.getRange('D4').clear('Contents');
      expect(await read()).toEqual([
        [3, 3],
        [1, '1!'],
        [2, '2!'],
      ]);
      sheet.getRange('D3').values = [['mine']];
      expect(await read()).toEqual([
        ['#SPILL!', '#SPILL!'],
        ['mine', 'mine!'],
        ['', '!'],
      ]);
    });
  });

  test.each([
    ['a table', (sheet: Excel.Worksheet) => sheet.tables.add('D4:D5', true)],
    ['merged cells', (sheet: Excel.Worksheet) => sheet.getRange('D4:E4').merge()],
    ['another formula', (sheet: Excel.Worksheet) => Object.assign(sheet.getRange('D4'), { formulas: [['=""']] })],
  ])('is #SPILL! for %s in its way', async (_, block) => {
    await withData(async (sheet, context) => {
      block(sheet);
      sheet.getRange('D2').formulas = [['=A1:A3']];
      const cells = sheet.getRange('D2:D3').load('values');
      await context.sync();
      expect(cells.values).toEqual([['#SPILL!'], ['']]);
    });
  });

  test('has room where cells are merged no longer', async () => {
    await withData(async (sheet, context) => {
      sheet.getRange('D4:E4').merge();
      sheet.getRange('D2').formulas = [['=A1:A3']];
      sheet.getRange('F2').formulas = [['=D3']];
      await context.sync();
      sheet.getRange('D4').unmerge();
      const cells = sheet.getRange('D2:D4').load('values');
      const other = sheet.getRange('F2').load('values');
      await context.sync();
      expect([cells.values, other.values]).toEqual([[[3], [1], [2]], [[1]]]);
    });
  });

  test('is #SPILL! in a table, where @ and the columns of its row give one', async () => {
    await withData(async (sheet, context) => {
      sheet.getRange('L1:M3').formulas = [
        ['first', 'second'],
        ['=A1:A3', '=@A1:A3'],
        ['', ''],
      ];
      sheet.tables.add('L1:M3', true);
      const cells = sheet.getRange('L2:M2').load('values');
      const tables = cells.getTables().load('items');
      await context.sync();
      expect(cells.values).toEqual([['#SPILL!', 1]]);
      expect(tables.items).toHaveLength(1);
    });
  });

  test('is of several columns of a row of a table, and an error beside no row of it', async () => {
    await withData(async (sheet, context) => {
      sheet.getRange('L1:O3').values = [
        ['One', 'Two', 'Sum', 'Both'],
        [1, 2, '', ''],
        [3, 4, '', ''],
      ];
      sheet.tables.add('L1:O3', true).name = 'Rows';
      sheet.getRange('N2:O3').formulas = Array.from({ length: 2 }, () => [
        '=SUM([@One]:[@Two])',
        '=SUM(Rows[@[One]:[Two]])',
      ]);
      sheet.getRange('Q1:Q4').formulas = Array.from({ length: 4 }, () => ['=Rows[@Two]']);
      sheet.getRange('R1:R4').formulas = Array.from({ length: 4 }, () => ['=SUM(Rows[[#This Row],[One]:[Two]])']);
      const [within, beside] = ['N2:O3', 'Q1:R4'].map((address) => sheet.getRange(address).load('values'));
      await context.sync();
      expect(within!.values).toEqual([
        [3, 3],
        [7, 7],
      ]);
      expect(beside!.values).toEqual([
        ['#VALUE!', '#VALUE!'],
        [2, 3],
        [4, 7],
        ['#VALUE!', '#VALUE!'],
      ]);
    });
  });

  test('beyond the edge of the sheet has no room', async () => {
    await withData(async (sheet, context) => {
      sheet.getRange('XFD1').formulas = [['=A1:B1']];
      sheet.getRange('XFA2').formulas = [['=SEQUENCE(1,20)']];
      const cells = ['XFD1', 'XFA2'].map((address) => sheet.getRange(address).load('values'));
      await context.sync();
      expect(cells.map(({ values }) => values)).toEqual([[['#SPILL!']], [['#SPILL!']]]);
    });
  });

  test('has no room where another one is, until that goes', async () => {
    await withData(async (sheet, context) => {
      const all = sheet.getRange('D2:F3');
      sheet.getRange('E2').formulas = [['=A1:A3']];
      all.load('values');
      await context.sync();
      sheet.getRange('D3').formulas = [['=A1:B1']];
      all.load('values');
      await context.sync();
      expect(all.values).toEqual([
        ['', 3, ''],
        ['#SPILL!', 1, ''],
      ]);
      sheet.getRange('E2').formulas = [['=9']];
      all.load('values');
      await context.sync();
      expect(all.values).toEqual([
        ['', 9, ''],
        [3, 'a', ''],
      ]);
    });
  });

  test('fills other cells when its inputs change, and formulas with its cells follow', async () => {
    await withData(async (sheet, context) => {
      const all = sheet.getRange('D1:E4');
      const read = async () => {
        all.load('values');
        await context.sync();
        return all.values;
      };
      sheet.getRange('C1').values = [[0]];
      // Before it, and after it, in the order of cells.
      sheet.getRange('D1:E2').formulas = [
        ['=SUM(E2:E4)', '=SUM(E2#)'],
        ['=COUNT(E2:E4)', '=FILTER(A1:A3,A1:A3>C1)'],
      ];
      expect(await read()).toEqual([
        [6, 6],
        [3, 3],
        ['', 1],
        ['', 2],
      ]);
      sheet.getRange('C1').values = [[1]];
      expect(await read()).toEqual([
        [5, 5],
        [2, 3],
        ['', 2],
        ['', ''],
      ]);
      sheet.getRange('C1').values = [[2]];
      expect(await read()).toEqual([
        [3, 3],
        [1, 3],
        ['', ''],
        ['', ''],
      ]);
      sheet.getRange('A2').values = [[8]];
      expect(await read()).toEqual([
        [11, 11],
        [2, 3],
        ['', 8],
        ['', ''],
      ]);
      sheet.getRange('E2').clear('Contents');
      expect(await read()).toEqual([
        [0, '#REF!'],
        [0, ''],
        ['', ''],
        ['', ''],
      ]);
    });
  });

  test('may be made of the cells that another one fills, through many of them', async () => {
    await withData(async (sheet, context) => {
      for (let column = 0; column < 20; column += 1) {
        const before = sheet.getCell(9, column);
        before.load('address');
        await context.sync();
        const address = before.address.replace('Sheet1!', '');
        sheet.getCell(9, column + 1).formulas = [[column === 0 ? '=A1:A3' : `=${address}#+1`]];
      }
      const last = sheet.getRange('U10:U12');
      last.load('values');
      await context.sync();
      expect(last.values).toEqual([[22], [20], [21]]);
      sheet.getRange('A1').values = [[100]];
      last.load('values');
      await context.sync();
      expect(last.values).toEqual([[119], [20], [21]]);
    });
  });

  test('is referred to by # of one value, and #REF! of what fills nothing', async () => {
    await withData(async (sheet, context) => {
      sheet.getRange('D1:D2').formulas = [['=FILTER(A1:A3,A1:A3>2)'], ['=1/0']];
      sheet.getRange('E1:E4').formulas = [
        ['=D1#+1'],
        ['=IFERROR(A1#,"no")'],
        ['=ERROR.TYPE(D2#)'],
        ['=ROWS(Sheet1!D1#)'],
      ];
      const cells = sheet.getRange('E1:E4').load('values');
      await context.sync();
      expect(cells.values).toEqual([[4], ['no'], [2], [1]]);
    });
  });

  test('stays where its cells move, and comes back with undo and redo', async () => {
    await withData(async (sheet, context, workbook) => {
      sheet.getRange('D2').formulas = [['=A1:A3']];
      await context.sync();
      const shown = () => {
        workbook.settle();
        return [1, 2, 3, 4, 5].map((row) => workbook.active.rows[row]?.cells[3]?.value ?? '');
      };
      expect(shown()).toEqual([3, 1, 2, '', '']);
      sheet.getRange('1:1').insert('Down');
      await context.sync();
      expect(shown()).toEqual(['', 3, 1, 2, '']);
      undo(workbook);
      expect(shown()).toEqual([3, 1, 2, '', '']);
      sheet.getRange('D3').values = [['x']];
      await context.sync();
      expect(shown()).toEqual(['#SPILL!', 'x', '', '', '']);
      undo(workbook);
      expect(shown()).toEqual([3, 1, 2, '', '']);
      redo(workbook);
      expect(shown()).toEqual(['#SPILL!', 'x', '', '', '']);
    });
  });

  test('is one in files too, also where it has one value, and operators have functions there', async () => {
    await withData(async (sheet, context, workbook) => {
      const formulas = ['=FILTER(A1:A3,A1:A3>2)', '=@A1:A3*2', '=SUM(G1#)+1', '=SUM(A1:A3)', '=A1:A3'];
      sheet.getRange('C1:G1').formulas = [formulas];
      await context.sync();
      const addIn = '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea';
      const file = await writeFile(workbook, addIn);
      const xml = strFromU8(unzipSync(file)['xl/worksheets/sheet1.xml']!);
      const inFile = ['C1', 'D1', 'E1', 'F1', 'G1'].map((address) => {
        const cell = new RegExp(`<c r="${address}"([^>]*)><f([^>]*)>([^<]*)<`).exec(xml);
        return [cell?.[1]?.includes('cm="1"'), / ref="([^"]*)"/.exec(cell?.[2] ?? '')?.[1], cell?.[3]];
      });
      expect(inFile).toEqual([
        [true, 'C1', '_xlfn._xlws.FILTER(A1:A3,A1:A3&gt;2)'],
        [false, undefined, '_xlfn.SINGLE(A1:A3)*2'],
        [false, undefined, 'SUM(_xlfn.ANCHORARRAY(G1))+1'],
        [false, undefined, 'SUM(A1:A3)'],
        [true, 'G1:G3', 'A1:A3'],
      ]);
      const { workbook: opened, leftOut } = await readFile(file, addIn, 'en');
      attachCalculator(opened);
      await openExcel(opened).Excel.run(async (other) => {
        const cells = other.workbook.worksheets.getActiveWorksheet().getRange('C1:G1').load('formulas,values');
        await other.sync();
        expect([cells.formulas, cells.values]).toEqual([[formulas], [[3, 6, 7, 6, 3]]]);
        other.workbook.worksheets.getActiveWorksheet().getRange('A1').values = [[30]];
        cells.load('values');
        await other.sync();
        expect(cells.values).toEqual([[30, 60, 34, 33, 30]]);
      });
      expect(leftOut).toEqual([]);
    });
  });

  test('has empty texts in its cells and no blanks, also in a file that is opened again', async () => {
    await withData(async (sheet, context, workbook) => {
      sheet.getRange('C1').formulas = [['=IF(A1:A3<3,"",A1:A3)']];
      const formulas = ['=ISBLANK(C2)', '=C2=0', '=COUNTA(C1:C3)', '=C3', '=C3+1'];
      const results = [false, false, 3, '', '#VALUE!'];
      const first = sheet.getRange('D5:H5');
      first.formulas = [formulas];
      first.load('values');
      await context.sync();
      expect(first.values).toEqual([results]);
      const addIn = '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea';
      const { workbook: opened } = await readFile(await writeFile(workbook, addIn), addIn, 'en');
      attachCalculator(opened);
      await openExcel(opened).Excel.run(async (other) => {
        const cells = other.workbook.worksheets.getActiveWorksheet().getRange('D6:H6');
        cells.formulas = [formulas];
        cells.load('values');
        await other.sync();
        expect(cells.values).toEqual([results]);
      });
    });
  });

  test('fills no more than there can be, whatever a file says', async () => {
    await withData(async (sheet, context, workbook) => {
      sheet.getRange('C1').formulas = [['=A1:A3']];
      await context.sync();
      const addIn = '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea';
      const parts = unzipSync(await writeFile(workbook, addIn));
      const part = 'xl/worksheets/sheet1.xml';
      const huge = strFromU8(parts[part]!).replace('ref="C1:C3"', 'ref="C1:XFD1048576"');
      expect(huge).toContain('XFD1048576');
      const { workbook: opened } = await readFile(zipSync({ ...parts, [part]: strToU8(huge) }), addIn, 'en');
      attachCalculator(opened);
      await openExcel(opened).Excel.run(async (other) => {
        const cells = other.workbook.worksheets.getActiveWorksheet().getRange('C1:C4').load('values');
        await other.sync();
        expect(cells.values).toEqual([[3], [1], [2], ['']]);
        other.workbook.worksheets.getActiveWorksheet().getRange('A2').values = [[5]];
        cells.load('values');
        await other.sync();
        expect(cells.values).toEqual([[3], [5], [2], ['']]);
      });
    });
  });

  test('takes no more than one can have from a file, of however many formulas', async () => {
    await withData(async (sheet, context, workbook) => {
      const formulas = Array.from({ length: 40 }, () => '=A$1:A$3');
      sheet.getRange('L1').getResizedRange(0, 39).formulas = [formulas];
      await context.sync();
      const addIn = '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea';
      const parts = unzipSync(await writeFile(workbook, addIn));
      const part = 'xl/worksheets/sheet1.xml';
      const xml = strFromU8(parts[part]!).replaceAll(/ref="([L-Z]|A[A-Z]|B[A-Z])1:\1[0-9]+"/g, 'ref="$11:$11048576"');
      expect(xml.match(/1048576"/g)).toHaveLength(40);
      const { workbook: opened } = await readFile(zipSync({ ...parts, [part]: strToU8(xml) }), addIn, 'en');
      attachCalculator(opened);
      await openExcel(opened).Excel.run(async (other) => {
        const active = other.workbook.worksheets.getActiveWorksheet();
        active.getRange('A2').values = [[5]];
        const last = active.getRange('AY1:AY4').load('values');
        await other.sync();
        expect(last.values).toEqual([[3], [5], [2], ['']]);
      });
    });
  });

  test('that would follow itself ends', async () => {
    await withData(async (sheet, context) => {
      sheet.getRange('D2').formulas = [['=SEQUENCE(2+SUM(D3:D9))']];
      const cell = sheet.getRange('D2').load('values');
      await context.sync();
      expect(cell.values).not.toEqual([['']]);
    });
  });
});
