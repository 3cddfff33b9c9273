import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { plainText } from '../../shared/plainText.ts';
import { type App, startApp } from './app.ts';
import { withBrowserPage } from './browserPage.ts';

/*
 * The pane reads rich text by the names of characters that the browser knows, the app by those of a library: what an
 * invoice says must not depend on it.
 */

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const current = withBrowserPage({}, () => `${app.address}/taskpane/support.html`);

/** Rich texts as the built pane reads them. */
async function readInPane(rich: readonly string[]): Promise<string[]> {
  const script = readdirSync(path.join(inject('pages'), 'assets')).find((name) => /^plainText-.*\.js$/.test(name))!;
  await current.page.goto(`${app.address}/taskpane/support.html`);
  // As text: vitest rewrites an import.
  const [url, texts] = [`${app.address}/taskpane/assets/${script}`, rich].map((value) => JSON.stringify(value));
  return current.page.evaluate(`import(${url}).then(({ plainText }) => ${texts}.map(plainText))`);
}

it.each([
  ['Caf&eacute; &amp; bar &#8364;5 &#x20AC;5 &lt;b&gt;', 'Café & bar €5 €5 <b>'],
  ['a&nbsp;b', 'a b'],
  ['&amp;lt;', '&lt;'],
  ['&semi; &quot; &apos;', '; " \''],
  // Two characters, and one beyond the first plane.
  ['&NotEqualTilde; &Afr; &#x1F600;', '\u2242\u0338 \u{1d504} \u{1f600}'],
  // Numbers of Windows, of no character, and of half a one.
  ['&#150; &#0; &#xD800; &#99999999999;', '\u2013 \ufffd \ufffd \ufffd'],
  ['fish & chips, R&D; AT&T &unknown; &;', 'fish & chips, R&D; AT&T &unknown; &;'],
  ['https://example.com/?a=1&copy=2&lt=3', 'https://example.com/?a=1&copy=2&lt=3'],
  ['<p>&lt;script&gt;</p><script>&amp;</script>', '<script>'],
  ['<img alt="Tom &amp; J&eacute;r&ocirc;me &#169; &nothing;"> &amp;', 'Tom & Jérôme © &nothing; &'],
])('the pane reads the characters of rich text: %s', async (rich, plain) => {
  expect(await readInPane([rich])).toEqual([plain]);
});

it('the pane reads rich text as the app does, with whole names, parts of names and large texts', async () => {
  const names = 'amp AMP lt gt copy not notin euro nbsp eacute Eacute frac12 hellip rarr NotEqualTilde ThickSpace';
  const references = names.split(' ').flatMap((name) => [`&${name};`, `&${name}x;`, `&${name.slice(0, -1)};`]);
  const numbers = [1, 9, 10, 13, 38, 60, 127, 128, 159, 160, 0xfffe, 0x10ffff, 0x110000].map(
    (number) => `&#${number};`,
  );
  const rich = [...references, ...numbers].flatMap((reference) => [
    `a${reference}b`,
    `<b>${reference}</b>`,
    `<img alt="a${reference}b">`,
    `<img alt=${reference}>`,
  ]);
  rich.push(`${'&amp;&eacute;'.repeat(20_000)}<b>`, `&${'a'.repeat(100_000)};`);
  expect(await readInPane(rich)).toEqual(rich.map(plainText));
});
