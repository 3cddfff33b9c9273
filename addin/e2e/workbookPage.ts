import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import { lookup } from 'mrmime';
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchChromium } from './chromium.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Serves the built pages as the app does, without an app: the pane beside the workbook can reach nothing. */
async function servePages(folder: string): Promise<http.Server> {
  await build({ logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
  const server = http.createServer(async (request, response) => {
    const file = path.join(folder, new URL(request.url ?? '/', 'http://page').pathname.replace(/^\/taskpane/, ''));
    try {
      const content = await readFile(file);
      response.writeHead(200, { 'content-type': lookup(file) ?? 'application/octet-stream' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/**
 * A workbook page, opened anew for every test of a file, with the focus in its cells. No test may end in an error of
 * it.
 */
export function withWorkbookPage(options: BrowserContextOptions = {}) {
  let folder: string;
  let server: http.Server;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the browser itself had to complain about. */
  let complaints: string[];

  /** @param query of the page's address, such as `lang=nl` */
  const open = async (query = 'lang=en') => {
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/taskpane/simulator/index.html?${query}`);
    await page.getByRole('grid').focus();
  };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-page-'));
    server = await servePages(folder);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 760 }, acceptDownloads: true, ...options });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    page = await context.newPage();
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await open();
  });
  afterEach(async () => {
    await context?.close();
    expect(complaints).toEqual([]);
  });

  return {
    get page() {
      return page;
    },
    open,
    values: (area: string) => page.evaluate((where) => window.workbook.values(where), area),
    texts: (area: string) => page.evaluate((where) => window.workbook.texts(where), area),
    formulas: (area: string) => page.evaluate((where) => window.workbook.formulas(where), area),
    selection: () => page.evaluate(() => window.workbook.selection()),
    select: (area: string) => page.evaluate((where) => window.workbook.select(where), area),
    cell: (row: number, column: number) => page.locator(`#cell-${row}-${column}`),

    press: async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    },

    /** Types rows of texts from A1 on. */
    fill: (rows: string[][]) =>
      page.evaluate((lines) => {
        lines.forEach((line, row) => {
          line.forEach((text, column) => {
            window.workbook.type(`${String.fromCharCode(65 + column)}${row + 1}`, text);
          });
        });
      }, rows),

    /** What the page has that some people cannot work with. */
    barriers: async () => {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => window.axe.run({ exclude: ['iframe'] }));
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },

    /** The frame in which the pane and Microsoft's client run, once the pane is there. */
    paneFrame: async (): Promise<Frame> => {
      const element = await page.locator('iframe').elementHandle();
      const frame = await element?.contentFrame();
      if (!frame) throw new Error('There is no pane.');
      await frame.waitForFunction(() => document.getElementById('pane')?.childElementCount);
      return frame;
    },
  };
}
