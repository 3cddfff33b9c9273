import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { libreOffice, openInLibreOffice } from '../../../testing/exports/libreOffice.ts';
import { folderOfTest } from '../../../testing/temporaryFolder.ts';
import { openExcel } from '../node.ts';
import { parseArea } from '../workbook/cells/address.ts';
import { enterValues } from '../workbook/changes/enter.ts';
import { addTable } from '../workbook/changes/tableShape.ts';
import { formulaAt } from '../workbook/sheet.ts';
import { renameTable } from '../workbook/table.ts';
import { Workbook } from '../workbook/workbook.ts';
import { textOf } from './fileParts.ts';
import { readFile } from './readFile.ts';
import { writeFile as writeWorkbook } from './writeFile.ts';

const ADD_IN = '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33';

test('A downloaded workbook has every sheet, with texts as texts, numbers as numbers and dates as dates', async () => {
  const workbook = new Workbook();
  const { Excel } = openExcel(workbook);
  await Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:A4').numberFormat = '@' as never;
    sheet.getRange('A1:D3').values = [
      ['Code', 'Amount', 'Date', 'Paid'],
      ['0100', 1234.5, '2024-02-29', true],
      ['=1+1', -0.01, '', false],
    ];
    sheet.getRange('A4').values = [['12345678901234567890']];
    sheet.getRange('B2:B3').numberFormat = [['#,##0.00'], ['#,##0.00']];
    sheet.freezePanes.freezeRows(1);
    context.workbook.worksheets.add('Second & last').getRange('B2').values = [['<text>']];
    await context.sync();
  });
  const file = Buffer.from(await writeWorkbook(workbook, ADD_IN));
  expect(await readSheet(file, 'Sheet1')).toEqual([
    ['Code', 'Amount', 'Date', 'Paid'],
    ['0100', 1234.5, new Date('2024-02-29T00:00:00.000Z'), true],
    ['=1+1', -0.01, null, false],
    ['12345678901234567890', null, null, null],
  ]);
  expect(await readSheet(file, 'Second & last')).toEqual([
    [null, null],
    [null, '<text>'],
  ]);
});

test('A file keeps what is in merged cells behind the first one', async () => {
  const workbook = new Workbook();
  const { Excel } = openExcel(workbook);
  const values = [
    ['Total', 12.5],
    ['', '=B1*2'],
  ];
  await Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:B2').values = values;
    await context.sync();
  });
  const merged = { row: 0, column: 0, rows: 2, columns: 2 };
  workbook.active.merges = [merged];
  const { active: opened } = (await readFile(await writeWorkbook(workbook, ADD_IN), ADD_IN, 'en')).workbook;
  expect(opened.merges).toEqual([merged]);
  expect([0, 1].map((row) => [0, 1].map((column) => formulaAt(opened, row, column)))).toEqual(values);
});

test('What LET and LAMBDA name has its prefix in a file, as their functions have, and none when it is opened', async () => {
  const formulas = [
    ['=LET(net,A1,vat,net*0.21,net+vat)', '_xlfn.LET(_xlpm.net,A1,_xlpm.vat,_xlpm.net*0.21,_xlpm.net+_xlpm.vat)'],
    [
      '=SUM(MAP(A1:A2,LAMBDA(x,IF(x>1,"x",x))))',
      'SUM(_xlfn.MAP(A1:A2,_xlfn.LAMBDA(_xlpm.x,IF(_xlpm.x>1,"x",_xlpm.x))))',
    ],
    ['=LET(f,LAMBDA(x,x+1),f(2)+x)', '_xlfn.LET(_xlpm.f,_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1),_xlpm.f(2)+x)'],
    ['=REDUCE(0,A1:A2,LAMBDA(a,b,a+b))', '_xlfn.REDUCE(0,A1:A2,_xlfn.LAMBDA(_xlpm.a,_xlpm.b,_xlpm.a+_xlpm.b))'],
    ['=SCAN(0,A1:A2,Sum)+MAKEARRAY(1,1,Sum)', '_xlfn.SCAN(0,A1:A2,Sum)+_xlfn.MAKEARRAY(1,1,Sum)'],
  ] as const;
  const workbook = new Workbook();
  for (const [row, [formula]] of formulas.entries()) {
    enterValues(workbook.active, { row, column: 3, rows: 1, columns: 1 }, formula);
  }
  const file = await writeWorkbook(workbook, ADD_IN);
  const xml = strFromU8(unzipSync(file)['xl/worksheets/sheet1.xml']!);
  const inFile = [...xml.matchAll(/<f[^>]*>(.*?)<\/f>/g)].map(([, formula]) => textOf(formula!));
  expect(inFile).toEqual(formulas.map(([, written]) => written));
  const { workbook: again } = await readFile(file, ADD_IN, 'en');
  expect(again.active.rows.map((row) => row!.cells[3]!.formula)).toEqual(formulas.map(([formula]) => formula));
});

test('Formulas name their table and its row in a file as Excel does, which knows no `@` there', async () => {
  const formulas = [
    ['D2', '=[@Price]*[@[Net price]]', 'Products[[#This Row],[Price]]*Products[[#This Row],[Net price]]'],
    [
      'D3',
      '=SUM([@[Price]:[Net price]])+ROWS([@])',
      'SUM(Products[[#This Row],[Price]:[Net price]])+ROWS(Products[#This Row])',
    ],
    [
      'D4',
      "=[@['@ '[x']]]+SUM([Price])&\"[@Price]\"",
      "Products[[#This Row],['@ '[x']]]+SUM(Products[Price])&\"[@Price]\"",
    ],
    ['F2', '=Products[@Price]', 'Products[[#This Row],[Price]]'],
    ['F3', '=SUM(Products[[#Headers],[#Data],[Price]])', 'SUM(Products[[#Headers],[#Data],[Price]])'],
  ] as const;
  const workbook = new Workbook();
  const sheet = workbook.active;
  enterValues(sheet, parseArea('A1:D4')!, [
    ['Price', 'Net price', '@ [x]', 'Result'],
    ...[1, 2, 3].map((value) => [value, value, value, '']),
  ]);
  renameTable(addTable(sheet, parseArea('A1:D4')!, true), 'Products');
  for (const [address, formula] of formulas) enterValues(sheet, parseArea(address)!, formula);
  const file = await writeWorkbook(workbook, ADD_IN);
  const xml = strFromU8(unzipSync(file)['xl/worksheets/sheet1.xml']!);
  const inFile = [...xml.matchAll(/<c r="(\w+)"[^>]*><f[^>]*>(.*?)<\/f>/g)];
  expect(new Map(inFile.map(([, address, formula]) => [address, textOf(formula!)]))).toEqual(
    new Map(formulas.map(([address, , written]) => [address, written])),
  );
  const { active } = (await readFile(file, ADD_IN, 'en')).workbook;
  const again = formulas
    .map(([address]) => parseArea(address)!)
    .map(({ row, column }) => formulaAt(active, row, column));
  expect(again).toEqual(formulas.map(([, formula]) => formula));
});

test('What Excel takes for no formula is none in a file, which is damaged for Excel otherwise', async () => {
  const none = [
    '+31 6 12345678',
    '+31 (0)6 12',
    '- 5 pieces',
    '-> later',
    '+/- 5',
    '=1.5.6',
    '=(A1)"x"',
    '=“a”',
    '=5%6',
  ];
  const sound = [
    '=-A1%-5%',
    '=A1:B2 B1:C2',
    '=(A1 B1) 5:7',
    '=1<>-2',
    '=IF(A1>=-1,,{1,2}&"x y")',
    "='My 2'!A1 2:3",
    '=A1^-1E-5',
  ];
  const workbook = new Workbook();
  for (const [row, typed] of [...none, ...sound].entries()) {
    enterValues(workbook.active, { row, column: 3, rows: 1, columns: 1 }, typed, workbook.locale);
  }
  const xml = strFromU8(unzipSync(await writeWorkbook(workbook, ADD_IN))['xl/worksheets/sheet1.xml']!);
  const formulas = [...xml.matchAll(/<f[^>]*>(.*?)<\/f>/g)].map(([, formula]) => `=${textOf(formula!)}`);
  expect(formulas).toEqual(sound);
});

describe('Formulas typed in Dutch', () => {
  const typed = [
    ['=LENGTE("vier")', 'LEN("vier")', '#4'],
    ['=SOM(1,5;2;{1\\2})', 'SUM(1.5,2,{1,2})', '#6.5'],
    ['=ALS(WAAR;"ja; zeker";ONWAAR)', 'IF(TRUE,"ja; zeker",FALSE)', 'ja; zeker'],
    ['=TEKST.COMBINEREN("-";WAAR;"a";"b")', '_xlfn.TEXTJOIN("-",TRUE,"a","b")', 'a-b'],
    ['=ALS.NB(VERGELIJKEN("x";{"a"\\"x"};0);#N/B)', '_xlfn.IFNA(MATCH("x",{"a","x"},0),#N/A)', '#2'],
    ['=AFRONDEN(HW(0,05;1;-105);2)', 'ROUND(PV(0.05,1,-105),2)', '#100'],
  ] as const;

  const saved = async (): Promise<Uint8Array> => {
    const workbook = new Workbook('nl');
    typed.forEach(([text], row) => {
      enterValues(workbook.active, { row, column: 0, rows: 1, columns: 1 }, text, workbook.locale);
    });
    return writeWorkbook(workbook, ADD_IN);
  };

  test('are in the file as Excel writes them', async () => {
    const xml = strFromU8(unzipSync(await saved())['xl/worksheets/sheet1.xml']!);
    const formulas = [...xml.matchAll(/<f>(.*?)<\/f>/g)].map(([, formula]) => formula!.replaceAll('&quot;', '"'));
    expect(formulas).toEqual(typed.map(([, english]) => english));
  });

  test.skipIf(!libreOffice.isThere)(libreOffice.title('are calculated by another program'), async () => {
    const file = path.join(folderOfTest(), 'formulas.xlsx');
    await writeFile(file, await saved());
    const sheets = await openInLibreOffice(file);
    expect(sheets.Blad1?.map(([shown]) => shown)).toEqual(typed.map(([, , result]) => result));
  });
});

test.skipIf(!libreOffice.isThere)(
  libreOffice.title('A downloaded table is one for another program, which calculates what refers to it'),
  async () => {
    const workbook = new Workbook();
    await openExcel(workbook).Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:B4').values = [
        ['Code', 'Price of & "one"'],
        ["'0100", 12.5],
        ["'0200", 0.25],
        ["'0300", 100],
      ];
      const table = sheet.tables.add('A1:B4', true);
      table.name = 'Articles';
      table.columns.getItem('Code').filter.applyValuesFilter(['0100', '0300']);
      sheet.getRange('A6:A7').formulas = [
        ['=SUM(Articles[Price of & "one"])'],
        ['=INDEX(Articles[Code],MATCH(0.25,Articles[Price of & "one"],0))'],
      ];
      await context.sync();
    });
    const file = path.join(folderOfTest(), 'table.xlsx');
    await writeFile(file, await writeWorkbook(workbook, ADD_IN));
    const sheets = await openInLibreOffice(file);
    expect(sheets.Sheet1?.map(([first]) => first)).toEqual(['Code', '0100', '0200', '0300', '', '#112.75', '0200']);
  },
);
