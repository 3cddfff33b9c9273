import { existsSync } from 'node:fs';
import path from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { BEGIN_TIMEOUT_MS, isBusy, MAX_ASK_MS, untilAskedAgain } from '../dialects/sqlite.ts';
import { type ChangesFile, leftFiles, openChangesFile, type Part, release } from './changesFile.ts';

/** Between two parts others, who may wait for each other too, get the write lock and the disk for at least this long. */
export const PAUSE_MS = 25;
/** One transaction applies parts until they have taken so long, or have so many bytes. */
const APPLIED_MS = 45;
const APPLIED_BYTES = 4_000_000;
/**
 * Where nobody else wrote during so many pauses, one is just long enough for the first who waits to ask, and a transaction
 * is twice as long: the same pages change again and again, and each transaction writes them once.
 */
const QUIET_PAUSES = 10;
const QUIET_PAUSE_MS = MAX_ASK_MS + 3;

/** A connection for changes that were checked where they were made, and that come in another order. */
export function openForChanges(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 0 });
  // Sixteen megabytes: each part changes pages of every index.
  database.exec('pragma synchronous = full; pragma cache_size = -16000');
  return database;
}

/** Applies the changes of decided work, some parts in a transaction. */
export async function applyAll(main: DatabaseSync, changes: ChangesFile, administrationId: bigint): Promise<void> {
  const name = path.basename(changes.file);
  const decided = main.prepare('select applied from staged_work where administration_id = ? and file = ?');
  const count = main.prepare('update staged_work set applied = ? where administration_id = ?');
  const end = main.prepare('delete from staged_work where administration_id = ?');
  const version = main.prepare('pragma data_version');
  let known: unknown;
  let quiet = 0;
  let pause = () => PAUSE_MS;
  const applySome = (): boolean => {
    const heldUp = heldUpSince();
    const row = decided.get(administrationId, name);
    // Its administration was deleted.
    if (row === undefined) return false;
    // It changes with what others commit. Those that waited have done so in the pause.
    const found = version.get()!.data_version;
    quiet = found === known ? quiet + 1 : 0;
    known = found;
    const isQuiet = quiet >= QUIET_PAUSES;
    const applied = applyParts(main, changes, Number(row.applied), isQuiet ? 2 : 1);
    if (applied === undefined) end.run(administrationId);
    else count.run(applied, administrationId);
    // On a busy machine those that wait ask later too. The commit waits for the disk, which those who write wait for.
    const withoutCommit = heldUp();
    pause = () => (isQuiet ? QUIET_PAUSE_MS + withoutCommit : PAUSE_MS + heldUp());
    return applied !== undefined;
  };
  while (await inShortTransaction(main, applySome)) await wait(pause());
}

/**
 * Applies parts after a number of them, at least one.
 * @param times how many times as much as while others write
 * @returns the last one; undefined when there is no more
 */
function applyParts(main: DatabaseSync, changes: ChangesFile, after: number, times: number): number | undefined {
  const start = performance.now();
  const triggers: string[] = [];
  let last: number | undefined;
  let bytes = 0;
  do {
    const part = changes.after(last ?? after);
    if (part === undefined) break;
    apply(main, part, triggers);
    last = part.number;
    bytes += part.content.length;
    release(part.content);
  } while (bytes < APPLIED_BYTES * times && performance.now() - start < APPLIED_MS * times);
  for (const sql of triggers) main.exec(sql);
  return last;
}

/** Measures for how many milliseconds from now on this thread has no processor, or waits for the disk. */
function heldUpSince(): () => number {
  const [at, cpu] = [performance.now(), process.threadCpuUsage()];
  return () => {
    const { user, system } = process.threadCpuUsage(cpu);
    return Math.max(0, performance.now() - at - (user + system) / 1000);
  };
}

/**
 * Applies a part. Its changes bring their rows of the log: the triggers, which would record them once more, are not there
 * meanwhile.
 * @param dropped gets the statements that create the triggers
 */
function apply(main: DatabaseSync, { content, isOfAdministrations }: Part, dropped: string[]): void {
  const filter = (table: string): boolean => {
    if (table === 'log_change' || (table === 'administration') !== isOfAdministrations) return false;
    // The changes of a table come together: it is asked for before the first of them.
    if (table !== 'log') dropped.push(...dropTriggers(main, [table]));
    return true;
  };
  if (!main.applyChangeset(content, { filter, onConflict })) {
    throw new Error('Changes of an import contradict those that were made in the database meanwhile.');
  }
}

/** Does work in a transaction while tables are without the triggers of the log. */
export function withoutTriggers(main: DatabaseSync, tables: readonly string[], work: () => void): void {
  const dropped = dropTriggers(main, tables);
  work();
  for (const sql of dropped) main.exec(sql);
}

/** Drops the triggers of the log on some tables. @returns the statements that create them */
function dropTriggers(main: DatabaseSync, tables: readonly string[]): string[] {
  const triggers = main
    .prepare(
      `select name, sql from sqlite_master
       where type = 'trigger' and substr(name, 1, 4) = 'log_' and tbl_name in (select value from json_each(?))`,
    )
    .all(JSON.stringify(tables)) as { name: string; sql: string }[];
  for (const { name } of triggers) main.exec(`drop trigger ${name}`);
  return triggers.map(({ sql }) => sql);
}

/**
 * Nobody else writes in the administration. What is derived when it is read, such as a PDF, may be there or gone. A row that
 * only has the last id of its table is there until it comes.
 */
function onConflict(type: number): number {
  if (type === constants.SQLITE_CHANGESET_NOTFOUND) return constants.SQLITE_CHANGESET_OMIT;
  const isReplaced = type === constants.SQLITE_CHANGESET_DATA || type === constants.SQLITE_CHANGESET_CONFLICT;
  return isReplaced ? constants.SQLITE_CHANGESET_REPLACE : constants.SQLITE_CHANGESET_ABORT;
}

/** Work in a transaction, for which others wait. */
export async function inShortTransaction<T>(main: DatabaseSync, work: () => T): Promise<T> {
  const deadline = Date.now() + BEGIN_TIMEOUT_MS;
  while (!hasBegun(main, Date.now() < deadline)) await untilAskedAgain();
  try {
    const done = work();
    main.exec('commit');
    return done;
  } catch (error) {
    if (main.isTransaction) main.exec('rollback');
    throw error;
  }
}

function hasBegun(main: DatabaseSync, mayWait: boolean): boolean {
  try {
    main.exec('begin immediate');
    return true;
  } catch (error) {
    if (mayWait && isBusy(error)) return false;
    throw error;
  }
}

/**
 * Finishes the work of an administration that was decided, if a stop interrupted it, or waits for the process that does so.
 * @throws Error when its changes are gone
 */
export async function finishWork(file: string, administrationId: bigint): Promise<void> {
  const main = openForChanges(file);
  try {
    const gone = await finishDecided(main, file, administrationId);
    if (gone === undefined) return;
    throw new Error(`The file ${gone} is gone, with the rest of an import that was interrupted: restore it.`);
  } finally {
    main.close();
  }
}

/** Does so in every administration, except where the changes are gone. */
export async function finishEachWork(file: string): Promise<void> {
  const main = openForChanges(file);
  try {
    for (const { administration_id: id } of main.prepare('select administration_id from staged_work').all()) {
      await finishDecided(main, file, BigInt(id as number));
    }
  } finally {
    main.close();
  }
}

/** @returns the name of the file with the changes when it is gone */
async function finishDecided(main: DatabaseSync, file: string, administrationId: bigint): Promise<string | undefined> {
  const found = main.prepare('select file from staged_work where administration_id = ?');
  const nameOf = () => found.get(administrationId)?.file as string | undefined;
  for (let name = nameOf(); name !== undefined; name = nameOf()) {
    const isFinished = await finish(main, besides(file, name), administrationId);
    if (isFinished) continue;
    await wait(PAUSE_MS);
    // Whoever removes the file has finished before.
    if (!existsSync(besides(file, name)) && nameOf() === name) return name;
  }
  return undefined;
}

/** @returns false when another process does so */
async function finish(main: DatabaseSync, changesFile: string, administrationId: bigint): Promise<boolean> {
  const changes = openChangesFile(changesFile);
  if (changes === undefined) return false;
  try {
    await applyAll(main, changes, administrationId);
    changes.remove();
  } finally {
    changes.close();
  }
  return true;
}

const besides = (file: string, name: string): string => path.join(path.dirname(file), name);

/** Finishes what stops interrupted after it was decided, and removes the files of other work that they interrupted. */
export async function finishAll(file: string): Promise<void> {
  const main = openForChanges(file);
  try {
    const decided = main.prepare('select administration_id, file from staged_work').all();
    for (const { administration_id, file: name } of decided) {
      await finish(main, besides(file, String(name)), BigInt(administration_id as number));
    }
    await inShortTransaction(main, () => {
      const names = new Set(
        main
          .prepare('select file from staged_work')
          .all()
          .map((row) => row.file),
      );
      for (const name of leftFiles(file).filter((one) => !names.has(one))) {
        openChangesFile(besides(file, name))?.remove();
      }
    });
  } finally {
    main.close();
  }
}
