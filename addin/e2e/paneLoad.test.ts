import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { languages } from '../taskpane/locales/words.ts';
import { accessibilityErrors } from './accessibility.ts';
import { type App, demo, startApp } from './app.ts';
import { withBrowserPage } from './browserPage.ts';
import { connect, paneOf, seen } from './pane.ts';
import { scriptsOfPane, servedBytes } from './paneFiles.ts';

/*
 * What the pane loads: nothing from other hosts, but for Microsoft's client in Excel; little; and what to do when a part
 * of it does not arrive.
 */

/** The most bytes of the pane's own scripts, compressed as the app serves them: to begin with, with a list, and all. */
const MAX_BYTES = { first: 195_000, list: 204_000, all: 250_000 };

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const current = withBrowserPage({ locale: 'en-GB' }, () => `${app.address}/taskpane/support.html`);

const OFFICE = 'https://appsforoffice.microsoft.com/lib/1/hosted/office.js';

/** Office.js as a browser without Excel has it: then the pane says that it belongs in Excel. */
const officeOfNoHost = `window.Office = { onReady: () => Promise.resolve({ host: null, platform: null }) };`;

/** Blocks every other host. @returns the requests to them, also those to come */
async function blockOthers(): Promise<string[]> {
  const blocked: string[] = [];
  await current.page.route(/.*/, (route) => {
    const url = route.request().url();
    if (new URL(url).origin === app.address || /^(data|blob):/.test(url)) return route.continue();
    blocked.push(url);
    return url === OFFICE
      ? route.fulfill({ contentType: 'text/javascript', body: officeOfNoHost })
      : route.abort('blockedbyclient');
  });
  return blocked;
}

it('the pane that Excel opens loads nothing of another host but Office.js', async () => {
  const blocked = await blockOthers();
  await current.page.goto(`${app.address}/taskpane/taskpane/index.html`, { waitUntil: 'networkidle' });
  await seen(current.page.getByText('This page works in Excel only'));
  expect(blocked).toEqual([OFFICE]);
});

it('the workbook page loads nothing of another host, from its first start to a list on a sheet', async () => {
  const blocked = await blockOthers();
  await bringInTaxCodes(await openPane());
  expect(blocked).toEqual([]);
});

/** The workbook page. @returns its pane */
async function openPane(): Promise<Frame> {
  await current.page.goto(`${app.address}/?lang=en`);
  return paneOf(current.page);
}

async function bringInTaxCodes(pane: Frame): Promise<void> {
  await connect(pane, demo, 'Demo');
  await pane.getByRole('button', { name: 'Tax codes' }).click();
  await pane.getByRole('button', { name: 'Bring in tax codes' }).click();
  await seen(pane.getByText('on sheet “Tax codes”'));
}

/** The names of scripts that frames load from now on. @param isOf whether a frame counts */
function scriptsLoaded(isOf: (frame: Frame) => boolean): Set<string> {
  const names = new Set<string>();
  current.page.on('request', (request) => {
    const name = /\/assets\/([\w-]+\.js)$/.exec(request.url())?.[1];
    if (name !== undefined && isOf(request.frame())) names.add(name);
  });
  return names;
}

describe('the scripts of the pane', () => {
  const bytesOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + servedBytes(inject('pages'), name), 0);

  it('are few until its first view can be used, and until a first list is on a sheet', async () => {
    const loaded = scriptsLoaded((frame) => frame.parentFrame() !== null);
    const pane = await openPane();
    await connect(pane, demo, 'Demo');
    // The page of the frame begins differently from that in Excel.
    const own = () => [...loaded].filter((name) => !/^(workbookPane|simulator|main)-/.test(name));
    expect(own().some((name) => name.startsWith('pane-'))).toBe(true);
    expect(own().filter((name) => /^(nl|fr|sheets|auditfiles|richText)-/.test(name))).toEqual([]);
    expect(bytesOf(own())).toBeLessThan(MAX_BYTES.first);
    await pane.getByRole('button', { name: 'Tax codes' }).click();
    await pane.getByRole('button', { name: 'Bring in tax codes' }).click();
    await seen(pane.getByText('on sheet “Tax codes”'));
    expect(bytesOf(own())).toBeLessThan(MAX_BYTES.list);
    // What is counted below is what a browser loads.
    expect(scriptsOfPane(inject('pages'), 'en')).toEqual(expect.arrayContaining(own()));
  });

  it.each(languages)('are limited in %s, with every view', (language) => {
    const scripts = scriptsOfPane(inject('pages'), language);
    expect(scripts.length).toBeGreaterThan(5);
    expect(bytesOf(scripts)).toBeLessThan(MAX_BYTES.all);
  });
});

describe('a part of the pane that does not arrive', () => {
  const OFFLINE = 'This part was not loaded. The network may be down, or there is a new version of Ledgerline.';

  it('is told by its view, and is there when the network is', async () => {
    const pane = await openPane();
    await connect(pane, demo, 'Demo');
    await current.context.setOffline(true);
    await pane.getByRole('button', { name: 'Push rows' }).click();
    await seen(pane.getByRole('alert').getByText(OFFLINE));
    await seen(pane.getByRole('heading', { level: 1, name: 'Push rows' }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    // The pane stays while nothing responds.
    await pane.getByRole('button', { name: 'Try again' }).click();
    await seen(pane.getByRole('alert').getByText(OFFLINE));
    await pane.getByRole('button', { name: 'Back' }).click();
    await seen(pane.getByRole('heading', { name: 'What do you want to do?' }));

    await pane.getByRole('button', { name: 'Push rows' }).click();
    await seen(pane.getByRole('alert').getByText(OFFLINE));
    await current.context.setOffline(false);
    await pane.getByRole('button', { name: 'Try again' }).press('Enter');
    await pane.getByText(OFFLINE).waitFor({ state: 'detached' });
    await seen(pane.getByRole('heading', { level: 1, name: 'Push rows' }));
    await pane.getByText('Loading…').waitFor({ state: 'detached' });
  });

  it.each([
    { view: 'Product sheet', shows: 'Make the product sheet' },
    { view: 'Activity', shows: 'Everyone with a key of this administration sees this.' },
  ])('of a version that is gone has the pane opened anew at its view: $view', async ({ view, shows }) => {
    let isGone = true;
    await current.page.route(/\/assets\/sheets-/, (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.continue(),
    );
    // The page of the pane names the files of the new version.
    await current.page.route(/\/simulator\/pane\.html/, (route) => {
      if (route.request().isNavigationRequest() && opened++ > 0) isGone = false;
      return route.continue();
    });
    let opened = 0;
    const pane = await openPane();
    await connect(pane, demo, 'Demo');
    await pane.getByRole('button', { name: view }).click();
    await seen(pane.getByRole('alert').getByText(OFFLINE));
    await pane.getByRole('button', { name: 'Try again' }).click();
    await seen(pane.getByRole('heading', { level: 1, name: view }));
    await seen(pane.getByText(shows));
    expect(opened).toBe(2);
  });

  it('are its texts: then it says so in the language that is meant, and tries again', async () => {
    let isBroken = true;
    await current.page.route(/\/assets\/fr-/, (route) => (isBroken ? route.abort() : route.continue()));
    // Only the pane is in French.
    await current.page.addInitScript(() => localStorage.setItem('simulated-workbook.ledgerline.language', 'fr'));
    const pane = await openPane();
    await seen(pane.getByRole('heading', { name: 'Cette partie n’a pas été chargée' }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    isBroken = false;
    await pane.getByRole('button', { name: 'Réessayer' }).click();
    await seen(pane.getByRole('heading', { name: 'Connecter une administration' }));
  });
});

describe('texts that arrive late', () => {
  /** Holds the requests for a file back. @returns a function that lets them through */
  async function holdBack(file: RegExp): Promise<() => void> {
    let letThrough = () => {};
    const free = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await current.page.route(file, async (route) => {
      await free;
      await route.continue();
    });
    return letThrough;
  }

  it('do not take the place of a language that was chosen after theirs', async () => {
    const pane = await openPane();
    const asked = current.page.waitForRequest(/\/assets\/fr-/);
    const letThrough = await holdBack(/\/assets\/fr-/);
    await pane.getByLabel('Language').selectOption('Français');
    const address = (await asked).url();
    await pane.getByLabel('Language').selectOption('Nederlands');
    await seen(pane.getByRole('heading', { name: 'Een administratie verbinden' }));
    letThrough();
    // The pane waits for the same file, and gets it no later.
    await pane.evaluate(`import(${JSON.stringify(address)}).then(() => {})`);
    expect(await pane.getByRole('heading', { level: 1 }).textContent()).toBe('Een administratie verbinden');
    expect(await pane.getByLabel('Taal').inputValue()).toBe('nl');
    await current.page.reload();
    await seen((await paneOf(current.page)).getByRole('heading', { name: 'Een administratie verbinden' }));
  });

  it('lose no view that a button of the ribbon opened before they came', async () => {
    await connect(await openPane(), demo, 'Demo');
    // Only the pane is in French.
    await current.page.evaluate(() => localStorage.setItem('simulated-workbook.ledgerline.language', 'fr'));
    const asked = current.page.waitForRequest(/\/assets\/fr-/);
    const letThrough = await holdBack(/\/assets\/fr-/);
    await current.page.reload();
    await asked;
    await current.page.locator('.ribbon').getByRole('button', { name: 'Relations', exact: true }).click();
    letThrough();
    const pane = await paneOf(current.page);
    await seen(pane.getByRole('heading', { level: 1, name: 'Relations' }));
    await seen(pane.getByRole('button', { name: 'Importer les relations' }));
  });
});
