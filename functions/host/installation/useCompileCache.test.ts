import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { compileCache } from './compileCache.ts';

const root = path.resolve(import.meta.dirname, '../../..');

it('npm run administration uses what was compiled where npm start keeps it', async () => {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const options: string[] = scripts.administration.split(' ').slice(1, -1);
  const script = "console.log(require('node:module').getCompileCacheDir())";
  const { stdout } = await promisify(execFile)(process.execPath, [...options, '-e', script], {
    cwd: root,
    env: { PATH: process.env.PATH },
  });
  expect(path.dirname(stdout.trim())).toBe(compileCache);
});
