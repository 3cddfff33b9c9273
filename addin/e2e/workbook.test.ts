import { readFile } from 'node:fs/promises';
import { readSheet } from 'read-excel-file/node';
import { beforeEach, describe, expect, test } from 'vitest';
import { withWorkbookPage } from './workbookPage.ts';

const workbookPage = withWorkbookPage();
const { open, values, texts, selection, select, press, fill, cell, paneFrame, formulas } = workbookPage;
let { page } = workbookPage;
beforeEach(() => {
  ({ page } = workbookPage);
});

describe('Typing', () => {
  test('fills cells, and Tab and Enter move on as in Excel', async () => {
    await page.keyboard.type('Code');
    await press('Tab');
    await page.keyboard.type('Price');
    await press('Enter');
    await page.keyboard.type("'0100");
    await press('Tab');
    await page.keyboard.type('12.50');
    await press('Enter');
    expect(await values('A1:B2')).toEqual([
      ['Code', 'Price'],
      ['0100', 12.5],
    ]);
    expect(await selection()).toBe('Sheet1!A3');
  });

  test('shows the result of a formula in its cell, and the formula as it was typed in the formula bar', async () => {
    await page.keyboard.type('=B1*2');
    await press('Enter', 'ArrowUp');
    await expect.poll(() => cell(0, 0).textContent()).toBe('0');
    expect(await page.getByLabel('Formula bar').inputValue()).toBe('=B1*2');
    expect(await page.getByLabel('Name box').inputValue()).toBe('A1');
    await press('ArrowRight');
    await page.keyboard.type('21');
    await press('Enter');
    await expect.poll(() => cell(0, 0).textContent()).toBe('42');
  });

  test('is cancelled by Escape, and continues the text of a cell after F2 or a double click', async () => {
    await fill([['one']]);
    await page.keyboard.type('two');
    await press('Escape');
    expect(await values('A1')).toEqual([['one']]);
    await press('F2');
    await page.keyboard.type('s');
    await press('Enter');
    expect(await values('A1')).toEqual([['ones']]);
    await cell(0, 0).dblclick();
    await page.getByLabel('Edit cell A1').fill('changed');
    await cell(4, 1).click();
    expect(await values('A1')).toEqual([['changed']]);
    expect(await selection()).toBe('Sheet1!B5');
  });

  test('works in the formula bar as well', async () => {
    await page.getByLabel('Formula bar').fill('from the bar');
    await press('Enter');
    expect(await values('A1')).toEqual([['from the bar']]);
  });

  test('moves the caret with the arrows after F2, and ends with them again after another F2', async () => {
    await page.keyboard.type('two');
    await press('F2', 'ArrowLeft', 'ArrowLeft');
    await page.keyboard.type('h');
    await press('F2', 'ArrowDown');
    expect(await values('A1')).toEqual([['thwo']]);
    expect(await selection()).toBe('Sheet1!A2');
  });

  test('goes on behind a line break of Alt+Enter, in a cell and in the formula bar', async () => {
    await fill([['onetwo']]);
    await press('F2', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Alt+Enter');
    await page.keyboard.type('and ');
    await press('Enter');
    expect(await values('A1')).toEqual([['one\nand two']]);
    await page.getByLabel('Formula bar').fill('first');
    await press('Alt+Enter');
    await page.keyboard.type('second');
    await press('Enter');
    expect(await values('A2')).toEqual([['first\nsecond']]);
  });

  test('makes the reference at the caret absolute, mixed and relative by turns with F4, in a cell and in the formula bar', async () => {
    await page.keyboard.type('=B1*C1');
    const field = page.getByLabel('Edit cell A1');
    for (const expected of ['=B1*$C$1', '=B1*C$1', '=B1*$C1', '=B1*C1', '=B1*$C$1']) {
      await press('F4');
      await expect.poll(() => field.inputValue()).toBe(expected);
    }
    await page.keyboard.type('0');
    await press('Enter');
    expect(await formulas('A1')).toEqual([['=B1*$C$10']]);
    await page.getByLabel('Formula bar').fill('=B1*C1');
    await press('Home', 'ArrowRight', 'F4', 'Enter');
    expect(await formulas('A2')).toEqual([['=$B$1*C1']]);
    await page.keyboard.type('B1');
    await press('F4', 'Enter');
    expect(await values('A3')).toEqual([['B1']]);
  });

  test('can be undone and redone', async () => {
    await page.keyboard.type('first');
    await press('Enter', 'ArrowUp');
    await page.keyboard.type('second');
    await press('Enter', 'Control+z');
    expect(await values('A1')).toEqual([['first']]);
    await press('Control+z');
    expect(await values('A1')).toEqual([['']]);
    await press('Control+y', 'Control+y');
    expect(await values('A1')).toEqual([['second']]);
  });

  test('reads and shows numbers and dates the Dutch way on a Dutch page', async () => {
    await open('lang=nl');
    await page.keyboard.type('1.234,5');
    await press('Enter');
    await page.keyboard.type('1-2-2024');
    await press('Enter');
    expect(await values('A1:A2')).toEqual([[1234.5], [45323]]);
    expect(await texts('A1:A2')).toEqual([['1.234,50'], ['01-02-2024']]);
    await page.getByRole('button', { name: 'Blad toevoegen' }).click();
    expect(await page.evaluate(() => window.workbook.sheets())).toEqual(['Blad1', 'Blad2']);
  });

  test('reads and shows numbers, dates and formulas the French way on a French page', async () => {
    await open('lang=fr');
    for (const typed of ['1 234,5', '1/2/2024', '=SOMME(A1;0,5)']) {
      await page.keyboard.type(typed);
      await press('Enter');
    }
    await expect.poll(() => values('A1:A3')).toEqual([[1234.5], [45323], [1235]]);
    expect(await texts('A1:A2')).toEqual([['1\u202f234,50'], ['01/02/2024']]);
    expect(await page.evaluate(() => window.workbook.sheets())).toEqual(['Feuil1']);
  });
});

describe('The keyboard', () => {
  test('moves over the sheet and through blocks of cells', async () => {
    await fill([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
      ['g', 'h', 'i'],
    ]);
    await press('ArrowRight', 'ArrowDown');
    expect(await selection()).toBe('Sheet1!B2');
    await press('Control+ArrowDown');
    expect(await selection()).toBe('Sheet1!B3');
    await press('Control+Home', 'End');
    expect(await selection()).toBe('Sheet1!C1');
    await press('Home', 'Control+End');
    expect(await selection()).toBe('Sheet1!C3');
    await press('Control+Home', 'PageDown');
    expect(Number((await selection()).replace('Sheet1!A', ''))).toBeGreaterThan(10);
    await press('PageUp');
    expect(await selection()).toBe('Sheet1!A1');
  });

  test('selects ranges with Shift, which Delete clears and the status bar adds up', async () => {
    await fill([
      ['1', '2'],
      ['3', '4'],
    ]);
    await press('Shift+ArrowRight', 'Shift+ArrowDown');
    expect(await selection()).toBe('Sheet1!A1:B2');
    expect(await page.getByTestId('summary').textContent()).toMatch(/Count:\s*4.*Sum:\s*10/);
    await press('Delete');
    expect(await values('A1:B2')).toEqual([
      ['', ''],
      ['', ''],
    ]);
  });

  test('keeps the active cell in sight, and known to screen readers', async () => {
    await press('PageDown', 'PageDown', 'PageDown');
    const [, row] = /^Sheet1!A(\d+)$/.exec(await selection())!;
    // The cells in sight are drawn after the page has scrolled to them.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-activedescendant')))
      .toBe(`cell-${Number(row) - 1}-0`);
    const active = cell(Number(row) - 1, 0);
    expect(await active.getAttribute('role')).toBe('gridcell');
    const box = await active.boundingBox();
    expect(box!.y).toBeGreaterThan(90);
    expect(box!.y).toBeLessThan(700);
  });
});

describe('The clipboard', () => {
  test('pastes a block from another program as if it were typed', async () => {
    await page.evaluate(() => navigator.clipboard.writeText('Code\tPrice\r\n0100\t1,234.50\r\n"two\nlines"\t=A1\r\n'));
    await press('Control+v');
    const pasted = [
      ['Code', 'Price'],
      [100, 1234.5],
      ['two\nlines', 'Code'],
    ];
    await expect.poll(() => values('A1:B3')).toEqual(pasted);
    expect(await selection()).toBe('Sheet1!A1:B3');
  });

  test('copies cells with formulas that move along, and gives other programs the text shown', async () => {
    await fill([['2', '=A1*2']]);
    await expect.poll(() => values('B1')).toEqual([[4]]);
    await select('A1:B1');
    await press('Control+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('2\t4');
    await select('A2');
    await press('Control+v');
    expect(await page.evaluate(() => window.workbook.formulas('A2:B2'))).toEqual([[2, '=A2*2']]);
  });

  test('moves cells that were cut', async () => {
    await fill([['here']]);
    await press('Control+x');
    await select('C3');
    await press('Control+v');
    expect(await values('A1')).toEqual([['']]);
    expect(await values('C3')).toEqual([['here']]);
  });
});

describe('Sheets', () => {
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });

  test('are added, renamed and deleted', async () => {
    await page.getByRole('button', { name: 'Add sheet' }).click();
    await tab('Sheet2').dblclick();
    await page.getByLabel('Sheet name').fill('Products');
    await press('Enter');
    expect(await page.evaluate(() => window.workbook.sheets())).toEqual(['Sheet1', 'Products']);
    await page.evaluate(() => window.workbook.type('Products!A1', 'kept'));
    await tab('Sheet1').click();
    expect(await page.evaluate(() => window.workbook.activeSheet())).toBe('Sheet1');
    await tab('Products').click();
    await page.getByRole('button', { name: 'Menu of sheet Products' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    expect(await page.evaluate(() => window.workbook.sheets())).toEqual(['Sheet1']);
  });

  test('refuse an invalid name, and say why', async () => {
    await tab('Sheet1').focus();
    await press('F2');
    await page.getByLabel('Sheet name').fill('a/b');
    await press('Enter');
    await expect.poll(() => page.getByRole('status').textContent()).toMatch(/1 to 31 characters/);
    expect(await page.evaluate(() => window.workbook.sheets())).toEqual(['Sheet1']);
  });
});

describe('Tables', () => {
  beforeEach(async () => {
    await fill([
      ['Code', 'Price'],
      ["'0200", '20'],
      ["'0100", '3'],
      ["'0300", '100'],
    ]);
    await press('Control+t');
  });

  test('are sorted and filtered from the menu in their headers', async () => {
    expect(await page.evaluate(() => window.workbook.tables())).toEqual([
      { name: 'Table1', sheet: 'Sheet1', address: 'A1:B4', columns: ['Code', 'Price'] },
    ]);
    await page.getByRole('button', { name: 'Sort and filter Price' }).click();
    await page.getByRole('button', { name: 'Sort descending' }).click();
    expect(await values('A2:B4')).toEqual([
      ['0300', 100],
      ['0200', 20],
      ['0100', 3],
    ]);
    await select('A1');
    await press('Alt+ArrowDown');
    await page.getByLabel('Show rows containing').fill('02');
    await press('Enter');
    expect(await page.evaluate(() => window.workbook.hiddenRows())).toEqual([2, 4]);
    await press('Alt+ArrowDown');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    expect(await page.evaluate(() => window.workbook.hiddenRows())).toEqual([]);
  });

  test('grow when something is typed right below them', async () => {
    await select('A5');
    await page.keyboard.type("'0400");
    await press('Enter');
    expect(await page.evaluate(() => window.workbook.tables()[0]?.address)).toBe('A1:B5');
  });
});

describe('The pane', () => {
  test("works on the workbook through Microsoft's own client", async () => {
    const frame = await paneFrame();
    const read = await frame.evaluate(() =>
      Excel.run(async (excel) => {
        const sheet = excel.workbook.worksheets.getActiveWorksheet();
        sheet.getRange('A1:A2').numberFormat = [['@'], ['@']];
        sheet.getRange('A1:B2').values = [
          ['0100', 1],
          ['=cmd', 2],
        ];
        const range = sheet.getRange('A1:B2').load('values,address');
        await excel.sync();
        return { address: range.address, values: range.values };
      }),
    );
    expect(read).toEqual({
      address: 'Sheet1!A1:B2',
      values: [
        ['0100', 1],
        ['=cmd', 2],
      ],
    });
    await expect.poll(() => cell(1, 0).textContent()).toBe('=cmd');
  });

  test('gets an error while a cell is being edited', async () => {
    const frame = await paneFrame();
    await page.getByRole('grid').focus();
    await page.keyboard.type('half');
    await frame.locator('body').click({ position: { x: 5, y: 5 } });
    const code = await frame.evaluate(() =>
      Excel.run(async (excel) => {
        excel.workbook.worksheets.getActiveWorksheet().getRange('B1').values = [['x']];
        await excel.sync();
        return 'done';
      }).catch((error: OfficeExtension.Error) => error.code),
    );
    expect(code).toBe('InvalidOperationInCellEditMode');
    expect(await page.getByLabel('Edit cell A1').inputValue()).toBe('half');
  });

  test('gets an event when the user types', async () => {
    const frame = await paneFrame();
    await frame.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      return Excel.run(async (excel) => {
        excel.workbook.worksheets.onChanged.add(async ({ address }) => void seen.push(address));
        await excel.sync();
      });
    });
    await page.getByRole('grid').focus();
    await page.keyboard.type('x');
    await press('Enter');
    await expect.poll(() => frame.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(['A1']);
  });

  test('can be hidden and shown', async () => {
    await page.getByRole('button', { name: 'Hide pane' }).click();
    expect(await page.locator('iframe').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Show pane' }).click();
    expect(await page.locator('iframe').isVisible()).toBe(true);
  });
});

test('A sheet of twenty thousand rows draws only those in sight, in their order, with the elements that it has', async () => {
  const frame = await paneFrame();
  await frame.evaluate(() =>
    Excel.run(async (excel) => {
      const sheet = excel.workbook.worksheets.getActiveWorksheet();
      for (let block = 0; block < 4; block += 1) {
        const rows = Array.from({ length: 5000 }, (_, row) =>
          Array.from({ length: 30 }, (_unused, column) => block * 5000 + row + column / 100),
        );
        sheet.getRangeByIndexes(block * 5000, 0, 5000, 30).values = rows;
        await excel.sync();
      }
      sheet.freezePanes.freezeRows(2);
      await excel.sync();
    }),
  );
  await page.getByRole('grid').focus();
  await press('Control+End');
  await expect.poll(() => page.locator('#cell-19999-29').textContent()).toBe('19999.29');
  expect(await page.getByRole('gridcell').count()).toBeLessThan(1500);

  const scrolledTo = async (top: number) => {
    await page.evaluate((to) => document.querySelector('.grid')!.scrollTo(0, to), top);
    // What is seen in the two frozen rows, and in the first one below them.
    const seen = () =>
      page.locator('.grid').evaluate((grid) => {
        const { left, top: edge } = grid.getBoundingClientRect();
        return [34, 54, 74].map((y) => document.elementFromPoint(left + 80, edge + y)?.textContent);
      });
    await expect.poll(seen).toEqual(['0', '1', `${top / 20 + 2}`]);
    const drawn = await page.locator('.row').evaluateAll((all) => all.map((row) => Number(row.ariaRowIndex)));
    expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
  };
  await press('Control+Home');
  await scrolledTo(200_000);
  await page.locator('.row').evaluateAll((all) => {
    for (const row of all) row.setAttribute('title', 'before');
  });
  for (const top of [100_000, 100_020, 99_960, 300_000]) await scrolledTo(top);
  const all = await page.locator('.row').count();
  expect(await page.locator('.row[title=before]').count()).toBeGreaterThan(all / 2);
});

test('The download contains the whole workbook, each value in its own type', async () => {
  await fill([
    ['Code', 'Date', 'Amount', 'Paid'],
    ["'0100", '2/29/2024', '1,234.50', 'TRUE'],
    ["'=1+1", '', '-0.01', 'FALSE'],
  ]);
  await page.getByRole('button', { name: 'Add sheet' }).click();
  await page.evaluate(() => window.workbook.type('Sheet2!A1', 'second'));
  await page.getByRole('grid').focus();
  const [download] = await Promise.all([page.waitForEvent('download'), press('Control+s')]);
  expect(download.suggestedFilename()).toBe('Ledgerline.xlsx');
  const file = await readFile(await download.path());
  expect(await readSheet(file, 'Sheet1')).toEqual([
    ['Code', 'Date', 'Amount', 'Paid'],
    ['0100', new Date('2024-02-29T00:00:00.000Z'), 1234.5, true],
    ['=1+1', null, -0.01, false],
  ]);
  expect(await readSheet(file, 'Sheet2')).toEqual([['second']]);
});
