import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Language, languages } from '../taskpane/locales/words.ts';
import { withColumnTables } from './columnTables.ts';
import { guideHtml, readPages } from './guidePages.ts';

const docs = path.resolve(import.meta.dirname, '../../docs');

/** The Markdown file of the guide in a language. */
export const guideSource = (language: Language): string =>
  path.join(docs, language === 'en' ? 'user-guide.md' : `user-guide.${language}.md`);

/** The pictures that a guide shows, as paths of files. */
export const picturesOf = (guide: string): string[] =>
  [...guide.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, place]) => path.resolve(docs, place!));

/** The user guide as it is served: pages and pictures of each language, by their paths beside the pane. */
export function guideFiles(): Map<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>([
    ['guide/guide.css', readFileSync(path.join(import.meta.dirname, 'guide.css'), 'utf8')],
  ]);
  for (const language of languages) {
    const guide = withColumnTables(readFileSync(guideSource(language), 'utf8'), language);
    const title = /^# (.+)$/m.exec(guide)![1]!;
    for (const [name, html] of guideHtml(language, title, readPages(guide)))
      files.set(`guide/${language}/${name}`, html);
    // A build does not stop for a picture that was not taken: guide.test.ts names it.
    for (const picture of picturesOf(guide).filter(existsSync)) {
      files.set(`guide/${language}/${path.basename(picture)}`, readFileSync(picture));
    }
  }
  return files;
}
