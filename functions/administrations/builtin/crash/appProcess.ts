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

/** Starts the app on a database, and waits until it listens. */
export async function startAppProcess(databaseUrl: string): Promise<AppProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'serve.ts')], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('http:')) continue;
    return {
      url: line,
      complaints: () => complaints,
      async kill() {
        child.kill('SIGKILL');
        await exit;
      },
    };
  }
  throw new Error(`The app did not start:\n${complaints}`);
}
