import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { withWorkbookPage } from './workbookPage.ts';

const workbookPage = withWorkbookPage();
const { open, paneFrame, values, press, accessibilityErrors } = workbookPage;
let { page } = workbookPage;
beforeEach(() => {
  ({ page } = workbookPage);
});

const ribbon = () => page.locator('.ribbon');

describe('The ribbon', () => {
  test.each(['en', 'nl', 'fr'] as const)(
    'has the buttons of the manifest, in the language of the page: %s',
    async (language) => {
      await open(`lang=${language}`);
      const manifest = readFileSync(path.resolve(import.meta.dirname, '../../manifest.xml'), 'utf8');
      const labels = [...manifest.matchAll(/<Control [^>]*>\s*<Label resid="([^"]+)"/g)].map(([, id]) => id!);
      const texts: Record<string, string> = messagesOf[language].manifest;
      expect(labels.length).toBeGreaterThanOrEqual(6);
      expect(await ribbon().getByRole('button').allTextContents()).toEqual(labels.map((id) => texts[id]));
      const widths = () =>
        ribbon()
          .locator('img')
          .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
      await expect.poll(widths).toEqual(labels.map(() => 32));
      expect(await accessibilityErrors()).toEqual([]);
    },
  );

  test('replaces the page in the pane, also in the middle of work, and leaves the workbook as it is', async () => {
    await page.keyboard.type('kept');
    await press('Enter');
    const before = await paneFrame();
    await before.evaluate(() => {
      Object.assign(window, { mark: true });
      return Excel.run(async (excel) => {
        excel.workbook.worksheets.onChanged.add(async () => {
          throw new Error('A replaced page got an event.');
        });
        await excel.sync();
      });
    });
    await ribbon().getByRole('button', { name: 'Product sheet' }).click();
    await expect.poll(() => page.locator('iframe').getAttribute('src')).toContain('view=products');
    const after = await paneFrame();
    expect(await after.evaluate(() => 'mark' in window)).toBe(false);
    await page.getByRole('grid').focus();
    await page.keyboard.type('typed');
    await press('Enter');
    expect(await values('A1:A2')).toEqual([['kept'], ['typed']]);
    expect(
      await after.evaluate(() =>
        Excel.run(async (excel) => {
          const range = excel.workbook.worksheets.getActiveWorksheet().getRange('A1:A2').load('values');
          await excel.sync();
          return range.values;
        }),
      ),
    ).toEqual([['kept'], ['typed']]);
  });

  test('loads the page anew when the same button is pressed again, and shows a hidden pane', async () => {
    const openInvoices = () => ribbon().getByRole('button', { name: 'Sales invoices' }).click();
    await openInvoices();
    await (await paneFrame()).evaluate(() => Object.assign(window, { mark: true }));
    await page.getByRole('button', { name: 'Hide pane' }).click();
    await openInvoices();
    await page.locator('iframe').waitFor();
    await expect.poll(async () => (await paneFrame()).evaluate(() => 'mark' in window)).toBe(false);
  });
});

test('The pane finds the requirement set of the manifest, a partition key and the colours of Excel', async () => {
  const facts = async () =>
    (await paneFrame()).evaluate(() => {
      const { requirements, officeTheme } = Office.context;
      return {
        sets: ['1.13', '1.14'].map((version) => requirements.isSetSupported('ExcelApi', version)),
        partitionKey: (Office.context as { partitionKey?: string }).partitionKey,
        background: officeTheme?.bodyBackgroundColor,
      };
    });
  expect(await facts()).toEqual({
    sets: [true, false],
    partitionKey: expect.stringMatching(/./),
    background: '#FFFFFF',
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await open();
  expect((await facts()).background).not.toBe('#FFFFFF');
  expect(await accessibilityErrors()).toEqual([]);
});
