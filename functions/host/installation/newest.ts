import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** The time of the newest source among these files and folders, in milliseconds since 1970. Tests do not count. */
export function newest(root: string, places: readonly string[]): number {
  const times = places.flatMap((place) => {
    const full = path.join(root, place);
    if (statSync(full).isFile()) return [statSync(full).mtimeMs];
    return readdirSync(full, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
      .map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs);
  });
  return Math.max(...times);
}
