import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { compileCache } from '../functions/host/installation/compileCache.ts';

/** A script in a child process. */
export type ScriptProcess = ReturnType<typeof startScript>;

const root = path.resolve(import.meta.dirname, '..');

/**
 * Runs a script with these settings only, the cache of what Node compiled, and the options of Node that are set here.
 * @param script its path, from the root of the repository unless it is absolute
 */
export function startScript(
  script: string,
  settings: Readonly<Record<string, string>> = {},
  { args = [], nodeOptions = [] }: { args?: readonly string[]; nodeOptions?: readonly string[] } = {},
) {
  const { PATH, HOME, NODE_OPTIONS } = process.env;
  const cached = { NODE_COMPILE_CACHE: compileCache };
  const child = spawn(process.execPath, [...nodeOptions, path.resolve(root, script), ...args], {
    cwd: root,
    // Hundreds of processes run the same sources in the tests.
    env: { PATH, HOME, ...(NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS }), ...cached, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>;
  let output = '';
  let errorOutput = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errorOutput += text;
  });
  /** The complete lines of its output so far. */
  const lines = (): string[] => output.split('\n').slice(0, -1);
  return {
    process: child,
    lines,
    /** Its error output so far. */
    errorOutput: (): string => errorOutput,
    /** Its exit code and signal, once all output is read. */
    ended,
    /** Waits for the first matching line of its output. @throws Error when it ends without one */
    async line(pattern: RegExp): Promise<RegExpExecArray> {
      let hasEnded = false;
      while (true) {
        for (const line of lines()) {
          const match = pattern.exec(line);
          if (match !== null) return match;
        }
        if (hasEnded) throw new Error(`${script} ended without a line of ${pattern}:\n${output}${errorOutput}`);
        const stillRuns = once(child.stdout, 'data').then(() => false);
        hasEnded = await Promise.race([stillRuns, ended.then(() => true)]);
      }
    },
    /** Ends it, and waits until it has ended. */
    async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      child.kill(signal);
      await ended;
    },
  };
}

/** The app in a process of its own. */
export type AppProcess = ScriptProcess & { url: string };

/**
 * Starts the app, and waits until it listens.
 * @param script prints the address it listens at
 * @param settings the app's
 * @param timeout milliseconds after which it is killed, if it does not listen by then: left out, it may build pages
 */
export async function startAppProcess(
  script: string,
  settings: Readonly<Record<string, string>>,
  timeout = 300_000,
): Promise<AppProcess> {
  const started = startScript(script, settings);
  const timer = setTimeout(() => started.kill(), timeout);
  try {
    const [url] = await started.line(/http:\/\/[\w.]+:\d+/);
    return { ...started, url };
  } finally {
    clearTimeout(timer);
  }
}
