import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Until it is complete, the name of a file or a folder ends with this and a random text: others may write one of that name. */
const INCOMPLETE = '.incomplete';
/** What is older was left by a process that was stopped. */
const LEFT_MS = 24 * 60 * 60 * 1000;

/** The name of a file or a folder until it is complete, which no other process uses. */
export const incompleteName = (target: string): string => `${path.resolve(target)}${INCOMPLETE}-${randomUUID()}`;

/** Removes what processes that wrote a file or a folder left when they were stopped. */
export async function removeLeft(target: string): Promise<void> {
  const { dir, base } = path.parse(path.resolve(target));
  for (const name of await readdir(dir)) {
    if (!name.startsWith(`${base}${INCOMPLETE}`)) continue;
    const left = path.join(dir, name);
    const found = await stat(left).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < Date.now() - LEFT_MS) await rm(left, { recursive: true, force: true });
  }
}
