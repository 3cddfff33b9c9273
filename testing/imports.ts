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
  const { program, errors } = parseSync(path, code);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]!.message}`);
  const imports: Import[] = [];
  const add = (from: { type: string } | null | undefined, typesOnly: boolean) => {
    const name = from && 'value' in from && typeof from.value === 'string' ? from.value : undefined;
    if (name === undefined) return;
    imports.push({ path: name.startsWith('.') ? posix.join(posix.dirname(path), name) : name, typesOnly });
  };
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => add(source, importKind === 'type'),
    ExportNamedDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
    ImportExpression: ({ source }) => add(source, false),
    TSImportType: ({ source }) => add(source, true),
  }).visit(program);
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
