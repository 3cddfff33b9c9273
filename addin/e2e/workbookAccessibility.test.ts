import { beforeEach, describe, expect, test } from 'vitest';
import { withWorkbookPage } from './workbookPage.ts';

/* The page with the keyboard, with screen readers and in forced colours. */

const workbookPage = withWorkbookPage();
const { select, selection, values, press, fill, cell, paneFrame, accessibilityErrors } = workbookPage;
let { page } = workbookPage;
beforeEach(() => {
  ({ page } = workbookPage);
});

/** The part of the page that has the focus. */
const place = () =>
  page.evaluate(() => {
    const now = document.activeElement;
    const parts = {
      title: '.title-bar, .ribbon',
      formulas: '.formula-bar',
      cells: '.grid',
      tabs: '.sheet-tabs',
      pane: '.pane',
    };
    return Object.entries(parts).find(([, part]) => now?.closest(part))?.[0] ?? now?.tagName;
  });

const places = async (...keys: string[]) => {
  const seen: (string | undefined)[] = [];
  for (const key of keys) {
    await press(key);
    seen.push(await place());
  }
  return seen;
};

describe('The keyboard', () => {
  test('goes round the parts of the page with F6, and back with Shift+F6, through the pane as well', async () => {
    const frame = await paneFrame();
    expect(await place()).toBe('cells');
    expect(await places('F6', 'F6', 'F6', 'F6')).toEqual(['tabs', 'pane', 'title', 'cells']);
    expect(await places('Shift+F6', 'Shift+F6', 'Shift+F6', 'Shift+F6')).toEqual(['title', 'pane', 'tabs', 'cells']);
    await press('F6', 'F6');
    expect(await frame.evaluate(() => document.hasFocus() && document.activeElement !== document.body)).toBe(true);
    await frame.getByLabel('User name').focus();
    await press('F6', 'Shift+F6');
    expect(await frame.getByLabel('User name').evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test('skips a hidden pane with F6, and ends the entry in a cell', async () => {
    await page.getByRole('button', { name: 'Hide pane' }).click();
    await page.getByRole('grid').focus();
    expect(await places('F6', 'F6', 'F6')).toEqual(['tabs', 'title', 'cells']);
    await page.keyboard.type('kept');
    expect(await places('F6')).toEqual(['tabs']);
    expect(await values('A1')).toEqual([['kept']]);
  });

  test('leaves the cells with Escape and then Tab, and goes from cell to cell with Tab alone', async () => {
    expect(await places('Tab', 'Tab', 'Shift+Tab')).toEqual(['cells', 'cells', 'cells']);
    expect(await selection()).toBe('Sheet1!B1');
    await press('Escape');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Tab now leaves the cells.');
    expect(await places('Tab')).toEqual(['tabs']);
    expect(await places('Shift+Tab', 'Escape', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab')).toEqual([
      'cells',
      'cells',
      'formulas',
      'formulas',
      'title',
    ]);
    expect(await values('A1:B2')).toEqual([
      ['', ''],
      ['', ''],
    ]);
    await page.getByRole('grid').focus();
    await press('Escape', 'ArrowDown');
    expect(await places('Tab')).toEqual(['cells']);
  });

  test('has a text field that names the active cell, and the way out of the cells, for screen readers', async () => {
    await select('B3');
    const field = page.getByRole('textbox', { name: 'Active cell' });
    const { active, help } = await field.evaluate((element) => ({
      active: element.getAttribute('aria-activedescendant'),
      help: document.getElementById(element.getAttribute('aria-describedby')!)?.textContent,
    }));
    expect(active).toBe('cell-2-1');
    expect(help).toMatch(/F6 .*Escape and then Tab leaves the cells/);
  });
});

describe('Composed input', () => {
  test('arrives whole, from its first character on', async () => {
    const client = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      client.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    for (const text of ['k', 'か', 'かn', 'かな']) await compose(text);
    expect(await page.getByLabel('Edit cell A1').inputValue()).toBe('かな');
    await client.send('Input.insertText', { text: '仮名' });
    await press('Enter');
    await compose('´');
    await client.send('Input.insertText', { text: 'é' });
    await page.keyboard.type('tude');
    await press('Enter');
    expect(await values('A1:A3')).toEqual([['仮名'], ['étude'], ['']]);
  });
});

describe('Forced colours', () => {
  const look = async (row: number, column: number) => {
    const box = (await cell(row, column).boundingBox())!;
    return (await page.screenshot({ clip: box })).toString('base64');
  };

  test('show the active cell and the selection', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await select('B2:C3');
    await expect.poll(() => look(1, 1)).not.toBe(await look(6, 3));
    expect(await look(2, 2)).not.toBe(await look(6, 3));
    expect(await look(1, 1)).not.toBe(await look(2, 2));
    expect(await look(7, 3)).toBe(await look(6, 3));
  });

  test('show which sheet is the current one', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('button', { name: 'Add sheet' }).click();
    /** A corner of the tab without letters. */
    const colours = async (name: string) => {
      const { x, y } = (await page.getByRole('tab', { name }).boundingBox())!;
      return (await page.screenshot({ clip: { x: x + 4, y: y + 4, width: 6, height: 6 } })).toString('base64');
    };
    const [first, second] = [await colours('Sheet1'), await colours('Sheet2')];
    expect(second).not.toBe(first);
    await page.getByRole('tab', { name: 'Sheet1' }).click();
    expect([await colours('Sheet1'), await colours('Sheet2')]).toEqual([second, first]);
  });
});

describe('The page', () => {
  test('has no accessibility errors, with a table, a menu or an edited cell', async () => {
    expect(await accessibilityErrors()).toEqual([]);
    await fill([
      ['Code', 'Price'],
      ['a', '1'],
    ]);
    await press('Control+t');
    await page.getByRole('button', { name: 'Sort and filter Code' }).click();
    expect(await accessibilityErrors()).toEqual([]);
    await press('Escape', 'Shift+F10');
    expect(await accessibilityErrors()).toEqual([]);
    await press('Escape', 'F2');
    expect(await accessibilityErrors()).toEqual([]);
  });

  test.each([
    [600, 'en'],
    [400, 'nl'],
  ])('fits a window %i pixels wide, in %s', async (width, language) => {
    await page.setViewportSize({ width, height: 800 });
    await workbookPage.open(`lang=${language}`);
    const ends = await page
      .locator('.title-bar button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThanOrEqual(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await accessibilityErrors()).toEqual([]);
  });
});
