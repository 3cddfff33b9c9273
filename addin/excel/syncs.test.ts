import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';

/*
 * The rule `no-context-sync-in-loop` of Microsoft's eslint-plugin-office-addins. The plugin itself would install ESLint,
 * Prettier and another TypeScript. Microsoft's client, which runs in every test of this folder, checks its other rules
 * (load before read, sync before read).
 */

type Node = { type: string; [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The names of the functions that sync in a loop. */
function loopsWithSync(code: string): string[] {
  const found: string[] = [];
  const visit = (node: Node, inLoop: boolean, name: string): void => {
    const { callee, id } = node as { callee?: { property?: { name?: string } }; id?: { name?: string } };
    if (node.type === 'CallExpression' && callee?.property?.name === 'sync' && inLoop) found.push(name);
    const within = /^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type) || inLoop;
    const called = /^(FunctionDeclaration|VariableDeclarator)$/.test(node.type) ? (id?.name ?? name) : name;
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, within, called);
  };
  visit(parseAst(code, { lang: 'ts' }) as unknown as Node, false, '');
  return found;
}

describe('A sync in a loop', () => {
  it('is found', () => {
    expect(
      loopsWithSync('async function each() { for (const one of all) { one.x = 1; await context.sync(); } }'),
    ).toEqual(['each']);
    expect(loopsWithSync('const each = () => { while (true) run(async (c) => { await c.sync(); }); };')).toEqual([
      'each',
    ]);
    expect(loopsWithSync('async function once() { for (const one of all) one.x = 1; await context.sync(); }')).toEqual(
      [],
    );
  });

  it('is used only where one response would be too large, or decides about the next request', () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    );
    expect(sources.length).toBeGreaterThan(15);
    const found = sources.flatMap((name) => loopsWithSync(readFileSync(join(import.meta.dirname, name), 'utf8')));
    expect(found.sort()).toEqual(['clearMarks', 'readParts', 'readVisibleRows']);
  });
});
