import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/*
 * Excel for Mac shows the pane in the WebKit of the system. The build changes syntax for older versions, but adds no
 * function that they lack.
 */

/** Functions that WebKit before 17.4 lacks, as a program calls them. */
const missing =
  /\b(?:Map|Object)\.groupBy\b|\bAbortSignal\.any\b|\bPromise\.(?:withResolvers|try)\b|\bArray\.fromAsync\b|\bURL\.(?:parse|canParse)\b|\bIterator\.|\bSet\.prototype\.|\bRegExp\.escape\b|\bError\.isError\b|\bfromBase64\b|\.(?:values|keys|entries)\(\)\.(?:map|filter|toArray|some|every|reduce|find)\b/;

const root = path.resolve(import.meta.dirname, '../..');
const sources = ['shared', 'addin/taskpane', 'addin/excel'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|arbitrary)\.tsx?$/.test(file))
    .map((file) => path.join(root, folder, file)),
);
const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*/g, '$1');

it('The pane calls no function that WebKit before 17.4 lacks', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(sources.filter((file) => missing.test(withoutComments(readFileSync(file, 'utf8'))))).toEqual([]);
  for (const code of ['Map.groupBy(a, b)', 'AbortSignal.any([])', 'map.values().map(f)']) expect(code).toMatch(missing);
});
