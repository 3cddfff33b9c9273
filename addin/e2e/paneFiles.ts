import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotli } from '../../infra/compress.ts';
import { type Language, languages } from '../taskpane/locales/words.ts';

/** By the names of the scripts, which have a hash of their content. */
const known = new Map<string, number>();

/** The bytes of a script of the built pages, as the app serves it to whoever takes brotli. */
export function servedBytes(pages: string, name: string): number {
  const bytes = known.get(name) ?? brotli(readFileSync(path.join(pages, 'assets', name))).length;
  known.set(name, bytes);
  return bytes;
}

/**
 * The pane's own scripts in a language: those of its page, and all that they may load, without the texts of the other
 * languages.
 */
export function scriptsOfPane(pages: string, language: Language): string[] {
  const others = languages.filter((other) => other !== language);
  const isOther = (name: string) => others.some((other) => name.startsWith(`${other}-`));
  const built = new Set(readdirSync(path.join(pages, 'assets')));
  const named = (file: string) =>
    [...readFileSync(path.join(pages, file), 'utf8').matchAll(/[\w-]+\.js\b/g)].map(([name]) => name);
  const found = new Set<string>();
  const add = (names: readonly string[]) => {
    for (const name of names) if (built.has(name) && !isOther(name)) found.add(name);
  };
  add(named('taskpane/index.html'));
  // A set is read on while it grows.
  for (const name of found) add(named(`assets/${name}`));
  return [...found];
}
