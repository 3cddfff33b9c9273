import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { lookup } from 'mrmime';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { withBrowserPage } from './browserPage.ts';
import { paneOf } from './pane.ts';

/** Serves the built pages as the app does, without an app: the pane beside the workbook can reach nothing. */
async function servePages(folder: string): Promise<http.Server> {
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

/** A workbook page without an app, opened anew for each test of a file, with the focus in its cells. */
export function withWorkbookPage() {
  let server: http.Server;
  beforeAll(async () => {
    server = await servePages(inject('pages'));
  });
  afterAll(() => void server?.close());
  const addressOf = (file: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/taskpane/${file}`;
  const current = withBrowserPage(
    { viewport: { width: 1280, height: 760 }, permissions: ['clipboard-read', 'clipboard-write'] },
    () => addressOf('support.html'),
  );

  /** @param query of the page's address, such as `lang=nl` */
  const open = async (query = 'lang=en') => {
    await current.page.goto(addressOf(`simulator/index.html?${query}`));
    await current.page.getByRole('grid').focus();
  };
  beforeEach(() => open());

  return Object.assign(current, {
    open,
    values: (area: string) => current.page.evaluate((where) => window.workbook.values(where), area),
    texts: (area: string) => current.page.evaluate((where) => window.workbook.texts(where), area),
    formulas: (area: string) => current.page.evaluate((where) => window.workbook.formulas(where), area),
    selection: () => current.page.evaluate(() => window.workbook.selection()),
    select: (area: string) => current.page.evaluate((where) => window.workbook.select(where), area),
    cell: (row: number, column: number) => current.page.locator(`#cell-${row}-${column}`),

    press: async (...keys: string[]) => {
      for (const key of keys) await current.page.keyboard.press(key);
    },

    /** Types rows of texts from A1 on. */
    fill: (rows: string[][]) =>
      current.page.evaluate((lines) => {
        lines.forEach((line, row) => {
          line.forEach((text, column) => {
            window.workbook.type(`${String.fromCharCode(65 + column)}${row + 1}`, text);
          });
        });
      }, rows),

    accessibilityErrors: () => accessibilityErrors(current.page),
    /** The frame in which the pane and Microsoft's client run. */
    paneFrame: () => paneOf(current.page),
  });
}
