import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';

/*
 * Which requirement set each member of Excel's API belongs to stands in the comments of Microsoft's type declarations. The
 * manifest promises that Excel has one set: a member of a later one would fail in an Excel that keeps the promise.
 */

const root = resolve(import.meta.dirname, '../..');
const declarations = readFileSync(
  createRequire(import.meta.url).resolve('@microsoft/office-js/dist/office.d.ts'),
  'utf8',
);

/** A member of a class: its requirement set, and the class it leads to. */
type Member = { set: string; leadsTo: string | undefined };
type Classes = ReadonlyMap<string, ReadonlyMap<string, Member>>;

/** The classes of the namespace Excel, and its own functions under the name "Excel". */
function readClasses(source: string): Classes {
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

/** Every name a source uses as a member, and every key of its objects: what is loaded is named by keys. */
function namesIn(code: string): Set<string> {
  const names = new Set<string>();
  new Visitor({
    MemberExpression({ property }) {
      if (property.type === 'Identifier') names.add(property.name);
    },
    Property({ key }) {
      if (key.type === 'Identifier') names.add(key.name);
    },
  }).visit(parseSync('source.ts', code).program);
  return names;
}

/** The members that names may mean, in the classes those names lead to from a request on. */
function membersMeant(names: ReadonlySet<string>, classes: Classes): Map<string, string> {
  const meant = new Map<string, string>();
  const reached = ['RequestContext', 'Excel'];
  for (const name of reached) {
    for (const [member, { set, leadsTo }] of classes.get(name) ?? []) {
      if (!names.has(member)) continue;
      meant.set(`${name}.${member}`, set);
      // A collection leads to its items.
      for (const next of [leadsTo, leadsTo?.replace(/Collection$/, '')]) {
        if (next !== undefined && classes.has(next) && !reached.includes(next)) reached.push(next);
      }
    }
  }
  return meant;
}

const isWithin = (set: string, promised: number): boolean => {
  const minor = /^ExcelApi 1\.(\d+)$/.exec(set)?.[1];
  return minor !== undefined && Number(minor) <= promised;
};

describe('the requirement sets', () => {
  const classes = readClasses(declarations);
  const sources = readdirSync(import.meta.dirname).filter(
    (name) => /(?<!\.test)\.ts$/.test(name) && name !== 'testWorkbook.ts',
  );
  const promised = Number(
    /Name="ExcelApi" MinVersion="1\.(\d+)"/.exec(readFileSync(join(root, 'manifest.xml'), 'utf8'))![1],
  );

  it('of members are read from the declarations', () => {
    expect(classes.get('Range')!.get('values')!.set).toBe('ExcelApi 1.1');
    expect(classes.get('Table')!.get('resize')!.set).toBe('ExcelApi 1.13');
    expect(classes.get('TableRowCollection')!.get('deleteRows')!.set).toBe('ExcelApiOnline 1.1');
    expect(classes.get('Excel')!.get('createWorkbook')!.set).toBe('ExcelApi 1.8');
    const meant = membersMeant(namesIn('context.workbook.tables.getItem("a").rows.deleteRows([1])'), classes);
    expect(meant.get('TableRowCollection.deleteRows')).toBe('ExcelApiOnline 1.1');
  });

  it('of all members that the add-in uses are in the one its manifest asks for', () => {
    const names = new Set(
      sources.flatMap((name) => [...namesIn(readFileSync(join(import.meta.dirname, name), 'utf8'))]),
    );
    const meant = membersMeant(names, classes);
    expect(meant.size).toBeGreaterThan(80);
    expect(meant.has('Table.resize')).toBe(true);
    expect([...meant].filter(([, set]) => !isWithin(set, promised))).toEqual([]);
    expect([...meant].flatMap(([member, set]) => (isWithin(set, 12) ? [] : [member]))).toContain('Table.resize');
  });
});
