import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { withWorkbookPage } from './workbookPage.ts';

/* Undo, filling cells from others, choices of a cell, and pasting large blocks. */

const workbookPage = withWorkbookPage();
const { values, press, fill, select, selection, formulas, cell, paneFrame, accessibilityErrors } = workbookPage;
let { page } = workbookPage;
beforeEach(() => {
  ({ page } = workbookPage);
});

const message = () => page.getByRole('status').textContent();
const tables = () => page.evaluate(() => window.workbook.tables().map(({ address }) => address));
const choose = async (item: string) => {
  await press('Shift+F10');
  await page.getByRole('menuitem', { name: item }).click();
};

test('A menu of cells closes when the add-in shows another sheet, and the keys are for that one', async () => {
  await fill([['first'], ['second']]);
  await page.getByRole('button', { name: 'Add sheet' }).click();
  await select('Sheet1!A1');
  await cell(0, 0).click();
  await press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Delete rows' }).waitFor();
  // As an add-in does when a list is there.
  await select('Sheet2!A1');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.keyboard.type('typed');
  await press('Enter');
  expect(await values('Sheet2!A1')).toEqual([['typed']]);
  expect(await values('Sheet1!A1:A2')).toEqual([['first'], ['second']]);
});

describe('Undo', () => {
  test('takes back the width that a column was dragged to, and leaves what was typed before', async () => {
    await fill([['typed', '5']]);
    const widthOf = async () => (await cell(0, 1).boundingBox())!.width;
    const before = await widthOf();
    const edge = (await page.locator('[data-resize="1"]').boundingBox())!;
    await page.mouse.move(edge.x + 2, edge.y + 5);
    await page.mouse.down();
    await page.mouse.move(edge.x + 42, edge.y + 5);
    await page.mouse.move(edge.x + 102, edge.y + 5);
    await page.mouse.up();
    await expect.poll(widthOf).toBeGreaterThan(before + 90);
    await press('Control+z');
    await expect.poll(widthOf).toBe(before);
    expect(await values('A1:B1')).toEqual([['typed', 5]]);
  });

  test('takes back a table, a sort, a filter, and inserted and deleted rows and columns, and redo repeats them', async () => {
    const lines = [
      ['Code', 'Price', 'Twice'],
      ['b', '2', '=B2*2'],
      ['a', '3', '=B3*2'],
      ['c', '1', '=B4*2'],
    ];
    await fill(lines);
    const before = await formulas('A1:D6');
    await press('Control+t');
    await page.getByRole('button', { name: 'Sort and filter Code' }).click();
    await page.getByRole('button', { name: 'Sort ascending' }).click();
    await select('A3');
    await choose('Delete rows');
    await select('B1');
    await choose('Insert columns left');
    await select('A2');
    await choose('Insert rows above');
    await select('D1:D9');
    await press('Control+Space');
    await choose('Delete columns');
    await select('A1');
    await press('Alt+ArrowDown');
    await page.getByLabel('Show rows containing').fill('c');
    await press('Enter');
    const hidden = () => page.evaluate(() => window.workbook.hiddenRows());
    const [after, afterHidden] = [await formulas('A1:D6'), await hidden()];
    expect(after).toEqual([
      ['Code', expect.any(String), 'Price', ''],
      ['', '', '', ''],
      ['a', '', 3, ''],
      ['c', '', 1, ''],
      ['', '', '', ''],
      ['', '', '', ''],
    ]);
    expect(afterHidden).toEqual([2, 3]);
    for (let step = 0; step < 7; step += 1) await press('Control+z');
    expect(await formulas('A1:D6')).toEqual(before);
    expect([await tables(), await hidden()]).toEqual([[], []]);
    for (let step = 0; step < 7; step += 1) await press('Control+y');
    expect([await formulas('A1:D6'), await hidden(), await tables()]).toEqual([after, afterHidden, ['A1:C4']]);
    await press('Control+y');
    expect(await message()).toBe('There is nothing to do again.');
  });

  test('says why it cannot go back further', async () => {
    await press('Control+z');
    await expect.poll(message).toBe('There is nothing to undo.');
    await page.keyboard.type('kept');
    await press('Enter');
    await page.getByRole('button', { name: 'Add sheet' }).click();
    await page.getByRole('grid').focus();
    await press('Control+z');
    await expect.poll(message).toMatch(/^Undo goes no further back: a sheet was added or deleted/);
    expect(await values('Sheet1!A1')).toEqual([['kept']]);
  });
});

describe('A large block', () => {
  const block = (rows: number) =>
    page.evaluate(
      (count) =>
        navigator.clipboard.writeText(
          Array.from({ length: count }, (_, row) => `n${row}\t${row}\t${row / 4}\t=B${row + 1}\t2024-01-01`).join('\n'),
        ),
      rows,
    );
  const progress = () => page.getByRole('dialog', { name: 'Pasting' });

  test('is pasted in parts while the add-in waits, and is one step of undo', async () => {
    const frame = await paneFrame();
    await page.keyboard.type('before');
    await press('Enter', 'ArrowUp');
    await block(150_000);
    await press('Control+v');
    await progress().waitFor();
    expect(await progress().locator('p').textContent()).toMatch(/^[\d,]+ of 750,000 cells pasted\./);
    const read = frame.evaluate(() =>
      Excel.run(async (excel) => {
        const range = excel.workbook.worksheets.getActiveWorksheet().getRange('A150000:C150000').load('values');
        await excel.sync();
        return range.values;
      }),
    );
    expect(await read).toEqual([['n149999', 149_999, 37_499.75]]);
    await progress().waitFor({ state: 'detached' });
    expect(await values('A1:B2')).toEqual([
      ['n0', 0],
      ['n1', 1],
    ]);
    expect(await page.evaluate(() => window.workbook.usedRange())).toBe('A1:E150000');
    expect(await selection()).toBe('Sheet1!A1:E150000');
    await press('Control+z');
    expect(await page.evaluate(() => window.workbook.usedRange())).toBe('A1');
    expect(await values('A1')).toEqual([['before']]);
    await press('Control+y');
    expect(await formulas('D150000')).toEqual([['=B150000']]);
  });

  test('leaves every cell as it was when its paste is cancelled', async () => {
    await fill([
      ['one', 'two'],
      ['three', ''],
    ]);
    await block(200_000);
    await press('Control+v');
    await progress().getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(message).toBe('Cancelled. Nothing was pasted; the cells are as they were.');
    expect(await page.evaluate(() => window.workbook.usedRange())).toBe('A1:B2');
    expect(await values('A1:B2')).toEqual([
      ['one', 'two'],
      ['three', ''],
    ]);
    await page.keyboard.type('goes on');
    await press('Enter');
    expect(await values('A1')).toEqual([['goes on']]);
  });

  test('is refused with a message when it does not fit on the sheet', async () => {
    await select('A1048570');
    await block(100);
    await press('Control+v');
    await expect.poll(message).toBe('The block does not fit on the sheet from here. Nothing was pasted.');
  });
});

describe('Filling', () => {
  test('copies the first row or column of the selection, or the cell before a single one, with formulas that move', async () => {
    await fill([['2', '=A1*2'], ['3'], ['4']]);
    await select('B1:B3');
    await press('Control+d');
    await expect.poll(() => values('B1:B3')).toEqual([[4], [6], [8]]);
    expect(await formulas('B3')).toEqual([['=A3*2']]);
    await select('C3');
    await press('Control+r');
    await expect.poll(() => values('C3')).toEqual([[16]]);
    await press('Control+z');
    await expect.poll(() => values('C3')).toEqual([['']]);
    await select('A1');
    await press('Control+d');
    expect(await values('A1')).toEqual([[2]]);
  });
});

describe('The fill handle', () => {
  const drag = async (row: number, column: number) => {
    const handle = (await page.locator('.fill-handle').boundingBox())!;
    const target = (await cell(row, column).boundingBox())!;
    await page.mouse.move(handle.x + 4, handle.y + 4);
    await page.mouse.down();
    await page.mouse.move(target.x + 20, target.y + 10, { steps: 4 });
  };

  test('shows what it will fill, and continues a series as one step of undo', async () => {
    await fill([['1', '=A1*2'], ['3']]);
    await select('A1:A2');
    await drag(5, 0);
    await page.locator('.filled').waitFor();
    await page.mouse.up();
    await expect.poll(() => values('A1:A6')).toEqual([[1], [3], [5], [7], [9], [11]]);
    expect(await selection()).toBe('Sheet1!A1:A6');
    await select('B1');
    await page.locator('.fill-handle').dblclick();
    await expect.poll(() => values('B1:B6')).toEqual([[2], [6], [10], [14], [18], [22]]);
    await press('Control+z', 'Control+z');
    await expect
      .poll(() => values('A1:B6'))
      .toEqual([
        [1, 2],
        [3, ''],
        ['', ''],
        ['', ''],
        ['', ''],
        ['', ''],
      ]);
  });

  test('repeats with Ctrl, and fills nothing when it comes back', async () => {
    await fill([['1', '2']]);
    await select('A1:B1');
    await drag(0, 4);
    await page.keyboard.down('Control');
    await page.mouse.up();
    await page.keyboard.up('Control');
    await expect.poll(() => values('A1:E1')).toEqual([[1, 2, 1, 2, 1]]);
    await drag(3, 0);
    await page.mouse.move((await cell(0, 1).boundingBox())!.x + 10, (await cell(0, 1).boundingBox())!.y + 8);
    await page.mouse.up();
    expect(await page.evaluate(() => window.workbook.usedRange())).toBe('A1:E1');
  });
});

describe('A cell with a list', () => {
  test('offers its choices at Alt+Down, which are entered as if they were typed', async () => {
    await fill([
      ['', 'klein'],
      ['', 'groot, rood'],
      ['', '0100'],
    ]);
    await (await paneFrame()).evaluate(() =>
      Excel.run(async (excel) => {
        const sheet = excel.workbook.worksheets.getActiveWorksheet();
        sheet.getRange('A1').dataValidation.rule = { list: { inCellDropDown: true, source: sheet.getRange('B1:B3') } };
        sheet.getRange('A2').dataValidation.rule = { list: { inCellDropDown: true, source: 'Ja,Nee' } };
        await excel.sync();
      }),
    );
    await page.getByRole('grid').focus();
    await select('A1');
    await press('Alt+ArrowDown');
    await page.getByRole('menu', { name: 'Choices for the cell' }).waitFor();
    await press('ArrowDown', 'Enter');
    await expect.poll(() => values('A1')).toEqual([['groot, rood']]);
    await select('A2');
    await press('Alt+ArrowDown', 'Escape');
    expect(await values('A2')).toEqual([['']]);
    await press('Alt+ArrowDown', 'Enter');
    await expect.poll(() => values('A2')).toEqual([['Ja']]);
  });

  test('takes its list along when it is cut and pasted', async () => {
    await (await paneFrame()).evaluate(() =>
      Excel.run(async (excel) => {
        const { dataValidation } = excel.workbook.worksheets.getActiveWorksheet().getRange('A1:A3');
        dataValidation.rule = { list: { inCellDropDown: true, source: 'Ja,Nee' } };
        await excel.sync();
      }),
    );
    await page.getByRole('grid').focus();
    await select('A2');
    await page.keyboard.type('Ja');
    await press('Enter');
    await select('A2');
    await press('Control+x');
    await select('C4');
    await press('Control+v');
    await expect.poll(() => values('C4')).toEqual([['Ja']]);
    await press('Alt+ArrowDown', 'ArrowDown', 'Enter');
    await expect.poll(() => values('C4')).toEqual([['Nee']]);
    // The cell that it left takes anything.
    await select('A2');
    await page.keyboard.type('Misschien');
    await press('Enter');
    await expect.poll(() => values('A2')).toEqual([['Misschien']]);
  });

  test('offers while typing what has the text in it, for the arrows or the mouse', async () => {
    await (await paneFrame()).evaluate(() =>
      Excel.run(async (excel) => {
        const { dataValidation } = excel.workbook.worksheets.getActiveWorksheet().getRange('A1:A3');
        dataValidation.rule = { list: { inCellDropDown: true, source: 'Hoog 21%,Laag 9%,Nul 0%' } };
        await excel.sync();
      }),
    );
    const options = page.getByRole('listbox', { name: 'Choices for the cell' }).getByRole('option');
    await page.getByRole('grid').focus();
    await page.keyboard.type('g');
    await expect.poll(() => options.allTextContents()).toEqual(['Hoog 21%', 'Laag 9%']);
    await press('ArrowDown', 'ArrowDown');
    expect(await options.nth(1).getAttribute('aria-selected')).toBe('true');
    expect(await accessibilityErrors()).toEqual([]);
    await press('Enter');
    await expect.poll(() => values('A1')).toEqual([['Laag 9%']]);
    await page.keyboard.type('nul');
    await options.getByText('Nul 0%').click();
    await expect.poll(() => values('A2')).toEqual([['Nul 0%']]);
    await page.keyboard.type('hoog 21%');
    expect(await options.count()).toBe(0);
    await press('Enter');
    expect(await values('A3')).toEqual([['hoog 21%']]);
  });
});

test('A heading of the user’s own column stands whole beside its arrow, once the column is as wide as its text', async () => {
  await fill([
    ['Code', 'My own remarks about MAXIMUM WEIGHTS', 'OK'],
    ['a', '1', '2'],
  ]);
  await press('Control+Home', 'Control+t');
  for (const column of [1, 2]) {
    await page.locator(`[data-resize="${column}"]`).dblclick();
    const heading = cell(0, column);
    // How far its text reaches under the arrow, in pixels.
    const covered = () =>
      heading.evaluate((element) => {
        const text = document.createRange();
        text.selectNodeContents(element.firstChild!);
        const { left } = element.querySelector('button')!.getBoundingClientRect();
        return Math.max(0, Math.round(text.getBoundingClientRect().right - left));
      });
    await expect.poll(covered).toBe(0);
  }
  // Of one that is cut off at its arrow, nothing shows behind it.
  const behind = await cell(0, 0).evaluate((element) => {
    const { right } = element.getBoundingClientRect();
    return right - element.querySelector('button')!.getBoundingClientRect().right;
  });
  expect(behind).toBeLessThanOrEqual(1);
});

test('At twice the size, the tab of a new sheet and the buttons of a dialog are in sight', async () => {
  await page.setViewportSize({ width: 640, height: 380 });
  for (let count = 0; count < 8; count += 1) await page.getByRole('button', { name: 'Add sheet' }).click();
  await expect.poll(() => isInSight(page.getByRole('tab', { selected: true }))).toBe(true);
  await fill([['kept']]);
  await page.getByRole('tab', { selected: true }).press('Delete');
  await expect.poll(() => isInSight(page.getByRole('dialog').getByRole('button').first())).toBe(true);
});

test('At twice the size, some cells, the current tab and the buttons of a column menu are in sight', async () => {
  await page.setViewportSize({ width: 640, height: 380 });
  await fill([
    ['My own remarks about it', 'Price'],
    ['a', '1'],
    ['b', '2'],
  ]);
  await press('Control+Home', 'Control+t');
  const arrow = cell(0, 0).getByRole('button');
  // A heading that is too long ends before its arrow.
  const end = await cell(0, 0).evaluate(
    (element) => element.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(element).paddingRight),
  );
  expect(end).toBeLessThanOrEqual((await arrow.boundingBox())!.x + 3);
  await expect.poll(() => isInSight(page.getByRole('tab', { selected: true }))).toBe(true);
  for (const row of [0, 1, 2]) expect(await isInSight(cell(row, 1))).toBe(true);
  // The ribbon is one line, whose last button comes into sight with the focus.
  const last = page.getByRole('button', { name: 'Push rows' });
  await last.focus();
  await expect.poll(() => isInSight(last)).toBe(true);
  await arrow.click();
  await expect.poll(() => isInSight(page.getByRole('button', { name: 'Apply' }))).toBe(true);
});

/** Whether an element is what is seen at its middle, so that neither scrolling nor another element hides it. */
const isInSight = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === one;
  });

test('Typing scrolls to the cell that it goes into', async () => {
  await page.getByRole('grid').focus();
  await page.locator('.grid').evaluate((grid) => {
    grid.scrollTop = 4000;
  });
  await expect.poll(() => page.locator('#cell-0-0').count()).toBe(0);
  await page.keyboard.type('here');
  await expect.poll(() => page.locator('.grid').evaluate((grid) => grid.scrollTop)).toBe(0);
  await press('Enter');
  expect(await values('A1')).toEqual([['here']]);
});
