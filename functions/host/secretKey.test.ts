import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { folderOfTest } from '../../testing/temporaryFolder.ts';
import { localSecretKey } from './secretKey.ts';

it('the secret key of a folder is made once, also when several ask for it at once', async () => {
  const folder = path.join(folderOfTest(), 'new');
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => localSecretKey(folder)));
  expect(first).toHaveLength(32);
  for (const other of [...others, await localSecretKey(folder)]) expect(other).toEqual(first);
  expect(await readdir(folder)).toEqual(['secret.key']);
});

it('a disk that is full when the secret key is made leaves none, and has a whole one later', async () => {
  const folder = folderOfTest();
  const module = new URL('secretKey.ts', import.meta.url).href;
  const script = `const { localSecretKey } = await import('${module}'); await localSecretKey(process.argv[1]);`;
  const node = [process.execPath, '--input-type=module', '-e', script, folder];
  // No byte of any file can be written, as on a full disk.
  const child = spawn('/bin/sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...node], { env: {}, stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(await readdir(folder)).toEqual([]);
  expect(await localSecretKey(folder)).toHaveLength(32);
});

it('a secret key that was not written whole is named, not used', async () => {
  const folder = folderOfTest();
  await writeFile(path.join(folder, 'secret.key'), '');
  await expect(localSecretKey(folder)).rejects.toThrow(`DATA_DIR: ${path.join(folder, 'secret.key')}`);
});
