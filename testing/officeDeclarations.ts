import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/*
 * The members of Office's common API, from the comments of Microsoft's type declarations: which requirement sets each needs,
 * and what it leads to.
 */

const declarations = readFileSync(
  createRequire(import.meta.url).resolve('@microsoft/office-js/dist/office.d.ts'),
  'utf8',
);

/** A member: the requirement sets its comment names, and the interface, enum or namespace it leads to. */
export type OfficeMember = { sets: readonly string[]; leadsTo: string | undefined };
type Group = Map<string, OfficeMember>;

/** The members of the namespace Office, under the name "Office", and of each interface and enum in it. */
function readOffice(source: string): ReadonlyMap<string, Group> {
  const office: Group = new Map();
  const groups = new Map<string, Group>([['Office', office]]);
  const start = source.indexOf('declare namespace Office {');
  const lines = source.slice(start, source.indexOf('\ndeclare ', start)).split(/\r?\n/).slice(1);
  let group = office;
  let comment = '';
  let isComment = false;
  for (const line of lines) {
    if (/^\s*\/\*\*/.test(line)) {
      comment = '';
      isComment = true;
    }
    if (isComment) comment += `${line}\n`;
    const endsComment = /\*\/\s*$/.test(line);
    if (endsComment) isComment = false;
    if (isComment || endsComment) continue;
    const named = /^ {4}(?:interface|enum) (\w+)/.exec(line)?.[1];
    if (named !== undefined) {
      group = groups.get(named) ?? new Map();
      groups.set(named, group);
      office.set(named, { sets: [], leadsTo: named });
      comment = '';
      continue;
    }
    const own = /^ {4,5}(?:var|const|function) (\w+)\b(?::\s*(\w+);)?/.exec(line);
    const member =
      /^ {7,8}(?:readonly )?(\w+)\??(?:<[^>]*>)?(?:\(|\s*:\s*(?:Office\.)?(\w+);|\s*:|\s*,|\s*=|\s*$)/.exec(line);
    const [, name, leadsTo] = own ?? member ?? [];
    if (name === undefined) continue;
    const into = own === null ? group : office;
    into.set(name, into.get(name) ?? { sets: setsIn(comment), leadsTo });
    comment = '';
  }
  return groups;
}

/** `DialogApi`, `OpenBrowserWindowApi 1.1`: those a comment names that are not of another program than Excel. */
const setsIn = (comment: string): string[] =>
  [
    ...comment
      .slice(comment.search(/\*\*Requirement sets?\*\*/))
      .matchAll(/requirement-sets\/(\w+)\/[\w-]+ \| ([\w. ]+)\}/g),
  ]
    .filter(([, program]) => program === 'common' || program === 'excel')
    .map(([, , set]) => set!);

const office = readOffice(declarations);

/** The member that a path of names leads to, from `Office` on; undefined when it is not declared. */
export function officeMember(path: readonly string[]): OfficeMember | undefined {
  let found: OfficeMember | undefined = { sets: [], leadsTo: 'Office' };
  for (const name of path) {
    found = found.leadsTo === undefined ? undefined : office.get(found.leadsTo)?.get(name);
    if (found === undefined) return undefined;
  }
  return found;
}
