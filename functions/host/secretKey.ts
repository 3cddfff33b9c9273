import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The 32 bytes that encrypt credentials on a local machine, created once and stored beside the data. */
export async function localSecretKey(folder: string): Promise<Buffer> {
  const file = path.join(folder, 'secret.key');
  await mkdir(folder, { recursive: true });
  // Created exclusively, so the first process wins; only the owner may read it.
  await writeFile(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 }).catch((failure) => {
    if (failure.code !== 'EEXIST') throw failure;
  });
  return Buffer.from(await readFile(file, 'utf8'), 'base64');
}
