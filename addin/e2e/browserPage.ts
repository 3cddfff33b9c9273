import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchChromium } from './chromium.ts';

/** Starts a browser for a file, and a new page for each of its tests. No test may end with an error of its page. */
export function withBrowserPage(options: BrowserContextOptions) {
  const current = {} as { browser: Browser; context: BrowserContext; page: Page };
  let errors: string[];
  beforeAll(async () => {
    current.browser = await launchChromium();
  });
  afterAll(() => current.browser?.close());
  beforeEach(async () => {
    current.context = await current.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    current.page = await current.context.newPage();
    errors = [];
    current.page.on('pageerror', (error) => errors.push(error.message));
  });
  afterEach(async () => {
    await current.context?.close();
    expect(errors).toEqual([]);
  });
  return current;
}
