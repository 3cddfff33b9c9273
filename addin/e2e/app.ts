import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, type Credential, createClient } from '../../shared/client/client.ts';
import { startAppProcess, startScript } from '../../testing/appProcess.ts';
import { testStorage } from '../../testing/storage.ts';

/** The demo administration of an app with an empty data folder. */
export const demo: Credential = { apiKey: 'demo', username: 'demo@example.com' };
/** The Belgian one beside it, and the names of both. */
export const belgianDemo: Credential = { apiKey: 'demo-be', username: 'demo-be@example.com' };
export const DUTCH = 'De Zilverlinde Groothandel B.V.';
export const BELGIAN = 'Groenhandel Vlierbeek BV';

/** Settings that let an app ask a remote administration as often as it wants. */
export const withoutRateLimits = { REMOTE_PER_SECOND: '0', REMOTE_PER_MINUTE: '0' };

export type App = {
  address: string;
  /** The file its database is in. */
  databaseFile: string;
  /** The connection string of its storage account. */
  storage: string;
  /** A client of the app's interface, over HTTP. */
  clientOf: (credential: Credential) => Client;
  /** Runs `npm run administration` on the data of the app. @returns what it prints */
  administration: (...args: string[]) => Promise<string>;
  /** Runs `npm run export` on it. */
  exportRelations: (...args: string[]) => Promise<string>;
  stop: () => Promise<void>;
};

/**
 * Starts the real app, as `npm start` does, on a free port, an empty data folder and an empty storage account.
 * @param settings more settings
 */
export async function startApp(settings: Record<string, string> = {}): Promise<App> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-app-'));
  const { connectionString } = await testStorage();
  const env = { PORT: '0', DATA_DIR: folder, AzureWebJobsStorage: connectionString, ...settings };
  const app = await startAppProcess('functions/host/start.ts', env);
  const run = async (script: string, args: readonly string[]): Promise<string> => {
    const { ended, lines, errorOutput } = startScript(script, env, { args });
    const [code] = await ended;
    if (code !== 0) throw new Error(`${script} ${args.join(' ')} failed: ${errorOutput()}`);
    return lines().join('\n').trim();
  };
  return {
    address: app.url,
    databaseFile: path.join(folder, 'ledgerline.sqlite'),
    storage: connectionString,
    clientOf: (credential) => createClient(app.url, credential, fetch),
    administration: (...args) => run('functions/administrations/builtin/cli/command.ts', args),
    exportRelations: (...args) => run('functions/exports/command.ts', args),
    async stop() {
      await app.kill('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
