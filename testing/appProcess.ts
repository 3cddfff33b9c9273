import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The app in a process of its own. */
export type AppProcess = {
  url: string;
  /** What it complained of so far. */
  complaints: () => string;
  /** Ends it where it stands. */
  kill: () => Promise<void>;
  /** Has it stand still, as a machine that is too busy does, until it may go on. */
  pause: () => void;
  resume: () => void;
};

/**
 * Starts the app, and waits until it listens.
 * @param script that prints the address it listens at
 * @param settings the app's
 * @param patience milliseconds after which it is killed, if it does not listen by then
 */
export async function startAppProcess(
  script: string,
  settings: Readonly<Record<string, string>>,
  patience = 60_000,
): Promise<AppProcess> {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const impatience = setTimeout(() => child.kill('SIGKILL'), patience);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('http:')) continue;
    clearTimeout(impatience);
    // What else it says is let go.
    child.stdout.resume();
    return {
      url: line,
      complaints: () => complaints,
      async kill() {
        child.kill('SIGKILL');
        await exit;
      },
      pause: () => child.kill('SIGSTOP'),
      resume: () => child.kill('SIGCONT'),
    };
  }
  clearTimeout(impatience);
  throw new Error(`The app did not start:\n${complaints}`);
}
