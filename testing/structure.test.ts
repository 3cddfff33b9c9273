import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pushedNames } from '../shared/api.ts';
import { drawingsOf, foldersOf, redrawn, shippedSources } from './structure.ts';

const root = resolve(import.meta.dirname, '..');
const docs = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('docs/architecture.md', () => {
  const sources = shippedSources();
  const page = read('docs/architecture.md');

  it('has the drawings of the code (npm run structure draws them)', () => {
    expect(redrawn(page, drawingsOf(sources))).toBe(page);
  });

  it('describes every folder, and no other', () => {
    const named = [...page.matchAll(/^\| `([\w/-]+)\/` \|/gm)].map(([, folder]) => folder!);
    expect(named.toSorted()).toEqual(foldersOf(sources));
  });

  it('names only files that exist', () => {
    const files = [...page.matchAll(/`((?:shared|functions|addin|testing|bench|infra)\/[\w./-]+\.\w+)`/g)].map(
      ([, file]) => file!,
    );
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe('docs/privacy.md', () => {
  /** The row about what is in each table and container of the storage account; null: nothing that is about a person. */
  const rowOf: Readonly<Record<string, string | null>> = {
    auditfiles: 'storage account: audit files that are brought in',
    'document-links': 'storage account: documents that were opened by a link',
    locks: null,
    pushes: 'storage account: pushes',
    'relation-exports': 'storage account: relation exports',
    relationexports: null,
    timers: null,
    turns: 'storage account: request history of a remote service',
  };

  it('says of everything in the storage account that names people how long it is there', () => {
    const sources = shippedSources().filter(({ path }) => path.startsWith('functions/'));
    const constants = new Map(
      sources.flatMap(({ path }) =>
        [...read(path).matchAll(/const (\w+) = '([\w-]+)';/g)].map(([, name, value]) => [name!, value!] as const),
      ),
    );
    const used = sources.flatMap(({ path }) =>
      [...read(path).matchAll(/\b(?:table|blobs|container)\((?:'([\w-]+)'|([A-Z_]+))\)/g)].map(
        ([, name, constant]) => name ?? constants.get(constant!)!,
      ),
    );
    expect(new Set(used)).toEqual(new Set(Object.keys(rowOf)));
    const rows = [...read('docs/privacy.md').matchAll(/^\| ([^|]+) \|/gm)].map(([, place]) => place);
    for (const row of Object.values(rowOf)) if (row !== null) expect(rows).toContain(row);
  });
});

describe('the docs', () => {
  it.each(docs)('have links to existing files only: %s', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !existsSync(resolve(root, file, '..', link)))).toEqual([]);
  });

  it.each(docs)('are wrapped at 120 characters, except tables, links and code: %s', (file) => {
    const lines = read(file)
      .replace(/```[\s\S]*?```/g, '')
      .split('\n');
    expect(lines.filter((line) => line.length > 120 && !/^\||https?:|!\[|^ {4}/.test(line))).toEqual([]);
  });
});

describe('the sources of pushes', () => {
  const sources = shippedSources().filter(({ path }) => path.startsWith('functions/pushes/'));
  const namesIn = (word: RegExp) => sources.filter(({ path }) => word.test(read(path))).map(({ path }) => path);

  it('name no product, and no write: what they know of one is declared beside its endpoint', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(namesIn(/product|\bean\b|stock/i)).toEqual([]);
    expect(namesIn(new RegExp(pushedNames.join('|')))).toEqual([]);
  });
});

describe('a folder', () => {
  it('has at most sixteen sources', () => {
    const counts = new Map<string, number>();
    for (const { path } of shippedSources()) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 16)).toEqual([]);
  });

  it('has a name that no other folder has, but for the pane and what serves it', () => {
    const byName = Map.groupBy(foldersOf(shippedSources()), (folder) => folder.slice(folder.lastIndexOf('/') + 1));
    const repeated = [...byName.values()].filter((folders) => folders.length > 1);
    expect(repeated).toEqual([['addin/taskpane', 'functions/taskpane']]);
  });
});
