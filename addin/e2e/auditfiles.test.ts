import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Request } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { Problem, problemBody } from '../../shared/problem.ts';
import { brokenRules } from '../../testing/auditfiles/checkerRules.ts';
import { xmlTree } from '../../testing/auditfiles/xmlTree.ts';
import { auditfile, line, transactions } from '../../testing/builtin/auditfiles.ts';
import { folderOfTest } from '../../testing/temporaryFolder.ts';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { accessibilityErrors, listenTo } from './accessibility.ts';
import { demo, startApp } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';

/* Audit files in the pane: dropped, checked and imported by the queue of the real app. */

const USERNAME = 'importer@example.com';
const appPage = withAppPage(startApp, { timezoneId: 'UTC' });
let { app, pane } = appPage;
let apiKey = '';
beforeEach(async () => {
  ({ app, pane } = appPage);
  if (apiKey === '') {
    await app.administration('create', '--name', 'Bakkerij Janssen', '--country', 'NL', '--empty');
    const issued = await app.administration('key', 'Bakkerij Janssen', '--username', USERNAME, '--scope', 'import');
    apiKey = issued.split('\n')[0]!.trim();
  }
});

const books = (amount: string) =>
  auditfile({
    transactions: transactions('2', amount, amount, line('0100', amount, 'D') + line('8000', amount, 'C')),
  });
const openView = async () => {
  await connect(pane, { apiKey, username: USERNAME }, 'Bakkerij');
  await appPage.openView('Audit files');
};
const choose = (...named: readonly (readonly [name: string, content: string])[]) =>
  pane
    .locator('input[type=file]')
    .setInputFiles(named.map(([name, content]) => ({ name, mimeType: 'text/xml', buffer: Buffer.from(content) })));
const card = (name: string) => pane.getByRole('listitem').filter({ hasText: name }).first();

/** Drops a file on the pane, as a person does. */
async function drop(name: string, content: string): Promise<void> {
  const transfer = await pane.evaluateHandle(
    ([fileName, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text!], fileName!));
      return data;
    },
    [name, content],
  );
  await pane.getByText(/^Drop an audit file here/).dispatchEvent('drop', { dataTransfer: transfer });
}

/** Writes a year in the open view. @returns the name and the content of the file that is downloaded */
async function writtenYear(year: string): Promise<{ name: string; text: string }> {
  await pane.getByLabel('Fiscal year').fill(year);
  const [download] = await Promise.all([appPage.page.waitForEvent('download'), appPage.press('Write the file')]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

describe('a year that the pane writes', () => {
  it('is downloaded as an audit file that the official rules allow, with a key that may not import', async () => {
    await connect(pane, demo, 'Demo');
    await appPage.openView('Audit files');
    await seen(pane.getByRole('heading', { name: 'Write an audit file' }));
    const { name, text } = await writtenYear('2026');
    expect(name).toBe('auditfile-2026.xaf');
    expect(brokenRules(xmlTree(text))).toEqual([]);
    await seen(pane.getByText('auditfile-2026.xaf was downloaded.'));
    expect(await accessibilityErrors(pane)).toEqual([]);
  });

  it('is chosen where two begin in the calendar year that was asked for', async () => {
    const folder = folderOfTest();
    const made = ['--name', 'Kort jaar', '--country', 'NL', '--empty', '--vat-number', 'NL812345678B01'];
    const number = /\d+/.exec(await app.administration('create', ...made))![0];
    const issued = await app.administration('key', 'Kort jaar', '--username', USERNAME, '--scope', 'read');
    for (const [start, end, day] of [
      ['2025-01-01', '2025-06-30', '2025-02-01'],
      ['2025-07-01', '2026-06-30', '2025-08-01'],
    ] as const) {
      const header = `<fiscalYear>2025</fiscalYear><startDate>${start}</startDate><endDate>${end}</endDate><curCode>EUR</curCode>`;
      const lines = line('0100', '1.00', 'D') + line('8000', '1.00', 'C');
      const content = auditfile({ header, transactions: transactions('2', '1.00', '1.00', lines) });
      const file = path.join(folder, `${start}.xaf`);
      writeFileSync(file, content.replaceAll('2025-02-01', day));
      await app.administration('import', 'auditfile', file, '--administration', number);
    }
    await app.administration('set', number, '--result-account', '0100');
    await connect(pane, { apiKey: issued.split('\n')[0]!.trim(), username: USERNAME }, 'Kort jaar');
    await appPage.openView('Audit files');
    await pane.getByLabel('Fiscal year').fill('2025');
    await appPage.press('Write the file');
    await seen(pane.getByText('Several fiscal years begin in 2025. Which one is written?'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    const [chosen] = await Promise.all([
      appPage.page.waitForEvent('download'),
      appPage.press('The year from 1 Jul 2025'),
    ]);
    expect(chosen.suggestedFilename()).toBe('auditfile-2025-07.xaf');
    expect(await readFile(await chosen.path(), 'utf8')).toContain('<startDate>2025-07-01</startDate>');
    const typed = await writtenYear('2025-01');
    expect(typed.name).toBe('auditfile-2025-01.xaf');
    expect(typed.text).toContain('<endDate>2025-06-30</endDate>');
  });

  it('is asked for by a year, and says why there is none', async () => {
    await connect(pane, demo, 'Demo');
    await appPage.openView('Audit files');
    await pane.getByLabel('Fiscal year').fill('26');
    await appPage.press('Write the file');
    await seen(pane.getByText('Enter a year, such as 2026.'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await pane.getByLabel('Fiscal year').fill('1999');
    await appPage.press('Write the file');
    await seen(pane.getByText(/have nothing in 1999-01-01 to 1999-12-31/));
  });
});

describe('the audit files of the pane', () => {
  it('need a key that may import', async () => {
    await connect(pane, demo, 'Demo');
    await appPage.openView('Audit files');
    await seen(pane.getByText('This API key may not import files.'));
    expect(await pane.getByRole('button', { name: 'Choose a file…' }).count()).toBe(0);
    expect(await accessibilityErrors(pane)).toEqual([]);
  });

  it('are dropped, tell what they hold, and are imported after a question that names the administration', async () => {
    await openView();
    await drop('2025.xaf', books('121.00'));
    await seen(pane.getByText('Checked. Nothing was imported.'));
    const text = await card('2025.xaf').textContent();
    for (const part of ['1 Jan 2025 to 31 Dec 2025', '2 lines, debit 121.00, credit 121.00', '1 new, 0 removed']) {
      expect(text).toContain(part);
    }
    expect(await accessibilityErrors(pane)).toEqual([]);
    await appPage.press('Import 2025.xaf');
    const question = await seen(pane.getByRole('alertdialog'));
    expect(await question.textContent()).toContain('2025.xaf is imported into Bakkerij');
    expect(await accessibilityErrors(pane)).toEqual([]);
    await question.getByRole('button', { name: 'Import' }).click();
    await seen(pane.getByText('Imported', { exact: true }));
    expect(await accessibilityErrors(pane)).toEqual([]);

    const headers = { ApiKey: apiKey, Username: USERNAME };
    const balances = await fetch(`${app.address}/ledger/balances?from=2025&to=2025`, { headers });
    expect(await balances.json()).toMatchObject({ balances: [{ number: '0100', closing: 121 }, { number: '8000' }] });
  });

  it('say what differs from the file before, and replace it only when that is ticked', async () => {
    await openView();
    await choose(['corrected.xaf', books('242.00')]);
    await seen(card('corrected.xaf').getByText('Another file of this year was imported before.'));
    await appPage.press('Import corrected.xaf');
    const question = await seen(pane.getByRole('alertdialog'));
    const confirm = question.getByRole('button', { name: 'Import' });
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await question.getByLabel(/^Replace what the earlier file brought/).check();
    await confirm.click();
    await seen(card('corrected.xaf').getByText('Imported', { exact: true }));
    // What the file before it brought is gone already.
    expect(await pane.getByRole('button', { name: /^Withdraw / }).count()).toBe(1);
    await appPage.press('Withdraw corrected.xaf');
    const withdrawal = await seen(pane.getByRole('alertdialog'));
    expect(await withdrawal.textContent()).toContain('1 imported entry and');
    expect(await accessibilityErrors(pane)).toEqual([]);
    await withdrawal.getByRole('button', { name: 'Withdraw' }).click();
    await seen(card('corrected.xaf').getByText('Withdrawn', { exact: true }));
    expect(await pane.getByRole('button', { name: /^Withdraw / }).count()).toBe(0);
  });

  it('that are dropped while another is sent are sent after it', async () => {
    await openView();
    let letThrough = () => {};
    const isDropped = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await appPage.page.route(/\/auditfiles$/, async (route, request) => {
      if (request.method() === 'POST') await isDropped;
      await route.continue();
    });
    const begun = appPage.page.waitForRequest((one) => one.url().endsWith('/auditfiles') && one.method() === 'POST');
    await choose(['first.xaf', books('242.00')]);
    await begun;
    await drop('second.xaf', books('363.00'));
    letThrough();
    await seen(card('first.xaf').getByText('debit 242.00'));
    await seen(card('second.xaf').getByText('debit 363.00'));
  });

  it('that were split are chosen together, in any order, and a part of them is refused', async () => {
    await openView();
    const [start, end] = books('121.00').split(/(?=<transaction>)/) as [string, string];
    const further = ['split_2.xaf', `<!-- Vervolgbestand 2 van 2 -->\n${end}`] as const;
    await choose(further);
    await seen(pane.getByRole('alert').filter({ hasText: 'not all files of one audit file' }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    expect(await card('split').count()).toBe(0);
    await choose(further, ['split.xaf', start]);
    await seen(card('split.xaf').getByText('Checked. Nothing was imported.'));
    expect(await card('split.xaf').textContent()).toContain('2 lines, debit 121.00, credit 121.00');
    await appPage.press('Erase split.xaf');
    await expect.poll(() => card('split.xaf').count()).toBe(0);
  });

  it('that cannot be imported say why, by line, and are erased', async () => {
    await openView();
    const wrong = books('121.00').replace('<accID>8000</accID><docRef/>', '<accID>9999</accID><docRef/>');
    await choose(['wrong.xaf', wrong]);
    await seen(card('wrong.xaf').getByText(/^It cannot be imported: 1 problem/));
    expect(await card('wrong.xaf').textContent()).toContain('9999');
    expect(await pane.getByRole('button', { name: 'Import wrong.xaf' }).count()).toBe(0);
    expect(await accessibilityErrors(pane)).toEqual([]);
    await appPage.press('Erase wrong.xaf');
    await expect.poll(() => card('wrong.xaf').count()).toBe(0);
  });

  it('are asked for no more with a key that was revoked, until somebody asks again', async () => {
    await openView();
    await choose(['long.xaf', books('121.00')]);
    await seen(card('long.xaf').getByText('Checked. Nothing was imported.'));
    await appPage.press('Back');
    const { page } = appPage;
    // An import that takes long, and then the key is gone.
    const listed = /\/auditfiles$/;
    let isRevoked = false;
    let refused = 0;
    await page.route(listed, async (route) => {
      if (isRevoked) {
        refused++;
        const problem = new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
        return route.fulfill({ status: problem.status, json: problemBody(problem, '/') });
      }
      const { auditfiles } = (await (await route.fetch()).json()) as { auditfiles: object[] };
      const importing = auditfiles.map((file) => ({ ...file, state: 'importing', progress: 40 }));
      return route.fulfill({ json: { auditfiles: importing } });
    });
    await page.clock.install();
    await appPage.openView('Audit files');
    await seen(card('long.xaf').getByRole('progressbar'));
    isRevoked = true;
    await page.clock.runFor(1000);
    await seen(pane.getByRole('alert').getByText(messagesOf.en.problems.service.UNAUTHORIZED));
    await page.clock.runFor(60_000);
    expect(refused).toBe(1);
    isRevoked = false;
    await appPage.press('Try again');
    await expect.poll(() => pane.getByRole('alert').count()).toBe(0);
    // What is worked on is followed again.
    await page.unroute(listed);
    await page.clock.runFor(1000);
    await seen(card('long.xaf').getByText('Checked. Nothing was imported.'));
    await appPage.press('Erase long.xaf');
    await expect.poll(() => card('long.xaf').count()).toBe(0);
  });

  it('are followed on when an answer from before an import comes after a later one', async () => {
    await openView();
    await choose(['late.xaf', books('121.00')]);
    await seen(card('late.xaf').getByText('Checked. Nothing was imported.'));
    await appPage.press('Back');
    const { page } = appPage;
    const { promise: answer, resolve: goOn } = Promise.withResolvers<void>();
    // More may be asked for than is waited for here: time goes on by itself too.
    let reads = 0;
    let shown = { state: 'checking', progress: 1 };
    let lateRequest: Request | undefined;
    await page.route(/\/auditfiles$/, async (route) => {
      const { auditfiles } = (await (await route.fetch()).json()) as { auditfiles: object[] };
      if (++reads === 2) {
        lateRequest = route.request();
        await answer;
        return route.fulfill({ json: { auditfiles } });
      }
      return route.fulfill({ json: { auditfiles: auditfiles.map((file) => ({ ...file, ...shown })) } });
    });
    await page.clock.install();
    await appPage.openView('Audit files');
    const { states } = messagesOf.en.auditfiles;
    await seen(card('late.xaf').getByText(states.checking(1)));
    shown = { state: 'importing', progress: 3 };
    await page.clock.runFor(1000);
    await expect.poll(() => lateRequest).toBeDefined();
    await page.clock.runFor(1000);
    await seen(card('late.xaf').getByText(states.importing(3)));
    const late = page.waitForResponse((response) => response.request() === lateRequest);
    goOn();
    await (await late).finished();
    shown = { state: 'importing', progress: 4 };
    await page.clock.runFor(1000);
    await seen(card('late.xaf').getByText(states.importing(4)));
    await page.unrouteAll();
    await page.clock.runFor(1000);
    await seen(card('late.xaf').getByText('Checked. Nothing was imported.'));
    await appPage.press('Erase late.xaf');
    await expect.poll(() => card('late.xaf').count()).toBe(0);
  });

  it('are read out when their states change, not when their list is opened', async () => {
    await openView();
    await choose(['spoken.xaf', books('121.00')]);
    await seen(card('spoken.xaf').getByText('Checked. Nothing was imported.'));
    await appPage.press('Back');
    const listed = /\/auditfiles$/;
    await appPage.page.route(listed, async (route) => {
      const { auditfiles } = (await (await route.fetch()).json()) as { auditfiles: object[] };
      const checking = auditfiles.map((file) => ({ ...file, state: 'checking', progress: 40 }));
      return route.fulfill({ json: { auditfiles: checking } });
    });
    const heard = await listenTo(pane);
    await appPage.openView('Audit files');
    await seen(card('spoken.xaf').getByRole('progressbar'));
    const { states } = messagesOf.en.auditfiles;
    expect((await heard()).filter((text) => text.includes(states.checking(40)))).toEqual([]);
    await appPage.page.unroute(listed);
    await expect.poll(heard).toContain('Checked. Nothing was imported.');
    await appPage.press('Erase spoken.xaf');
    await expect.poll(() => card('spoken.xaf').count()).toBe(0);
  });
});
