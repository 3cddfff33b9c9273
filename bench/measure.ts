import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { type ScriptProcess, startScript } from '../testing/appProcess.ts';

/** A result: our figure relative to the bare minimum's, and the target. */
export type Ratio = { name: string; ours: number; bare: number; unit: string; aim: number };

/** A figure of ours, and that of the bare minimum. */
type Both<T> = { ours: T; bare: T };

export const root = path.resolve(import.meta.dirname, '..');

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);
export const p99 = (numbers: readonly number[]): number => quantile(numbers, 0.99);
const quantile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)]!;

/** One figure of many, for both. */
export const eachOf = (
  figure: (numbers: readonly number[]) => number,
  { ours, bare }: Both<number[]>,
): Both<number> => ({
  ours: figure(ours),
  bare: figure(bare),
});

/**
 * Measures two functions alternately, so that a slow machine affects both.
 * @returns what each run took, in milliseconds, without those to warm up
 */
export async function alternately(
  runs: number,
  work: Both<() => unknown>,
  warmUp = Math.ceil(runs / 5),
): Promise<Both<number[]>> {
  const times: Both<number[]> = { ours: [], bare: [] };
  for (let run = -warmUp; run < runs; run++) {
    for (const name of ['ours', 'bare'] as const) {
      const start = performance.now();
      await work[name]();
      if (run >= 0) times[name].push(performance.now() - start);
    }
  }
  return times;
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

/** A server in a child process. */
export type Server = { url: string; pid: number; stop: () => Promise<void> };

const serverOf = async (script: ScriptProcess, line: RegExp, urlOf: (match: string) => string): Promise<Server> => {
  const match = await script.line(line);
  return { url: urlOf(match[1]!), pid: script.process.pid!, stop: () => script.kill('SIGTERM') };
};

const APP = 'functions/host/start.ts';

/**
 * Starts the app as `npm start` does, with its data in a folder and no limit of writes.
 * @param line that it prints when it is ready
 */
export const startApp = (
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  line = /(http:\/\/localhost:\d+)/,
): Promise<Server> =>
  serverOf(
    startScript(
      APP,
      { PORT: '0', DATA_DIR: folder, WRITES_PER_MINUTE: '0', ...settings },
      { nodeOptions: nodeOptionsOf(APP) },
    ),
    line,
    (url) => url.replace('localhost', '127.0.0.1'),
  );

/** Starts one of the servers in this folder. */
export const startServer = (name: string, ...args: string[]): Promise<Server> =>
  serverOf(startScript(`bench/${name}.ts`, {}, { args }), /port (\d+)/, (port) => `http://127.0.0.1:${port}`);

/** Megabytes that a process holds; only Linux tells without a tool of its own. */
export const residentMegabytes = (pid: number): number => megabytesOf(pid, 'VmRSS');

/** The most megabytes that a process has held. */
export const peakMegabytes = (pid: number): number => megabytesOf(pid, 'VmHWM');

function megabytesOf(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  try {
    const line = readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .find((one) => one.startsWith(what));
    return Number(/\d+/.exec(line ?? '')?.[0]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** A folder for one measurement, removed after it. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The machine of the measurements. */
export const machine = (): string => {
  const [cpu] = cpus();
  return `${cpus().length} x ${cpu?.model.trim()}, ${process.platform} ${process.arch}, Node ${process.version}, SQLite ${process.versions.sqlite}`;
};

/** The disk only ever adds to a time. */
export const quickest = (times: readonly number[]): number => Math.min(...times);
