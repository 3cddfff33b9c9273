import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { switchedOff } from './browserPage.ts';
import { bundledChromium, launchChromium, launchOptions } from './chromium.ts';

/*
 * The Chromium of the npm package, on a machine without a browser and fonts of its own.
 */

const EUROPEAN_NAMES = `
  Łukasz Dvořák, Őry Béla, Nußbaum, Ĳsbrand en ĳ, Šárka Žižková, Ștefan Țuțu, Ģirts Ķēniņš, Živilė Šimkutė, Ğül Şahin,
  Þórður Æðelsson, Bjørn Åström, Œuvré Ÿves, Siân ŵ ŷ, Ħal Għarb, Đorđe Čokić, Ćwiąkała-Źdźbło, Françoise Íñigo Õismäe
`;

let folder: string;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ledgerline chromium '));
  browser = await launchChromium(await bundledChromium(folder));
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Every character of a text, spaces aside, that no font of the browser has a glyph for. */
const missingGlyphs = (text: string, font: string): Promise<string[]> =>
  page.evaluate(
    ([characters, style]) => {
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d', { willReadFrequently: true })!;
      context.textBaseline = 'top';
      context.font = style;
      const draw = (character: string): string => {
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.fillText(character, 8, 8);
        return context.getImageData(0, 0, 64, 64).data.join();
      };
      const nothing = draw('');
      // No font has a glyph for this one: the drawing stands for a missing glyph.
      const missing = draw('\u{10FFFD}');
      return [...new Set(characters)]
        .filter((character) => !/\s/.test(character))
        .filter((character) => [nothing, missing].includes(draw(character)));
    },
    [text, font] as const,
  );

/** The characters of the pages' sources that are not ASCII: every symbol they show is among them. */
const symbolsOfPages = (): string => {
  const addin = path.resolve(import.meta.dirname, '..');
  const sources = readdirSync(addin, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|css|html)$/.test(name) && !/\.test\.|^(e2e|manifest)/.test(name))
    .map((name) => readFileSync(path.join(addin, name), 'utf8'));
  return [...new Set(sources.join('').replaceAll(/[\0-\x7F]/g, ''))].join('');
};

const fonts = ['', 'bold ', 'italic '].map((style) => `${style}32px sans-serif`);

describe.each([...fonts, '32px serif', '32px monospace', '32px "Segoe UI"'])('text in %s', (font) => {
  it('shows the names of Western and Central Europe', async () => {
    expect(await missingGlyphs(EUROPEAN_NAMES, font)).toEqual([]);
  });

  it('shows every symbol that the pages use', async () => {
    const symbols = symbolsOfPages();
    expect(symbols).toContain('€');
    expect(await missingGlyphs(symbols, font)).toEqual([]);
  });
});

it('The search for missing glyphs finds one', async () => {
  expect(await missingGlyphs('a\u{F8FF}ő\u{10FFFE}', '32px sans-serif')).toEqual(['\u{F8FF}', '\u{10FFFE}']);
});

it('The bundled Chromium uses only the fonts in its own folder', async () => {
  await page.setContent('<p>Łukasz</p><p style="font-family: serif">€</p><p style="font-family: monospace">é</p>');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeIds } = await devtools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'p' });
  const used = await Promise.all(nodeIds.map((nodeId) => devtools.send('CSS.getPlatformFontsForNode', { nodeId })));
  expect(used.flatMap(({ fonts }) => fonts.map(({ familyName }) => familyName))).toEqual(Array(3).fill('Open Sans'));
});

it('The bundled Chromium writes nothing outside its own folder', async () => {
  const outside = await mkdtemp(path.join(tmpdir(), 'ledgerline-outside-'));
  const before = { HOME: process.env.HOME, TMPDIR: process.env.TMPDIR };
  Object.assign(process.env, { HOME: outside, TMPDIR: outside });
  try {
    const other = await launchChromium(await bundledChromium(folder));
    await (await other.newPage()).setContent('<p>Łukasz</p>');
    await other.close();
    expect(readdirSync(outside)).toEqual([]);
  } finally {
    Object.assign(process.env, before);
    if (before.TMPDIR === undefined) delete process.env.TMPDIR;
    await rm(outside, { recursive: true });
  }
});

it('A Chromium of tests has off what Playwright has off', async () => {
  const server = await chromium.launchServer(await launchOptions(await bundledChromium(folder)));
  const lists = server.process().spawnargs.filter((argument) => argument.startsWith('--disable-features='));
  await server.close();
  expect(lists).toHaveLength(1);
  const features = lists[0]!.replace('--disable-features=', '').split(',');
  expect(features.filter((feature) => !switchedOff.includes(feature))).toEqual([]);
});
