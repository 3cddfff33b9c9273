import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { startScript } from '../testing/appProcess.ts';

/** A result: our time relative to the bare minimum, and the target. */
export type Ratio = { name: string; ours: number; bare: number; unit: string; aim: number };

export const root = path.resolve(import.meta.dirname, '..');

/** The median. */
export const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** Measures two functions alternately, so that a slow machine affects both. @returns medians in milliseconds */
export async function alternately(
  runs: number,
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  warmUp = Math.ceil(runs / 5),
): Promise<{ ours: number; bare: number }> {
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let run = -warmUp; run < runs; run++) {
    for (const [name, work] of [['ours', ours] as const, ['bare', bare] as const]) {
      const start = performance.now();
      await work();
      if (run >= 0) times[name].push(performance.now() - start);
    }
  }
  return { ours: median(times.ours), bare: median(times.bare) };
}

const agent = new Agent({ keepAlive: true });

/** The body at an address, over a connection that stays open. */
export const bytesAt = (url: string, headers: Record<string, string> = {}): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(Buffer.concat(chunks))
          : reject(new Error(`${url}: ${response.statusCode}`)),
      );
    }).on('error', reject);
  });

const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The Node options of a script in package.json. */
export function nodeOptionsOf(script: string): string[] {
  const words = Object.values(scripts).map((line) => line.split(' '));
  return words.find((line) => line.at(-1) === script)?.slice(1, -1) ?? [];
}

/** Runs a script in a child process, as `npm run` does, until it prints a matching line. */
export async function started(
  script: string,
  ready: RegExp,
  environment: Record<string, string> = {},
  args: string[] = [],
  nodeOptions: string[] = nodeOptionsOf(script),
): Promise<{ process: ChildProcess; match: RegExpMatchArray; milliseconds: number }> {
  const start = performance.now();
  const { process, line } = startScript(script, environment, { args, nodeOptions });
  const match = await line(ready);
  return { process, match, milliseconds: performance.now() - start };
}

export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** A folder for one measurement, removed after it. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'ledgerline-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The machine of the measurements. */
export const machine = (): string => {
  const [cpu] = cpus();
  return `${cpus().length} x ${cpu?.model.trim()}, ${process.platform} ${process.arch}, Node ${process.version}, SQLite ${process.versions.sqlite}`;
};
