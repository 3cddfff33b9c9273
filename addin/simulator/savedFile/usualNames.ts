import { strFromU8, strToU8, type Unzipped } from 'fflate';
import { change, elements, escaped, RELATIONSHIPS_BEGIN, relationshipsOf } from './fileParts.ts';

/*
 * The names of the parts of a file. The format leaves them to programs, and counts capitals as small letters
 * ([ECMA-376-2] 6.2.2.3); the library looks for usual ones, and reads relationships without a prefix only.
 */

/** The names by which parts are looked up, by the last words of the types of their relationships. */
const fixed: Readonly<Record<string, string>> = { officeDocument: 'xl/workbook.xml', styles: 'xl/styles.xml' };
const numbered: Readonly<Record<string, string>> = { worksheet: 'xl/worksheets/sheet', table: 'xl/tables/table' };

type Relation = { attributes: Record<string, string>; kind: string; target: string; part: string | undefined };

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Gives the workbook, its sheets and tables the names by which they are looked up, and writes relationships as usual. */
export function giveUsualNames(parts: Unzipped): void {
  const names = new Map(Object.keys(parts).map((name) => [name.toLowerCase(), name]));
  const find = (path: string): string | undefined =>
    names.get(path.toLowerCase()) ?? names.get(decoded(path).toLowerCase());
  const relationsIn = (path: string, source: string): Relation[] =>
    elements(strFromU8(parts[path]!), 'Relationship').map((attributes) => {
      const { Target = '', TargetMode, Type = '' } = attributes;
      const isInside =
        TargetMode !== 'External' && !Target.startsWith('#') && URL.canParse(Target, `file:///${source}`);
      const target = isInside ? new URL(Target, `file:///${source}`).pathname.slice(1) : '';
      return { attributes, kind: Type.split('/').at(-1)!, target, part: isInside ? find(target) : undefined };
    });
  const all = Object.keys(parts)
    .filter((path) => /(?:^|\/)_rels\/[^/]*\.rels$/i.test(path))
    .map((path) => {
      const source = path.replace(/_rels\/([^/]*)\.rels$/i, '$1');
      return { path, source: find(source) ?? source, relations: relationsIn(path, source) };
    });

  const given = new Map<string, string>();
  const taken = new Set(names.keys());
  const numbers = new Map<string, number>();
  const newName = ({ kind, target, part }: Relation, source: string): string => {
    const [own, stem] = [kind === 'officeDocument' && source !== '' ? undefined : fixed[kind], numbered[kind]];
    if (own !== undefined)
      return part!.toLowerCase() === own.toLowerCase() || !taken.has(own.toLowerCase()) ? own : part!;
    if (stem === undefined) return decoded(target);
    if (new RegExp(`^${stem}\\d+\\.xml$`).test(part!)) return part!;
    let number = numbers.get(stem) ?? 1;
    while (taken.has(`${stem}${number}.xml`)) number += 1;
    numbers.set(stem, number + 1);
    return `${stem}${number}.xml`;
  };
  for (const { source, relations } of all) {
    for (const relation of relations) {
      const { part } = relation;
      if (part === undefined || given.has(part)) continue;
      const name = newName(relation, source);
      given.set(part, name);
      taken.add(name.toLowerCase());
    }
  }

  for (const { path, source, relations } of all) {
    const to = source === '' ? '' : (given.get(source) ?? source);
    const written = relations.map(({ attributes, target, part }) => {
      const name = part && given.get(part);
      const isSame = name === undefined || (name === target && to === source);
      const own = isSame ? attributes : { ...attributes, Target: `/${encodeURI(name)}` };
      return `<Relationship ${Object.entries(own)
        .map(([key, value]) => `${key}="${escaped(value)}"`)
        .join(' ')}/>`;
    });
    delete parts[path];
    const usual = to === '' ? '_rels/.rels' : relationshipsOf(to);
    parts[usual] = strToU8(`${RELATIONSHIPS_BEGIN}${written.join('')}</Relationships>`);
  }
  const moved = [...given].filter(([own, to]) => own !== to).map(([own, to]) => [own, to, parts[own]!] as const);
  for (const [own] of moved) delete parts[own];
  for (const [, to, part] of moved) parts[to] = part;
  if (moved.length === 0 || parts['[Content_Types].xml'] === undefined) return;
  change(parts, '[Content_Types].xml', (xml) =>
    xml.replace(/(\bPartName\s*=\s*)(?:"\/([^"]*)"|'\/([^']*)')/g, (whole, begin: string, double, single) => {
      const to = given.get(find(double ?? single) ?? '');
      return to === undefined ? whole : `${begin}"/${escaped(encodeURI(to))}"`;
    }),
  );
}
