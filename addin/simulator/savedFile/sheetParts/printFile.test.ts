import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { openExcel } from '../../node.ts';
import { insertCells } from '../../workbook/changes/shift.ts';
import { Workbook } from '../../workbook/workbook.ts';
import { readFile } from '../readFile.ts';
import { writeFile } from '../writeFile.ts';

const ADD_IN = '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea';

/** How the first sheet of a file is printed, as its parts have it. */
function printedIn(file: Uint8Array) {
  const parts = unzipSync(file);
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  const setup = /<pageSetup[^>]*>/.exec(sheet)?.[0] ?? '';
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(setup)?.[1];
  return {
    orientation: attribute('orientation'),
    pages: [attribute('fitToWidth'), attribute('fitToHeight')],
    scale: attribute('scale'),
    fits: /<pageSetUpPr[^>]*fitToPage="1"/.test(sheet),
    titles: /<definedName name="_xlnm.Print_Titles"[^>]*>([^<]*)</
      .exec(strFromU8(parts['xl/workbook.xml']!))?.[1]
      ?.replaceAll('&apos;', "'"),
  };
}

/** A workbook with a sheet whose printing an add-in sets. */
async function made(set: (layout: Excel.PageLayout) => void): Promise<Workbook> {
  const workbook = new Workbook();
  await openExcel(workbook).Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.name = "Jan's, list";
    sheet.getRange('A1:B3').values = [
      ['Code', 'Net'],
      ['a', 1],
      ['b', 2],
    ];
    set(sheet.pageLayout);
    await context.sync();
  });
  return workbook;
}

test('Repeated rows, pages and direction that an add-in sets are in the file, and there again when it is opened', async () => {
  const workbook = await made((layout) => {
    layout.setPrintTitleRows('$2:$3');
    layout.zoom = { horizontalFitToPages: 2, verticalFitToPages: 3 };
    layout.orientation = 'Portrait';
  });
  const printed = {
    orientation: 'portrait',
    pages: ['2', '3'],
    scale: undefined,
    fits: true,
    titles: "'Jan''s, list'!$2:$3",
  };
  const file = await writeFile(workbook, ADD_IN);
  expect(printedIn(file)).toMatchObject(printed);
  const { workbook: again } = await readFile(file, ADD_IN, 'en');
  await openExcel(again).Excel.run(async (context) => {
    const { pageLayout } = context.workbook.worksheets.getActiveWorksheet();
    const rows = pageLayout.getPrintTitleRows().load('address');
    pageLayout.load('zoom, orientation');
    await context.sync();
    expect([rows.address, pageLayout.orientation]).toEqual(["'Jan''s, list'!2:3", 'Portrait']);
    expect(pageLayout.zoom).toEqual({ horizontalFitToPages: 2, verticalFitToPages: 3 });
  });
  // The rows move with their cells.
  insertCells(again.active, { row: 0, column: 0, rows: 1, columns: 16_384 }, 'Down');
  expect(printedIn(await writeFile(again, ADD_IN))).toMatchObject({ ...printed, titles: "'Jan''s, list'!$3:$4" });
});

test('A scale stays, and columns that another program repeats', async () => {
  const workbook = await made((layout) => {
    layout.zoom = { scale: 70 };
    layout.setPrintTitleRows('$1:$1');
  });
  const parts = unzipSync(await writeFile(workbook, ADD_IN));
  const book = strFromU8(parts['xl/workbook.xml']!);
  const titles = "'Jan''s, list'!$A:$B,'Jan''s, list'!$1:$1";
  parts['xl/workbook.xml'] = strToU8(book.replace(/(?<="_xlnm.Print_Titles"[^>]*>)[^<]*/, () => titles));
  const { workbook: again, leftOut } = await readFile(zipSync(parts), ADD_IN, 'en');
  expect(leftOut).toEqual([]);
  expect(printedIn(await writeFile(again, ADD_IN))).toMatchObject({ scale: '70', fits: false, titles });
});

test('A sheet that nobody set is as wide as a page and repeats its frozen rows; Excel’s own layout is what it answers', async () => {
  const workbook = await made(() => {});
  workbook.active.frozen = { rows: 1, columns: 0 };
  const printed = { orientation: 'landscape', fits: true, titles: "'Jan''s, list'!$1:$1" };
  const file = await writeFile(workbook, ADD_IN);
  expect(printedIn(file)).toMatchObject({ ...printed, pages: [undefined, '0'] });
  const { workbook: again } = await readFile(file, ADD_IN, 'en');
  expect([again.active.names, again.active.print]).toEqual([[], undefined]);
  await openExcel(again).Excel.run(async (context) => {
    const { pageLayout } = context.workbook.worksheets.getActiveWorksheet();
    const rows = pageLayout.getPrintTitleRowsOrNullObject();
    pageLayout.load('zoom, orientation');
    await context.sync();
    expect([rows.isNullObject, pageLayout.orientation, pageLayout.zoom]).toEqual([true, 'Portrait', { scale: 100 }]);
  });
  await expect(made((layout) => layout.setPrintTitleRows('A1:B1'))).rejects.toThrow();
});
