import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import type { Frame, Locator, Page } from 'playwright-core';
import { type Client, type Credential, createClient } from '../../shared/client/client.ts';
import { startAppProcess, startScript } from '../../testing/appProcess.ts';

/** Timeout of the start, in milliseconds: missing pages are built first. */
const START_TIMEOUT_MS = 240_000;

/** The demo administration of an app with an empty data folder. */
export const demo: Credential = { apiKey: 'demo', username: 'demo@example.com' };

export type App = {
  address: string;
  /** The file its database is in. */
  databaseFile: string;
  /** The interface of the app, asked over HTTP. */
  clientOf: (credential: Credential) => Client;
  /** Runs `npm run administration` on the data of the app; what it prints. */
  administration: (...args: string[]) => Promise<string>;
  /** Runs `npm run export` on it. */
  exportRelations: (...args: string[]) => Promise<string>;
  stop: () => Promise<void>;
};

/** Starts the real app, as `npm start` does, on a free port and an empty data folder. @param settings beside these */
export async function startApp(settings: Record<string, string> = {}): Promise<App> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-app-'));
  const env = { PORT: '0', DATA_DIR: folder, ...settings };
  const app = await startAppProcess('functions/host/start.ts', env, START_TIMEOUT_MS);
  const run = async (script: string, args: readonly string[]): Promise<string> => {
    const { ended, lines, errorOutput } = startScript(script, env, { args });
    const [code] = await ended;
    if (code !== 0) throw new Error(`${script} ${args.join(' ')} failed: ${errorOutput()}`);
    return lines().join('\n').trim();
  };
  return {
    address: app.url,
    databaseFile: path.join(folder, 'ledgerline.sqlite'),
    clientOf: (credential) => createClient(app.url, credential, fetch),
    administration: (...args) => run('functions/administrations/builtin/cli/command.ts', args),
    exportRelations: (...args) => run('functions/exports/command.ts', args),
    async stop() {
      await app.kill('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The pane beside the workbook of a page. */
export async function paneOf(page: Page): Promise<Frame> {
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
  if (frame === null || frame === undefined) throw new Error('The page shows no pane.');
  await frame.locator('h1').waitFor();
  return frame;
}

/** Connects the pane as a person does. */
export async function connect(pane: Frame, { apiKey, username }: Credential, label: string): Promise<void> {
  await pane.getByLabel('User name').fill(username);
  await pane.getByLabel('API key').fill(apiKey);
  await pane.getByLabel('Label').fill(label);
  await pane.getByRole('button', { name: 'Connect' }).click();
  await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
}

/** The values of a sheet, row by row, by its headings. */
export async function rowsOf(page: Page, sheet: string): Promise<Record<string, string | number | boolean>[]> {
  const grid = await page.evaluate((name) => {
    const used = window.workbook.usedRange(name);
    return used === undefined ? [] : window.workbook.values(`'${name}'!${used}`);
  }, sheet);
  const [headings = [], ...rows] = grid;
  return rows.map((cells) => Object.fromEntries(headings.map((heading, column) => [String(heading), cells[column]!])));
}

/** Types into the cell of a row, counted from 1, below a heading. */
export async function typeBelow(page: Page, sheet: string, heading: string, row: number, text: string): Promise<void> {
  await page.evaluate(
    ([name, below, at, typed]) => {
      const headings = window.workbook.values(`'${name}'!A1:Z1`)[0]!;
      window.workbook.type(`'${name}'!${String.fromCharCode(65 + headings.indexOf(below))}${at}`, typed);
    },
    [sheet, heading, row, text] as const,
  );
}

/** The accessibility errors of a page. */
export async function barriersIn(place: Page | Frame): Promise<string[]> {
  await place.evaluate(axe.source);
  // A colour on its way to another is no contrast to judge.
  await place.evaluate(() => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    return Promise.allSettled(passing.map(({ finished }) => finished));
  });
  const { violations } = await place.evaluate(() => window.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Waits for text, and gives the element that holds it. */
export async function seen(locator: Locator): Promise<Locator> {
  await locator.first().waitFor();
  return locator.first();
}
