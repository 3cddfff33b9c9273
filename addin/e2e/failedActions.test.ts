import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditfile, line, transactions } from '../../testing/builtin/auditfiles.ts';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { accessibilityErrors } from './accessibility.ts';
import { BELGIAN, belgianDemo, DUTCH, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { makeEarlier } from './earlierSheets.ts';
import { FAILED, failRequests } from './failedRequests.ts';
import { connect, paneOpened, seen } from './pane.ts';
import { REFUSED, refusingExcel } from './refusingExcel.ts';
import { typeBelow } from './sheetCells.ts';

/*
 * What the app or Excel refuses of the pane's smaller jobs: each says why, and its button finishes it. Lists that are
 * brought in and sheets that are made are in failedJobs.test.ts, keys that were replaced in push.test.ts.
 */

const appPage = withAppPage();
const { openView, press } = appPage;
let { app, page, pane } = appPage;
beforeEach(() => {
  ({ app, page, pane } = appPage);
});

const messages = messagesOf.en;
const again = () => pane.getByRole('button', { name: messages.tryAgain });
const isGone = (text: string | RegExp) => expect.poll(() => pane.getByText(text).count()).toBe(0);

/** Does something that is refused, and does it again by its button when nothing is refused any more. */
async function failAndRepeat(end: () => Promise<void>, act: () => Promise<unknown>, told: string | RegExp) {
  await act();
  await seen(pane.getByRole('alert').getByText(told));
  await expect.poll(() => again().count()).toBe(1);
  await end();
  await again().click();
  await isGone(told);
}

/** Opens the pane anew beside its workbook. */
async function openPane(): Promise<void> {
  await pane.goto(`${app.address}/taskpane/simulator/pane.html?lang=en`);
  await paneOpened(pane);
}

/** Goes back to the start page of a workbook with sheets, and waits for all of it: what is above its buttons moves them. */
async function backHome(): Promise<void> {
  await press('Back');
  await pane.getByLabel(messages.home.openWithWorkbook).waitFor();
}

/** Writes a file a minute after it was written last, by its own time: Chromium compares seconds to see a change. */
function writingEachMinute(file: string): (text: string) => Promise<void> {
  let seconds = Math.floor(Date.now() / 1000) - 3_600;
  return async (text) => {
    seconds += 60;
    await writeFile(file, text);
    await utimes(file, seconds, seconds);
  };
}

async function pullTaxCodes(): Promise<void> {
  await openView('Tax codes');
  await press('Bring in tax codes');
  await seen(pane.getByText('on sheet “Tax codes”'));
}

async function makeProductSheet(): Promise<void> {
  await openView('Product sheet');
  await pane.getByLabel('Article numbers').fill('01008');
  await press('Make the product sheet');
  await seen(pane.getByText('is ready'));
  await backHome();
}

it('A workbook that could not be read when the pane opened is read when somebody asks for it', async () => {
  const refuse = await refusingExcel(page);
  await connect(pane, demo, 'Demo');
  await pullTaxCodes();
  await refuse(true);
  await openPane();
  // Its administration, unfinished work, sheets of earlier versions and the list of its sheets.
  await expect.poll(() => again().count()).toBe(4);
  expect(await pane.getByRole('alert').getByText(REFUSED).count()).toBe(4);
  expect(await accessibilityErrors(pane)).toEqual([]);
  await refuse(false);
  // All at once: what one of them reads again may answer another, whose button then goes by itself.
  await again().evaluateAll((buttons) => {
    for (const button of buttons as HTMLElement[]) button.click();
  });
  await expect.poll(() => again().count()).toBe(0);
  await seen(pane.getByRole('button', { name: 'Refresh Tax codes' }));
  expect(await pane.locator('header').textContent()).toContain(DUTCH);
});

it('Choices that the workbook did not keep are as they were, and are kept when they are made again', async () => {
  const refuse = await refusingExcel(page);
  await connect(pane, demo, 'Demo');
  await openPane();
  await pullTaxCodes();
  await backHome();

  const marks = pane.getByLabel(messages.home.markChanges);
  await marks.waitFor();
  await refuse(true);
  await failAndRepeat(
    () => refuse(false),
    () => marks.click(),
    REFUSED,
  );
  await expect.poll(() => marks.isChecked()).toBe(true);

  const opens = pane.getByLabel(messages.home.openWithWorkbook);
  await pane.evaluate(() => {
    const { addin } = Office as unknown as { addin: Record<string, unknown> };
    const { setStartupBehavior } = addin;
    addin.setStartupBehavior = async () => {
      addin.setStartupBehavior = setStartupBehavior;
      throw new Error('It has no rights.');
    };
  });
  await failAndRepeat(
    async () => expect(await opens.isChecked()).toBe(false),
    () => opens.click(),
    messages.problems.unexpected('It has no rights.'),
  );
  await expect.poll(() => opens.isChecked()).toBe(true);
  expect(await pane.evaluate(() => Office.addin.getStartupBehavior())).toBe('Load');
});

it('A choice that is made and taken back while the workbook keeps neither is as it was', async () => {
  await connect(pane, demo, 'Demo');
  await openPane();
  await pullTaxCodes();
  await backHome();
  const opens = pane.getByLabel(messages.home.openWithWorkbook);
  await expect.poll(() => opens.isEnabled()).toBe(true);
  expect(await opens.isChecked()).toBe(false);
  await pane.evaluate(() => {
    const { addin } = Office as unknown as { addin: Record<string, unknown> };
    const { promise, reject } = Promise.withResolvers<void>();
    addin.setStartupBehavior = () => promise;
    addin.refuse = () => reject(new Error('It has no rights.'));
  });
  await opens.click();
  await expect.poll(() => opens.isChecked()).toBe(true);
  await opens.click();
  await expect.poll(() => opens.isChecked()).toBe(false);
  await pane.evaluate(() => (Office.addin as unknown as { refuse: () => void }).refuse());
  await seen(pane.getByText('It has no rights.'));
  expect(await opens.isChecked()).toBe(false);
});

it('A language that did not arrive leaves the pane in its own, and is there when it is asked for again', async () => {
  await page.route(/\/assets\/fr-/, (route) => route.abort());
  await failAndRepeat(
    () => page.unroute(/\/assets\/fr-/),
    async () => {
      await pane.getByLabel('Language').selectOption('Français');
    },
    messages.notLoaded.explanation,
  );
  await seen(pane.getByRole('heading', { name: messagesOf.fr.connect.title }));
});

it('Sheets to push, their stored pushes and copies that Excel did not show are there when they are asked for again', async () => {
  const refuse = await refusingExcel(page);
  await connect(pane, demo, 'Demo');
  await openPane();
  await openView('Make documents');
  await press('Make the sheet');
  await seen(pane.getByText('is ready'));
  const [documents] = (await page.evaluate(() => window.workbook.sheets())).slice(-1);
  await backHome();
  await makeProductSheet();
  await pane.evaluate(() =>
    Excel.run(async (excel) => {
      excel.workbook.worksheets.getItem('Products to change').copy();
      await excel.sync();
    }),
  );

  await refuse(true);
  await failAndRepeat(
    () => refuse(false),
    () => press('Push rows'),
    REFUSED,
  );
  const sheets = pane.getByLabel('Sheet to push');
  await expect.poll(() => sheets.locator('option').allTextContents()).toEqual([documents, 'Products to change']);
  // All else that the view reads has come.
  const adopt = pane.getByRole('button', { name: /^Use Products to change \(2\) as a sheet of / });
  await adopt.waitFor();
  await seen(pane.getByText('There is nothing to send'));

  await refuse(true);
  await failAndRepeat(
    () => refuse(false),
    () => sheets.selectOption(documents!),
    REFUSED,
  );
  await seen(pane.getByText('There is nothing to send'));

  await adopt.waitFor();
  await refuse(true);
  await failAndRepeat(
    () => refuse(false),
    () => adopt.click(),
    REFUSED,
  );
  await adopt.click();
  await expect.poll(() => sheets.locator('option').count()).toBe(3);
});

it('A sheet whose rows could not be compared with books is compared when somebody asks for it', async () => {
  const refuse = await refusingExcel(page);
  await connect(pane, demo, 'Klant A');
  await openPane();
  await makeProductSheet();
  await typeBelow(page, 'Products to change', 'Name now', 2, 'A loaf of Klant A');
  await pane.evaluate(() =>
    Excel.run(async (excel) => {
      excel.workbook.worksheets.getItem('Products to change').copy();
      await excel.sync();
    }),
  );
  await press('Administrations');
  await connect(pane, belgianDemo, 'Klant B');
  const listed = /\/products([/?]|$)/;
  await failAndRepeat(await failRequests(page, listed), () => press('Push rows'), FAILED);
  await seen(pane.getByText('0 of 1 product, by number and name'));
  expect(await pane.getByRole('button', { name: `as a sheet of ${BELGIAN}` }).count()).toBe(0);

  // The same sheet, as an earlier version made it.
  await press(`Switch to ${DUTCH}`);
  await typeBelow(page, 'Products to change', 'Name now', 2, '');
  await makeEarlier(pane, { id: 'c0ffee', label: 'Klant A' });
  await failAndRepeat(await failRequests(page, listed), openPane, FAILED);
  const yes = await seen(pane.getByRole('button', { name: `Yes, of ${DUTCH}` }));
  await refuse(true);
  await failAndRepeat(
    () => refuse(false),
    () => yes.click(),
    REFUSED,
  );
  await isGone('An earlier version made');
  await press('Push rows');
  await seen(pane.getByText('There is nothing to send'));
  expect(await pane.getByText('so it cannot be pushed now').count()).toBe(0);
});

it('A search for products, and a product that Excel did not add, are done again by their button', async () => {
  const refuse = await refusingExcel(page);
  await connect(pane, demo, 'Demo');
  await openPane();
  const search = (number: string) => pane.getByLabel(messages.search.label).fill(number);
  const listed = /\/products([/?]|$)/;
  await openView('Product sheet');
  await failAndRepeat(await failRequests(page, listed), () => search('01008'), FAILED);
  await seen(pane.getByText('1 product found.'));
  await press(/^Add: 01008|^Add 01008/);
  expect(await pane.getByLabel('Article numbers').inputValue()).toBe('01008');
  await refuse(true);
  await failAndRepeat(
    () => refuse(false),
    () => press(messages.products.fromInvoices),
    REFUSED,
  );
  await seen(pane.getByText(messages.products.fromInvoicesNone));
  await refuse(true);
  await failAndRepeat(
    () => refuse(false),
    () => press(messages.products.submit),
    REFUSED,
  );
  await press(messages.products.next);

  await failAndRepeat(await failRequests(page, listed), () => search('00617'), FAILED);
  const add = await seen(pane.getByRole('button', { name: /^Add.* 00617/ }));
  await refuse(true);
  await failAndRepeat(
    () => refuse(false),
    () => add.click(),
    REFUSED,
  );
  await seen(pane.getByText('00617 is in row 3 now.'));
});

it('A push warns while the other pushes cannot be read, and does not when they can', async () => {
  await connect(pane, demo, 'Demo');
  await makeProductSheet();
  await typeBelow(page, 'Products to change', 'Stock quantity', 2, '3');
  await press('Push rows');
  const question = pane.getByRole('alertdialog', { name: messages.push.confirmTitle(DUTCH) });
  const ask = async () => {
    await press(messages.push.submit(1, DUTCH));
    await question.waitFor();
  };
  await seen(pane.getByRole('button', { name: messages.push.submit(1, DUTCH) }));
  const end = await failRequests(page, /\/pushes(\?|$)/, 'GET');
  await ask();
  await seen(question.getByText(messages.push.confirmUnread));
  expect(await accessibilityErrors(pane)).toEqual([]);
  await question.getByRole('button', { name: messages.cancel }).click();
  await end();
  await ask();
  expect(await question.getByText(messages.push.confirmUnread).count()).toBe(0);
});

it('Open items that somebody cancels leave no sheet, and come when they are asked for again', async () => {
  await connect(pane, demo, 'Demo');
  await openView('Open items');
  const held = page.waitForRequest(/\/ledger\/open/);
  await page.route(/\/ledger\/open/, () => {});
  await press('Bring in open items');
  await held;
  await press('Cancel');
  await seen(pane.getByText('Cancelled. The workbook was not changed.'));
  expect(await page.evaluate(() => window.workbook.sheets())).toEqual(['Sheet1']);
  await page.unroute(/\/ledger\/open/);
  await press('Bring in open items');
  await seen(pane.getByText('on sheet “Open items”'));
});

it('Formulas that got no figures say why, and are calculated again by the button of the pane', async () => {
  const refuse = await refusingExcel(page);
  await connect(pane, demo, 'Demo');
  await openPane();
  const end = await failRequests(page, /\/ledger\/figures/);
  const value = () => page.evaluate(() => window.workbook.values('A1')[0]![0]);
  await page.evaluate(() => window.workbook.type('A1', '=LEDGER.NAME("1300")'));
  await expect.poll(value).toBe('#N/A');
  await seen(pane.getByText(`${messages.formulas.noFigures(DUTCH)} ${FAILED}`));
  expect(await accessibilityErrors(pane)).toEqual([]);
  await end();
  await refuse(true);
  await failAndRepeat(
    () => refuse(false),
    () => press(messages.formulas.recalculate),
    REFUSED,
  );
  await expect.poll(value).toBe('Debiteuren');
  await isGone(messages.formulas.noFigures(DUTCH));
});

describe('an audit file', () => {
  const texts = messages.auditfiles;
  const username = 'importer@example.com';
  let apiKey: string;
  beforeAll(async () => {
    await appPage.app.administration('create', '--name', 'Bakkerij Janssen', '--country', 'NL', '--empty');
    const options = ['--username', username, '--scope', 'import'];
    const issued = await appPage.app.administration('key', 'Bakkerij Janssen', ...options);
    apiKey = issued.split('\n')[0]!.trim();
  });
  beforeEach(async () => {
    await connect(pane, { apiKey, username }, 'Bakkerij');
    await openView(texts.title);
    await seen(pane.getByRole('button', { name: texts.choose }));
  });
  const input = () => pane.locator('input[type=file]');
  const card = (name: string) => pane.getByRole('listitem').filter({ hasText: name }).first();
  const isChecked = (name: string) => seen(card(name).getByText(texts.states.checked()));
  const failing = async (to: RegExp, act: () => Promise<unknown>) =>
    failAndRepeat(await failRequests(page, to, 'POST'), act, FAILED);

  it('is sent, checked, cancelled, imported and withdrawn by the button of what failed', async () => {
    const content = auditfile({
      transactions: transactions('2', '121.00', '121.00', line('0100', '121.00', 'D') + line('8000', '121.00', 'C')),
    });
    const steps = [/\/auditfiles$/, /\/parts\/1$/, /\/check$/];
    const ends = await Promise.all(steps.map((step) => failRequests(page, step, 'POST')));
    const begin = () =>
      input().setInputFiles([{ name: 'books.xaf', mimeType: 'text/xml', buffer: Buffer.from(content) }]);
    for (const [index, step] of steps.entries()) {
      const refused = page.waitForResponse((one) => step.test(one.url()) && one.status() === 500);
      await (index === 0 ? begin() : again().click());
      await refused;
      await seen(pane.getByRole('alert').getByText(FAILED));
      await ends[index]!();
    }
    await again().click();
    await isGone(FAILED);
    await isChecked('books.xaf');

    // It takes long to import, as far as the pane knows.
    let isLong = true;
    await page.route(/\/auditfiles$/, async (route) => {
      if (!isLong) return route.fallback();
      const response = await route.fetch();
      const { auditfiles } = (await response.json()) as { auditfiles: object[] };
      const shown = auditfiles.map((one) => ({ ...one, state: 'importing', progress: 40 }));
      await route.fulfill({ response, json: { auditfiles: shown } });
    });
    await press('Back');
    await openView(texts.title);
    await seen(card('books.xaf').getByText(texts.states.importing(40)));
    const cancelled = page.waitForResponse((one) => one.url().endsWith('/cancel') && one.status() === 202);
    await failing(/\/cancel$/, () => card('books.xaf').getByRole('button', { name: messages.cancel }).click());
    await cancelled;
    isLong = false;
    await isChecked('books.xaf');

    const confirm = (button: string) => pane.getByRole('alertdialog').getByRole('button', { name: button }).click();
    await failing(/\/import$/, async () => {
      await press(messages.named(texts.import, 'books.xaf'));
      await confirm(texts.import);
    });
    await seen(card('books.xaf').getByText(texts.states.imported(), { exact: true }));
    await failing(/\/withdraw$/, async () => {
      await press(messages.named(texts.withdraw, 'books.xaf'));
      await confirm(texts.withdraw);
    });
    await seen(card('books.xaf').getByText(texts.states.withdrawn(), { exact: true }));
  });

  it('that changes on the disk while it is read is told in words, and is sent when it is chosen again', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-auditfile-'));
    try {
      const file = path.join(folder, 'disk.xaf');
      const write = writingEachMinute(file);
      const told = pane.getByRole('alert').getByText(messages.problems.unreadableFile);
      // Before the pane reads how it begins.
      await write('a');
      await pane.evaluate(() =>
        window.addEventListener('change', (event) => event.stopImmediatePropagation(), { capture: true, once: true }),
      );
      await input().setInputFiles(file);
      // Chromium notes the time of a file by and by: it has done so when the file was read.
      const text = await input().evaluate((one) => (one as HTMLInputElement).files![0]!.text());
      expect(text).toBe('a');
      await write('changed');
      await input().dispatchEvent('change', { bubbles: true });
      await told.waitFor();
      expect(await accessibilityErrors(pane)).toEqual([]);

      // It is chosen again, and changes before it is sent.
      let letThrough = () => {};
      const isChanged = new Promise<void>((resolve) => {
        letThrough = resolve;
      });
      await page.route(/\/auditfiles$/, async (route, request) => {
        if (request.method() === 'POST') await isChanged;
        await route.fallback();
      });
      const begun = page.waitForRequest((one) => one.url().endsWith('/auditfiles') && one.method() === 'POST');
      await input().setInputFiles(file);
      await begun;
      await isGone(messages.problems.unreadableFile);
      await write(auditfile({ transactions: transactions('0', '0.00', '0.00', '') }));
      letThrough();
      await told.waitFor();
      // A browser never reads the changed file: it has to be chosen again.
      await again().click();
      await told.waitFor();
      await input().setInputFiles(file);
      await isChecked('disk.xaf');
      await isGone(messages.problems.unreadableFile);
      const files = pane.getByRole('listitem').filter({ hasText: 'disk.xaf' });
      const shown = await files.count();
      await failing(/\/erase$/, () => pane.getByRole('button', { name: 'Erase disk.xaf' }).first().click());
      await expect.poll(() => files.count()).toBe(shown - 1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
