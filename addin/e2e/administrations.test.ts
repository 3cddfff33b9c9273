import path from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ViewName } from '../taskpane/viewNames.ts';
import { accessibilityErrors } from './accessibility.ts';
import { BELGIAN, belgianDemo, DUTCH, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { makeEarlier } from './earlierSheets.ts';
import { connect, paneOf, paneOpened, seen } from './pane.ts';
import { rowsFrom, rowsOf, typeBelow } from './sheetCells.ts';

/* A person with the books of several clients: whose each sheet is, whatever it is called. */

const appPage = withAppPage();
const { openView, press } = appPage;
let { app, context, page, pane } = appPage;
beforeEach(() => {
  ({ app, context, page, pane } = appPage);
});

const header = (of: Frame = pane) => of.locator('header').textContent();
const sheets = () => page.evaluate(() => window.workbook.sheets());

/** Issues a key of an administration. @returns it */
async function issueKey(administration: string, username: string, ...options: string[]): Promise<string> {
  const printed = await app.administration(
    ...['key', 'issue', '--administration', administration, '--username', username, ...options],
  );
  return /\S+$/.exec(printed)![0];
}

/** Brings in the ledger accounts, from the start page and back to it. */
async function bringInAccounts(sheet = 'Ledger accounts'): Promise<void> {
  await openView('Ledger accounts');
  await press('Bring in ledger accounts');
  await seen(pane.getByText(`on sheet “${sheet}”`));
  await press('Back');
}

/** Closes the pane and opens it again with a view. */
async function reopenPane(view: ViewName): Promise<void> {
  await pane.goto(`${app.address}/taskpane/simulator/pane.html?lang=en&view=${view}`);
  await paneOpened(pane);
}

describe('an administration', () => {
  it('is shown by its real name and country as soon as it is connected', async () => {
    await connect(pane, demo, 'Klant A');
    expect(await header()).toContain(`${DUTCH} · NL`);
    expect(await header()).toContain('Klant A');
    await press('Administrations');
    await pane.getByLabel('User name').fill(belgianDemo.username);
    await pane.getByLabel('API key').fill(belgianDemo.apiKey);
    await press('Connect');
    await seen(pane.getByRole('heading', { name: 'What do you want to do?' }));
    expect(await header()).toContain(`${BELGIAN} · BE`);
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Administrations');
    expect(await accessibilityErrors(pane)).toEqual([]);
  });

  it('is not another one with the same label: its sheets are neither refreshed from that nor pushed to it', async () => {
    await connect(pane, demo, 'Klant A');
    await bringInAccounts();
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('01008');
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
    await typeBelow(page, 'Products to change', 'New sale price', 2, '12.50');
    const before = await rowsOf(page, 'Ledger accounts');
    await press('Administrations');
    await press('Remove Klant A');
    await pane.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await connect(pane, belgianDemo, 'Klant A');

    await seen(pane.getByText('so it cannot be refreshed now'));
    expect(await pane.getByRole('button', { name: /^Refresh/ }).count()).toBe(0);
    await seen(pane.getByRole('button', { name: `Connect to ${DUTCH} Ledger accounts` }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Push rows');
    await seen(pane.getByText('so it cannot be pushed now'));
    expect(await pane.getByRole('button', { name: /^Push \d/ }).count()).toBe(0);
    expect(await accessibilityErrors(pane)).toEqual([]);
    expect(await rowsOf(page, 'Ledger accounts')).toEqual(before);

    // Connected again, its sheets are its own again.
    await press(`Connect to ${DUTCH}`);
    await connect(pane, demo, 'Klant A');
    await seen(pane.getByText('Another connection is labelled Klant A too'));
    await press('Refresh Ledger accounts');
    await seen(pane.getByText('0 new, 0 changed, 0 removed'));
    await press('Push rows');
    await seen(pane.getByRole('button', { name: `Push 1 row to ${DUTCH}` }));
  });

  it('is the same one under another label', async () => {
    await connect(pane, demo, 'Klant A');
    await bringInAccounts();
    await press('Administrations');
    await press('Rename Klant A');
    await pane.getByRole('listitem').getByLabel('Label').fill('Klant B');
    await press('Save');
    await press('Remove Klant B');
    await pane.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await connect(pane, demo, 'Bakkerij');
    await press('Refresh Ledger accounts');
    await seen(pane.getByText('0 new, 0 changed, 0 removed'));
  });

  it('keeps its sheets when its key is replaced', async () => {
    await connect(pane, demo, 'Klant A');
    await bringInAccounts();
    const apiKey = await issueKey('1', demo.username);
    await press('Administrations');
    await connect(pane, { ...demo, apiKey }, 'Klant A');
    await seen(pane.getByText(`You had a connection to ${DUTCH}: it has the new key now`));
    await press('Refresh Ledger accounts');
    await seen(pane.getByText('0 new, 0 changed, 0 removed'));
    await press('Administrations');
    expect(await pane.getByRole('button', { name: /^Use / }).count()).toBe(1);
    expect(await pane.evaluate(() => JSON.stringify(localStorage))).toContain(apiKey);
  });

  it('of a sheet that an earlier version made is asked about once, with the rows that agree', async () => {
    await connect(pane, demo, 'Klant A');
    await bringInAccounts();
    const accounts = (await rowsOf(page, 'Ledger accounts')).length;
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('01008\nNOPE');
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
    await makeEarlier(pane, { id: 'c0ffee', label: 'Klant A' });
    await reopenPane('invoices');
    await seen(pane.getByText(`${accounts} of ${accounts} ledger accounts`));
    await seen(pane.getByText('1 of 1 product'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press(`Yes, of ${DUTCH}`);
    await pane.getByText('An earlier version made').waitFor({ state: 'detached' });
    await press('Back');
    await press('Refresh Ledger accounts');
    await seen(pane.getByText('0 new, 0 changed, 0 removed'));
    await reopenPane('invoices');
    expect(await pane.getByText('An earlier version made').count()).toBe(0);
  });

  it('of a sheet that an earlier version made from other books is denied once, and nothing changes', async () => {
    await connect(pane, demo, 'Klant A');
    await bringInAccounts();
    await press('Administrations');
    await press('Remove Klant A');
    await pane.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await connect(pane, belgianDemo, 'Klant A');
    await makeEarlier(pane, { id: 'c0ffee', label: 'Klant A' });
    await reopenPane('invoices');
    await seen(pane.getByText(/^0 of \d+ ledger accounts/));
    await seen(pane.getByText('so it is another one.'));
    expect(await pane.getByRole('button', { name: /^Yes/ }).count()).toBe(0);
    await press('No, of another administration');
    await reopenPane('exports');
    await press('Back');
    await seen(pane.getByText('so it cannot be refreshed now'));
    expect(await pane.getByText('An earlier version made').count()).toBe(0);
    expect(await pane.getByRole('button', { name: /^Refresh/ }).count()).toBe(0);
  });
});

describe('a copied sheet, which stores nothing', () => {
  const copySheet = (name: string) =>
    pane.evaluate(
      (sheet) =>
        Excel.run(async (excel) => {
          excel.workbook.worksheets.getItem(sheet).copy();
          await excel.sync();
        }),
      name,
    );

  it('is not offered as one of other books without what speaks for it, nor when its products are not theirs', async () => {
    await connect(pane, demo, 'Klant A');
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('01008');
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
    await copySheet('Products to change');
    // The two demo administrations sell the same.
    await typeBelow(page, 'Products to change (2)', 'Name now', 2, 'A loaf of Klant A');
    await press('Administrations');
    await connect(pane, belgianDemo, 'Klant B');
    await press('Push rows');
    const notice = pane.getByText('“Products to change (2)” looks like a copy').locator('..');
    await seen(notice.getByText('0 of 1 product, by number and name'));
    expect(await notice.textContent()).toContain(`This workbook has sheets or formulas of:${DUTCH}`);
    expect(await notice.textContent()).toContain('so it is another one');
    expect(await pane.getByRole('button', { name: /^Use / }).count()).toBe(0);
    expect(await accessibilityErrors(pane)).toEqual([]);

    await press(`Switch to ${DUTCH}`);
    await press(`Use Products to change (2) as a sheet of ${DUTCH}`);
    await expect.poll(() => pane.getByLabel('Sheet to push').locator('option').allTextContents()).toHaveLength(2);
  });

  it('of documents says whose sheets there are, and that nothing could be compared', async () => {
    await connect(pane, demo, 'Klant A');
    await press('Make documents');
    await press('Make the sheet');
    await seen(pane.getByText('is ready'));
    const sheet = (await sheets()).at(-1)!;
    await copySheet(sheet);
    await press('Administrations');
    await connect(pane, belgianDemo, 'Klant B');
    await press('Push rows');
    const notice = pane.getByText(`“${sheet} (2)” looks like a copy`).locator('..');
    await seen(notice.getByText('only you can tell'));
    expect(await notice.textContent()).toContain(DUTCH);
    await seen(pane.getByRole('button', { name: `Use ${sheet} (2) as a sheet of ${BELGIAN}` }));
  });
});

describe('rows of a sheet of other books', () => {
  it('offer no document, no entries and no counter-entry', async () => {
    await connect(pane, demo, 'Klant A');
    await press('Sales invoices');
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Sales invoices”'));
    await press('Back');
    await openView('Trial balance');
    await pane.getByLabel('Period', { exact: true }).selectOption({ label: 'this year' });
    await press('Bring in the trial balance');
    await seen(pane.getByText('on sheet “Trial balance this year”'));
    await press('Back');
    const select = (address: string) => page.evaluate((wanted) => window.workbook.select(wanted), address);
    await expect
      .poll(async () => typeof (await rowsFrom(page, 'Trial balance this year', 9, 'E'))[0]![4])
      .toBe('number');
    const booked = (await rowsFrom(page, 'Trial balance this year', 9, 'E')).findIndex((row) => row[4] !== 0);
    const account = `'Trial balance this year'!A${9 + booked}`;
    await select(account);
    await press('Show entries');
    await seen(pane.getByText(/on sheet “Account card/));
    const card = (await sheets()).find((name) => name.startsWith('Account card'))!;
    const invoice = "'Sales invoices'!A2";
    const places = [
      [account, 'Show entries'],
      [`'${card}'!A7`, 'Reverse this entry'],
      [invoice, /^PDF of/],
    ] as const;
    for (const [place, name] of places) {
      await select(place);
      await seen(pane.getByRole('button', { name }));
    }

    await press('Administrations');
    await connect(pane, belgianDemo, 'Klant B');
    await seen(pane.getByRole('button', { name: `Switch to ${DUTCH} Sales invoices` }));
    // The list of sheets has buttons of that name too.
    await pane.getByRole('button', { name: 'Sales invoices', exact: true }).click();
    await press('Bring in sales invoices');
    await pane.getByRole('alertdialog').getByRole('button', { name: 'Add it' }).click();
    await seen(pane.getByText('on sheet “Sales invoices (2)”'));
    await press('Back');
    const own = pane.getByRole('button', { name: /^PDF of/ });
    for (const [place, name] of places) {
      await select("'Sales invoices (2)'!A2");
      await seen(own);
      await select(place);
      await own.waitFor({ state: 'detached' });
      // Each part of the pane reads the selection itself, in fewer requests than these.
      await pane.evaluate(async () => {
        for (let request = 0; request < 12; request++) await Excel.run((excel) => excel.sync());
      });
      expect(await pane.getByRole('button', { name }).count(), place).toBe(0);
    }
    await press(`Switch to ${DUTCH} Sales invoices`);
    await seen(pane.getByRole('button', { name: /^PDF of/ }));
  });
});

describe('a workbook', () => {
  it('stays with its administration, whatever another tab is connected to', async () => {
    await connect(pane, demo, 'Klant A');
    await bringInAccounts();
    const other = await context.newPage();
    await other.goto(`${app.address}/?lang=en`);
    const otherPane = await paneOf(other);
    await seen(otherPane.getByRole('button', { name: 'Administrations' }));
    await otherPane.getByRole('button', { name: 'Administrations' }).click();
    await connect(otherPane, belgianDemo, 'Klant B');
    expect(await header(otherPane)).toContain(BELGIAN);

    expect(await header()).toContain(DUTCH);
    await page.locator('.ribbon').getByRole('button', { name: 'Ledger accounts' }).click();
    await seen(pane.getByRole('heading', { name: 'Ledger accounts' }));
    expect(await header()).toContain(DUTCH);
    await press('Bring in ledger accounts');
    await seen(pane.getByText('0 new, 0 changed, 0 removed'));
    // The pane is closed and opened again, without what the tab remembers.
    await pane.evaluate(() => sessionStorage.clear());
    await reopenPane('invoices');
    expect(await header()).toContain(DUTCH);
    // The page is loaded again: a new workbook, in the same tab.
    pane = await appPage.reload();
    await seen(pane.getByRole('heading', { name: 'What do you want to do?' }));
    expect(await header()).toContain(DUTCH);
    await other.close();
  });

  it('of an administration that this browser has no connection to says so, and connects to no other', async () => {
    await connect(pane, demo, 'Klant A');
    await bringInAccounts();
    const other = await context.newPage();
    await other.goto(`${app.address}/?lang=en`);
    const otherPane = await paneOf(other);
    await otherPane.getByRole('button', { name: 'Administrations' }).click();
    await connect(otherPane, belgianDemo, 'Klant B');
    await otherPane.getByRole('button', { name: 'Administrations' }).click();
    await otherPane.getByRole('button', { name: 'Remove Klant A' }).click();
    await otherPane.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await seen(pane.getByRole('heading', { name: 'Your administrations' }));
    await reopenPane('invoices');
    await expect
      .poll(() => pane.locator('main').textContent())
      .toContain('This workbook was used last with an administration that this browser has no connection to');
    expect(await pane.locator('main').textContent()).toContain(DUTCH);
    expect(await header()).toContain('Not connected');
    expect(await accessibilityErrors(pane)).toEqual([]);
    await other.close();
  });

  it('asks before sheets of another administration come into it', async () => {
    await connect(pane, demo, 'Klant A');
    await bringInAccounts();
    await press('Administrations');
    await connect(pane, belgianDemo, 'Klant B');
    // The list of sheets has a button of that name too.
    await pane.getByRole('button', { name: 'Ledger accounts', exact: true }).click();
    await press('Bring in ledger accounts');
    const question = pane.getByRole('alertdialog', { name: 'Put two administrations into one workbook?' });
    await question.waitFor();
    expect(await question.textContent()).toContain(DUTCH);
    expect(await question.textContent()).toContain(BELGIAN);
    expect(await accessibilityErrors(pane)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await seen(pane.getByText('Cancelled. The workbook was not changed.'));
    expect(await sheets()).toEqual(['Sheet1', 'Ledger accounts']);

    await press('Bring in ledger accounts');
    await question.getByRole('button', { name: 'Add it' }).click();
    await seen(pane.getByText('on sheet “Ledger accounts (2)”'));
    await press('Back');
    // It has sheets of both now, each marked by its name and colour.
    await seen(pane.getByRole('button', { name: 'Refresh Ledger accounts (2)' }));
    const marks = await pane
      .locator('main li span[style]')
      .evaluateAll((all) => all.map((mark) => [mark.textContent, getComputedStyle(mark).backgroundColor]));
    expect(marks.map(([text]) => text)).toEqual([`${DUTCH} · NL`, `${BELGIAN} · BE`]);
    expect(marks[0]![1]).not.toBe(marks[1]![1]);
    await press(`Switch to ${DUTCH} Ledger accounts`);
    await seen(pane.getByRole('button', { name: 'Refresh Ledger accounts', exact: true }));
    expect(await header()).toContain(DUTCH);
    await press('Refresh Ledger accounts');
    await seen(pane.getByText('0 new, 0 changed, 0 removed'));
  });
});

describe('what cannot be done', () => {
  it('with a key that may only read is said before it is begun', async () => {
    const apiKey = await issueKey('1', demo.username, '--scope', 'read');
    await connect(pane, { ...demo, apiKey }, 'Klant A');
    await seen(pane.getByText('This API key may only read.'));
    await press('Product sheet');
    await seen(pane.getByText('This API key may only read.'));
    await pane.getByLabel('Article numbers').fill('01008');
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
    await typeBelow(page, 'Products to change', 'New sale price', 2, '12.50');
    await press('Push this sheet');
    await seen(pane.getByText('This API key may only read.'));
    await pane.getByLabel('Sheet to push').waitFor();
    expect(await pane.getByRole('button', { name: /^Push/ }).count()).toBe(0);
    expect(await accessibilityErrors(pane)).toEqual([]);
  });

  it('with an archived administration is said by that cause', async () => {
    const created = await app.administration('create', '--name', 'Oud BV', '--country', 'NL', '--years', '2026');
    const id = /\d+/.exec(created)![0];
    const apiKey = await issueKey(id, demo.username);
    await app.administration('archive', path.join(path.dirname(app.databaseFile), 'archive'), '--administration', id);
    await connect(pane, { ...demo, apiKey }, '');
    await seen(pane.getByText('This administration is archived.'));
    expect(await header()).toContain('Oud BV');
    expect(await pane.getByText('may only read').count()).toBe(0);
    await press('Push rows');
    await seen(pane.getByText('This administration is archived.'));
    await press('Back');
    await bringInAccounts();
  });
});
