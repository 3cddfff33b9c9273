import { open } from 'node:fs/promises';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Database } from '../database.ts';
import { type TableName, tables } from '../declarations/tables.ts';
import { connectTo } from '../dialects/sqlite.ts';
import { lengthOfValue } from '../insertRows.ts';
import type { Schema } from '../schema.ts';
import { applyAll, finishWork, inShortTransaction, openForChanges, withoutTriggers } from './applyChanges.ts';
import { type ChangesFile, createChangesFile } from './changesFile.ts';
import { openForWriteBack, writingBack } from './writeBack.ts';

/**
 * A part of the changes has about this many, or bytes of texts and files: it is applied in one or two hundredths of a
 * second. Two in three are those of log_change, which no part has.
 */
const MAX_CHANGES = 8000;
const MAX_BYTES = 4_000_000;

/** The copy leaves so many ids to rows that others add meanwhile. */
const ID_GAP = 10_000_000n;

/** A table of which work finds rows by one column only, or by their id: in the copy it has no other index. */
export type FoundBy = { table: TableName; column: string };

/**
 * Does work on a copy of a database, and applies its changes.
 * @param foundBy tables in which the work changes many rows
 * @returns undefined, without any change, when the administration was changed by others meanwhile
 */
export async function workOnCopy<T>(
  file: string,
  administrationId: bigint | undefined,
  foundBy: readonly FoundBy[],
  work: (db: Database) => Promise<T>,
): Promise<{ result: T } | undefined> {
  if (administrationId !== undefined) await finishWork(file, administrationId);
  const main = openForChanges(file);
  try {
    const changes = await inShortTransaction(main, () => createChangesFile(file));
    let isDecided = false;
    try {
      const { result, before, after, writtenId } = await recorded(main, changes, { administrationId, foundBy }, work);
      if (writtenId === undefined || changes.count() === 0) return { result };
      isDecided = await inShortTransaction(main, () => {
        if (!isUnchanged(main, administrationId, before)) return false;
        const decision = 'insert into staged_work (administration_id, file, applied) values (?, ?, 0)';
        main.prepare(decision).run(writtenId, path.basename(changes.file));
        reserveIds(main, after);
        // Its row comes last, and SQLite gives ids that no row has.
        if (administrationId === undefined) main.exec(`pragma user_version = ${writtenId}`);
        return true;
      });
      if (!isDecided) return undefined;
      await applyAll(main, changes, writtenId);
      isDecided = false;
      return { result };
    } finally {
      // What was decided is finished by the next who writes there.
      if (isDecided) changes.close();
      else changes.remove();
    }
  } finally {
    main.close();
  }
}

/** What others must not have changed meanwhile, and the ids that they must not have used. */
type Before = { state: string; firstId: bigint };

/** The largest id of each table in which work has added rows. */
type After = ReadonlyMap<TableName, bigint>;

/** Does work on a copy, and stores its changes. @returns with the administration that it wrote in */
async function recorded<T>(
  main: DatabaseSync,
  changes: ChangesFile,
  { administrationId, foundBy }: { administrationId: bigint | undefined; foundBy: readonly FoundBy[] },
  work: (db: Database) => Promise<T>,
): Promise<{ result: T; before: Before; after: After; writtenId: bigint | undefined }> {
  await makeCopy(main, changes.copy);
  const copy = new DatabaseSync(changes.copy);
  // It needs not survive a failure.
  copy.exec('pragma locking_mode = exclusive; pragma journal_mode = delete; pragma synchronous = off');
  for (const found of foundBy) dropOtherIndexes(copy, found);
  leaveLogUnguarded(copy);
  const before = leaveIds(copy, administrationId);
  const newest = newestAdministration(copy);
  copy.exec('pragma foreign_keys = on');
  leaveChangesUnrecorded(copy);
  const disk = await open(changes.copy, 'r+');
  const recording = record(copy, changes, writingBack(disk));
  const db = new Kysely<Schema>({ dialect: connectTo(() => copy, recording.onStatement) });
  try {
    const result = await work(db);
    recording.end();
    const writtenId = administrationId ?? newestAdministration(copy, newest);
    return { result, before, after: idsAfter(copy, before), writtenId };
  } finally {
    await db.destroy();
    // Kysely closes what it has used.
    if (copy.isOpen) copy.close();
    await disk.close();
    changes.removeCopy();
  }
}

/** Drops the indexes that only cost time: the copy is thrown away. A unique one stays, since the work relies on it. */
function dropOtherIndexes(copy: DatabaseSync, { table, column }: FoundBy): void {
  const others = copy
    .prepare(
      `select name from pragma_index_list(?) as list
       where "unique" = 0 and (select info.name from pragma_index_info(list.name) as info where seqno = 0) <> ?`,
    )
    .all(table, column);
  for (const { name } of others) copy.exec(`drop index "${name}"`);
}

/** Drops what keeps others from changing the log, and an index by which only they find rows: nobody else opens the copy. */
function leaveLogUnguarded(copy: DatabaseSync): void {
  const guards = copy
    .prepare(`select name from sqlite_master where type = 'trigger' and tbl_name in ('log', 'log_change', 'log_head')`)
    .all();
  for (const { name } of guards) copy.exec(`drop trigger "${name}"`);
  dropOtherIndexes(copy, { table: 'log', column: 'sequence' });
}

/**
 * Puts a temporary table in the place of log_change, with the triggers that fill it: sessions record no such table, and no
 * part of the changes has its rows, which are two in three.
 */
function leaveChangesUnrecorded(copy: DatabaseSync): void {
  const made = copy
    .prepare(
      `select name, type, sql from sqlite_master
       where name = 'log_change' or (type = 'trigger' and sql like '%insert into log_change%') order by type`,
    )
    .all() as { name: string; type: string; sql: string }[];
  for (const { name, type, sql } of made) {
    if (type === 'trigger') copy.exec(`drop trigger "${name}"`);
    copy.exec(sql.replace(/^create /i, 'create temp '));
  }
}

/** The pages of a step, eight megabytes: after each of them the disk is free for others. */
const STEP_PAGES = 2048;

/** Copies a database as it is now. */
async function makeCopy(main: DatabaseSync, file: string): Promise<void> {
  const disk = openForWriteBack(file);
  // It reads one state, from the first read on: what others write between two steps would begin the copy again.
  main.exec('begin; select count(*) from administration');
  try {
    await backup(main, file, { rate: STEP_PAGES, progress: disk.write });
  } finally {
    main.exec('commit');
    disk.close();
  }
}

/** The tables that number their rows, except administrations, whose ids people see. */
const numbered = (Object.keys(tables) as TableName[]).filter(
  (table) => 'id' in tables[table] && table !== 'administration' && table !== 'log_change',
);

/** Makes the next ids of a copy larger than those that others use meanwhile: by a row in each table, of no administration. */
function leaveIds(copy: DatabaseSync, administrationId: bigint | undefined): Before {
  copy.exec('pragma foreign_keys = off');
  const firstId = numbered.map((table) => maxId(copy, table)).reduce((a, b) => (a > b ? a : b), 0n) + ID_GAP;
  const state = stateOf(copy, administrationId);
  for (const table of numbered) addRowOfNone(copy, table, firstId);
  return { state, firstId };
}

/** Adds a row with an id, whose other values are of no administration and in no other row. */
function addRowOfNone(database: DatabaseSync, table: TableName, id: bigint): void {
  const required = database
    .prepare(`select name from pragma_table_info('${table}') where "notnull" and dflt_value is null and name <> 'id'`)
    .all()
    .map(({ name }) => String(name));
  const names = ['id', ...required].map((name) => `"${name}"`).join(', ');
  database.exec(`insert into "${table}" (${names}) values (${[id, ...required.map(() => -id)].join(', ')})`);
}

const idsAfter = (copy: DatabaseSync, { firstId }: Before): After =>
  new Map(
    numbered.flatMap((table) => {
      const last = maxId(copy, table);
      return last === firstId ? [] : [[table, last]];
    }),
  );

/**
 * Makes the next ids of others larger than those of all changes that are to be applied: SQLite counts from the largest one.
 * A row has the last id of each table until the changes bring the one that takes its place.
 */
function reserveIds(main: DatabaseSync, after: After): void {
  withoutTriggers(main, [...after.keys()], () => {
    for (const [table, id] of after) addRowOfNone(main, table, id);
  });
}

const maxId = (database: DatabaseSync, table: string): bigint =>
  numberIn(database, `select coalesce(max(id), 0) as number from "${table}"`);

function numberIn(database: DatabaseSync, query: string): bigint {
  const statement = database.prepare(query);
  statement.setReadBigInts(true);
  return statement.get()!.number as bigint;
}

/** The administration that was made last; undefined when it is the known one. */
function newestAdministration(database: DatabaseSync, known = 0n): bigint | undefined {
  const newest = maxId(database, 'administration');
  return newest === known ? undefined : newest;
}

/** What differs after any change of an administration; without one, after one was made or deleted. */
function stateOf(database: DatabaseSync, administrationId: bigint | undefined): string {
  const rows =
    administrationId === undefined
      ? database.prepare('select max(id), (select user_version from pragma_user_version) from administration').all()
      : database
          .prepare(
            `select sequence, hash, (select count(*) from log_change where administration_id = $id) from log_head
             where administration_id = $id`,
          )
          .all({ id: administrationId });
  return JSON.stringify(rows.map((row) => Object.values(row)));
}

/** Whether nobody has changed the administration since the copy was made, or used the ids of what is to come. */
const isUnchanged = (main: DatabaseSync, administrationId: bigint | undefined, { state, firstId }: Before): boolean =>
  stateOf(main, administrationId) === state && numbered.every((table) => maxId(main, table) < firstId);

/** Records the changes of a database in parts. @param onPart gets the bytes of each */
function record(copy: DatabaseSync, changes: ChangesFile, onPart: (bytes: number) => void) {
  const changed = copy.prepare('select total_changes() as number');
  const changesSoFar = () => changed.get()!.number as number;
  // An administration is seen by its row: it comes last.
  const ofAdministrations = copy.createSession({ table: 'administration' });
  let session = copy.createSession();
  let from = changesSoFar();
  let bytes = 0;
  const begin = () => {
    session.close();
    session = copy.createSession();
    from = changesSoFar();
    bytes = 0;
  };
  const cut = () => {
    const part = session.changeset();
    // The copy got about as many.
    onPart(part.length);
    changes.add(part);
    begin();
  };
  let isRolledBack = false;
  const forget = () => {
    changes.forget();
    begin();
    isRolledBack = false;
  };
  return {
    onStatement(statement: string, parameters: readonly unknown[]): void {
      if (isRolledBack) forget();
      if (statement === 'rollback') isRolledBack = true;
      else if (statement.startsWith('rollback to')) throw new Error('Work on a copy is rolled back as a whole.');
      // Before a statement: so the last part has the last row, which is one of the log.
      else if (changesSoFar() - from >= MAX_CHANGES || bytes >= MAX_BYTES) cut();
      for (const value of parameters) bytes += lengthOfValue(value);
    },
    end(): void {
      if (isRolledBack) forget();
      cut();
      changes.add(ofAdministrations.changeset(), 'administration');
      changes.commit();
    },
  };
}
