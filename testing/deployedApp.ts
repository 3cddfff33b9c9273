import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, afterEach } from 'vitest';
import { packageApp } from '../infra/package.ts';
import { type FunctionsHost, startFunctionsHost } from './functionsHost.ts';

const root = path.resolve(import.meta.dirname, '..');

/**
 * Builds the app and unpacks its zip, as Azure does, in a folder without node_modules above it. To be called at the top
 * of a file of tests.
 * @returns the folder of the app, another temporary folder, and a function that loads the app in a worker
 */
export async function deployedApp() {
  const temporary = await mkdtemp(path.join(tmpdir(), 'ledgerline-built-'));
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-deployed-'));
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(temporary, { recursive: true, force: true });
  });
  const built = path.join(temporary, 'dist');
  await mkdir(path.join(built, 'taskpane/taskpane'), { recursive: true });
  await writeFile(path.join(built, 'taskpane/taskpane/index.html'), '<title>Pane</title>');
  await writeFile(path.join(built, 'taskpane/pane.js'), `console.log('${'pane '.repeat(1000)}')`);
  await writeFile(path.join(built, 'taskpane/pane.js.map'), '{"sources":["pane.tsx"]}');
  // What else may lie there: settings of this machine for Core Tools, and the manifest of a deployment.
  for (const name of ['local.settings.json', 'manifest.xml']) await writeFile(path.join(built, name), '');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = ['build', '--config', 'vite.functions.config.ts', '--outDir', built, '--logLevel', 'warn'];
  const build = spawn(process.execPath, [vite, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error('The functions could not be built.');

  const zip = path.join(temporary, 'ledgerline.zip');
  packageApp(built, zip);
  for (const [name, content] of Object.entries(unzipSync(await readFile(zip)))) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content, { mode: 0o444 });
  }

  const hosts: FunctionsHost[] = [];
  afterEach(() => Promise.all(hosts.splice(0).map((host) => host.kill())));
  async function load(settings: Record<string, string>, nodeOptions: string[] = []): Promise<FunctionsHost> {
    const host = await startFunctionsHost(folder, settings, { nodeOptions });
    hosts.push(host);
    return host;
  }
  return { folder, temporary, load };
}
