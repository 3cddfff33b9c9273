/**
 * Makes the PNGs of the ribbon from their drawings: `node addin/manifest/drawIcons.ts`. Excel accepts no SVG.
 *
 * A drawing whose name ends in `-small` is for 16 pixels: its shapes are on whole pixels and it has fewer lines, because
 * a large drawing is blurred at that size.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { launchChromium } from '../e2e/chromium.ts';

const folder = path.join(import.meta.dirname, '../assets/icons');

/** Each drawing, and its sizes in pixels in the manifest and the pages. */
const drawings = {
  icon: [16, 32, 64, 80, 128],
  accounts: [16, 32, 80],
  invoices: [16, 32, 80],
  relations: [16, 32, 80],
  taxCodes: [16, 32, 80],
  materialBookings: [16, 32, 80],
  exports: [16, 32, 80],
  trialBalance: [16, 32, 80],
  accountCard: [16, 32, 80],
  openItems: [16, 32, 80],
  vatReturn: [16, 32, 80],
  auditfiles: [16, 32, 80],
  products: [16, 32, 80],
  documentSheets: [16, 32, 80],
  push: [16, 32, 80],
};

const browser = await launchChromium();
try {
  const page = await browser.newPage();
  for (const [name, sizes] of Object.entries(drawings)) {
    for (const size of sizes) {
      const drawing = readFileSync(path.join(folder, size === 16 ? `${name}-small.svg` : `${name}.svg`), 'utf8');
      await page.setViewportSize({ width: size, height: size });
      await page.setContent(
        `<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${drawing}`,
      );
      writeFileSync(path.join(folder, `${name}-${size}.png`), await page.screenshot({ omitBackground: true }));
    }
  }
} finally {
  await browser.close();
}
