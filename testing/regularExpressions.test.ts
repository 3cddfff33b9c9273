import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { matcher } from '../functions/host/server.ts';
import { sourcesIn } from './imports.ts';

/*
 * A regular expression that tries too much takes seconds on a long text, and everybody waits. Every one that may meet
 * what a caller sends runs here on texts of the greatest length a field has, made of what it likes and ends in what it
 * does not.
 */

/** Characters of the longest text a request may hold, but for the content of files. */
const LENGTH = 65_535;
/** Milliseconds: what grows with the length takes one or two, what grows with its square some thousands. */
const MAX_MS = 400;

/** What no caller's text reaches: commands, their files, and what runs before the app listens. */
const ours =
  /^functions\/(?:administrations\/builtin\/(?:cli|import|archive|check|setup|migrations)|host\/(?:azurite|buildPages|start)|settings)/;

const expressions = sourcesIn('shared', 'functions')
  .filter(({ path }) => !ours.test(path) && !/\.(test|arbitrary)\.ts$/.test(path))
  .flatMap(({ path, code }) => {
    const found: { path: string; expression: RegExp }[] = [];
    new Visitor({
      Literal(node) {
        if ('regex' in node) found.push({ path, expression: new RegExp(node.regex.pattern, node.regex.flags) });
      },
    }).visit(parseSync(path, code).program);
    return found;
  });

const characters = [
  ' ',
  '.',
  '/',
  '\\',
  '-',
  ',',
  ';',
  ':',
  '0',
  '1',
  'a',
  'e',
  'Z',
  '"',
  '<',
  '&',
  '#',
  '=',
  '%',
  '\n',
  '\u0000',
  '\u00ad',
  'é',
];
const units = [...characters, 'a.', '. ', '/.', '1.', '1,', '<a', '&a', '= ', '\r\n', '\\"', 'ab '];
const texts = units.flatMap((unit) => {
  const long = unit.repeat(Math.ceil(LENGTH / unit.length));
  return [long, `${long}!`, `"${long}\u0001`];
});

/** Milliseconds the slowest of the texts takes; no more are tried once one takes too long. */
function slowest(expression: RegExp): number {
  const replaced = new RegExp(expression, [...new Set(`${expression.flags}g`)].join('').replace('y', ''));
  let slowest = 0;
  for (const text of texts) {
    const start = process.cpuUsage();
    text.replace(replaced, '');
    slowest = Math.max(slowest, process.cpuUsage(start).user / 1000);
    if (slowest > MAX_MS) break;
  }
  return slowest;
}

describe('a regular expression', () => {
  it('that backtracks too much is found', () => {
    expect(slowest(/[.\s]+$/)).toBeGreaterThan(MAX_MS);
  });

  it.each(expressions)('of $path, $expression, is fast on the longest text', ({ expression }) => {
    expect(slowest(expression)).toBeLessThan(MAX_MS);
  });

  it.each(['rest/{*path}', 'pushes/{id}/cancel', 'exports/{administration}/{date}/{file}', '/'])(
    'of the route %s is fast on the longest path',
    (route) => {
      const match = matcher(route);
      const start = process.cpuUsage();
      // A line of a request and its headers are 16 kB at the most.
      for (const unit of ['/', 'a', '/a', 'a/', '%2F']) {
        for (const prefix of ['/', '/rest/', '/pushes/', '/exports/a/b/'])
          match(`${prefix}${unit.repeat(16_384 / unit.length)}!`);
      }
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(MAX_MS);
    },
  );
});
