import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesOf, type Source, sourceOf, sourcesIn, withoutComments } from './imports.ts';

/*
 * The allowed imports between folders: addin -> shared <- functions; the files that may use a platform; and no circles.
 * Tests, and files that only tests import, may import everything.
 */

type Rule = { title: string; isBrokenBy: (path: string, imported: string) => boolean };

const isUnder = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));
const isPackage = (imported: string, name: string): boolean => imported === name || imported.startsWith(`${name}/`);
/** Whether an import is one of our files, not a package or a module of Node. */
const isOurs = (imported: string): boolean =>
  isUnder(imported, 'shared', 'functions', 'addin', 'testing', 'bench', 'infra', 'docs');
/** The outermost files of the app: functions/main.ts, and those directly in a folder of functions. */
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
    title: 'administrations import nothing of the app but its telemetry; their command line also imports its settings',
    isBrokenBy: (path, imported) =>
      isUnder(path, 'functions/administrations') &&
      isUnder(imported, 'functions') &&
      !isUnder(imported, 'functions/administrations', 'functions/telemetry') &&
      !(isUnder(path, 'functions/administrations/builtin/cli') && imported === 'functions/settings.ts'),
  },
  {
    title: 'only the outermost files of functions import Azure Functions',
    isBrokenBy: (path, imported) => isPackage(imported, '@azure/functions') && !isOutermost(path),
  },
  {
    title: 'only functions/telemetry imports OpenTelemetry',
    isBrokenBy: (path, imported) => isPackage(imported, '@opentelemetry') && !isUnder(path, 'functions/telemetry'),
  },
  {
    title: 'only a remote administration imports undici',
    isBrokenBy: (path, imported) => isPackage(imported, 'undici') && !isUnder(path, 'functions/administrations/remote'),
  },
  {
    title: 'only functions/storage imports the clients of a storage account',
    isBrokenBy: (path, imported) =>
      /^@azure\/(data-tables|storage-)/.test(imported) && !isUnder(path, 'functions/storage'),
  },
  {
    title: 'only storage and the database import the identity of the app',
    isBrokenBy: (path, imported) =>
      isPackage(imported, '@azure/identity') &&
      !isUnder(path, 'functions/storage', 'functions/administrations/builtin/sql'),
  },
  {
    title: 'only the built-in administration imports SQL',
    isBrokenBy: (path, imported) =>
      (isPackage(imported, 'kysely') || imported === 'node:sqlite') &&
      !isUnder(path, 'functions/administrations/builtin'),
  },
  {
    title: 'what is shipped imports zod/mini: zod is twice as large, and every start of the app would load it',
    isBrokenBy: (_path, imported) => imported === 'zod',
  },
];

const breachesOf = (rule: Rule, sources: readonly Source[]): string[] =>
  sources.flatMap((source) =>
    source.imports
      .filter((imported) => rule.isBrokenBy(source.path, imported.path))
      .map((imported) => `${source.path} imports ${imported.path}`),
  );

/** Files that use `Excel.` and are neither in addin/excel nor in the simulator. */
const importersOfExcel = (sources: readonly Pick<Source, 'path' | 'code'>[]): string[] =>
  sources
    .filter(
      ({ path, code }) =>
        !isUnder(path, 'addin/excel', 'addin/simulator') && /\bExcel\.[A-Za-z]/.test(withoutComments(code)),
    )
    .map(({ path }) => path);

const all = sourcesIn('shared', 'functions', 'addin', 'testing', 'bench');
const shipped = all.filter(
  ({ path }) => isUnder(path, 'shared', 'functions', 'addin') && !/\.test\.tsx?$|^addin\/e2e\//.test(path),
);

/** Whether files of a circle are in more than one folder. */
const crossesFolders = (circle: readonly string[]): boolean => new Set(circle.map(posix.dirname)).size > 1;

describe('the imports between folders', () => {
  it('are read from all sources', () => {
    expect(shipped.map(({ path }) => path)).toEqual(expect.arrayContaining(['shared/api.ts', 'shared/wire/field.ts']));
    expect(shipped.find(({ path }) => path === 'shared/wire/json.ts')!.imports).toEqual([
      { path: 'lossless-json', typesOnly: false },
      { path: 'shared/problem.ts', typesOnly: false },
    ]);
  });

  it('have no circle at run time', () => {
    const circles = circlesOf(all, ({ typesOnly }) => !typesOnly);
    expect(circles).toEqual([]);
  });

  it('have no circle across folders, not even by types', () => {
    const circles = circlesOf(all, () => true).filter(crossesFolders);
    expect(circles).toEqual([]);
  });

  it.each(rules)('$title', (rule) => {
    expect(breachesOf(rule, shipped)).toEqual([]);
  });

  it('use Excel’s objects in addin/excel and in the simulator only', () => {
    expect(importersOfExcel(shipped)).toEqual([]);
  });
});

describe('a forbidden import', () => {
  it.each([
    ['shared/money.ts', "import { x } from '../functions/main.ts';"],
    ['shared/wire/date.ts', "export * from '../../addin/excel/write.ts';"],
    ['shared/money.ts', "import { readFile } from 'node:fs/promises';"],
    ['shared/money.ts', "import fs from 'fs';"],
    ['shared/money.ts', "import { z } from 'zod';"],
    ['addin/taskpane/pane.tsx', "import type { App } from '../../functions/rest/app.ts';"],
    ['functions/rest/rest.ts', "const pane = await import('../../addin/taskpane/pane.tsx');"],
    ['functions/administrations/administration.ts', "import { HttpRequest } from '@azure/functions';"],
    ['functions/rest/bodies/body.ts', "import {\n  app,\n} from '@azure/functions';"],
    ['functions/pushes/push.ts', "import { request } from 'undici';"],
    ['functions/administrations/remote/pacer.ts', "import type { TableClient } from '@azure/data-tables';"],
    ['functions/rest/rest.ts', "import { BlobServiceClient } from '@azure/storage-blob';"],
    ['functions/administrations/remote/remote.ts', "import { sql } from 'kysely';"],
    ['functions/host/host.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['functions/pushes/pushStore.ts', "import type { TableClient } from '@azure/data-tables';"],
    ['addin/taskpane/pane.tsx', "import 'undici';"],
    ['functions/administrations/builtin/builtin.ts', "import { functionsOf } from '../../app.ts';"],
    ['functions/administrations/remote/remote.ts', "export type { Push } from '../../pushes/openPushes.ts';"],
    ['functions/administrations/builtin/sales/addOrder.ts', "let settings: import('../../../settings.ts').Settings;"],
  ])('in %s is found: %s', (path, code) => {
    expect(rules.flatMap((rule) => breachesOf(rule, [sourceOf(path, code)]))).toHaveLength(1);
  });

  it.each([
    ['functions/main.ts', "import { app } from '@azure/functions';"],
    ['functions/rest/rest.ts', "import { HttpRequest } from '@azure/functions';"],
    ['functions/rest/rest.ts', "import { endpoints } from '../../shared/api.ts';"],
    ['addin/taskpane/pane.tsx', "import { endpoints } from '../../shared/api.ts';"],
    ['functions/administrations/remote/remote.ts', "import { Agent } from 'undici';"],
    ['functions/administrations/builtin/dialects/sqlite.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['shared/money.ts', "import * as z from 'zod/mini';"],
  ])('is not found in %s: %s', (path, code) => {
    expect(rules.flatMap((rule) => breachesOf(rule, [sourceOf(path, code)]))).toEqual([]);
  });

  it('is not found in a comment or a text', () => {
    const code = "// import '../functions/main.ts';\nconst text = `import '../functions/app.ts'`;";
    expect(sourceOf('shared/money.ts', code).imports).toEqual([]);
  });

  it('is found for Excel’s objects in the pane, but not in its comments and texts, nor in addin/excel', () => {
    const pane = (code: string) => importersOfExcel([{ path: 'addin/taskpane/pane.tsx', code }]);
    expect(pane('await Excel.run(async () => {});')).toHaveLength(1);
    expect(pane('let range: Excel.Range;')).toHaveLength(1);
    expect(pane("const text = 'Open it in Excel. Then go on.'; // Excel.run does it\n/* Excel.Range */")).toEqual([]);
    expect(importersOfExcel([{ path: 'addin/excel/write.ts', code: 'Excel.run();' }])).toEqual([]);
    expect(importersOfExcel([{ path: 'addin/simulator/session.ts', code: 'Excel.run();' }])).toEqual([]);
  });
});

describe('a circle', () => {
  const source = (path: string, ...imports: string[]) => sourceOf(path, imports.join('\n'));
  const types = "import type { X } from './b.ts';";

  it('is found once for all its files', () => {
    const sources = [
      source('a.ts', "import './b.ts';"),
      source('b.ts', "import './c.ts';", "import './d.ts';"),
      source('c.ts', "export * from './a.ts';"),
      source('d.ts', "import './e.ts';"),
      source('e.ts'),
    ];
    expect(circlesOf(sources, () => true)).toEqual([['a.ts', 'b.ts', 'c.ts']]);
  });

  it('by types is not found at run time', () => {
    const sources = [source('a.ts', types), source('b.ts', "await import('./a.ts');")];
    expect(circlesOf(sources, ({ typesOnly }) => !typesOnly)).toEqual([]);
    expect(circlesOf(sources, () => true)).toEqual([['a.ts', 'b.ts']]);
  });

  it('is in one folder or in several', () => {
    expect(crossesFolders(['a/x.ts', 'a/y.ts'])).toBe(false);
    expect(crossesFolders(['a/x.ts', 'a/b/y.ts'])).toBe(true);
  });
});
