import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { HostWindow } from '../simulator/pane.ts';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { FAILED, failRequests } from './failedRequests.ts';
import { paneOf, seen } from './pane.ts';
import { SHEET, withPushPage } from './pushPage.ts';
import { REFUSED, refusingExcel } from './refusingExcel.ts';
import { protectSheet, rowsOf } from './sheetCells.ts';
import { slowExcel } from './slowExcel.ts';

/*
 * Slow pushes: the service is behind a proxy that holds back updates and loses responses. And the least of what else a
 * pane does with a service elsewhere; the rest is in remote.test.ts.
 */

const messages = messagesOf.en;
const pushPage = withPushPage();
const { closePane, confirm, focused, openPane, openSecondWorkbook, press, resultsOf, stocks, type, typeAll } = pushPage;
let { articles, context, page, pane, proxy } = pushPage;
beforeEach(() => {
  ({ articles, context, page, pane, proxy } = pushPage);
});

/** Begins the push of six rows that is previewed: two are applied, and the others once the proxy is released. */
async function beginSlowly(): Promise<void> {
  proxy.forward(2);
  await press('Push 6 rows to Elsewhere');
  await confirm();
  await seen(pane.getByText('2 applied, 4 waiting'));
}

/** Stops the push of six rows, three of them applied, where the pane says what the service has recorded of it. */
async function stopIn(record: Locator): Promise<void> {
  const cancelled = page.waitForResponse('**/cancel');
  await record.getByRole('button', { name: messages.push.stop }).click();
  await cancelled;
  await seen(record.getByText(messages.push.stopping));
  proxy.release();
  await seen(record.getByText(/^(3 applied, 3|4 applied, 2) not sent$/));
  expect(await record.getByRole('button', { name: messages.push.stop }).count()).toBe(0);
}

describe('a slow push', () => {
  it('shows its progress, and writes results into the right rows after they were sorted, hidden and moved', async () => {
    const before = await stocks();
    await typeAll('Stock quantity', String);
    await press('Push this sheet');
    proxy.forward(2);
    await press('Push 6 rows to Elsewhere');
    const question = pane.getByRole('alertdialog');
    expect(await question.textContent()).toContain('6 with Relative stock (added)');
    expect(await question.textContent()).toContain('6 rows will change products in the administration Elsewhere');
    await confirm();
    await seen(pane.getByText('2 applied, 4 waiting'));
    expect(await pane.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('2 of 6 rows');
    await seen(pane.getByText('You may close the pane or Excel'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    expect(await focused()).toContain('2 of 6 rows');
    expect(await resultsOf('Status')).toEqual(['Applied', 'Applied', 'Waiting', 'Waiting', 'Waiting', 'Waiting']);

    await page.getByRole('button', { name: 'Sort and filter Stock quantity' }).click();
    await page.getByRole('button', { name: 'Sort descending' }).click();
    await page.locator('#cell-3-0').click();
    await page.keyboard.press('Shift+F10');
    await page.getByText('Insert rows above').click();
    await page.getByRole('button', { name: 'Sort and filter Article number' }).click();
    await page.getByLabel('Show rows containing').fill(articles[0]!);
    await page.keyboard.press('Enter');
    expect((await page.evaluate(() => window.workbook.hiddenRows())).length).toBeGreaterThan(5);
    const numbers = (await rowsOf(page, SHEET)).map((row) => row['Article number']);
    expect(numbers.slice(0, 7)).not.toEqual([...articles, '']);
    proxy.release();
    await seen(pane.getByText(': 6 applied.'));
    await expect.poll(focused).toContain('6 applied.');
    expect(await resultsOf('Status')).toEqual(new Array(6).fill('Applied'));
    expect(await resultsOf('Stock quantity')).toEqual(new Array(6).fill(''));
    const after = await stocks();
    expect(after).toEqual(before.map((stock, index) => stock + index + 2));
    expect(await resultsOf('Stock now')).toEqual(after);
  });

  it('goes on while the pane is closed, and is found again when it is opened', async () => {
    const before = await stocks();
    await typeAll('Stock quantity', () => '1');
    await press('Push this sheet');
    await beginSlowly();
    await closePane();
    const elsewhere = await paneOf(await openSecondWorkbook());
    await elsewhere.getByRole('button', { name: 'Push rows' }).click();
    await seen(elsewhere.getByText('2 applied, 4 waiting'));
    expect(await accessibilityErrors(elsewhere)).toEqual([]);
    proxy.release();
    await expect.poll(stocks).toEqual(before.map((stock) => stock + 1));
    expect(await resultsOf('Status')).toEqual(['Applied', 'Applied', 'Waiting', 'Waiting', 'Waiting', 'Waiting']);
    // What is under way comes first on the start page.
    await pane.goto(`${pushPage.app.address}/taskpane/simulator/pane.html?lang=en`);
    const underWay = await seen(pane.getByText(`A push of “${SHEET}” is under way or was interrupted.`));
    const [notice, first] = [
      await underWay.boundingBox(),
      await pane.getByRole('heading', { level: 2 }).first().boundingBox(),
    ];
    expect(notice!.y).toBeLessThan(first!.y);
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('See the push');
    await seen(pane.getByText(': 6 applied.'));
    expect(await resultsOf('Status')).toEqual(new Array(6).fill('Applied'));
    expect(await resultsOf('Stock quantity')).toEqual(new Array(6).fill(''));
    await seen(pane.getByText('There is nothing to send'));
    expect(await stocks()).toEqual(before.map((stock) => stock + 1));
  });

  it('is found again when the pane was closed before the response came, and adds nothing twice', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '3');
    await press('Push this sheet');
    // The app accepts the push, and its response is lost.
    let arrived = () => {};
    const taken = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await context.route('**/pushes', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      arrived();
    });
    await press('Push 1 row to Elsewhere');
    await confirm();
    await taken;
    await closePane();
    await context.unroute('**/pushes');
    await openPane();
    await seen(pane.getByText(': 1 applied.'));
    expect(await stocks()).toEqual(before.map((stock, index) => stock + (index === 0 ? 3 : 0)));
  });

  it('stops on request, and leaves the other rows unchanged', async () => {
    const before = await stocks();
    await typeAll('Stock quantity', () => '1');
    await press('Push this sheet');
    await beginSlowly();
    // The app has the cancellation before the row that is being sent is applied.
    const cancelled = page.waitForResponse((response) => response.url().endsWith('/cancel'));
    await press('Stop the push');
    await seen(pane.getByText('Stopping: waiting for rows that were sent already'));
    await cancelled;
    proxy.release();
    await seen(pane.getByText(/Stopped at (2 of 6 rows: 2 applied, 4|3 of 6 rows: 3 applied, 3) not sent/));
    const applied = (await resultsOf('Status')).filter((status) => status === 'Applied').length;
    expect(await resultsOf('Stock quantity')).toEqual(articles.map((_, index) => (index < applied ? '' : 1)));
    expect(await stocks()).toEqual(before.map((stock, index) => stock + (index < applied ? 1 : 0)));
  });

  /** Opens the pane anew. @returns a function that has Excel hold its answer to what stores a push (""), and end that */
  const holdStoring = async () => {
    await closePane();
    await page.evaluate(() => {
      const { excelHost } = window as unknown as HostWindow;
      const { execute } = excelHost;
      excelHost.execute = async (body, flags) => {
        const response = await execute(body, flags);
        const { dataset } = document.body;
        if (dataset.storing === undefined || !body.includes('Ledgerline pushed rows')) return response;
        dataset.storing = 'held';
        while (dataset.storing === 'held') await new Promise((resolve) => setTimeout(resolve, 20));
        return response;
      };
    });
    await openPane();
    return (next: '' | 'done') =>
      page.evaluate((text) => {
        document.body.dataset.storing = text;
      }, next);
  };

  it('is not sent when somebody cancels it while its sheet stores it', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '3');
    const storing = await holdStoring();
    await press('Push 1 row to Elsewhere');
    await storing('');
    await confirm();
    await page.locator('body[data-storing=held]').waitFor();
    await press('Cancel');
    await storing('done');
    await seen(pane.getByText('Stopped at 0 of 1 row'));
    expect(await resultsOf('Status')).toEqual(['Not sent', '', '', '', '', '']);
    expect(await stocks()).toEqual(before);
  });

  it('is cancelled also when another window gives its connection another label while it is prepared', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '3');
    const storing = await holdStoring();
    const elsewhere = await paneOf(await openSecondWorkbook());
    await elsewhere.getByRole('button', { name: messages.switchAdministration }).click();
    await elsewhere.getByRole('button', { name: messages.named(messages.connect.rename, 'Elsewhere') }).click();
    await elsewhere.getByLabel(messages.connect.label).first().fill('Renamed');
    await press('Push 1 row to Elsewhere');
    await storing('');
    await confirm();
    await page.locator('body[data-storing=held]').waitFor();
    await elsewhere.getByRole('button', { name: messages.connect.save }).click();
    await seen(pane.getByText('Renamed'));
    await seen(pane.getByText(messages.push.preparing));
    await press('Cancel');
    await storing('done');
    await seen(pane.getByText('Stopped at 0 of 1 row'));
    expect(await stocks()).toEqual(before);
  });

  it('is stopped also when somebody wants to leave the view before the service was told', async () => {
    await typeAll('Stock quantity', () => '1');
    await press('Push this sheet');
    await beginSlowly();
    const { promise: answer, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/cancel', async (route) => {
      await answer;
      await route.continue();
    });
    const asked = page.waitForRequest('**/cancel');
    await press('Stop the push');
    await asked;
    await pane.getByRole('button', { name: 'Back' }).click({ force: true });
    await seen(pane.getByText('Stopping: waiting for rows that were sent already'));
    const told = page.waitForResponse('**/cancel');
    goOn();
    await told;
    proxy.release();
    await seen(pane.getByText(/Stopped at (2|3) of 6 rows/));
    await seen(pane.getByRole('button', { name: 'Back', disabled: false }));
  });

  it('says what it does, and is stopped, also when its sheet was deleted', async () => {
    const before = await stocks();
    await typeAll('Stock quantity', () => '1');
    await press('Push this sheet');
    await beginSlowly();
    await page.getByRole('tab', { name: SHEET }).press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    proxy.forward(1);
    await seen(pane.getByRole('alert').getByText(messages.problems.workbook.TABLE_GONE));
    const record = pane.getByRole('listitem');
    await seen(record.getByText('3 applied, 3 waiting'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    // There is no sheet to write a result into, nor one to give up.
    expect(await pane.getByRole('button', { name: messages.push.resume }).count()).toBe(0);
    expect(await pane.getByRole('button', { name: messages.push.abandon }).count()).toBe(0);
    await press(messages.tryAgain);
    await seen(pane.getByText(messages.push.none));
    await seen(record.getByText('3 applied, 3 waiting'));
    // As in a pane that is opened later.
    await closePane();
    await openPane();
    await seen(pane.getByText(messages.push.none));
    await seen(record.getByText('3 applied, 3 waiting'));
    await stopIn(record);
    const rises = (await stocks()).map((stock, index) => stock - before[index]!);
    expect(rises.filter((rise) => rise === 1).length).toBeGreaterThanOrEqual(3);
    expect(rises.at(-1)).toBe(0);
  });

  it('says what it does, and is stopped, also while its sheet is protected', async () => {
    await typeAll('New sale price', (row) => `${row}.50`);
    await press('Push this sheet');
    await beginSlowly();
    await protectSheet(pane, SHEET, true);
    proxy.forward(1);
    await seen(pane.getByRole('alert').getByText(messages.problems.workbook.PROTECTED));
    const record = pane.getByRole('listitem');
    await seen(record.getByText('3 applied, 3 waiting'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await stopIn(record);
    await protectSheet(pane, SHEET, false);
    await press('Continue with the results');
    await seen(pane.getByText(/Stopped at [34] of 6 rows/));
    expect((await resultsOf('Status')).slice(-2)).toEqual(['Not sent', 'Not sent']);
  });

  it('is followed once when somebody presses twice to continue with its results', async () => {
    await typeAll('New sale price', (row) => `${row}.50`);
    await closePane();
    const refuse = await refusingExcel(page);
    const slow = await slowExcel(page);
    await openPane();
    await beginSlowly();
    await refuse(true);
    proxy.release();
    await seen(pane.getByText(REFUSED));
    await refuse(false);
    await slow(1000);
    await pane.getByRole('button', { name: 'Continue with the results' }).dblclick();
    await pane.getByRole('progressbar').waitFor();
    await slow(0);
    await seen(pane.getByText(': 6 applied.'));
    await seen(pane.getByRole('button', { name: 'Check the rows again', disabled: false }));
    expect(await pane.getByText('Another window or a colleague').count()).toBe(0);
    expect(await resultsOf('Status')).toEqual(new Array(6).fill('Applied'));
  });

  it('ends without ending other work of the view, which is left only then', async () => {
    await press('Back');
    await pushPage.openView('Sales invoices');
    await pane.getByLabel('From').fill('');
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Sales invoices”'));
    await typeAll('Stock quantity', () => '1');
    await press('Back');
    await press('Push rows');
    await beginSlowly();
    const { promise: answer, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/documents/invoices/*.pdf', async (route) => {
      await answer;
      await route.fulfill({ contentType: 'application/pdf', body: '%PDF-' });
    });
    const asked = page.waitForRequest('**/documents/invoices/*.pdf');
    await page.evaluate(() => window.workbook.select("'Sales invoices'!A2"));
    await press(/^PDF of invoice/);
    await asked;
    proxy.release();
    await seen(pane.getByText('There is nothing to send'));
    await pane.getByRole('button', { name: 'Back' }).click({ force: true });
    const downloading = page.waitForEvent('download');
    goOn();
    await downloading;
    await seen(pane.getByText('was downloaded.'));
    await seen(pane.getByRole('button', { name: 'Back', disabled: false }));
  });

  it('goes on after a network failure, which the pane reports', async () => {
    await typeAll('New sale price', (row) => `${row}.50`);
    await press('Push this sheet');
    await beginSlowly();
    await context.setOffline(true);
    await seen(pane.getByRole('status').getByText('cannot be reached'));
    await seen(pane.getByText('The request for results is repeated automatically'));
    // What was known before may be wrong now.
    expect(await pane.getByText(/rows a minute|expected to end|the push continues/).count()).toBe(0);
    proxy.release();
    await context.setOffline(false);
    await seen(pane.getByText(': 6 applied.'));
    expect(await resultsOf('Sale price now')).toEqual([2.5, 3.5, 4.5, 5.5, 6.5, 7.5]);
  });
});

describe('a list of a service elsewhere', () => {
  it('is brought in and refreshed as the service has it, also with a new key of the same books', async () => {
    const sheet = 'Ledger accounts';
    const accounts = (await pushPage.accounts()).map(({ Number: number, Name }) => ({ Number: number, Name }));
    expect(accounts.length).toBeGreaterThan(20);
    await press('Back');
    // What comes above the buttons of the start page moves them.
    await pane.getByLabel(/^Open this pane with this workbook/).waitFor();
    await pushPage.openView(sheet);
    await press('Bring in ledger accounts');
    await seen(pane.getByText(`on sheet “${sheet}”`));
    expect(await rowsOf(page, sheet)).toMatchObject(accounts);
    await page.evaluate(() => window.workbook.type("'Ledger accounts'!B3", 'typed over'));
    await press('Back');
    await press(`Refresh ${sheet}`);
    await seen(pane.getByText('0 new, 1 changed, 0 removed'));
    expect(await rowsOf(page, sheet)).toMatchObject(accounts);

    // What the two keys read is compared, and compared again when that failed.
    const apiKey = await pushPage.issueKey();
    await press('Administrations');
    const end = await failRequests(page, /\/rest\/listledgeraccounts/);
    await pane.getByLabel('User name').fill(demo.username);
    await pane.getByLabel('API key').fill(apiKey);
    await pane.getByLabel('Label').fill('Elsewhere');
    await press('Connect');
    const question = pane.getByRole('alertdialog', { name: 'Does this key replace an earlier one?' });
    const same = question.getByRole('button', { name: 'Same administration' });
    await seen(question.getByText(FAILED));
    expect(await same.getAttribute('aria-disabled')).toBe('true');
    expect(await accessibilityErrors(pane)).toEqual([]);
    await end();
    await question.getByRole('button', { name: 'Try again' }).click();
    await question.getByText(`${accounts.length} of ${accounts.length} ledger accounts`).waitFor();
    expect(await question.getByText(FAILED).count()).toBe(0);
    await same.click();
    await seen(pane.getByText('it has the new key now'));
    await press(`Refresh ${sheet}`);
    await seen(pane.getByText('0 new, 0 changed, 0 removed'));
  });
});
