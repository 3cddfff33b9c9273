import type { BrowserContextOptions, Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type App, startApp } from './app.ts';
import { withBrowserPage } from './browserPage.ts';
import { paneOf } from './pane.ts';

type Options = BrowserContextOptions & {
  /** Starts the app; by default one with the demo administrations. */
  start?: () => Promise<App>;
};

/** The real app for a file, and its page in a real browser for each test: the workbook, and the pane beside it. */
export function withAppPage({ start = startApp, ...options }: Options = {}) {
  let app: App;
  let pane: Frame;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app?.stop());
  const browserPage = withBrowserPage({ locale: 'en-GB', ...options });

  /** Opens the page anew. @returns its pane */
  const open = async (language: 'en' | 'nl' = 'en'): Promise<Frame> => {
    await browserPage.page.goto(`${app.address}/?lang=${language}`);
    pane = await paneOf(browserPage.page);
    return pane;
  };
  beforeEach(async () => void (await open()));

  const press = (name: string | RegExp) => pane.getByRole('button', { name }).click();

  return {
    get app() {
      return app;
    },
    get browser() {
      return browserPage.browser;
    },
    get context() {
      return browserPage.context;
    },
    get page() {
      return browserPage.page;
    },
    get pane() {
      return pane;
    },
    open,
    /** Loads the page again. @returns its pane */
    reload: async (): Promise<Frame> => {
      await browserPage.page.reload();
      pane = await paneOf(browserPage.page);
      return pane;
    },
    /** Presses a button of the pane. */
    press,
    /** Opens a view of the pane by its button. */
    openView: async (name: string): Promise<void> => {
      await press(name);
      await pane.getByRole('heading', { level: 1, name }).waitFor();
    },
  };
}
