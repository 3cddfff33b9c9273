import { beforeEach, expect, it } from 'vitest';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, paneOf, seen } from './pane.ts';
import { protectSheet, rowsOf, typeBelow } from './sheetCells.ts';

/*
 * What people do to a sheet to fill in, through the page. What becomes of every column of every sheet is in
 * sheetValues.test.ts.
 */

const appPage = withAppPage();
const { press } = appPage;
let { app, context, page, pane } = appPage;
const messages = messagesOf.en;
const { name, sheet: SHEET } = messages.documentSheets.kinds.salesTransactionRows;

beforeEach(async () => {
  ({ app, context, page, pane } = appPage);
  await connect(pane, demo, 'Demo');
  await press('Make documents');
  await pane.getByLabel(name, { exact: true }).check();
  await press('Make the sheet');
  await seen(pane.getByText('is ready'));
  const client = app.clientOf(demo);
  const customer = (await client.listrelations({ Limit: 200 })).find(({ CustomerNumber }) => CustomerNumber)!;
  const codes = await client.listtaxcodes({});
  const { TaxCode } = codes.find(({ TaxType, TaxPc }) => TaxType === 'Sales' && Number(TaxPc) === 21)!;
  for (const row of [2, 3, 4, 5]) {
    await type('Document *', row, `V-${row}`);
    await type('Customer number *', row, String(customer.CustomerNumber));
    await type('Amount incl. VAT *', row, String(100 * row));
    await type('VAT code *', row, TaxCode);
  }
});

const type = (heading: string, row: number, text: string) => typeBelow(page, SHEET, heading, row, text);

/** Changes the sheet through Microsoft's client, as Excel's own commands do. */
const change = (work: 'hideRow4' | 'renameAndMove', sheet = SHEET) =>
  pane.evaluate(
    ([of, what]) =>
      Excel.run(async (excel) => {
        const worksheet = excel.workbook.worksheets.getItem(of);
        if (what === 'hideRow4') worksheet.getRange('4:4').rowHidden = true;
        if (what === 'renameAndMove') {
          worksheet.tables.getItemAt(0).name = 'Mine';
          worksheet.getRange('A1').values = [['Mark']];
          worksheet.getRange('1:2').insert('Down');
          worksheet.getRange('A:A').insert('Right');
          worksheet.name = 'March';
        }
        await excel.sync();
      }),
    [sheet, work] as const,
  );

it('A hidden row is checked in its place, told with its address, and sent only when that is chosen', async () => {
  await type('Amount incl. VAT *', 4, 'many');
  await change('hideRow4');
  await press('Push this sheet');
  await seen(pane.getByText('3 documents ready to send'));
  const issue = await seen(pane.getByText('expected a number such as 12.50, found “many”'));
  expect(await issue.textContent()).toMatch(/^Amount incl\. VAT \* \([A-Z]+4\): /);

  await type('Amount incl. VAT *', 4, '=4*100');
  await press('Check the rows again');
  await seen(pane.getByText('4 documents ready to send'));
  await press(/^Push 4 documents to /);
  const question = pane.getByRole('alertdialog');
  await seen(question.getByText('Also send 1 with hidden rows'));
  expect(await accessibilityErrors(pane)).toEqual([]);
  await question.getByRole('button', { name: 'Push' }).click();
  await seen(pane.getByText(': 3 applied.'));
  const status = async () => (await rowsOf(page, SHEET)).slice(0, 4).map(({ Status }) => Status);
  expect(await status()).toEqual(['Applied', 'Applied', '', 'Applied']);
});

it('A sheet with other names, somewhere else, is pushed, and its results are in its rows', async () => {
  await change('renameAndMove');
  await press('Push this sheet');
  await press(/^Push 4 documents to /);
  await pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
  await seen(pane.getByText(': 4 applied.'));
  const [headings, ...rows] = await page.evaluate(() => window.workbook.values('March!B3:Z7'));
  expect(headings![0]).toBe('Mark');
  const of = (heading: string) => rows.map((row) => row[headings!.indexOf(heading)]);
  expect(of('Mark')).toEqual(['V-2', 'V-3', 'V-4', 'V-5']);
  expect(of('Status')).toEqual(new Array(4).fill('Applied'));
  expect(of('Total incl. VAT')).toEqual([200, 300, 400, 500]);
});

it('A protected sheet is checked, and says that nothing was sent until it is not protected any more', async () => {
  await protectSheet(pane, SHEET, true);
  await press('Push this sheet');
  const pushes = page.waitForRequest((request) => /\/pushes$/.test(request.url()) && request.method() === 'POST');
  await press(/^Push 4 documents to /);
  const confirm = () => pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
  await confirm();
  await seen(pane.getByText(messages.problems.workbook.PROTECTED));
  await protectSheet(pane, SHEET, false);
  await press(/^Push 4 documents to /);
  await confirm();
  await pushes;
  await seen(pane.getByText(': 4 applied.'));
});

it('Rows are checked when the cell that is being edited is finished, and the pane says so until then', async () => {
  await page.evaluate((sheet) => window.workbook.select(`'${sheet}'!A6`), SHEET);
  await page.getByRole('grid').focus();
  await page.keyboard.type('V-6');
  await press('Push this sheet');
  await seen(pane.getByText('A cell is being edited. Press Enter or Escape; the work then continues automatically.'));
  expect(await pane.getByText('4 documents ready to send').count()).toBe(0);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Enter');
  await seen(pane.getByText('4 documents ready to send'));
});

it('Another sheet that is selected while a cell is being edited is shown when that is finished, without an error', async () => {
  await press('Make the sheet');
  await expect.poll(() => page.evaluate(() => window.workbook.sheets().length)).toBe(4);
  await press('Push this sheet');
  const sheets = pane.getByLabel('Sheet to push');
  await expect.poll(() => sheets.locator('option').count()).toBe(2);
  await sheets.selectOption(SHEET);
  await seen(pane.getByText('4 documents ready to send'));
  await seen(pane.getByRole('button', { name: 'Check the rows again', disabled: false }));
  await page.getByRole('grid').focus();
  await page.keyboard.type('V-6');
  const waiting = pane.getByText('A cell is being edited');
  await sheets.selectOption({ index: 1 });
  await seen(waiting);
  await sheets.selectOption(SHEET);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => waiting.count()).toBe(0);
  await seen(pane.getByText('4 documents ready to send'));
  expect(await pane.getByRole('alert').count()).toBe(0);
});

it('The sheet that was selected stays so when another window gives the connection another label', async () => {
  await press('Make the sheet');
  await expect.poll(() => page.evaluate(() => window.workbook.sheets().length)).toBe(4);
  await press('Push this sheet');
  const sheets = pane.getByLabel('Sheet to push');
  await expect.poll(() => sheets.locator('option').count()).toBe(2);
  await sheets.selectOption(SHEET);
  await seen(pane.getByText('4 documents ready to send'));
  const secondPage = await context.newPage();
  await secondPage.goto(`${app.address}/?lang=en`);
  const other = await paneOf(secondPage);
  await other.getByRole('button', { name: messages.switchAdministration }).click();
  await other.getByRole('button', { name: messages.named(messages.connect.rename, 'Demo') }).click();
  await other.getByLabel(messages.connect.label).first().fill('Renamed');
  await other.getByRole('button', { name: messages.connect.save }).click();
  await seen(pane.getByText('Renamed'));
  await seen(pane.getByRole('button', { name: 'Check the rows again', disabled: false }));
  await press('Check the rows again');
  await seen(pane.getByRole('button', { name: 'Check the rows again', disabled: false }));
  expect(await sheets.locator('option:checked').textContent()).toBe(SHEET);
  await seen(pane.getByText('4 documents ready to send'));
});
