import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { newest } from './newest.ts';

/** The sources of the pages. */
const sources = ['addin', 'shared', 'docs', 'manifest.xml', 'vite.config.ts', 'package-lock.json'];

/**
 * Builds the pages when they are missing, or older than their sources.
 * @returns the folder they are in
 */
export async function buildPages(root: string): Promise<string> {
  const pages = path.join(root, 'dist/taskpane');
  const entry = path.join(pages, 'simulator/index.html');
  if (existsSync(entry) && statSync(entry).mtimeMs > newest(root, sources)) return pages;
  console.log('Building the pages ...');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const build = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
    // Whatever this process runs for, tests too: else the pages have React's slower build for developers.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error('The pages could not be built.');
  return pages;
}
