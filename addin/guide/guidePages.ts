import { Marked } from 'marked';
import type { Language } from '../taskpane/locales/words.ts';

/** A page of the guide: its name in addresses, its title, and its text in Markdown. */
type GuidePage = { name: string; title: string; markdown: string };

/**
 * The pages of a guide: one for each heading of the second level, which has its name in an anchor above it, such as
 * `<a id="connect"></a>`.
 */
export function readPages(guide: string): GuidePage[] {
  const [, ...parts] = guide.split(/^<a id="([a-z-]+)"><\/a>\n+## +(.+)$/m);
  return Array.from({ length: parts.length / 3 }, (_, place) => {
    const [name = '', title = '', markdown = ''] = parts.slice(place * 3, place * 3 + 3);
    return { name, title: title.trim(), markdown: markdown.trim() };
  });
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character]!);

/** Links between headings of one document are links between pages; its pictures stand beside the pages. */
const markdown = new Marked({
  walkTokens: (token) => {
    if (token.type === 'link') token.href = token.href.replace(/^#([a-z-]+)$/, '$1.html');
    if (token.type === 'image') token.href = token.href.replace(/^.*\//, '');
  },
});

/**
 * The guide in a language as HTML files by name. Each has the same contents beside its text.
 * @param title of the guide
 */
export function guideHtml(language: Language, title: string, pages: readonly GuidePage[]): Map<string, string> {
  const contents = (current: GuidePage): string =>
    pages
      .map((page) => {
        const mark = page === current ? ' aria-current="page"' : '';
        return `<li><a href="${page.name}.html"${mark}>${escaped(page.title)}</a></li>`;
      })
      .join('');
  return new Map(
    pages.map((page) => [
      `${page.name}.html`,
      `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(page.title)} - ${escaped(title)}</title>
<link rel="stylesheet" href="../guide.css">
</head>
<body>
<header>${escaped(title)}</header>
<main><h1>${escaped(page.title)}</h1>
${markdown.parse(page.markdown, { async: false })}</main>
<nav aria-label="${escaped(title)}"><ol>${contents(page)}</ol></nav>
</body>
</html>
`,
    ]),
  );
}
