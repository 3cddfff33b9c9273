import { beforeEach, expect, test } from 'vitest';
import { withWorkbookPage } from './workbookPage.ts';

/* Sorting and filtering so many rows that the page is drawn meanwhile. */

const ROWS = 60_000;

const workbookPage = withWorkbookPage();
const { values, press, selection, paneFrame } = workbookPage;
let { page } = workbookPage;

/** Numbers in an order without a pattern, and texts of them in another one. */
const numberIn = (row: number) => (row * 7919) % ROWS;
const textIn = (row: number) => `t${(row * 104_729) % ROWS}`;

beforeEach(async () => {
  ({ page } = workbookPage);
  const frame = await paneFrame();
  await frame.evaluate(
    (lines) =>
      Excel.run(async (excel) => {
        const sheet = excel.workbook.worksheets.getActiveWorksheet();
        sheet.getRange('A1:B1').values = [['Text', 'Number']];
        for (let from = 0; from < lines.length; from += 20_000) {
          const part = lines.slice(from, from + 20_000);
          sheet.getRangeByIndexes(1 + from, 0, part.length, 2).values = part;
          await excel.sync();
        }
        sheet.tables.add(sheet.getRangeByIndexes(0, 0, lines.length + 1, 2), true);
        await excel.sync();
      }),
    Array.from({ length: ROWS }, (_, row) => [textIn(row), numberIn(row)]),
  );
});

const begins = [
  [textIn(0), numberIn(0)],
  [textIn(1), numberIn(1)],
];
const message = () => page.getByRole('status').textContent();
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });

/** Makes the page so slow that its work is not over before the test does something. */
const slowDown = async (rate: number) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
};

const openMenu = () => page.getByRole('button', { name: 'Sort and filter Text', exact: true }).click();
const sort = async () => {
  await openMenu();
  await slowDown(20);
  await page.getByRole('button', { name: 'Sort descending' }).click();
  await dialog('Sorting').waitFor();
};
/** Filters, and presses another key right after that: before the filter is done. */
const filter = async (text: string, key: string) => {
  await openMenu();
  await page.getByLabel('Show rows containing').fill(text);
  await slowDown(20);
  await Promise.all([press('Enter'), press(key)]);
  await slowDown(1);
};

test('A sort of many rows takes no keys and no requests until it is done, and is one step of undo', async () => {
  await press('Control+Home');
  const frame = await paneFrame();
  await sort();
  const read = frame.evaluate(() =>
    Excel.run(async (excel) => {
      const range = excel.workbook.worksheets.getActiveWorksheet().getRange('A2:A3').load('values');
      await excel.sync();
      return range.values;
    }),
  );
  await page.keyboard.type('typed');
  await press('Delete', 'Control+z');
  expect(await dialog('Sorting').getByRole('heading').textContent()).toBe('Sorting');
  expect(await dialog('Sorting').getByRole('paragraph').textContent()).toMatch(/^\d+% done\./);
  // One surface, in the dark too.
  await page.emulateMedia({ colorScheme: 'dark' });
  const surfaces = await dialog('Sorting').evaluate((box) =>
    [box, box.querySelector('.dialog-buttons')!, document.body].map((one) => getComputedStyle(one).backgroundColor),
  );
  expect(new Set(surfaces).size).toBe(1);
  await slowDown(1);
  const texts = Array.from({ length: ROWS }, (_, row) => textIn(row)).sort(new Intl.Collator('en').compare);
  expect(await read).toEqual([[texts.at(-1)], [texts.at(-2)]]);
  await dialog('Sorting').waitFor({ state: 'detached' });
  const sorted = (await values(`A2:B${ROWS + 1}`)) as [string, number][];
  expect(sorted.map(([text]) => text)).toEqual(texts.reverse());
  const numbers = new Map(Array.from({ length: ROWS }, (_, row) => [textIn(row), numberIn(row)]));
  expect(sorted.filter(([text, number]) => numbers.get(text) !== number)).toEqual([]);
  expect([await values('A1:B1'), await selection()]).toEqual([[['Text', 'Number']], 'Sheet1!A1']);
  await press('Control+z');
  expect(await values('A2:B3')).toEqual(begins);
  await press('Control+y');
  expect(await values('A2:A3')).toEqual([[texts[0]], [texts[1]]]);
});

test('A sort of many rows that is cancelled leaves them as they were', async () => {
  await sort();
  await press('Escape');
  await slowDown(1);
  await expect.poll(message).toBe('Cancelled. Nothing was sorted; the rows are as they were.');
  expect(await dialog('Sorting').count()).toBe(0);
  expect(await values('A2:B3')).toEqual(begins);
  await press('Control+Home');
  await page.keyboard.type('goes on');
  await press('Enter');
  await expect.poll(() => values('A1')).toEqual([['goes on']]);
});

test('A filter of many rows takes no keys until it is done, and one that is cancelled hides none', async () => {
  await filter('77', 'Escape');
  await expect.poll(message).toBe('Cancelled. Nothing was filtered; the rows are as they were.');
  expect(await page.evaluate(() => window.workbook.hiddenRows().length)).toBe(0);
  await filter('77', 'x');
  const shown = Array.from({ length: ROWS }, (_, row) => textIn(row)).filter((text) => text.includes('77'));
  await expect.poll(message).toBe(`${shown.length} of ${ROWS} rows shown`);
  expect(await page.evaluate(() => window.workbook.hiddenRows().length)).toBe(ROWS - shown.length);
  expect(await values('A1:B3')).toEqual([['Text', 'Number'], ...begins]);
  await press('Control+z');
  expect(await page.evaluate(() => window.workbook.hiddenRows().length)).toBe(0);
});
