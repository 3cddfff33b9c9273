import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/*
 * Which folder may know which: addin -> shared <- functions, and who alone may speak to a platform. Tests, and what only
 * tests import, may look everywhere.
 */

const root = resolve(import.meta.dirname, '..');

type Source = { path: string; code: string };
type Rule = { title: string; isBrokenBy: (path: string, imported: string) => boolean };

const isUnder = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));
const isPackage = (imported: string, name: string): boolean => imported === name || imported.startsWith(`${name}/`);
/** A file of ours, by its path from the root; a package or a module of Node otherwise. */
const isOurs = (imported: string): boolean =>
  isUnder(imported, 'shared', 'functions', 'addin', 'bench', 'infra', 'docs');
/** The outermost files of the app: functions/main.ts, and those that stand right in a folder of functions. */
const isOutermost = (path: string): boolean =>
  path.split('/').length <= 3 && !isUnder(path, 'functions/administrations');

const rules: Rule[] = [
  {
    title: 'shared imports nothing of ours but shared, and nothing of Node: it runs in the browser too',
    isBrokenBy: (path, imported) =>
      isUnder(path, 'shared') && ((isOurs(imported) && !isUnder(imported, 'shared')) || isBuiltin(imported)),
  },
  {
    title: 'the add-in imports nothing of ours but itself and shared',
    isBrokenBy: (path, imported) => isUnder(path, 'addin') && isOurs(imported) && !isUnder(imported, 'addin', 'shared'),
  },
  {
    title: 'the functions import nothing of ours but themselves and shared',
    isBrokenBy: (path, imported) =>
      isUnder(path, 'functions') && isOurs(imported) && !isUnder(imported, 'functions', 'shared'),
  },
  {
    title: 'only the outermost files of functions know Azure Functions',
    isBrokenBy: (path, imported) => isPackage(imported, '@azure/functions') && !isOutermost(path),
  },
  {
    title: 'only a remote administration knows undici',
    isBrokenBy: (path, imported) => isPackage(imported, 'undici') && !isUnder(path, 'functions/administrations/remote'),
  },
  {
    title: 'only what is kept in a storage account knows the clients of one',
    isBrokenBy: (path, imported) =>
      /^@azure\/(data-tables|storage-)/.test(imported) &&
      !isUnder(path, 'functions/storage', 'functions/pushes', 'functions/exports', 'functions/host'),
  },
  {
    title: 'only the built-in administration says SQL',
    isBrokenBy: (path, imported) =>
      (isPackage(imported, 'kysely') || imported === 'node:sqlite') &&
      !isUnder(path, 'functions/administrations/builtin'),
  },
];

/** What a file imports, at run time or for its types; files of ours by their path from the root. */
function importsOf({ path, code }: Source): string[] {
  const statements = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g;
  return [...code.matchAll(statements)].map(([, , imported = '']) =>
    imported.startsWith('.') ? join(dirname(path), imported).split(sep).join('/') : imported,
  );
}

const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*/g, '$1');

const breachesOf = (rule: Rule, sources: readonly Source[]): string[] =>
  sources.flatMap((source) =>
    importsOf(source)
      .filter((imported) => rule.isBrokenBy(source.path, imported))
      .map((imported) => `${source.path} imports ${imported}`),
  );

/** Files that say `Excel.` and are neither the code that speaks to it nor its stand-in. */
const strangersToExcel = (sources: readonly Source[]): string[] =>
  sources
    .filter(
      ({ path, code }) =>
        !isUnder(path, 'addin/excel', 'addin/simulator') && /\bExcel\.[A-Za-z]/.test(withoutComments(code)),
    )
    .map(({ path }) => path);

const sources: Source[] = ['shared', 'functions', 'addin'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|arbitrary)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !relative(root, file).startsWith(join('addin', 'e2e')))
    .map((file) => ({ path: relative(root, file).split(sep).join('/'), code: readFileSync(file, 'utf8') })),
);

describe('the arrows between the folders', () => {
  it('are looked at in all the sources', () => {
    expect(sources.map(({ path }) => path)).toEqual(expect.arrayContaining(['shared/api.ts', 'shared/wire/field.ts']));
    expect(importsOf(sources.find(({ path }) => path === 'shared/wire/json.ts')!)).toEqual([
      'lossless-json',
      'shared/problem.ts',
    ]);
  });

  it.each(rules)('$title', (rule) => {
    expect(breachesOf(rule, sources)).toEqual([]);
  });

  it('only addin/excel, and the simulator that stands in for Excel, say Excel.', () => {
    expect(strangersToExcel(sources)).toEqual([]);
  });
});

describe('a breach', () => {
  it.each([
    ['shared/money.ts', "import { x } from '../functions/main.ts';"],
    ['shared/wire/date.ts', "export * from '../../addin/excel/write.ts';"],
    ['shared/money.ts', "import { readFile } from 'node:fs/promises';"],
    ['shared/money.ts', "import fs from 'fs';"],
    ['addin/taskpane/pane.tsx', "import type { App } from '../../functions/rest/app.ts';"],
    ['functions/rest/rest.ts', "const pane = await import('../../addin/taskpane/pane.tsx');"],
    ['functions/administrations/administration.ts', "import { HttpRequest } from '@azure/functions';"],
    ['functions/rest/answers/body.ts', "import {\n  app,\n} from '@azure/functions';"],
    ['functions/pushes/push.ts', "import { request } from 'undici';"],
    ['functions/administrations/remote/pacer.ts', "import type { TableClient } from '@azure/data-tables';"],
    ['functions/rest/rest.ts', "import { BlobServiceClient } from '@azure/storage-blob';"],
    ['functions/administrations/remote/remote.ts', "import { sql } from 'kysely';"],
    ['functions/host/host.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['addin/taskpane/pane.tsx', "import 'undici';"],
  ])('in %s is seen: %s', (path, code) => {
    expect(rules.flatMap((rule) => breachesOf(rule, [{ path, code }]))).toHaveLength(1);
  });

  it.each([
    ['functions/main.ts', "import { app } from '@azure/functions';"],
    ['functions/rest/rest.ts', "import { HttpRequest } from '@azure/functions';"],
    ['functions/rest/rest.ts', "import { endpoints } from '../../shared/api.ts';"],
    ['addin/taskpane/pane.tsx', "import { endpoints } from '../../shared/api.ts';"],
    ['functions/administrations/remote/remote.ts', "import { Agent } from 'undici';"],
    ['functions/administrations/builtin/dialects/sqlite.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['shared/money.ts', "import { z } from 'zod';"],
  ])('is not what stands in %s: %s', (path, code) => {
    expect(rules.flatMap((rule) => breachesOf(rule, [{ path, code }]))).toEqual([]);
  });

  it('is Excel. in the pane, but not in its comments, its sentences, or where Excel is spoken to', () => {
    const pane = (code: string) => strangersToExcel([{ path: 'addin/taskpane/pane.tsx', code }]);
    expect(pane('await Excel.run(async () => {});')).toHaveLength(1);
    expect(pane('let range: Excel.Range;')).toHaveLength(1);
    expect(pane("const text = 'Open it in Excel. Then go on.'; // Excel.run does it\n/* Excel.Range */")).toEqual([]);
    expect(strangersToExcel([{ path: 'addin/excel/write.ts', code: 'Excel.run();' }])).toEqual([]);
    expect(strangersToExcel([{ path: 'addin/simulator/session.ts', code: 'Excel.run();' }])).toEqual([]);
  });
});
