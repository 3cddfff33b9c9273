import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { kinds } from './kinds.ts';

const root = resolve(import.meta.dirname, '../../..');

/** What Microsoft's client sends on its own behalf, and members that it sends under another name. */
const ofTheClient = (member: string) =>
  /^\w+\._/.test(member) ||
  ['Worksheet.Gridlines', 'Worksheet.Headings', 'Workbook.CreateAndOpenWorkbook'].includes(member);

/** The names in the sources of the add-in, the simulator and their tests: of members, keys, and in paths to load. */
function usedNames(): Set<string> {
  const names = new Set<string>();
  const visitor = new Visitor({
    MemberExpression({ property }) {
      if (property.type === 'Identifier') names.add(property.name);
    },
    Property({ key }) {
      if (key.type === 'Identifier') names.add(key.name);
    },
    Literal({ value }) {
      if (typeof value === 'string') for (const name of value.split(/[^A-Za-z]+/)) names.add(name);
    },
  });
  for (const folder of ['addin', 'testing/addin', 'bench']) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file) || file.includes('locales')) continue;
      const code = readFileSync(join(root, folder, file), 'utf8');
      if (/\bExcel\b/.test(code)) visitor.visit(parseSync(file, code).program);
    }
  }
  return names;
}

test('Every member of the simulated Excel is called by the add-in, a test or Microsoft’s client', () => {
  const used = usedNames();
  const uncalled = Object.entries(kinds).flatMap(([kind, { scalars, children, methods }]) =>
    Object.keys({ ...scalars, ...children, ...methods })
      .filter((name) => !used.has(name.slice(0, 1).toLowerCase() + name.slice(1)))
      .map((name) => `${kind}.${name}`)
      .filter((member) => !ofTheClient(member)),
  );
  expect(uncalled).toEqual([]);
});
