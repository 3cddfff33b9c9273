import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { Frame, Locator, Page } from 'playwright-core';
import { type Client, type Credential, createClient } from '../../shared/client.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The demo administration every app starts with on an empty data folder. */
export const demo: Credential = { apiKey: 'demo', username: 'demo@example.com' };

export type App = {
  address: string;
  /** The file its database is in. */
  databaseFile: string;
  /** The interface of the app, asked over HTTP. */
  clientOf: (credential: Credential) => Client;
  /** Runs `npm run administration` on the data of the app; what it prints. */
  administration: (...words: string[]) => Promise<string>;
  /** Runs `npm run export` on it. */
  exportRelations: (...words: string[]) => Promise<string>;
  stop: () => Promise<void>;
};

/** Starts the real app, as `npm start` does, on a free port and an empty data folder. @param settings beside these */
export async function startApp(settings: Record<string, string> = {}): Promise<App> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-app-'));
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: folder, ...settings };
  const child = spawn(process.execPath, [path.join(root, 'functions/host/start.ts')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /http:\/\/localhost:\d+/.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    ended.then(() => reject(new Error(`The app did not start: ${output}`)), reject);
  });
  const run = async (script: string, words: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(root, script), ...words], {
      cwd: root,
      env,
    });
    return stdout.trim();
  };
  return {
    address,
    databaseFile: path.join(folder, 'ledgerline.sqlite'),
    clientOf: (credential) => createClient(address, credential, fetch),
    administration: (...words) => run('functions/administrations/builtin/cli/command.ts', words),
    exportRelations: (...words) => run('functions/exports/command.ts', words),
    async stop() {
      child.kill('SIGTERM');
      await ended;
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

/** What a sheet holds, row by row by its headings. */
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

/** What a page does that some people cannot work with. */
export async function barriersIn(place: Page | Frame): Promise<string[]> {
  await place.evaluate(axe.source);
  const { violations } = await place.evaluate(() => window.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Waits for text, and gives the element that holds it. */
export async function seen(locator: Locator): Promise<Locator> {
  await locator.first().waitFor();
  return locator.first();
}
