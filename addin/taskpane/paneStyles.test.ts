import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesIn } from '../../testing/imports.ts';
import { themeStyles } from './colours/themeStyles.ts';

const styles = readFileSync(path.join(import.meta.dirname, 'pane.css'), 'utf8').replace(/\/\*.*?\*\//gs, '');
const sources = sourcesIn('addin/taskpane').filter(({ path }) => path.endsWith('.tsx'));
const found = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name!));
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

describe('The styles of the pane', () => {
  it('are those that its views name, and a view names no others', () => {
    const named = sources.flatMap(({ code }) =>
      [...code.matchAll(/className(?:="([^"]+)"|=\{([^}]+)\})/g)].flatMap(([, text, expression]) =>
        (text ?? [...(expression ?? '').matchAll(/'([^']+)'/g)].map(([, each]) => each).join(' ')).split(' '),
      ),
    );
    const ofPane = found(styles, /\.([a-z]\w*)\b(?!-)/g);
    expect(ofPane.size).toBeGreaterThan(30);
    expect(sorted(named)).toEqual(sorted(ofPane));
  });

  it('use custom properties of the theme only, some of them other ones in the dark', () => {
    const [light, dark] = themeStyles.split('.dark').map((part) => found(part, /--(\w+):/g));
    const used = found(styles, /var\(--(\w+)\)/g);
    expect([...used].filter((name) => !light!.has(name))).toEqual([]);
    expect([...used].filter((name) => dark!.has(name)).length).toBeGreaterThan(5);
    expect([...dark!].filter((name) => !light!.has(name))).toEqual([]);
  });
});
