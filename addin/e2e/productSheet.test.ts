import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { paneOf, seen } from './pane.ts';
import { SHEET, withPushPage } from './pushPage.ts';
import { rowsOf } from './sheetCells.ts';

/* A product sheet, and the questions that the pane asks before it pushes one. */

const pushPage = withPushPage();
const { confirm, focused, issueKey, openSecondWorkbook, press, product, stocks, type } = pushPage;
let { articles, page, pane } = pushPage;
beforeEach(() => {
  ({ articles, page, pane } = pushPage);
});

describe('a product sheet', () => {
  it('can be copied, and the copy be used as a product sheet of its own', async () => {
    await type('New sale price', 2, '10');
    await pane.evaluate(
      (name) =>
        Excel.run(async (excel) => {
          excel.workbook.worksheets.getItem(name).copy();
          await excel.sync();
        }),
      SHEET,
    );
    await press('Push this sheet');
    await seen(pane.getByText(`Sheet “${SHEET} (2)” looks like a copy of a sheet to push`));
    await seen(pane.getByText('1 row ready to send'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await page.evaluate((name) => window.workbook.type(`'${name} (2)'!E2`, '11'), SHEET);
    await press(`Use ${SHEET} (2) as a sheet of`);
    // The pane checks this sheet from now on, and calls it a copy no more.
    await expect
      .poll(() => pane.getByLabel('Sheet to push').evaluate((list: HTMLSelectElement) => list.selectedOptions[0]!.text))
      .toBe(`${SHEET} (2)`);
    await press('Push 1 row to Elsewhere');
    await confirm();
    await seen(pane.getByText(': 1 applied.'));
    expect((await product(articles[0]!)).Price).toBe('11');
    expect(await pane.getByText('looks like a copy').count()).toBe(0);
    expect((await rowsOf(page, SHEET))[0]!.Status).toBe('');
    expect((await rowsOf(page, `${SHEET} (2)`))[0]!.Status).toBe('Applied');
  });

  it('offers to take in rows that stand below its table', async () => {
    await page.evaluate((name) => window.workbook.select(`'${name}'!A1`), SHEET);
    const [table] = await page.evaluate(() => window.workbook.tables());
    const last = Number(/\d+$/.exec(table!.address)![0]);
    await pane.evaluate(
      ([name, row, first, second]) =>
        Excel.run(async (excel) => {
          const below = excel.workbook.worksheets.getItem(name).getRange(`A${row + 1}:E${row + 2}`);
          below.values = [
            [first, '', '', '', 3],
            [second, '', '', '', 4],
          ];
          await excel.sync();
        }),
      [SHEET, last, articles[0]!, articles[1]!] as const,
    );
    await press('Push this sheet');
    await seen(pane.getByText(`Rows ${last + 1} to ${last + 2} are below the table and not part of it`));
    await seen(pane.getByText('0 rows ready to send'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Include the rows in the table');
    await seen(pane.getByText('2 rows ready to send'));
    expect(await pane.getByText('are below the table').count()).toBe(0);
    expect((await page.evaluate(() => window.workbook.tables()))[0]!.address).toMatch(new RegExp(`${last + 2}$`));
    await press('Push 2 rows to Elsewhere');
    await confirm();
    await seen(pane.getByText(': 2 applied.'));
    expect((await product(articles[1]!)).Price).toBe('4');
  });

  it('sends no row with a failed formula, and names its cell below the button that pushes', async () => {
    await type('New sale price', 2, '#N/A');
    await type('New sale price', 3, '12');
    await press('Push this sheet');
    await seen(pane.getByText('1 row with errors, not sent'));
    const error = pane.getByText('Row 2: New sale price (E2): the formula returns #N/A; correct it or type a value');
    await seen(error);
    await seen(pane.getByText('1 row ready to send'));
    // However many rows have errors, the button stays above them.
    const button = (await pane.getByRole('button', { name: 'Push 1 row to Elsewhere' }).boundingBox())!;
    expect(button.y + button.height).toBeLessThanOrEqual((await error.boundingBox())!.y);
  });
});

describe('pasted columns', () => {
  it('are put into their columns after a look at them, with the number of rows', async () => {
    await press('Back');
    await press('Product sheet');
    const text = `${articles[0]}\t12,50\t5\n\n${articles[1]}\t1.250,00\t6\n`;
    await pane.getByLabel('Article numbers').fill(text);
    await seen(pane.getByText('2 rows with a product; 1 blank line keeps its place.'));
    await seen(pane.getByText('Choose what each pasted column is, or “Not used”.'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Make the product sheet');
    expect(await pane.getByText('is ready').count()).toBe(0);
    expect(await pane.getByLabel('Pasted column 2').inputValue()).toBe('NewSalePrice');
    await pane.getByLabel('Pasted column 3').selectOption({ label: 'Stock quantity' });
    await press('Make the product sheet');
    await seen(pane.getByText('Rows with a product: 2. Blank rows between them, as pasted: 1. Empty rows below: 22.'));
    const rows = await rowsOf(page, `${SHEET} (2)`);
    const cells = rows.map((row) => [row['Article number'], row['New sale price'], row['Stock quantity']]);
    expect(cells.slice(0, 4)).toEqual([
      [articles[0], 12.5, 5],
      ['', '', ''],
      [articles[1], 1250, 6],
      ['', '', ''],
    ]);
  });
});

describe('the dialog before a push', () => {
  it('shows old and new prices, and lets the user choose whether hidden rows are pushed', async () => {
    for (const row of [2, 3, 4]) await type('New sale price', row, '10');
    await press('Push this sheet');
    await press('Push 3 rows to Elsewhere');
    const question = pane.getByRole('alertdialog');
    await question.waitFor();
    // The focus is not on a button with an irreversible action.
    expect(await focused()).toBe('Push to Elsewhere?');
    expect(await question.textContent()).toContain(`${articles[0]}New sale price: 10.00 (present price not read)`);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await focused()).toBe('Push 3 rows to Elsewhere');
    await press('Push 3 rows to Elsewhere');
    await confirm();
    await seen(pane.getByText(': 3 applied.'));

    // The sheet has the prices now: a price a hundred times as high is held back.
    await type('New sale price', 2, '1000');
    await type('New sale price', 3, '12');
    await page.getByRole('button', { name: 'Sort and filter Article number' }).click();
    await page.getByLabel('Show rows containing').fill(articles[1]!);
    await page.keyboard.press('Enter');
    await press('Check the rows again');
    await seen(pane.getByText('1 of them hidden'));
    await press('Push 2 rows to Elsewhere');
    expect(await question.textContent()).toContain('1 of these 2 rows is hidden');
    expect(await question.textContent()).toContain('10.00 › 12.00 (+2.00)');
    expect(await question.textContent()).not.toContain('1,000.00');
    expect(await accessibilityErrors(pane)).toEqual([]);
    await question.getByLabel('Hidden rows too: 2 rows').check();
    const unusual = question.getByLabel(
      `${articles[0]}: New sale price 1,000.00: ten times the present price of 10.00, or more`,
    );
    expect(await question.textContent()).toContain('1 row will change products');
    expect(await question.textContent()).not.toContain('10.00 › 1,000.00');
    await unusual.check();
    expect(await question.textContent()).toContain('2 rows will change products');
    expect(await question.textContent()).toContain('10.00 › 1,000.00 (+990.00)');
    // Also beside a long change an article number stays on one line.
    await page.locator('iframe').evaluate((frame) => {
      frame.style.width = '320px';
    });
    const heights = await question
      .getByRole('rowheader', { name: articles[1]! })
      .locator('div')
      .evaluate((cell) => [cell.clientHeight, Number.parseFloat(getComputedStyle(cell).lineHeight)]);
    expect(heights[0]).toBeLessThan(2 * heights[1]!);
    expect(await question.textContent()).toContain('Sale prices raised: 2; lowered: 0');
    await question.getByRole('button', { name: 'Push' }).click();
    await seen(pane.getByText(': 2 applied.'));
    expect((await product(articles[0]!)).Price).toBe('1000');
    expect((await product(articles[1]!)).Price).toBe('12');
  });

  it('sends no price that looks like something else until it is ticked, also in a first push', async () => {
    const before = await Promise.all(articles.map(product));
    for (const [index, text] of ['12/31/2026', '15%', '0', '9:20', '12.50'].entries()) {
      await type('New sale price', index + 2, text);
    }
    await press('Push this sheet');
    await seen(pane.getByText('4 rows with a price that may be a mistake'));
    await press('Push 5 rows to Elsewhere');
    const question = pane.getByRole('alertdialog');
    await seen(question.getByText('Held back: 4 rows'));
    expect(await question.textContent()).toContain('1 row will change products');
    for (const reason of ['looks like the date 31-12-2026', 'looks like 15%', 'the price becomes 0', 'time 09:20']) {
      await seen(question.getByText(reason));
    }
    expect(await accessibilityErrors(pane)).toEqual([]);
    await question.getByLabel('All 4 prices are right').check();
    expect(await question.textContent()).toContain('5 rows will change products');
    await question.getByLabel('All 4 prices are right').uncheck();
    await question.getByLabel('the price becomes 0').check();
    await confirm();
    await seen(pane.getByText(': 2 applied.'));
    const prices = (await Promise.all(articles.map(product))).map(({ Price }) => Price);
    const kept = before.map(({ Price }) => Price);
    expect(prices).toEqual([kept[0], kept[1], '0', kept[3], '12.5', kept[5]]);
    const rows = await rowsOf(page, SHEET);
    expect(rows.map(({ Status }) => Status).slice(0, 5)).toEqual([
      'Not sent',
      'Not sent',
      'Applied',
      'Not sent',
      'Applied',
    ]);
    expect(rows[1]!.Message).toContain('New sale price 0.15: looks like 15%');
  });

  it('asks whether a quantity that undo restored is another delivery', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '3');
    await press('Push this sheet');
    await press('Push 1 row to Elsewhere');
    await confirm();
    await seen(pane.getByText(': 1 applied.'));
    await type('Stock quantity', 2, '3');
    await type('Status', 2, '');
    await press('Check the rows again');
    await seen(pane.getByText('1 row with a quantity that was added before'));
    await seen(pane.getByText('There is nothing to send'));
    expect((await stocks())[0]).toBe(before[0]! + 3);
    await press('This is another delivery: add it again');
    expect(await pane.getByRole('alertdialog').textContent()).toContain('the same quantity was added before');
    await confirm();
    await seen(pane.getByText(': 1 applied.'));
    await expect.poll(async () => (await stocks())[0]).toBe(before[0]! + 6);
  });
});

describe('three tabs of one browser', () => {
  it('store the connections of all three when each of them adds one', async () => {
    const tabs = await Promise.all(['One', 'Two', 'Three'].map(async () => paneOf(await openSecondWorkbook())));
    for (const [index, tab] of tabs.entries()) {
      await tab.getByRole('button', { name: 'Administrations' }).click();
      await tab.getByLabel('User name').fill(demo.username);
      await tab.getByLabel('API key').fill(await issueKey());
      await tab.getByLabel('Label').fill(['One', 'Two', 'Three'][index]!);
    }
    // By the keyboard: a connection that another tab stores moves the button away under the pointer.
    await Promise.all(tabs.map((tab) => tab.getByLabel('Label').press('Enter')));
    await Promise.all(tabs.map((tab) => tab.getByRole('heading', { name: 'What do you want to do?' }).waitFor()));
    await pane.getByRole('button', { name: 'Administrations' }).click();
    for (const label of ['Elsewhere', 'One', 'Two', 'Three'])
      await seen(pane.getByRole('button', { name: `Use ${label}` }));
  });
});
