import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { isBusy } from '../dialects/sqlite.ts';
import { openForWriteBack } from './writeBack.ts';

/*
 * The changes of long work are stored in a file beside the database, which is itself one of SQLite. The process that works
 * has it locked; whoever can lock it has found one whose process has ended.
 */

/** A part of the changes: of all tables but that of administrations, or of that one. */
export type Part = { number: number; content: Uint8Array<ArrayBuffer>; isOfAdministrations: boolean };

export type ChangesFile = ReturnType<typeof contentsOf>;

const MARK = '-changes-';
/** So many bytes are written to the disk at once. */
const STEP_BYTES = 2_000_000;

/** Creates a file for changes, and locks it. Only in a transaction that writes: then nobody takes it for one that was left. */
export function createChangesFile(database: string): ChangesFile {
  const file = `${database}${MARK}${randomUUID()}`;
  const copy = copyBeside(file);
  // The copy has all administrations: only its owner may read it, as the database.
  for (const name of [file, copy]) writeFileSync(name, '', { mode: 0o600 });
  const changes = lock(file)!;
  changes.exec('create table part (number integer primary key, content blob not null, of_administrations integer)');
  return contentsOf(file, changes);
}

/** Opens a file that a process has left. @returns undefined when a process works with it, or it is gone */
export function openChangesFile(file: string): ChangesFile | undefined {
  if (!existsSync(file)) return undefined;
  const changes = lock(file);
  return changes === undefined ? undefined : contentsOf(file, changes);
}

/** The names of such files beside a database. */
export function leftFiles(database: string): string[] {
  const start = path.basename(database) + MARK;
  return readdirSync(path.dirname(path.resolve(database))).filter(
    (name) => name.startsWith(start) && /^[\da-f-]{36}$/.test(name.slice(start.length)),
  );
}

const copyBeside = (file: string): string => `${file}-copy`;

/** Locks a file until it is closed. @returns undefined when another process has locked it */
function lock(file: string): DatabaseSync | undefined {
  const changes = new DatabaseSync(file, { timeout: 0 });
  try {
    changes.exec('pragma locking_mode = exclusive; pragma synchronous = full; begin exclusive');
    return changes;
  } catch (error) {
    changes.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function contentsOf(file: string, changes: DatabaseSync) {
  const disk = openForWriteBack(file);
  const close = () => {
    if (!changes.isOpen) return;
    changes.close();
    disk.close();
  };
  // Prepared once: a statement keeps what was bound to it, until a collection of garbage. A file that was left may have
  // no table yet.
  let insert: StatementSync | undefined;
  let next: StatementSync | undefined;
  let [count, unwritten] = [0, 0];
  return {
    file,
    copy: copyBeside(file),
    /** Adds a part, whose bytes are gone then. */
    add(content: Uint8Array<ArrayBuffer>, of?: 'administration'): void {
      if (content.length === 0) return;
      count++;
      insert ??= changes.prepare('insert into part (content, of_administrations) values (?, ?)');
      insert.run(content, of === undefined ? 0 : 1);
      unwritten += content.length;
      release(content);
      if (unwritten < STEP_BYTES) return;
      unwritten = 0;
      disk.write();
    },
    count: () => count,
    forget(): void {
      count = 0;
      changes.exec('delete from part');
    },
    /** Keeps the parts through a failure. */
    commit: () => changes.exec('commit'),
    /** The next part after a number of them. */
    after(number: number): Part | undefined {
      next ??= changes.prepare('select * from part where number > ? order by number limit 1');
      const row = next.get(number);
      return row === undefined
        ? undefined
        : {
            number: Number(row.number),
            content: row.content as Uint8Array<ArrayBuffer>,
            isOfAdministrations: row.of_administrations === 1,
          };
    },
    removeCopy: () => removeDatabase(copyBeside(file)),
    /** Leaves the file. */
    close,
    remove(): void {
      close();
      // The copy first: by the file it is found again.
      for (const name of [copyBeside(file), file]) removeDatabase(name);
    },
  };
}

/**
 * Frees the memory of bytes at once. Otherwise it waits for a collection of garbage, which V8 begins late when little else
 * is made: by then dozens of parts have been read.
 */
export function release(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}

/** Removes a database with what SQLite has beside it, which the copy of one that was just begun has too. */
function removeDatabase(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}
