import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import type { HostWindow } from '../simulator/pane.ts';
import { launchOptions } from './chromium.ts';

/** How many times slower the pages of the tests run than the processor can: 1 unless BROWSER_SLOWDOWN says otherwise. */
const slowdown = Number(process.env.BROWSER_SLOWDOWN ?? 1);

/** How much longer the service and the workbook take for each request: BROWSER_LATENCY_MS, 0 by default. */
const latency = Number(process.env.BROWSER_LATENCY_MS ?? 0);

/** How long a page may take for what a test waits for, such as a download. */
const PAGE_TIMEOUT_MS = 180_000 * slowdown + 20 * latency;

/**
 * Features that are off. Chromium obeys the last list that it is given, so this one has what Playwright's has; and
 * reading scripts while they are loaded: the process of a site knows them from the page before, and reading them again
 * takes a tenth of the time of the tests.
 */
export const switchedOff = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ScriptStreaming',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'msForceBrowserSignIn',
];

/** The browser of this process, for all its files. It ends with the process. */
let launched: Promise<Browser> | undefined;

async function launchForTests(): Promise<Browser> {
  const options = await launchOptions();
  return chromium.launch({ ...options, args: [...options.args, `--disable-features=${switchedOff.join(',')}`] });
}

/**
 * A browser with a new page for each test of a file. No test may end with an error of its page.
 *
 * A page that stays open keeps the process of the site and what it compiled, so that the page of the next test opens in
 * half the processor time. Whatever a test stored is removed before the next.
 * @param addressOf an address of the site without scripts, for the page that stays open
 */
export function withBrowserPage(options: BrowserContextOptions, addressOf: () => string) {
  const current = {} as { browser: Browser; context: BrowserContext; page: Page };
  let staying: Page | undefined;
  let errors: string[];
  beforeEach(async () => {
    if (staying === undefined) {
      launched ??= launchForTests();
      current.browser = await launched;
      current.context = await current.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      current.context.setDefaultTimeout(PAGE_TIMEOUT_MS);
      if (slowdown !== 1) current.context.on('page', slowDown);
      if (latency !== 0) await current.context.addInitScript(delayRequests, latency);
      await current.context.addInitScript(keepPresses);
      staying = await current.context.newPage();
      await staying.goto(addressOf());
    }
    current.page = await openedBy(staying);
    errors = [];
    current.page.on('pageerror', (error) => errors.push(error.message));
  });
  afterEach(async ({ task }) => {
    const { context } = current;
    const opened = context.pages().filter((page) => page !== staying);
    if (task.result?.state === 'fail') for (const page of opened) console.error(await shownBy(page));
    await Promise.all(opened.map((page) => page.close()));
    await context.unrouteAll();
    await context.setOffline(false);
    const devtools = await context.newCDPSession(staying!);
    const origin = new URL(addressOf()).origin;
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await devtools.detach();
    expect(errors).toEqual([]);
  });
  afterAll(() => current.context?.close());
  return current;
}

/** A new page in the process of another: one of its own would first start a process for the empty address. */
async function openedBy(page: Page): Promise<Page> {
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => void window.open('about:blank')),
  ]);
  return opened;
}

/** Runs in each frame: keeps the last presses, and what they met, for the report of a failed test. */
function keepPresses(): void {
  const presses: string[] = [];
  Object.assign(window, { presses });
  for (const type of ['mousedown', 'mouseup', 'click', 'keydown']) {
    const keep = ({ target, timeStamp }: Event) => {
      if (!(target instanceof Element)) return;
      const met = target.closest('[role], button, a, input, select') ?? target;
      const isDisabled = met.getAttribute('aria-disabled') === 'true';
      const name = met.getAttribute('aria-label') ?? met.textContent?.slice(0, 40);
      presses.push(`${Math.round(timeStamp)} ms ${type} ${met.tagName} "${name}"${isDisabled ? ', disabled' : ''}`);
      if (presses.length > 12) presses.shift();
    };
    addEventListener(type, keep, true);
  }
}

/** What a page and its frames show, and the last presses in them. */
async function shownBy(page: Page): Promise<string> {
  const frames = page.frames().map(async (frame) => {
    const read = () => [document.body.innerText.slice(0, 2000), ...((window as { presses?: string[] }).presses ?? [])];
    const lines = await frame.evaluate(read).catch((error: Error) => [error.message]);
    return [`== ${frame.url()}`, ...lines].join('\n');
  });
  return (await Promise.all(frames)).join('\n');
}

/** Makes a page as slow as on a slow machine, so that a test that does not wait for what it expects fails. */
async function slowDown(page: Page): Promise<void> {
  try {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  } catch (error) {
    if (!page.isClosed()) throw error;
  }
}

/** Runs in each frame: requests to the service, and those of the pane to the workbook, take longer than on this machine. */
function delayRequests(milliseconds: number): void {
  const later = () => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const { fetch } = window;
  window.fetch = async (...request) => {
    await later();
    return fetch(...request);
  };
  let given: HostWindow['excelHost'];
  Object.defineProperty(window, 'excelHost', {
    get: () => given,
    set: (host: HostWindow['excelHost']) => {
      const execute: typeof host.execute = async (...request) => {
        await later();
        return host.execute(...request);
      };
      given = { ...host, execute };
    },
  });
}
