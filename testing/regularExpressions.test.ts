import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { matcher } from '../functions/host/server.ts';
import { sourcesIn } from './imports.ts';

/*
 * A regular expression that backtracks too much takes seconds on a long text, and blocks all requests. Every expression
 * for data of callers runs here on texts of the maximum length of a field, which match in large part but not at the
 * end.
 */

/** The maximum length of a text in a request, except the content of files. */
const LENGTH = 65_535;
/** Linear time takes one or two milliseconds, quadratic time some thousands. */
const MAX_MS = 400;

/** Sources that read no data of callers: commands, their files, and the start of the app. */
const ours =
  /^functions\/(?:administrations\/builtin\/(?:cli|import|archive|check|setup|migrations)|host\/(?:azurite|installation|start)|settings)/;

const found = sourcesIn('shared', 'functions')
  .filter(({ path }) => !ours.test(path) && !/\.(test|arbitrary)\.ts$/.test(path))
  .flatMap(({ path, code }) => {
    const inSource: { path: string; expression: RegExp }[] = [];
    new Visitor({
      Literal(node) {
        if ('regex' in node) inSource.push({ path, expression: new RegExp(node.regex.pattern, node.regex.flags) });
      },
    }).visit(parseSync(path, code).program);
    return inSource;
  });
/** Each once. */
const expressions = [...new Map(found.map((one) => [String(one.expression), one])).values()];

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

/** The milliseconds for the slowest text; ends when one takes too long. */
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
      // The first line and the headers of a request have at most 16 kB.
      for (const unit of ['/', 'a', '/a', 'a/', '%2F']) {
        for (const prefix of ['/', '/rest/', '/pushes/', '/exports/a/b/'])
          match(`${prefix}${unit.repeat(16_384 / unit.length)}!`);
      }
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(MAX_MS);
    },
  );
});
