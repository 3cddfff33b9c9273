import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guidePages } from '../taskpane/guideAddress.ts';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { languages } from '../taskpane/locales/words.ts';
import { productInput } from '../taskpane/sheetColumns/productTable.ts';
import type { SheetView } from '../taskpane/sheetColumns/requestColumns.ts';
import { requestSheets } from '../taskpane/sheetColumns/requestSheets.ts';
import { guideFiles, guideSource, picturesOf } from './guideFiles.ts';
import { guideHtml, readPages } from './guidePages.ts';

const sources = languages.map((language) => ({ language, guide: readFileSync(guideSource(language), 'utf8') }));
const english = sources.find(({ language }) => language === 'en')!.guide;
const pageNames = (guide: string): string[] => readPages(guide).map(({ name }) => name);

/** Every text of a language that is written as it is shown. */
function textsIn(messages: unknown): string[] {
  if (typeof messages === 'string') return [messages];
  return typeof messages === 'object' && messages !== null ? Object.values(messages).flatMap(textsIn) : [];
}

describe('the user guide', () => {
  it('has a page for every view of the pane', () => {
    expect(pageNames(english)).toEqual(expect.arrayContaining(Object.values(guidePages)));
  });

  describe.each(sources)('in $language', ({ language, guide }) => {
    it('has the pages of the English one, in the same order, each with a title and a text', () => {
      expect(pageNames(guide)).toEqual(pageNames(english));
      expect(guide.match(/^## /gm)).toHaveLength(pageNames(guide).length);
      for (const { title, markdown } of readPages(guide)) expect(title && markdown).not.toBe('');
    });

    it('has in bold only texts that the pane shows in that language', () => {
      const shown = new Set(textsIn(messagesOf[language]).map((text) => text.replace(/\s+/g, ' ')));
      const bold = [...guide.matchAll(/\*\*(.+?)\*\*/gs)].map(([, text]) => text!.replace(/\s+/g, ' '));
      expect(bold.length).toBeGreaterThan(40);
      expect(bold.filter((text) => !shown.has(text))).toEqual([]);
    });

    it('has a picture on every page, which exists and was taken in that language', () => {
      const pictures = picturesOf(guide);
      expect(
        readPages(guide)
          .filter(({ markdown }) => !markdown.includes('!['))
          .map(({ name }) => name),
      ).toEqual([]);
      expect(pictures.filter((picture) => !picture.includes(`/screenshots/${language}/`))).toEqual([]);
      expect(pictures.filter((picture) => !existsSync(picture))).toEqual([]);
    });

    it('has each column of every sheet to fill in, with what it takes and its note', () => {
      const { headings, columnNotes, columnNotesOf, documentSheets, products } = messagesOf[language];
      const files = guideFiles();
      const tables = ['products', 'documents'].flatMap((page) =>
        String(files.get(`guide/${language}/${page}.html`))
          .split('<details>')
          .slice(1),
      );
      const tableOf = (sheet: string): string[][] => {
        const [table] = tables.filter((one) => new RegExp(`<summary>.*${sheet}.*</summary>`).test(one));
        return table!.split('<tr>').map((row) => [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell!));
      };
      expect(tables).toHaveLength(1 + Object.keys(requestSheets).length);
      expect(tables.join('')).not.toContain('undefined');

      const ofProducts = tableOf(products.sheet);
      for (const column of Object.keys(productInput.columns) as (keyof typeof headings.products)[]) {
        const row = ofProducts.find(([heading]) => heading === headings.products[column]);
        expect(row?.[1], column).toMatch(/\w/);
      }
      for (const [view, { columns }] of Object.entries(requestSheets)) {
        const rows = tableOf(documentSheets.kinds[view as SheetView].sheet);
        for (const [column, { list }] of Object.entries(columns)) {
          const shown = headings.documents[column as keyof typeof headings.documents];
          const [, takes, note] = rows.find(([heading]) => heading?.replace(/\s\*$/, '') === shown)!;
          if (list !== undefined) expect(takes, column).toContain(documentSheets.lists[list]);
          expect(takes, column).toMatch(/\w/);
          const notes: Record<string, string> = {
            ...columnNotes,
            ...columnNotesOf[view as keyof typeof columnNotesOf],
          };
          expect(note, column).toBe(notes[column] ?? '');
        }
      }
    });

    it('has links and pictures whose files are served', () => {
      const files = guideFiles();
      const pages = pageNames(guide).map((name) => `guide/${language}/${name}.html`);
      const targets = pages.flatMap((page) =>
        [...String(files.get(page)).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target]) =>
          new URL(target!, `http://app/${page}`).pathname.slice(1),
        ),
      );
      expect(targets.length).toBeGreaterThan(pages.length * pages.length);
      expect(targets.filter((target) => !files.has(target))).toEqual([]);
    });
  });

  it('marks the page that is read among the contents, and writes titles as text', () => {
    const guide = '<a id="one"></a>\n## Profit & loss <b>\n\nSee [two](#two).\n\n<a id="two"></a>\n## Two\n\nText.\n';
    const html = guideHtml('en', 'Guide', readPages(guide)).get('one.html')!;
    expect(html).toContain('<h1>Profit &amp; loss &lt;b&gt;</h1>');
    expect(html).toContain('<a href="one.html" aria-current="page">Profit &amp; loss &lt;b&gt;</a>');
    expect(html).toContain('<a href="two.html">two</a>');
    expect(html.match(/aria-current/g)).toHaveLength(1);
  });
});
