import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { type Classes, readExcelClasses } from '../../testing/officeDeclarations.ts';

/* The manifest requires one set of Excel's API: in an Excel with that set only, a member of a later set would fail. */

const root = resolve(import.meta.dirname, '../..');

/** The names that a source uses as members, and the keys of its objects, which name the properties to load. */
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

/** The members that have one of the names, in all classes that can be reached from a request by these names. */
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

describe('The requirement sets of Excel', () => {
  const classes = readExcelClasses();
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  const promised = Number(
    /Name="ExcelApi" MinVersion="1\.(\d+)"/.exec(readFileSync(join(root, 'manifest.xml'), 'utf8'))![1],
  );

  it('are read from the declarations of the members', () => {
    expect(classes.get('Range')!.get('values')!.set).toBe('ExcelApi 1.1');
    expect(classes.get('Table')!.get('resize')!.set).toBe('ExcelApi 1.13');
    expect(classes.get('TableRowCollection')!.get('deleteRows')!.set).toBe('ExcelApiOnline 1.1');
    expect(classes.get('Excel')!.get('createWorkbook')!.set).toBe('ExcelApi 1.8');
    const meant = membersMeant(namesIn('context.workbook.tables.getItem("a").rows.deleteRows([1])'), classes);
    expect(meant.get('TableRowCollection.deleteRows')).toBe('ExcelApiOnline 1.1');
  });

  it('of all members that the add-in uses are within the one that its manifest requires', () => {
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
