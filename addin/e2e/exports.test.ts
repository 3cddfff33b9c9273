import { writeFileSync } from 'node:fs';
import path from 'node:path';
import readWorkbook from 'read-excel-file/node';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStorage } from '../../functions/storage/storage.ts';
import { createExportClient } from '../../shared/client/exportClient.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo, startApp } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { partsInDatabase, relationsInDatabase } from './relationsInDatabase.ts';
import { rowsOf } from './sheetCells.ts';

/*
 * Relation exports: made by the queue of the real app, brought into a workbook and downloaded in Chromium. Each test
 * continues where the one before it ended.
 */

const folder = temporaryFolder();
const appPage = withAppPage(startApp, { timezoneId: 'UTC' });
let { app, context, page, pane } = appPage;
beforeEach(async () => {
  ({ app, context, page, pane } = appPage);
  await connect(pane, demo, 'Demo BV');
});

const press = (name: string | RegExp) => pane.getByRole('button', { name }).first().click();
const open = () => appPage.openView('Relation exports');
const exports = () => createExportClient({ base: app.address, credential: demo, fetch }).list();

/** Lets the queue make another export of the demo administration, and waits for it. */
async function exportOnce(): Promise<void> {
  const before = (await exports()).length;
  const message = { administration: ADMINISTRATION, scheduledOn: Math.floor(Date.now() / 1000) };
  await openStorage(app.storage).queue('relation-exports').send(message);
  await expect.poll(async () => (await exports()).filter(({ state }) => state === 'published').length).toBe(before + 1);
}
const ADMINISTRATION = '1';

describe('relation exports', () => {
  it('are none at first, and the pane offers to make the first one now', async () => {
    await open();
    await seen(pane.getByText('There is no export yet'));
    expect(await pane.getByRole('main').getByRole('button').allTextContents()).toEqual(
      expect.arrayContaining(['Make an export now']),
    );
    expect(await pane.getByRole('button', { name: 'Reload' }).count()).toBe(0);
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Make an export now');
    await seen(pane.getByText(/^The export of .* is complete: \d+ relations\.$/));
    expect(await exports()).toMatchObject([{ state: 'published' }]);
    expect(await accessibilityErrors(pane)).toEqual([]);
    // The activity of the administration has it too, with its relations.
    await press('Back');
    await press('Activity');
    const relations = relationsInDatabase(app.databaseFile, 1).length;
    const entry = pane.getByRole('listitem').filter({ hasText: 'Complete' });
    await seen(entry.getByText(new RegExp(`: Complete: ${relations} relations$`)));
    await press('All exports');
    await seen(pane.getByRole('heading', { level: 1, name: 'Relation exports' }));
  });

  it('bring the relations of the latest one into the workbook, every cell as in the database', async () => {
    await open();
    const relations = relationsInDatabase(app.databaseFile, 1);
    await seen(pane.getByText(`Complete: ${relations.length} relations`));
    await press(/^Bring in the relations of/);
    await seen(pane.getByText('on sheet “Relations”. The data are those of the export of'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    expect(relations.length).toBeGreaterThan(50);
    expect(await rowsOf(page, 'Relations')).toEqual(relations);
    expect(await page.evaluate(() => window.workbook.numberFormats("'Relations'!A2:C2"))).toEqual([['@', '@', '@']]);
  });

  it('refresh a table from the newest one, and bring an older one onto a sheet of its own', async () => {
    await open();
    await press(/^Bring in the relations of/);
    await seen(pane.getByText('on sheet “Relations”'));
    const before = await rowsOf(page, 'Relations');

    const file = path.join(folder, 'relations.csv');
    writeFileSync(file, "Name,Phone\n=cmd|' /C calc'!A0,+31612345678\n");
    await app.administration('import', 'relations', file, '--administration', '1');
    await exportOnce();
    await press('Back');
    await seen(pane.getByText(/last refreshed .*, with the export of/));
    await press('Refresh Relations');
    expect(await (await seen(pane.getByText('is up to date'))).textContent()).toContain('1 new, 0 changed, 0 removed');
    const after = await rowsOf(page, 'Relations');
    expect(after).toEqual(relationsInDatabase(app.databaseFile, 1));
    expect(after.at(-1)).toMatchObject({ Name: "=cmd|' /C calc'!A0", Phone: '+31612345678' });

    await open();
    await seen(pane.getByText('1 new, 0 changed, 0 removed since'));
    await pane
      .getByRole('button', { name: /^Bring in the relations of/ })
      .nth(1)
      .click();
    const older = (await exports())[1]!.date;
    await seen(pane.getByText(`on sheet “Relations ${older}”`));
    expect(await rowsOf(page, `Relations ${older}`)).toEqual(before);
  });

  it('can be downloaded as a workbook with everything that is in the database', async () => {
    await open();
    const asking = page.waitForRequest(/relations\.xlsx$/);
    const downloading = page.waitForEvent('download');
    await press(/^Download the workbook of/);
    const download = await downloading;
    const file = path.join(folder, download.suggestedFilename());
    await download.saveAs(file);
    // A response of the app is limited, a workbook is not.
    expect((await asking).headers().range).toMatch(/^bytes=0-\d+$/);
    await seen(pane.getByText(`${download.suggestedFilename()} was downloaded`));
    expect(await accessibilityErrors(pane)).toEqual([]);

    const sheets = await readWorkbook(file, { trim: false });
    // The exported workbook has the interface's own codes, the sheet of the pane their words.
    const relations = relationsInDatabase(app.databaseFile, 1).map((relation) => ({
      ...relation,
      'Business or private': `${relation['Business or private']}Relation`,
    }));
    const { contacts, bankAccounts, customFields } = partsInDatabase(app.databaseFile, 1);
    expect(sheets.map(({ sheet, data }) => [sheet, data.length - 1])).toEqual([
      ['Relations', relations.length],
      ['Contacts', contacts],
      ['Bank accounts', bankAccounts],
      ['Custom fields', customFields],
    ]);
    const [headings, ...rows] = sheets[0]!.data;
    const isMoment = (heading: string) => heading.endsWith(' on');
    const withoutMoments = (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => !isMoment(name)));
    expect(headings).toEqual(Object.keys(relations[0]!));
    expect(
      rows.map((cells) => withoutMoments(Object.fromEntries(headings!.map((name, at) => [name, cells[at] ?? ''])))),
    ).toEqual(relations.map(withoutMoments));
  });
});

describe('the view of relation exports', () => {
  it('leaves the workbook as it was when bringing one in is cancelled', async () => {
    let release = () => {};
    const stopped = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route('**/relations.jsonl', async (route) => {
      await stopped;
      await route.abort();
    });
    await open();
    await press(/^Bring in the relations of/);
    await press('Cancel');
    await seen(pane.getByText('Cancelled. The workbook was not changed.'));
    release();
    expect(await page.evaluate(() => window.workbook.sheets())).toEqual(['Sheet1']);
  });

  it('shows a failure, and the exports after another attempt', async () => {
    const problem = { errorCode: 'UNAVAILABLE', errorMessage: 'Exports need a storage account.' };
    await context.route('**/exports', (route) => route.fulfill({ status: 400, json: problem }));
    await open();
    await seen(pane.getByRole('alert'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await context.unroute('**/exports');
    await press('Reload');
    await seen(pane.getByText('latest', { exact: true }));
    expect(await pane.getByRole('alert').count()).toBe(0);
  });

  it('can be used with the keyboard alone, and fits a width of 320 pixels', async () => {
    await open();
    const button = await seen(pane.getByRole('button', { name: /^Bring in the relations of/ }));
    await page.locator('iframe').evaluate((frame) => {
      frame.style.width = '320px';
    });
    expect(await pane.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await pane.getByRole('link', { name: 'Help' }).focus();
    await page.keyboard.press('Tab');
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await seen(pane.getByText('on sheet “Relations”'));
  });

  it('is in Dutch on a Dutch page', async () => {
    pane = await appPage.open('nl');
    await press('Relatie-exports');
    await press(/^Ophalen: de relaties van/);
    await seen(pane.getByText('op blad “Relaties”'));
    const [first] = relationsInDatabase(app.databaseFile, 1);
    expect((await rowsOf(page, 'Relaties'))[0]).toMatchObject({
      'Relatie-ID': first!['Relation ID'],
      Naam: first!.Name,
    });
    expect(await accessibilityErrors(pane)).toEqual([]);
    // So is its workbook.
    const downloading = page.waitForEvent('download');
    await press(/^Downloaden: de werkmap van/);
    const [relations] = await readWorkbook(await (await downloading).path(), { trim: false });
    expect([relations!.sheet, relations!.data[0]![0]]).toEqual(['Relaties', 'Relatie-ID']);
  });
});
