import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lookup } from 'mrmime';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../addin/e2e/chromium.ts';
import { paneOf } from '../addin/e2e/pane.ts';
import { buildPages } from '../functions/host/installation/buildPages.ts';
import { largeFile } from './largeFile.ts';
import { p99, type Ratio, root } from './measure.ts';
import { measurePageJobs } from './pageJobs.ts';
import { categories, cost, longestTask, ofMainThread, type TraceEvent } from './trace.ts';

const FILE_ROWS = 300_000;
const SCROLLED_ROWS = 500_000;
const FRAMES = 200;
const STEP = 700;

/** The workbook page in Chromium, by its own trace: opening a file of 20 MB, scrolling, and work on many rows. */
export async function measurePage(): Promise<Ratio[]> {
  const folder = await buildPages(root);
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
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/taskpane/simulator/index.html?lang=en`;
    return [
      ...(await measureOpening(browser, page, address)),
      await measureScrolling(browser, page, address),
      ...(await measurePageJobs(browser)),
    ];
  } finally {
    await browser.close();
    server.close();
  }
}

/** Opens a file of so many rows. @param begin is called when the page is there */
async function openFile(page: Page, address: string, rows: number, begin = async () => {}): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-bench-'));
  try {
    const file = path.join(folder, 'Lines.xlsx');
    await writeFile(file, largeFile(rows));
    await page.goto(address);
    await paneOf(page);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Open .xlsx' }).click(),
    ]);
    await begin();
    const start = performance.now();
    await chooser.setFiles(file);
    await page.getByText('Lines.xlsx ·').waitFor({ timeout: 120_000 });
    return performance.now() - start;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureOpening(browser: Browser, page: Page, address: string): Promise<Ratio[]> {
  const time = await openFile(page, address, FILE_ROWS, () => browser.startTracing(page, { categories }));
  const longest = longestTask(await browser.stopTracing());
  return [
    { name: 'a file of 20 MB in the page, against 5 s', ours: time, bare: 5000, unit: 'ms', aim: 1 },
    { name: 'its longest task, against 50 ms', ours: longest, bare: 50, unit: 'ms', aim: 1 },
  ];
}

async function measureScrolling(browser: Browser, page: Page, address: string): Promise<Ratio> {
  await openFile(page, address, SCROLLED_ROWS);
  await browser.startTracing(page, { categories });
  await page.locator('.grid').evaluate(
    async (grid, { frames, step }) => {
      for (let frame = 0; frame < frames; frame += 1) {
        grid.scrollTop += step;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    { frames: FRAMES, step: STEP },
  );
  const costs = costsOfFrames(ofMainThread(await browser.stopTracing()));
  return {
    name: 'script and layout of a frame while 500,000 rows are scrolled (p99), against 16 ms',
    ours: p99(costs),
    bare: 16,
    unit: 'ms',
    aim: 1,
  };
}

const work = new Set(['EventDispatch', 'FireAnimationFrame', 'FunctionCall', 'RunMicrotasks', 'TimerFire']);
for (const name of ['UpdateLayoutTree', 'Layout', 'PrePaint']) work.add(name);

/** What script and layout took in each frame. An event inside of another one counts with that. */
function costsOfFrames(events: readonly TraceEvent[]): number[] {
  const frames: number[] = [];
  let end = 0;
  for (const event of events) {
    if (event.name === 'Commit') frames.push(0);
    if (event.ph !== 'X' || !work.has(event.name) || event.ts < end || frames.length === 0) continue;
    end = event.ts + (event.dur ?? 0);
    frames[frames.length - 1]! += cost(event);
  }
  return frames;
}
