import { expect, it } from 'vitest';
import { sourcesIn, withoutComments } from '../../testing/imports.ts';

/*
 * Excel for Mac shows the pane in the WebKit of the system. The build changes syntax for older versions, but adds no
 * function that they lack.
 */

/** Functions that WebKit before 17.4 lacks, as a program calls them. */
const missing =
  /\b(?:Map|Object)\.groupBy\b|\bAbortSignal\.any\b|\bPromise\.(?:withResolvers|try)\b|\bArray\.fromAsync\b|\bURL\.(?:parse|canParse)\b|\bIterator\.|\bSet\.prototype\.|\bRegExp\.escape\b|\bError\.isError\b|\bfromBase64\b|\.(?:values|keys|entries)\(\)\.(?:map|filter|toArray|some|every|reduce|find)\b/;

const sources = sourcesIn('shared', 'addin/taskpane', 'addin/excel').filter(({ path }) => !/\.test\.tsx?$/.test(path));

it('The pane calls no function that WebKit before 17.4 lacks', () => {
  expect(sources.length).toBeGreaterThan(80);
  const calling = sources.filter(({ code }) => missing.test(withoutComments(code)));
  expect(calling.map(({ path }) => path)).toEqual([]);
  for (const code of ['Map.groupBy(a, b)', 'AbortSignal.any([])', 'map.values().map(f)']) expect(code).toMatch(missing);
});
