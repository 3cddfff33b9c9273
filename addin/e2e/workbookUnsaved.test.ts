import { beforeEach, describe, expect, test } from 'vitest';
import { withWorkbookPage } from './workbookPage.ts';

const workbookPage = withWorkbookPage();
const { open, values, select, press, paneFrame } = workbookPage;
let { page } = workbookPage;

/** The questions of the browser, oldest first. Each is answered with leaving or with staying. */
let questions: string[];
let leaves: boolean;

beforeEach(() => {
  ({ page } = workbookPage);
  questions = [];
  leaves = false;
  page.on('dialog', async (dialog) => {
    questions.push(dialog.type());
    await (leaves ? dialog.accept() : dialog.dismiss());
  });
});

/** Whether an attempt to reload the page succeeds. */
const reloads = async (): Promise<boolean> => {
  const asked = questions.length;
  await page.evaluate(() => Object.assign(window, { before: true }));
  await page.evaluate(() => location.reload()).catch(() => undefined);
  const isAnother = () => page.evaluate(() => !('before' in window)).catch(() => false);
  await expect.poll(async () => (questions.length > asked && !leaves) || (await isAnother())).toBe(true);
  return isAnother();
};

describe('A reload', () => {
  test('asks nothing while the workbook is unchanged', async () => {
    await paneFrame();
    await select('C7');
    await press('ArrowDown', 'F2', 'Escape');
    expect(await reloads()).toBe(true);
    expect(questions).toEqual([]);
  });

  test('asks first after something was typed, and no longer after a download', async () => {
    await page.keyboard.type('precious');
    await press('Enter');
    await page.getByText('Not downloaded yet').waitFor();
    expect(await reloads()).toBe(false);
    expect(questions).toEqual(['beforeunload']);
    expect(await values('A1')).toEqual([['precious']]);
    await Promise.all([page.waitForEvent('download'), press('Control+s')]);
    await expect.poll(() => page.getByText('Not downloaded yet').count()).toBe(0);
    expect(await reloads()).toBe(true);
    expect(questions).toEqual(['beforeunload']);
  });

  test('asks first while a cell is being edited, and after the add-in wrote something', async () => {
    await page.keyboard.type('half');
    expect(await reloads()).toBe(false);
    await press('Escape');
    leaves = true;
    expect(await reloads()).toBe(true);
    expect(questions).toEqual(['beforeunload']);
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
    expect(questions).toEqual(['beforeunload', 'beforeunload']);
  });
});

describe('Closing the page', () => {
  test('asks first as well', async () => {
    await page.keyboard.type('precious');
    await press('Enter');
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => questions).toEqual(['beforeunload']);
    expect(await values('A1')).toEqual([['precious']]);
  });

  test('asks at any moment after the first entry: its listener never goes away', async () => {
    await page.keyboard.type('precious');
    // A browser closes a page without asking it as long as it knows of no listener.
    await page.evaluate(() => {
      const { removeEventListener } = window;
      Object.assign(window, { removals: 0 });
      window.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
        if (args[0] === 'beforeunload') Object.assign(window, { removals: 1 });
        removeEventListener.apply(window, args);
      };
    });
    await press('Enter');
    await expect.poll(() => values('A1')).toEqual([['precious']]);
    await page.keyboard.type('more');
    await press('Enter');
    await expect.poll(() => values('A2')).toEqual([['more']]);
    expect(await page.evaluate(() => Reflect.get(window, 'removals'))).toBe(0);
  });
});
