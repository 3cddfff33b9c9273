import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

type Hook = (work: () => void) => void;

function newFolder(atStart: Hook, atEnd: Hook): string {
  const folder = path.join(tmpdir(), `ledgerline-${randomUUID()}`);
  atStart(() => void mkdirSync(folder, { mode: 0o700 }));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for the tests of a file or a group: made before them, unless all are skipped, and removed after them. */
export const temporaryFolder = (): string => newFolder(beforeAll, afterAll);

/** A new folder for the current test, removed after it. @param atEnd of a test that runs beside others: its own */
export const folderOfTest = (atEnd: Hook = onTestFinished): string => newFolder((make) => make(), atEnd);
