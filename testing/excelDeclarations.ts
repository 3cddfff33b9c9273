import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/* Which requirement set each member of Excel's API belongs to, from the comments of Microsoft's type declarations. */

const declarations = readFileSync(
  createRequire(import.meta.url).resolve('@microsoft/office-js/dist/office.d.ts'),
  'utf8',
);

/** A member of a class: its requirement set, and the class it leads to. */
type Member = { set: string; leadsTo: string | undefined };
export type Classes = ReadonlyMap<string, ReadonlyMap<string, Member>>;

/** The classes of the namespace Excel, and its own functions under the name "Excel". */
export function readExcelClasses(source: string = declarations): Classes {
  const classes = new Map<string, Map<string, Member>>([['Excel', new Map()]]);
  const start = source.indexOf('declare namespace Excel {');
  let current = 'Excel';
  let sets = new Map<string, string>();
  let comment = '';
  let isComment = false;
  for (const line of source
    .slice(start, source.indexOf('\ndeclare namespace', start + 1))
    .split(/\r?\n/)
    .slice(1)) {
    if (/^\s*\/\*\*/.test(line)) {
      comment = '';
      isComment = true;
    }
    if (isComment) comment += `${line}\n`;
    if (/\*\/\s*$/.test(line)) isComment = false;
    const set = /\[Api set: (\w+ [\w.]+)/.exec(comment)?.[1];
    const outer = /^ {4}(?:class|interface|enum|namespace|type) (\w+)/.exec(line)?.[1];
    const ownFunction = /^ {4}function (\w+)/.exec(line)?.[1];
    if (ownFunction !== undefined)
      classes.get('Excel')!.set(ownFunction, { set: set ?? 'ExcelApi 1.1', leadsTo: undefined });
    if (outer !== undefined) {
      current = /^ {4}class/.test(line) ? outer : '';
      if (current !== '') {
        classes.set(current, new Map());
        sets = sets.set(current, set ?? 'ExcelApi 1.1');
      }
      comment = '';
    }
    const member = /^ {8}(?:readonly )?(\w+)\??(?:<[^>]*>)?[(:]/.exec(line)?.[1];
    if (current === '' || current === 'Excel' || member === undefined) continue;
    const leadsTo = /: (?:Excel\.)?(\w+);$/.exec(line)?.[1];
    const known = classes.get(current)!.get(member);
    classes.get(current)!.set(member, known ?? { set: set ?? sets.get(current)!, leadsTo });
    comment = '';
  }
  return classes;
}
