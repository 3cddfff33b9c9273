import { beforeEach, describe, expect, test } from 'vitest';
import { withWorkbookPage } from './workbookPage.ts';

const workbookPage = withWorkbookPage();
const { open, values, select, press, paneFrame } = workbookPage;
let { page } = workbookPage;

/** What the browser asked, oldest first. A question is answered by leaving, or else by staying. */
let asked: string[];
let leaves: boolean;

beforeEach(() => {
  ({ page } = workbookPage);
  asked = [];
  leaves = false;
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type());
    await (leaves ? dialog.accept() : dialog.dismiss());
  });
});

/** Whether the page is there anew after an attempt to reload it. */
const reloads = async (): Promise<boolean> => {
  await page.evaluate(() => Object.assign(window, { before: true }));
  await page.evaluate(() => location.reload()).catch(() => undefined);
  return page
    .waitForFunction(() => !('before' in window), undefined, { timeout: 2000 })
    .then(() => true)
    .catch(() => false);
};

describe('A reload', () => {
  test('asks nothing while the workbook is untouched, whatever was looked at', async () => {
    await paneFrame();
    await select('C7');
    await press('ArrowDown', 'F2', 'Escape');
    expect(await reloads()).toBe(true);
    expect(asked).toEqual([]);
  });

  test('asks first when something was typed, and nothing more once it was downloaded', async () => {
    await page.keyboard.type('precious');
    await press('Enter');
    await page.getByText('Not downloaded yet').waitFor();
    expect(await reloads()).toBe(false);
    expect(asked).toEqual(['beforeunload']);
    expect(await values('A1')).toEqual([['precious']]);
    await Promise.all([page.waitForEvent('download'), press('Control+s')]);
    await expect.poll(() => page.getByText('Not downloaded yet').count()).toBe(0);
    expect(await reloads()).toBe(true);
    expect(asked).toEqual(['beforeunload']);
  });

  test('asks first while a cell is being typed in, and when the add-in wrote something', async () => {
    await page.keyboard.type('half');
    expect(await reloads()).toBe(false);
    await press('Escape');
    leaves = true;
    expect(await reloads()).toBe(true);
    expect(asked).toEqual(['beforeunload']);
    await open();
    await press('ArrowDown');
    const frame = await paneFrame();
    await frame.evaluate(() =>
      Excel.run(async (excel) => {
        excel.workbook.worksheets.getActiveWorksheet().getRange('A1').values = [['written']];
        await excel.sync();
      }),
    );
    await page.getByText('Not downloaded yet').waitFor();
    expect(await reloads()).toBe(true);
    expect(asked).toEqual(['beforeunload', 'beforeunload']);
  });
});

test('Closing the page asks first as well', async () => {
  await page.keyboard.type('precious');
  await press('Enter');
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toEqual(['beforeunload']);
  expect(await values('A1')).toEqual([['precious']]);
});
