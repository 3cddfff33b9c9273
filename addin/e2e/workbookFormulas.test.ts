import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { withWorkbookPage } from './workbookPage.ts';

const workbookPage = withWorkbookPage();
const { open, formulas, texts, press, select, cell, paneFrame } = workbookPage;

test('A Dutch formula is calculated and shown in Dutch, and is English for the add-in and in the downloaded file', async () => {
  const { page } = workbookPage;
  await open('lang=nl');
  await page.keyboard.type('=als(lengte("vier")>1,5;waar;onwaar)');
  await press('Enter', 'ArrowUp');
  await expect.poll(() => cell(0, 0).textContent()).toBe('WAAR');
  expect(await page.getByLabel('Formulebalk').inputValue()).toBe('=ALS(LENGTE("vier")>1,5;WAAR;ONWAAR)');
  expect(await formulas('A1')).toEqual([['=IF(LEN("vier")>1.5,TRUE,FALSE)']]);

  await press('F2', 'Enter');
  await select('A1');
  await press('Control+c');
  await select('A2');
  await press('Control+v');
  await expect.poll(() => texts('A1:A2')).toEqual([['WAAR'], ['WAAR']]);

  const frame = await paneFrame();
  const read = await frame.evaluate(() =>
    Excel.run(async (excel) => {
      const range = excel.workbook.worksheets.getActiveWorksheet().getRange('A1').load('formulas,formulasLocal');
      await excel.sync();
      return [range.formulas[0]![0], range.formulasLocal[0]![0]];
    }),
  );
  expect(read).toEqual(['=IF(LEN("vier")>1.5,TRUE,FALSE)', '=ALS(LENGTE("vier")>1,5;WAAR;ONWAAR)']);

  const [download] = await Promise.all([page.waitForEvent('download'), press('Control+s')]);
  const sheet = strFromU8(unzipSync(await readFile(await download.path()))['xl/worksheets/sheet1.xml']!);
  expect(sheet).toContain('<f>IF(LEN(&quot;vier&quot;)&gt;1.5,TRUE,FALSE)</f><v>1</v>');
  expect(sheet).not.toMatch(/LENGTE|ALS\(/);
});

test('In manual calculation results wait for F9 or the button in the status bar, also in a file that is opened', async () => {
  const { page } = workbookPage;
  await workbookPage.fill([['1', '=A1*2']]);
  await expect.poll(() => texts('B1')).toEqual([['2']]);
  const frame = await paneFrame();
  await frame.evaluate(() =>
    Excel.run(async (excel) => {
      excel.application.calculationMode = 'Manual';
      await excel.sync();
    }),
  );
  const due = page.getByRole('button', { name: 'Calculate', exact: true });
  await page.getByRole('button', { name: 'Calculate automatically' }).waitFor();
  const type = async (text: string) => {
    await select('A1');
    await page.getByRole('grid').focus();
    await page.keyboard.type(text);
    await press('Enter');
  };
  await type('10');
  await due.waitFor();
  expect(await texts('B1')).toEqual([['2']]);
  expect(await workbookPage.accessibilityErrors()).toEqual([]);
  await due.click();
  await expect.poll(() => texts('B1')).toEqual([['20']]);
  await due.waitFor({ state: 'detached' });
  await type('11');
  await due.waitFor();
  await press('F9');
  await expect.poll(() => texts('B1')).toEqual([['22']]);

  await type('12');
  await due.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), press('Control+s')]);
  await expect.poll(() => texts('B1')).toEqual([['24']]);
  const file = await readFile(await download.path());
  await open();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Open .xlsx' }).click(),
  ]);
  await chooser.setFiles({ name: 'Manual.xlsx', mimeType: '', buffer: file });
  await page.getByText('Manual.xlsx ·').waitFor();
  await type('20');
  await due.waitFor();
  expect(await texts('B1')).toEqual([['24']]);
  await page.getByRole('button', { name: 'Calculate automatically' }).click();
  await expect.poll(() => texts('B1')).toEqual([['40']]);
});
