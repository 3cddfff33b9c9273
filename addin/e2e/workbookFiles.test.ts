import { readFile } from 'node:fs/promises';
import { Workbook } from '@cj-tech-master/excelts';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { beforeEach, describe, expect, test } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { withWorkbookPage } from './workbookPage.ts';

/* Workbooks that are downloaded from the page, and files that it opens. */

const workbookPage = withWorkbookPage();
const { fill, press, texts, open: openPage } = workbookPage;
let { page } = workbookPage;
beforeEach(() => {
  ({ page } = workbookPage);
});

const download = async (): Promise<Uint8Array> => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download/ }).click(),
  ]);
  return new Uint8Array(await readFile(await file.path()));
};

const openFile = async (bytes: Uint8Array, name = 'Maart.xlsx', button = 'Open .xlsx') => {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ]);
  await chooser.setFiles({ name, mimeType: '', buffer: Buffer.from(bytes) });
};

/** A file with a note more, as another program writes it. */
async function withNote(file: Uint8Array, address: string, text: string): Promise<Uint8Array> {
  const workbook = new Workbook();
  await workbook.xlsx.load(file);
  workbook.worksheets[0]!.getCell(address).note = text;
  return workbook.xlsx.writeBuffer();
}

const rows = [
  ['Code', 'Price'],
  ["'0100", '12.50'],
  ["'0200", '7.25'],
];

describe('A file', () => {
  test('that was downloaded opens again, with its table, under its own name', async () => {
    await fill(rows);
    await press('Control+Home', 'Control+t');
    const file = await download();
    await openPage();
    await openFile(file);
    await page.getByText('Maart.xlsx ·').waitFor();
    expect(await texts('A1:B3')).toEqual([
      ['Code', 'Price'],
      ['0100', '12.5'],
      ['0200', '7.25'],
    ]);
    expect(await page.evaluate(() => window.workbook.tables())).toMatchObject([
      { sheet: 'Sheet1', address: 'A1:B3', columns: ['Code', 'Price'] },
    ]);
    // It has nothing that was not downloaded.
    await page.getByText('Simulated Excel').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.type('9');
    await press('Enter');
    await page.getByText('Not downloaded yet').waitFor();
  });

  test('replaces a workbook with changes, and loses what it cannot keep, only after the person said so', async () => {
    await fill([['file']]);
    const parts = unzipSync(await download());
    const file = zipSync({ ...parts, 'xl/vbaProject.bin': strToU8('x'), 'xl/media/image1.png': strToU8('x') });
    await fill([['present']]);
    await openFile(file);
    const dialog = page.getByRole('dialog', { name: 'Open Maart.xlsx' });
    await dialog.getByText('has changes that were not downloaded').waitFor();
    await dialog.getByText('macros, which do not run here').waitFor();
    await dialog.getByText('pictures and embedded files').waitFor();
    expect(await accessibilityErrors(page)).toEqual([]);
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await texts('A1')).toEqual([['present']]);
    await openFile(file);
    await dialog.getByRole('button', { name: 'Open it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await texts('A1')).toEqual([['file']]);
  });

  test('has its notes, which the page shows at their cells and below the grid, and keeps in a download', async () => {
    await fill([['Price'], ['5']]);
    await page.evaluate(() => window.workbook.select('A2'));
    const file = await withNote(await download(), 'A2', 'Jan: excl. VAT');
    await openPage();
    await openFile(file);
    await page.getByText('Maart.xlsx ·').waitFor();
    expect(await page.locator('#cell-1-0').getAttribute('title')).toBe('Jan: excl. VAT');
    const corner = await page.locator('#cell-1-0').evaluate((element) => {
      const { borderTopColor, borderRightColor, borderLeftColor, top, right } = getComputedStyle(element, '::before');
      return { borderTopColor, borderRightColor, borderLeftColor, top, right };
    });
    const red = 'rgb(192, 0, 0)';
    expect(corner).toMatchObject({ borderTopColor: red, borderRightColor: red, top: '0px', right: '0px' });
    expect(corner.borderLeftColor).toBe('rgba(0, 0, 0, 0)');
    await page.evaluate(() => window.workbook.select('A2'));
    await page.getByRole('status').getByText('Jan: excl. VAT').waitFor();
    expect(await accessibilityErrors(page)).toEqual([]);
    const comments = unzipSync(await download())['xl/comments1.xml'];
    expect(new TextDecoder().decode(comments)).toContain('excl. VAT');
  });

  test('with much that is not kept is asked about at twice the size with its button in sight', async () => {
    await fill([['file']]);
    const parts = unzipSync(await download());
    const others = ['vbaProject.bin', 'externalLinks/a.xml', 'connections.xml', 'pivotTables/a.xml', 'media/a.png'];
    const more = [...others, 'chartsheets/a.xml', 'ctrlProps/a.xml'].map((path) => [`xl/${path}`, strToU8('<x/>')]);
    await page.setViewportSize({ width: 640, height: 380 });
    await openFile(zipSync({ ...parts, ...Object.fromEntries(more) }));
    const open = page.getByRole('dialog').getByRole('button', { name: 'Open it' });
    await open.waitFor();
    const { x, y, width, height } = (await open.boundingBox())!;
    const isSeen = await open.evaluate(
      (button, [left, top]) => document.elementFromPoint(left!, top!) === button,
      [x + width / 2, y + height / 2],
    );
    expect(isSeen).toBe(true);
  });

  test('that is not read within a minute is given up with the reason', async () => {
    await page.clock.install();
    await page.route('**/fileWorker*', () => {});
    await openPage('lang=en');
    await fill([['present']]);
    await openFile(new Uint8Array([1]), 'slow.xlsx');
    await page.getByRole('dialog').getByText('Reading').waitFor();
    await page.clock.fastForward(58_000);
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.clock.fastForward(3000);
    await page.getByRole('status').getByText('too large').waitFor();
    expect(await texts('A1')).toEqual([['present']]);
    await page.unroute('**/fileWorker*');
  });

  test('that is no workbook, or has a password, is refused with the reason', async () => {
    await openPage('lang=nl');
    await fill([['huidig']]);
    await openFile(strToU8('a,b\n'), 'a.xlsx', '.xlsx openen');
    await page.getByRole('status').getByText('het is geen .xlsx-werkmap, of het is beschadigd').waitFor();
    await openFile(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0]), 'b.xlsx', '.xlsx openen');
    await page.getByRole('status').getByText('het heeft een wachtwoord').waitFor();
    expect(await texts('A1')).toEqual([['huidig']]);
  });
});
