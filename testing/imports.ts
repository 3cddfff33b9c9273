import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** One import of a file. */
export type Import = {
  /** A file of ours by its path from the root; a package or a module of Node by its name. */
  path: string;
  /** Whether it is gone when the code runs. */
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

/** A source and what it imports, exports again or loads later. */
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

/**
 * The groups of files that import each other in a circle, whether straight or through others (Tarjan's strongly
 * connected components).
 */
export function circlesOf(sources: readonly Source[], counts: (one: Import) => boolean): string[][] {
  const importsOf = new Map(
    sources.map(({ path, imports }) => [path, imports.filter(counts).map((one) => one.path)] as const),
  );
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    const number = order.size;
    order.set(path, number);
    lowest.set(path, number);
    stack.push(path);
    for (const next of importsOf.get(path)!) {
      if (!importsOf.has(next)) continue;
      const reached = order.has(next) ? (stack.includes(next) ? order.get(next)! : number) : visit(next);
      lowest.set(path, Math.min(lowest.get(path)!, reached));
    }
    if (lowest.get(path) === number) {
      const circle = stack.splice(stack.indexOf(path)).sort();
      if (circle.length > 1 || importsOf.get(path)!.includes(path)) circles.push(circle);
    }
    return lowest.get(path)!;
  };
  for (const path of importsOf.keys()) if (!order.has(path)) visit(path);
  return circles;
}
