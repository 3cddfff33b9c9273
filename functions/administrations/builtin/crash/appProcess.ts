import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The app in a process of its own. */
export type AppProcess = {
  url: string;
  /** What it complained of so far. */
  complaints: () => string;
  /** Ends it where it stands. */
  kill: () => Promise<void>;
};

/**
 * Starts the app on a database, and waits until it listens.
 * @param patience milliseconds after which it is killed, if it does not listen by then
 */
export async function startAppProcess(databaseUrl: string, patience = 60_000): Promise<AppProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'serve.ts')], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
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
    return {
      url: line,
      complaints: () => complaints,
      async kill() {
        child.kill('SIGKILL');
        await exit;
      },
    };
  }
  clearTimeout(impatience);
  throw new Error(`The app did not start:\n${complaints}`);
}
