import { existsSync, statfsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

type Chromium = { executablePath: string; env: Record<string, string | undefined> };

/** The browser at CHROMIUM_PATH, none when that is empty. Without CHROMIUM_PATH the first one in the usual places. */
const installed = (): Chromium | undefined => {
  const executablePath = process.env.CHROMIUM_PATH ?? usualPlaces.find((place) => existsSync(place));
  return executablePath ? { executablePath, env: process.env } : undefined;
};

/** Only the fonts beside this file, independent of the machine. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * The Chromium of the package @sparticuz/chromium, unpacked once for each version, with libraries and fonts for
 * machines without them. The package unpacks into the temporary folder. So it gets a temporary folder of its own, which is then
 * renamed: two tests that start at once never find an incomplete browser.
 * @param folder the folder for the browser and its caches
 */
export const bundledChromium = async (
  folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/ledgerline'),
): Promise<Chromium> => {
  const { resolve } = createRequire(import.meta.url);
  const home = path.dirname(path.dirname(resolve('@sparticuz/chromium')));
  const { version } = createRequire(import.meta.url)(path.join(home, 'package.json')) as { version: string };
  const place = path.join(folder, `chromium-${version}`);
  if (!existsSync(place)) {
    await mkdir(folder, { recursive: true });
    const staging = await mkdtemp(`${place}-`);
    const before = process.env.TMPDIR;
    process.env.TMPDIR = staging;
    try {
      const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
      await Promise.all(archives.map((archive) => inflate(path.join(home, 'bin', archive))));
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
    // The package's own configuration names folders that other machines lack.
    await writeFile(path.join(staging, 'fonts', 'fonts.conf'), fontsConf);
    try {
      await rename(staging, place);
    } catch (error) {
      if (!existsSync(place)) throw error;
      await rm(staging, { recursive: true });
    }
  }
  const libraries = [path.join(place, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return {
    executablePath: path.join(place, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: libraries,
      FONTCONFIG_FILE: path.join(place, 'fonts', 'fonts.conf'),
      HOME: path.join(place, 'home'),
      XDG_CACHE_HOME: path.join(place, 'home', 'cache'),
      XDG_CONFIG_HOME: path.join(place, 'home', 'config'),
    },
  };
};

const isRoot = (): boolean => process.getuid?.() === 0;

const SHARED_MEMORY = '/dev/shm';
/** What some browsers need of it at a time, several times over. Containers often have 64 MB. */
const ENOUGH_SHARED_MEMORY = 1_000_000_000;

/** Whether pages can share memory as they usually do. Playwright has them write files, for machines where they cannot. */
const hasSharedMemory = (): boolean => {
  if (!existsSync(SHARED_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  return bavail * bsize >= ENOUGH_SHARED_MEMORY;
};

/** How a Chromium is started. @param which by default an installed one, else the one from the npm package */
export const launchOptions = async (which?: Chromium): Promise<LaunchOptions & { args: string[] }> => {
  const { executablePath, env } = which ?? installed() ?? (await bundledChromium());
  return {
    executablePath,
    env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    // A tenth of the processor time of a page.
    ...(hasSharedMemory() ? { ignoreDefaultArgs: ['--disable-dev-shm-usage'] } : {}),
    args: [
      '--headless',
      ...(isRoot() ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages of one site share what they compiled.
      '--process-per-site',
    ],
  };
};

/** Starts a Chromium for a test, or for what measures or draws pages. @param which as for its options */
export const launchChromium = async (which?: Chromium): Promise<Browser> => chromium.launch(await launchOptions(which));
