import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants, copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { WrongSetting } from '../settings.ts';

const BYTES = 32;

/**
 * The 32 bytes that encrypt credentials on a local machine, created once and stored beside the data.
 * @throws WrongSetting when its file holds less
 */
export async function localSecretKey(folder: string): Promise<Buffer> {
  const file = path.join(folder, 'secret.key');
  await mkdir(folder, { recursive: true });
  if (!existsSync(file)) await create(file);
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64');
  if (key.length >= BYTES) return key;
  throw new WrongSetting(`DATA_DIR: ${file} holds no secret key: remove it, and a new one is made`);
}

/** Creates the file whole or not at all: a full disk would leave an empty one, and an empty key. */
async function create(file: string): Promise<void> {
  const made = `${file}.${randomUUID()}`;
  try {
    // Only the owner may read it.
    await writeFile(made, randomBytes(BYTES).toString('base64'), { flag: 'wx', mode: 0o600, flush: true });
    // The first process wins. Some file systems have no links.
    await link(made, file)
      .catch((failure) => (failure.code === 'EEXIST' ? undefined : copyFile(made, file, constants.COPYFILE_EXCL)))
      .catch((failure) => {
        if (failure.code !== 'EEXIST') throw failure;
      });
  } finally {
    await rm(made, { force: true });
  }
}
