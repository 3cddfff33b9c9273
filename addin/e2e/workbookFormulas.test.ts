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
