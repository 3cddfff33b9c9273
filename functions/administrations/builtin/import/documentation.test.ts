import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importInto, problemsOf } from '../../../../testing/builtin/imports.ts';
import { resources } from './resources.ts';

/** The columns of each resource in the documentation, and an example of each. */
function documented(): Map<keyof typeof resources, { columns: string[]; examples: string[] }> {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/import.md'), 'utf8');
  const found = new Map<keyof typeof resources, { columns: string[]; examples: string[] }>();
  for (const section of text.split('\n## ').slice(1)) {
    const resource = /^`import ([\w-]+)`/m.exec(section)?.[1] as keyof typeof resources | undefined;
    if (resource === undefined || !Object.hasOwn(resources, resource)) continue;
    const columns: string[] = [];
    const examples: string[] = [];
    for (const row of section.split('\n').filter((line) => /^\| (?!column)/.test(line))) {
      const [, names = '', , , example = ''] = row.split('|').map((cell) => cell.trim());
      const own = names.startsWith('Custom:') ? [names] : names.split(', ');
      columns.push(...own);
      examples.push(...(own.length === 1 ? [example] : example.split(/, ?/)));
    }
    found.set(resource, { columns, examples });
  }
  return found;
}

test('every column in the documentation exists, and its example is accepted', async () => {
  const { load } = await importInto();
  const sections = documented();
  expect([...sections.keys()].sort()).toEqual(Object.keys(resources).sort());
  for (const [resource, { columns, examples }] of sections) {
    expect(examples).toHaveLength(columns.length);
    const result = await load(resource, `${columns.join('|')}\n${examples.join('|')}`);
    expect({ resource, problems: problemsOf(result), warnings: result.warnings, added: result.counts.added }).toEqual({
      resource,
      problems: [],
      warnings: [],
      added: 1,
    });
  }
});
