import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { needed } from '../../testing/needed.ts';
import { root } from '../measure.ts';
import { compare, measureAgainst } from './measureAgainst.ts';
import { readResult, resultLine } from './results.ts';

const repository = needed(existsSync(path.join(root, '.git')), 'a comparison needs the git repository');

const worktrees = () => execFileSync('git', ['worktree', 'list'], { cwd: root, encoding: 'utf8' });

describe.runIf(repository.isThere)(repository.title('A comparison with a commit'), () => {
  it('measures a part at both, and leaves nothing behind', async () => {
    const { comparisons, onlyOne } = await measureAgainst('HEAD', ['signIn'], 1);
    expect(onlyOne).toEqual([]);
    expect(comparisons).toHaveLength(1);
    const [{ name, unit, here, there }] = comparisons as [(typeof comparisons)[number]];
    expect(name).toBe('a wrong key of a known user name, against an unknown one');
    expect(unit).toBe('ms');
    expect(Math.min(here.ours, here.bare, there.ours, there.bare)).toBeGreaterThan(0);
    expect(worktrees()).not.toContain('ledgerline-bench-');
  });

  it('is refused when git knows no such commit', async () => {
    await expect(measureAgainst('no-such-commit', ['signIn'], 1)).rejects.toThrow('No commit no-such-commit');
    await expect(measureAgainst('--all', ['signIn'], 1)).rejects.toThrow('No commit --all');
  });
});

describe('The figures of a comparison', () => {
  const result = (name: string, ours: number) => ({ name, ours, bare: ours / 10, unit: 'ms' });

  it('are medians over the rounds, of what both measure', () => {
    const here = [result('reads', 30), result('reads', 10), result('reads', 20), result('new', 1)];
    const there = [result('reads', 40), result('reads', 5), result('reads', 10), result('old', 1)];
    expect(compare({ here, there })).toEqual({
      comparisons: [{ name: 'reads', unit: 'ms', here: { ours: 20, bare: 2 }, there: { ours: 10, bare: 1 } }],
      onlyOne: ['new', 'old'],
    });
  });

  it('are read from the lines that the bench prints', () => {
    const printed = { name: '1,000 pages: all of them, against none', ours: 123, bare: 0.0123, unit: 'µs' };
    expect(readResult(resultLine({ ...printed, aim: 2 }))).toEqual(printed);
    expect(
      readResult('npm start: ready in 1.0 s the first time, 1.0 s again, 100 MB (aim 5 s, 250 MB)'),
    ).toBeUndefined();
    expect(readResult('')).toBeUndefined();
  });
});
