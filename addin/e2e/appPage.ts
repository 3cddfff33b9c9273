import type { BrowserContextOptions, Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Language } from '../taskpane/locales/words.ts';
import { type App, startApp } from './app.ts';
import { withBrowserPage } from './browserPage.ts';
import { paneOf } from './pane.ts';

type Own = { app: App; pane: Frame };

/**
 * The real app for a file, and its page in a real browser for each test: the workbook, and the pane beside it.
 * @param start by default an app with the demo administrations
 */
export function withAppPage(start: () => Promise<App> = startApp, options: BrowserContextOptions = {}) {
  const addressOf = () => `${current.app.address}/taskpane/support.html`;
  const current: ReturnType<typeof withBrowserPage> & Own = Object.assign(
    withBrowserPage({ locale: 'en-GB', ...options }, addressOf),
    {} as Own,
  );
  beforeAll(async () => {
    current.app = await start();
  });
  afterAll(() => current.app?.stop());

  const press = (name: string | RegExp) => current.pane.getByRole('button', { name }).click();
  const findPane = async (): Promise<Frame> => {
    current.pane = await paneOf(current.page);
    return current.pane;
  };
  /** Opens the page anew. @returns its pane */
  const open = async (language: Language = 'en'): Promise<Frame> => {
    await current.page.goto(`${current.app.address}/?lang=${language}`);
    return findPane();
  };
  beforeEach(async () => void (await open()));

  return Object.assign(current, {
    open,
    /** Loads the page again. @returns its pane */
    reload: () => current.page.reload().then(findPane),
    /** Presses a button of the pane. */
    press,
    /** Opens a view of the pane by its button. */
    openView: async (name: string): Promise<void> => {
      await press(name);
      await current.pane.getByRole('heading', { level: 1, name }).waitFor();
    },
  });
}
