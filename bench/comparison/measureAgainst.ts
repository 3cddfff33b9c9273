import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { startScript } from '../../testing/appProcess.ts';
import { inFolder, median, root } from '../measure.ts';
import { type Result, readResult } from './results.ts';

const run = promisify(execFile);

/** The figures of one measurement by both checkouts, each the median of the rounds. */
export type Comparison = { name: string; unit: string; here: Figures; there: Figures };

/** Our figure, and that of the bare minimum. */
type Figures = { ours: number; bare: number };

/**
 * Runs parts of the bench of a commit and of this checkout by turns, each in processes of its own, so that a slow machine
 * affects both.
 * @param commit any name that git knows
 * @returns what both measure, and the names that only one of them has
 */
export const measureAgainst = (
  commit: string,
  parts: readonly string[],
  rounds: number,
): Promise<{ comparisons: Comparison[]; onlyOne: string[] }> =>
  inFolder(async (folder) => {
    const other = path.join(folder, 'checkout');
    await run('git', ['worktree', 'add', '--quiet', '--detach', other, await commitOf(commit)], { cwd: root });
    try {
      await installPackages(other);
      const results: Record<'here' | 'there', Result[]> = { here: [], there: [] };
      for (let round = 0; round < rounds; round++) {
        results.there.push(...(await benchOf(other, parts)));
        results.here.push(...(await benchOf(root, parts)));
      }
      return compare(results);
    } finally {
      await run('git', ['worktree', 'remove', '--force', other], { cwd: root });
    }
  });

/** @throws Error when git knows no such commit */
async function commitOf(name: string): Promise<string> {
  const revision = `${name}^{commit}`;
  const found = await run('git', ['rev-parse', '--verify', '--quiet', '--end-of-options', revision], {
    cwd: root,
  }).catch(() => {
    throw new Error(`No commit ${name} is known here.`);
  });
  return found.stdout.trim();
}

/** Links the packages of this checkout when they are those of the other one, which takes no time; else installs them. */
async function installPackages(other: string): Promise<void> {
  const [ours, theirs] = [versionsIn(root), versionsIn(other)];
  const isSame = Object.entries(theirs).every(([name, version]) => ours[name] === version);
  if (isSame) symlinkSync(path.join(root, 'node_modules'), path.join(other, 'node_modules'), 'junction');
  else await run('npm', ['ci', '--ignore-scripts'], { cwd: other, shell: process.platform === 'win32' });
}

/** The versions of the packages that a checkout names. */
function versionsIn(checkout: string): Record<string, string> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8'));
  return { ...dependencies, ...devDependencies };
}

async function benchOf(checkout: string, parts: readonly string[]): Promise<Result[]> {
  const { TEST_POSTGRES_URL = '' } = process.env;
  const bench = startScript(path.join(checkout, 'bench/run.ts'), { TEST_POSTGRES_URL }, { args: parts });
  const [code] = await bench.ended;
  if (code !== 0) throw new Error(`The bench in ${checkout} failed: ${bench.errorOutput()}`);
  return bench.lines().flatMap((line) => readResult(line) ?? []);
}

export function compare(results: Record<'here' | 'there', readonly Result[]>): {
  comparisons: Comparison[];
  onlyOne: string[];
} {
  const [here, there] = [figuresOf(results.here), figuresOf(results.there)];
  const names = new Set([...here.keys(), ...there.keys()]);
  const isInBoth = (name: string) => here.has(name) && there.has(name);
  return {
    comparisons: [...names].filter(isInBoth).map((name) => {
      const { unit, ...figures } = here.get(name)!;
      const { ours, bare } = there.get(name)!;
      return { name, unit, here: figures, there: { ours, bare } };
    }),
    onlyOne: [...names].filter((name) => !isInBoth(name)),
  };
}

const figuresOf = (results: readonly Result[]): Map<string, Figures & { unit: string }> =>
  new Map(
    [...Map.groupBy(results, ({ name }) => name)].map(([name, same]) => [
      name,
      {
        unit: same[0]!.unit,
        ours: median(same.map(({ ours }) => ours)),
        bare: median(same.map(({ bare }) => bare)),
      },
    ]),
  );
