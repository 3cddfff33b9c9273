import { beforeAll, beforeEach, expect, it } from 'vitest';
import { auditfile, line, transactions } from '../../testing/builtin/auditfiles.ts';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { languages } from '../taskpane/locales/words.ts';
import { accessibilityErrors } from './accessibility.ts';
import { DUTCH, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { seen } from './pane.ts';
import { typeBelow } from './sheetCells.ts';

/*
 * Every question of the pane in every language: it fits a width of 320 pixels and has no accessibility errors. That before
 * a push of products is in everyView.test.ts, that about another key in remote.test.ts.
 */

const IMPORTER = 'importer@example.com';
const appPage = withAppPage();
let apiKey: string;
beforeAll(async () => {
  await appPage.app.administration('create', '--name', 'Bakkerij Janssen', '--country', 'NL', '--empty');
  const options = ['--username', IMPORTER, '--scope', 'import'];
  const issued = await appPage.app.administration('key', 'Bakkerij Janssen', ...options);
  apiKey = issued.split('\n')[0]!.trim();
});
beforeEach(() => appPage.page.setViewportSize({ width: 1280, height: 900 }));

/** A fiscal year with one entry. */
const books = (amount: string) =>
  auditfile({
    transactions: transactions('2', amount, amount, line('0100', amount, 'D') + line('8000', amount, 'C')),
  });

it.each(languages)('every question fits 320 pixels and is accessible, in %s', async (language) => {
  const messages = messagesOf[language];
  const { page } = appPage;
  const pane = await appPage.open(language);
  await page.locator('iframe').evaluate((frame) => {
    frame.style.width = '320px';
  });
  const press = (name: string) => pane.getByRole('button', { name, exact: true }).first().click();
  const openView = async (title: string) => {
    await press(title);
    await pane.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  };
  const connect = async (username: string, key: string, label: string) => {
    await pane.getByLabel(messages.connect.username).fill(username);
    await pane.getByLabel(messages.connect.apiKey).fill(key);
    await pane.getByLabel(messages.connect.label, { exact: true }).fill(label);
    await press(messages.connect.submit);
    await pane.getByRole('heading', { level: 1, name: messages.home.title }).waitFor();
  };
  /** @param button which answers it */
  const expectQuestion = async (title: string | RegExp, button = messages.cancel) => {
    const question = await seen(pane.getByRole('alertdialog', { name: title }));
    expect(await question.evaluate((box) => box.scrollWidth - box.clientWidth), String(title)).toBe(0);
    expect(await question.evaluate((box) => box.getBoundingClientRect().right <= window.innerWidth)).toBe(true);
    expect(await accessibilityErrors(pane), String(title)).toEqual([]);
    await question.getByRole('button', { name: button, exact: true }).click();
    await question.waitFor({ state: 'detached' });
  };

  await connect(demo.username, demo.apiKey, 'administratie.handelsonderneming@vandenbroeckenzonen.example.com');
  await openView(messages.documentSheets.title);
  const { name, sheet } = messages.documentSheets.kinds.newProductRows;
  await pane.getByLabel(name).check();
  await press(messages.documentSheets.submit);
  await seen(pane.getByRole('button', { name: messages.documentSheets.next }));
  const { ArticleNumber, NewName, CategoryName } = messages.headings.documents;
  for (const heading of [ArticleNumber, NewName, CategoryName]) await typeBelow(page, sheet, `${heading} *`, 2, 'N-1');
  await press(messages.documentSheets.next);
  await press(messages.documentPush.submit(1, DUTCH));
  await expectQuestion(messages.push.confirmTitle(DUTCH));
  await press(messages.back);

  await openView(messages.vatReturn.title);
  await press(messages.vat.markFiled);
  await expectQuestion(/./);
  await press(messages.back);

  // A workbook with sheets of one administration, and another one.
  await press(messages.switchAdministration);
  await connect(IMPORTER, apiKey, 'Bakkerij');
  await openView(messages.taxCodes.title);
  await press(messages.taxCodes.submit);
  await expectQuestion(messages.mixed.title);
  await press(messages.back);

  const texts = messages.auditfiles;
  await openView(texts.title);
  const choose = async (amount: string) => {
    const file = `${language} ${amount}.xaf`;
    const buffer = Buffer.from(books(amount));
    await pane.locator('input[type=file]').setInputFiles([{ name: file, mimeType: 'text/xml', buffer }]);
    await press(messages.named(texts.import, file));
    return file;
  };
  const file = await choose('121.00');
  await expectQuestion(texts.confirmTitle, texts.import);
  const withdraw = messages.named(texts.withdraw, file);
  await seen(pane.getByRole('button', { name: withdraw, exact: true }));
  // It replaces another one, which has to be ticked.
  await choose('242.00');
  await expectQuestion(texts.confirmTitle);
  await press(withdraw);
  await expectQuestion(texts.withdrawTitle, texts.withdraw);
  await seen(pane.getByText(texts.states.withdrawn(), { exact: true }));

  await press(messages.switchAdministration);
  await press(messages.named(messages.connect.remove, 'Bakkerij'));
  await expectQuestion(messages.connect.remove);
});
