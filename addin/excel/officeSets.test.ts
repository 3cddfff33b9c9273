import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { officeMember } from '../../testing/officeDeclarations.ts';

/*
 * Office's common API: its members outside Excel's objects. A member of a requirement set may be missing in an Excel that
 * has only the manifest's sets, so the code checks for the set first.
 */

const addin = resolve(import.meta.dirname, '..');

type Node = {
  type: string;
  name?: string;
  object?: Node;
  property?: Node;
  expression?: Node;
  key?: Node;
  value?: Node;
};

/** The names in a chain such as `Office.context.ui` after `Office`; undefined for other chains. */
function pathOf(node: Node, known: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  if (node.type === 'Identifier') return node.name === 'Office' ? [] : known.get(node.name!);
  if (node.type === 'ChainExpression' || node.type === 'ParenthesizedExpression' || node.type === 'TSAsExpression') {
    return pathOf(node.expression!, known);
  }
  if (node.type !== 'MemberExpression' || node.property!.type !== 'Identifier') return undefined;
  const before = pathOf(node.object!, known);
  return before && [...before, node.property!.name!];
}

/** Every member of Office that a source uses, such as `context.ui.openBrowserWindow`; destructured ones too. */
function officeMembersIn(fileName: string, code: string): Set<string> {
  const { program } = parseSync(fileName, code);
  const known = new Map<string, readonly string[]>();
  new Visitor({
    VariableDeclarator({ id, init }) {
      const from = init === null ? undefined : pathOf(init as Node, known);
      if (from === undefined || id.type !== 'ObjectPattern') return;
      for (const { key, value } of id.properties as unknown as Node[]) {
        if (key?.type === 'Identifier' && value?.type === 'Identifier') known.set(value.name!, [...from, key.name!]);
      }
    },
  }).visit(program);
  const used = new Set([...known.values()].map((path) => path.join('.')));
  new Visitor({
    MemberExpression(node) {
      const path = pathOf(node as unknown as Node, known);
      if (path !== undefined) used.add(path.join('.'));
    },
  }).visit(program);
  return used;
}

/** The requirement sets that a source checks for. */
const checkedIn = (code: string): string[] => [...code.matchAll(/isSetSupported\(\s*'(\w+)'/g)].map(([, set]) => set!);

/** A member of Excel on the web that is not declared. The code allows for its absence. */
const UNDECLARED = ['context.partitionKey'];
/** Methods of JavaScript's own types. */
const isOfJavaScript = (path: string) => /\.(?:bodyBackgroundColor)\.\w+$/.test(path);

describe('The requirement sets of Office', () => {
  it('are read from the declarations', () => {
    expect(officeMember(['onReady'])).toEqual({ sets: [], leadsTo: undefined });
    expect(officeMember(['context', 'requirements', 'isSetSupported'])!.sets).toEqual([]);
    expect(officeMember(['context', 'ui', 'displayDialogAsync'])!.sets).toEqual(['DialogApi']);
    expect(officeMember(['context', 'ui', 'openBrowserWindow'])!.sets).toEqual(['OpenBrowserWindowApi 1.1']);
    expect(officeMember(['PlatformType', 'Mac'])).toBeDefined();
    expect(officeMember(['context', 'nothing'])).toBeUndefined();
  });

  it('are found in code that destructures objects', () => {
    const code =
      'const { ui, requirements: r } = Office.context; ui.openBrowserWindow("x"); (Office.context as any).a?.b;';
    expect([...officeMembersIn('a.ts', code)]).toEqual(
      expect.arrayContaining(['context.ui.openBrowserWindow', 'context.requirements', 'context.a.b']),
    );
    expect(checkedIn("Office.context.requirements.isSetSupported('DialogApi', '1.1')")).toEqual(['DialogApi']);
  });

  const sources = ['taskpane', 'excel']
    .flatMap((folder) =>
      readdirSync(join(addin, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(addin, folder, name)),
    )
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file));

  it('of all members that the add-in uses are checked for in the files that use them', () => {
    const used = sources.flatMap((file) => {
      const code = readFileSync(file, 'utf8');
      return [...officeMembersIn(file, code)].map((path) => ({ path, code }));
    });
    const paths = new Set(used.map(({ path }) => path));
    expect([...paths]).toEqual(
      expect.arrayContaining(['onReady', 'context.platform', 'context.officeTheme.bodyBackgroundColor']),
    );
    const undeclared = [...paths].filter(
      (path) => officeMember(path.split('.')) === undefined && !isOfJavaScript(path),
    );
    expect(undeclared).toEqual(UNDECLARED);
    const unchecked = used.flatMap(({ path, code }) =>
      (officeMember(path.split('.'))?.sets ?? [])
        .filter((set) => !checkedIn(code).includes(set.split(' ')[0]!))
        .map((set) => `${path} needs ${set}`),
    );
    expect(unchecked).toEqual([]);
    expect(used.some(({ path }) => path === 'context.ui.openBrowserWindow')).toBe(true);
  });
});
