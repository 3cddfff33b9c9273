import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { brand } from './brand.ts';

const addin = path.resolve(import.meta.dirname, '../..');
const textOf = (...names: string[]) => readFileSync(path.join(addin, ...names), 'utf8').toLowerCase();
const shades = new Set<string>(Object.values(brand));

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((place) => {
    const part = Number.parseInt(hex.slice(place, place + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (one: string, other: string): number => {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
};

describe('the accent', () => {
  it('is one for the pane, the workbook page and the guide', () => {
    const ofPage = [...textOf('simulator', 'page', 'page.css').matchAll(/brand[a-z-]*: (#[0-9a-f]{6});/g)];
    const ofIcon = [...textOf('simulator', 'index.html').matchAll(/%23([0-9a-f]{6})/g)].map(([, hex]) => [
      '',
      `#${hex}`,
    ]);
    const ofGuide = [...textOf('guide', 'guide.css').matchAll(/(#[0-9a-f]{6})/g)];
    expect([ofPage.length > 5, ofIcon.length, ofGuide.length > 0]).toEqual([true, 1, true]);
    for (const [, hex] of [...ofPage, ...ofIcon, ...ofGuide]) expect(shades, hex).toContain(hex);
  });

  it('is the green of the icons of the ribbon', () => {
    const folder = path.join(addin, 'assets', 'icons');
    const icons = readdirSync(folder).filter((name) => name.endsWith('.svg'));
    const colours = new Set(icons.flatMap((name) => textOf('assets', 'icons', name).match(/#[0-9a-f]{6}/g) ?? []));
    expect(colours).toContain(brand[70]);
    expect(colours).toContain(brand[90]);
  });

  it('can be read: text on it, and text of it', () => {
    // Fluent's light theme has white behind and 80 as its accent; its dark one has #292929, 70 behind and 100 for texts.
    expect(contrast('#ffffff', brand[80])).toBeGreaterThanOrEqual(4.5);
    expect(contrast('#ffffff', brand[70])).toBeGreaterThanOrEqual(4.5);
    expect(contrast('#292929', brand[100])).toBeGreaterThanOrEqual(4.5);
  });
});
