import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** A storage account on one's own machine. */
export type LocalStorage = {
  /** Of the first account. */
  connectionString: string;
  connectionStringOf(account: string): string;
  process: ChildProcess;
  stop(): Promise<void>;
};

/** The public key of every Azurite, which listens on this machine only. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** Another process stores in the folder: each would write its files without those of the other. */
export class StorageInUse extends Error {
  override readonly name = 'StorageInUse';
}

/** Milliseconds for the storage of an app that was killed to end. */
const MAX_END_MS = 5000;

/**
 * Starts Azurite, Microsoft's local storage account, in a child process on free ports. It ends with
 * this process, however that ends.
 * @param folder the folder of its data; left out: in memory
 * @param accounts the names of its accounts, which know nothing of each other
 * @throws StorageInUse
 */
export async function startAzurite(
  folder?: string,
  accounts: readonly [string, ...string[]] = [ACCOUNT],
): Promise<LocalStorage> {
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true });
    await untilFree(folder);
  }
  const place = folder === undefined ? ['--inMemoryPersistence'] : ['--location', path.resolve(folder)];
  const ports = ['--blobPort', '0', '--queuePort', '0', '--tablePort', '0'];
  const env = { ...process.env, AZURITE_ACCOUNTS: accounts.map((name) => `${name}:${KEY}`).join(';') };
  const child = fork(
    path.join(import.meta.dirname, 'azuriteProcess.ts'),
    [...place, ...ports, '--silent', '--disableTelemetry', '--skipApiVersionCheck'],
    // In a group of its own: Ctrl-C in a terminal ends the app first, which may still need it.
    { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'], detached: true },
  );
  const found = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout! })) {
    const match = /Azurite (Blob|Queue|Table) service is successfully listening at (http:\S+)/.exec(line);
    if (match !== null) found.set(match[1]!, match[2]!);
    if (found.size === 3) break;
  }
  if (found.size < 3)
    throw new Error('Azurite, which stores pushes and exports on this machine, could not be started.');
  child.stdout!.resume();
  const connectionStringOf = (account: string) => {
    const endpoints = [...found].map(([service, url]) => `${service}Endpoint=${url}/${account};`);
    return `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${KEY};${endpoints.join('')}`;
  };
  const connectionString = connectionStringOf(accounts[0]);
  if (folder !== undefined) await writeFile(addressFile(folder), connectionString);
  return {
    connectionString,
    connectionStringOf,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      if (folder !== undefined) await rm(addressFile(folder), { force: true });
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** The file with the address of a running storage account, whose ports differ each time. */
const addressFile = (folder: string): string => path.join(folder, 'connection');

/** The connection string of the storage account that runs on a folder; undefined when none does. */
export async function runningAzurite(folder: string): Promise<string | undefined> {
  const connectionString = await readFile(addressFile(folder), 'utf8').catch(() => undefined);
  const url = /BlobEndpoint=([^;]+)/.exec(connectionString ?? '')?.[1];
  if (url === undefined) return undefined;
  // A killed process leaves its file behind. Any response shows that it runs.
  const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.headers.get('server')?.startsWith('Azurite') ? connectionString : undefined;
}

/** Waits until no storage account runs on a folder. @throws StorageInUse */
async function untilFree(folder: string): Promise<void> {
  const end = performance.now() + MAX_END_MS;
  while ((await runningAzurite(folder)) !== undefined) {
    if (performance.now() > end) {
      throw new StorageInUse(
        `DATA_DIR: the storage in ${folder} is in use by another process; stop that one, or choose another folder.`,
      );
    }
    await sleep(100);
  }
}

/** The file of the package that `azurite` runs. */
export const azuriteProgram = (): string => createRequire(import.meta.url).resolve('azurite/dist/src/azurite.js');
