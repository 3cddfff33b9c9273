import { beforeEach, describe, expect, it } from 'vitest';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { languages } from '../taskpane/locales/words.ts';
import { workViews } from '../taskpane/viewNames.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { seen } from './pane.ts';
import { typeBelow } from './sheetCells.ts';

/*
 * What holds for every view of the pane, in every language: it fits a width of 320 pixels, has no accessibility errors,
 * and its help opens its page of the guide.
 */

const appPage = withAppPage();
beforeEach(async () => {
  // Of a workbook window on a small screen.
  await appPage.page.setViewportSize({ width: 1280, height: 900 });
});

describe.each(languages)('in %s', (language) => {
  const messages = messagesOf[language];
  const heading = (name: string) => appPage.pane.getByRole('heading', { level: 1, name, exact: true });
  const press = (name: string | RegExp) => appPage.pane.getByRole('button', { name, exact: true }).click();

  /** Opens the page in the language, with a pane of 320 pixels. */
  async function open(): Promise<void> {
    await appPage.open(language);
    await appPage.page.locator('iframe').evaluate((frame) => {
      frame.style.width = '320px';
    });
    await expect.poll(() => appPage.pane.evaluate(() => window.innerWidth)).toBe(320);
  }

  async function connect(): Promise<void> {
    const { pane } = appPage;
    await pane.getByLabel(messages.connect.username).fill(demo.username);
    await pane.getByLabel(messages.connect.apiKey).fill(demo.apiKey);
    // One long word.
    const label = 'administratie.handelsonderneming@vandenbroeckenzonen.example.com';
    await pane.getByLabel(messages.connect.label, { exact: true }).fill(label);
    await press(messages.connect.submit);
    await heading(messages.home.title).waitFor();
  }

  /** Opens a view from the start page. */
  async function openView(title: string): Promise<void> {
    await press(title);
    await heading(title).waitFor();
    await expect.poll(() => appPage.pane.getByText(messages.loading, { exact: true }).count()).toBe(0);
  }

  async function back(): Promise<void> {
    await press(messages.back);
    await heading(messages.home.title).waitFor();
  }

  /** What does not fit: the pane, buttons, and elements beyond its edge. */
  const tooWide = () =>
    appPage.pane.evaluate(() => {
      const { scrollWidth } = document.documentElement;
      const beyond = [...document.querySelectorAll('main *, header *')].filter((one) => {
        const isCut = one instanceof HTMLButtonElement && one.scrollWidth > one.clientWidth;
        const { right, width } = one.getBoundingClientRect();
        return isCut || (width > 0 && right > window.innerWidth && one.closest('section[tabindex]') === null);
      });
      return [
        ...(scrollWidth > 320 ? [`${scrollWidth} pixels`] : []),
        ...beyond.map((one) => one.outerHTML.slice(0, 200)),
      ];
    });

  /** The words of headings and buttons that go over two lines, though each fits on one. */
  const brokenWords = () =>
    appPage.pane.evaluate(() => {
      const broken: string[] = [];
      for (const element of document.querySelectorAll('main :is(h1, h2, button)')) {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          for (const { 0: word, index } of (walker.currentNode.nodeValue ?? '').matchAll(/[^\s-]+/g)) {
            const range = document.createRange();
            range.setStart(walker.currentNode, index);
            range.setEnd(walker.currentNode, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
          }
        }
      }
      return broken;
    });

  const needsScrolling = () => appPage.pane.evaluate(() => document.documentElement.scrollHeight > window.innerHeight);

  async function expectFit(view: string): Promise<void> {
    expect(await tooWide(), view).toEqual([]);
    expect(await brokenWords(), view).toEqual([]);
    expect(await accessibilityErrors(appPage.pane), view).toEqual([]);
  }

  /** The page of the guide that the help of the shown view opens: its language, and whether it has a title. */
  async function helpPage(): Promise<{ status: number; language: string | undefined; hasTitle: boolean }> {
    const link = appPage.pane.getByRole('link', { name: messages.help, exact: true });
    const response = await appPage.context.request.get((await link.getAttribute('href'))!);
    const html = await response.text();
    const [, language] = /<html lang="(\w+)"/.exec(html) ?? [];
    return { status: response.status(), language, hasTitle: /<h1>[^<]+<\/h1>/.test(html) };
  }
  const guide = { status: 200, language, hasTitle: true };

  it('every view of an empty workbook fits 320 pixels, is accessible, and has a page of the guide', async () => {
    await open();
    await expectFit('connect');
    expect(await needsScrolling()).toBe(false);
    expect(await helpPage()).toEqual(guide);
    await connect();
    await expectFit('home');
    expect(await helpPage()).toEqual(guide);
    for (const view of workViews) {
      await openView(messages[view].title);
      await expectFit(view);
      expect(await helpPage(), view).toEqual(guide);
      await back();
    }
  });

  it('so do views of what the workbook holds, and the question before a push', async () => {
    await open();
    await connect();
    const { pane, page } = appPage;
    await openView(messages.taxCodes.title);
    await press(messages.taxCodes.submit);
    await seen(pane.getByText(messages.taxCodes.sheet, { exact: false }).last());
    await back();
    await seen(pane.getByRole('heading', { name: messages.home.inWorkbook }));
    await expectFit('home with a sheet');

    await openView(messages.products.title);
    await pane.getByLabel(messages.products.numbers).fill('00001');
    await press(messages.products.submit);
    await seen(pane.getByRole('button', { name: messages.products.next }));
    await expectFit('a made product sheet');
    await typeBelow(page, messages.products.sheet, messages.headings.products.NewSalePrice, 2, '1');
    await press(messages.products.next);
    await heading(messages.push.title).waitFor();
    const submit = pane.getByRole('button', { name: messages.push.submit(1, '').trim(), disabled: false });
    await seen(submit);
    await expectFit('checked rows');
    await submit.click();
    const dialog = await seen(pane.getByRole('alertdialog'));
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await expectFit('the question before a push');
    await dialog.getByRole('button', { name: messages.cancel, exact: true }).click();
    await back();
    await openView(messages.activity.title);
    await seen(pane.getByText(messages.taxCodes.sheet, { exact: false }));
    await expectFit('activity');
  });
});

describe('the activity of a workbook and an administration where nothing happened', () => {
  it('offers what to do first', async () => {
    await appPage.open('en');
    const { pane } = appPage;
    await pane.getByLabel('User name').fill(demo.username);
    await pane.getByLabel('API key').fill(demo.apiKey);
    await pane.getByRole('button', { name: 'Connect' }).click();
    await appPage.openView('Activity');
    await seen(pane.getByText('Nothing was pushed in the time that the service remembers.'));
    await appPage.press('Make a product sheet');
    await seen(pane.getByRole('heading', { level: 1, name: 'Product sheet' }));
    await appPage.press('Back');
    await appPage.openView('Activity');
    await seen(pane.getByText('Nothing was brought into this workbook yet.'));
    await appPage.press('Bring into the workbook');
    await seen(pane.getByRole('heading', { level: 1, name: 'What do you want to do?' }));
  });
});
