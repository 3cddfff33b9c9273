import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { parseSync, Visitor } from 'vite';

type Import = {
  /** The path of our file from the root; the name of a package or of a module of Node. */
  path: string;
  /** Whether it imports types only, which are gone when the code runs. */
  typesOnly: boolean;
};

export type Source = { path: string; code: string; imports: readonly Import[] };

const root = resolve(import.meta.dirname, '..');

/** The TypeScript sources in some folders, tests included; their paths are from the root. */
export const sourcesIn = (...folders: string[]): Source[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => sourceOf(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8'))),
  );

export const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*/g, '$1');

/** A source with its imports, re-exports and dynamic imports. */
export function sourceOf(path: string, code: string): Source {
  const parsed = parseSync(path, code);
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be parsed: ${parsed.errors[0]!.message}`);
  const imports: Import[] = [];
  const add = (name: string, typesOnly: boolean) =>
    imports.push({ path: name.startsWith('.') ? posix.join(posix.dirname(path), name) : name, typesOnly });
  const { staticImports, staticExports } = parsed.module;
  const isOfTypes = (start: number) => /^(?:import|export)\s+type\b/.test(code.slice(start, start + 100));
  for (const { start, moduleRequest } of staticImports) add(moduleRequest.value, isOfTypes(start));
  for (const { start, entries } of staticExports) {
    const from = entries[0]?.moduleRequest;
    // What is exported of an import is listed with the statement of that import.
    const isImport = staticImports.some((one) => one.start === start);
    if (from != null && !isImport) add(from.value, isOfTypes(start));
  }
  // The tree of a source takes ten times as long as the list above: few sources import in another way.
  if (!/\bimport\s*\(/.test(code)) return { path, code, imports };
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal' && typeof source.value === 'string') add(source.value, false);
    },
    TSImportType: ({ source }) => {
      add(source.value, true);
    },
  }).visit(parsed.program);
  return { path, code, imports };
}

/** The groups of files that import each other in a circle, directly or through others. */
export function circlesOf(sources: readonly Source[], counts: (one: Import) => boolean): string[][] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports.filter(counts).map((one) => one.path)]));
  /** Every file that a file imports, directly or through others. */
  const reachedFrom = (path: string): Set<string> => {
    const reached = new Set<string>();
    const waiting = [path];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const found = importsOf.get(next)?.filter((one) => !reached.has(one)) ?? [];
      for (const one of found) reached.add(one);
      waiting.push(...found);
    }
    return reached;
  };
  const reached = new Map([...importsOf.keys()].map((path) => [path, reachedFrom(path)]));
  const circles = [...reached].flatMap(([path, others]) =>
    others.has(path) ? [[...others].filter((other) => reached.get(other)?.has(path)).sort()] : [],
  );
  return [...new Map(circles.map((circle) => [circle[0], circle])).values()];
}
