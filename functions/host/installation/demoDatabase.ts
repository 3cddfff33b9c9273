import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { addDays, type CalendarDate } from '../../../shared/wire/calendarDate.ts';
import { openDatabase } from '../../administrations/builtin/sql/openDatabase.ts';
import { newest } from './newest.ts';

/** The sources of the demo. */
const sources = ['functions', 'shared', 'package-lock.json'];

/**
 * Makes a database with the demo up to a day, unless there is one that is not older than its sources. The demo takes seconds to
 * make, and a moment to copy.
 * @returns its file
 */
export async function demoDatabase(root: string, today: CalendarDate): Promise<string> {
  const folder = path.join(root, '.cache');
  const file = path.join(folder, `demo-${today}.sqlite`);
  if (existsSync(file) && statSync(file).mtimeMs > newest(root, sources)) return file;
  await mkdir(folder, { recursive: true });
  const staging = await mkdtemp(path.join(folder, 'making-'));
  try {
    const made = path.join(staging, 'demo.sqlite');
    const db = await openDatabase(`sqlite:${made}`);
    const { makeDemo } = await import('../../administrations/builtin/setup/demo/demo.ts');
    await makeDemo(db, { today }).finally(() => db.destroy());
    // A copy may be read by whoever may read this.
    await chmod(made, 0o600);
    // Renamed when it is complete, and yesterday's is left: another start may copy either at the same time.
    await rename(made, file);
    const yesterday = `demo-${addDays(today, -1)}`;
    for (const name of await readdir(folder)) {
      if (name.startsWith('demo-') && name < yesterday) await rm(path.join(folder, name), { force: true });
    }
  } finally {
    await rm(staging, { recursive: true });
  }
  return file;
}

/** Creates a database with the demo at a place where there is no file; one in memory has none. */
export async function placeDemo(root: string, place: string, today: CalendarDate): Promise<void> {
  if (place === ':memory:' || existsSync(place)) return;
  await mkdir(path.dirname(place), { recursive: true });
  const copy = `${place}.${process.pid}`;
  await copyFile(await demoDatabase(root, today), copy);
  // Every administration is known by an identifier of its own, a demo too.
  const db = await openDatabase(`sqlite:${copy}`);
  const administrations = await db.selectFrom('administration').select('id').execute();
  for (const { id } of administrations) {
    await db.updateTable('administration').where('id', '=', id).set({ identifier: randomUUID() }).execute();
  }
  await db.destroy();
  // Another start may have been first. A killed one leaves its copy, never half a database.
  await link(copy, place).catch((failure) => {
    if (failure.code !== 'EEXIST') throw failure;
  });
  await rm(copy);
}
