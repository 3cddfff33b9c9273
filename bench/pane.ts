import { demo, startApp } from '../addin/e2e/app.ts';
import { launchChromium } from '../addin/e2e/chromium.ts';
import { connect, paneOf } from '../addin/e2e/pane.ts';
import { scriptsOfPane, servedBytes } from '../addin/e2e/paneFiles.ts';
import { languages } from '../addin/taskpane/locales/words.ts';
import { buildPages } from '../functions/host/installation/buildPages.ts';
import { median, type Ratio, root } from './measure.ts';

const OPENINGS = 7;

/** The pane: how soon it shows something when the browser has its files already, and how large its own scripts are. */
export async function measurePane(): Promise<Ratio[]> {
  return [await measureFirstPaint(), ...(await measureScripts())];
}

/** By Chromium's own timing, from the request for the page of the pane, beside a workbook that opens meanwhile. */
async function measureFirstPaint(): Promise<Ratio> {
  const app = await startApp();
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
    const open = async () => {
      const page = await context.newPage();
      await page.goto(`${app.address}/?lang=en`);
      return { page, pane: await paneOf(page) };
    };
    const first = await open();
    await connect(first.pane, demo, 'Demo');
    await first.page.close();
    const times: number[] = [];
    for (let time = 0; time < OPENINGS; time += 1) {
      const { page, pane } = await open();
      const paint = await pane.waitForFunction(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      );
      times.push((await paint.jsonValue())!);
      await page.close();
    }
    return {
      name: 'the first paint of the pane, cached, against 1 s',
      ours: median(times),
      bare: 1000,
      unit: 'ms',
      aim: 1,
    };
  } finally {
    await browser.close();
    await app.stop();
  }
}

/** All of the pane's own scripts in each language, as the app serves them. */
async function measureScripts(): Promise<Ratio[]> {
  const pages = await buildPages(root);
  return languages.map((language) => {
    const bytes = scriptsOfPane(pages, language).reduce((sum, name) => sum + servedBytes(pages, name), 0);
    return {
      name: `the scripts of the pane with every view, ${language}, against 250 kB`,
      ours: bytes / 1000,
      bare: 250,
      unit: 'kB',
      aim: 1,
    };
  });
}
