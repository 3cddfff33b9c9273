/** The command `npm run structure`: updates the drawings of folders and imports in docs/architecture.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { type Source, sourcesIn } from './imports.ts';

const page = join(resolve(import.meta.dirname, '..'), 'docs/architecture.md');

/** The sources of the app and the add-in, without tests and their helpers. */
export const shippedSources = (): Source[] =>
  sourcesIn('shared', 'functions', 'addin').filter(
    ({ path }) => !/\.(test|arbitrary)\.tsx?$|^addin\/e2e\/|\/test[A-Z]\w*\.ts$/.test(path),
  );

/** The folders with sources, in the order of their names. */
export const foldersOf = (sources: readonly Source[]): string[] =>
  [...new Set(sources.map(({ path }) => posix.dirname(path)))].sort();

const BUILTIN = 'functions/administrations/builtin';

/** The box of a file in the first drawing: a folder of functions or addin, an administration, or shared. */
function roomInHouse(path: string): string {
  const [top = '', second = '', third = ''] = posix.dirname(path).split('/');
  if (top === 'shared') return 'shared';
  if (second === 'administrations' && third !== '') return `functions/administrations/${third}`;
  return second === '' ? top : `${top}/${second}`;
}

/** The box of a file in the second drawing: a folder of the built-in administration, or none. */
function roomInBuiltin(path: string): string | undefined {
  if (!path.startsWith(`${BUILTIN}/`)) return undefined;
  return path.slice(BUILTIN.length + 1).split('/').length > 1 ? path.split('/')[3] : 'builtin';
}

/** A flowchart of boxes and the imports between them, in Mermaid's language. */
function flowchart(
  sources: readonly Source[],
  roomOf: (path: string) => string | undefined,
  isDrawn: (from: string, to: string) => boolean,
): string {
  const rooms = new Set<string>();
  const arrows = new Set<string>();
  for (const { path, imports } of sources) {
    const from = roomOf(path);
    if (from === undefined) continue;
    rooms.add(from);
    for (const one of imports) {
      const to = sources.some((source) => source.path === one.path) ? roomOf(one.path) : undefined;
      if (to !== undefined && to !== from && isDrawn(from, to)) arrows.add(`  ${idOf(from)} --> ${idOf(to)}`);
    }
  }
  const boxes = [...rooms].sort().map((room) => `  ${idOf(room)}["${room}"]`);
  return ['```mermaid', 'flowchart LR', ...boxes, ...[...arrows].sort(), '```'].join('\n');
}

const idOf = (room: string): string => room.replaceAll('/', '_');

/** The drawings by the names of their markers in the page. */
export const drawingsOf = (sources: readonly Source[]): Record<string, string> => ({
  // Everything imports shared; an arrow from every box would hide the others.
  house: flowchart(sources, roomInHouse, (_, to) => to !== 'shared'),
  builtin: flowchart(sources, roomInBuiltin, (_, to) => to !== 'sql'),
});

/** The page with these drawings between `<!-- NAME -->` and `<!-- end -->`. */
export const redrawn = (text: string, drawings: Record<string, string>): string =>
  text.replace(/<!-- (\w+) -->\n[\s\S]*?<!-- end -->/g, (all, name: string) => {
    const drawing = drawings[name];
    return drawing === undefined ? all : `<!-- ${name} -->\n${drawing}\n<!-- end -->`;
  });

if (import.meta.main) writeFileSync(page, redrawn(readFileSync(page, 'utf8'), drawingsOf(shippedSources())));
