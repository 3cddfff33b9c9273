import { CompiledQuery } from 'kysely';
import { Problem } from '../../../../shared/problem.ts';
import { inSpan } from '../../../telemetry/telemetry.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import { type Grouping, type Log, type Logging, logged } from './logWriting/appendChanges.ts';
import { prepared } from './prepared.ts';
import { finishStaged } from './staging/staged.ts';

/** Runs the work in one transaction: the current one, or a new one. */
export const inTransaction = <T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : begun(db, work);

/** A new transaction, which a trace shows. */
const begun = <T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> =>
  inSpan('SQL transaction', { kind: 'client', attributes: { 'db.operation.name': 'transaction' } }, () =>
    committed(db, work),
  );

/** Commits work, or rolls it back when it fails. */
async function committed<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  const trx = await db.startTransaction().execute();
  let isCommitting = false;
  try {
    const done = await work(trx);
    isCommitting = true;
    await trx.commit().execute();
    return done;
  } catch (failure) {
    if (isCommitting && failure instanceof Error) ofCommits.add(failure);
    try {
      await trx.rollback().execute();
    } catch {
      // Its connection is lost, and with it what it changed: throw the original error.
    }
    throw failure;
  }
}

const ofCommits = new WeakSet<Error>();

/** Whether a commit failed with this error: when its response was lost, the work may be done. */
export const isOfCommit = (failure: Error): boolean => ofCommits.has(failure);

/** Writers of an administration queue here without a connection, since connections are few and readers need them. */
const queues = new WeakMap<Database, Map<bigint, Promise<unknown>>>();

/** The administration that is written to, and its log. */
type Writing = Log & {
  administrationId: bigint;
  grouping?: Grouping;
  /** Whether the work is refused when the administration is archived by then. */
  unlessArchived?: boolean;
};

/**
 * Runs work that writes in an administration, in one transaction and one at a time over all processes: what it read stays
 * true until it is done. Its changes are logged.
 * @throws Problem FORBIDDEN for an archived administration, if asked for
 */
export function writingIn<T>(
  db: Database,
  writing: Writing,
  work: (trx: Database, logging: Logging) => Promise<T>,
): Promise<T> {
  const { administrationId } = writing;
  const isAlone = !db.isTransaction;
  const locked = async (trx: Database) => {
    await dialectOf(trx).locks.row(trx, 'administration', administrationId);
    if (writing.unlessArchived) await refuseArchived(trx, administrationId);
    const log = isAlone ? { ...writing, after: await changesBefore(trx, administrationId) } : writing;
    return logged(trx, log, (logging) => work(trx, logging));
  };
  if (!isAlone) return locked(db);
  const queue = queues.get(db) ?? new Map<bigint, Promise<unknown>>();
  queues.set(db, queue);
  const done = (queue.get(administrationId) ?? Promise.resolve()).then(async () => {
    for (;;) {
      try {
        return await begun(db, locked);
      } catch (error) {
        if (!(error instanceof Unfinished)) throw error;
        await finishStaged(db, administrationId);
      }
    }
  });
  const left: Promise<void> = done.then(leave, leave);
  function leave(): void {
    if (queue.get(administrationId) === left) queue.delete(administrationId);
  }
  queue.set(administrationId, left);
  return done;
}

/** Why nothing is written in an archived administration. */
export const archivedRefusal = (): Problem =>
  new Problem('FORBIDDEN', 'This administration is archived: it can only be read.');

async function refuseArchived(trx: Database, administrationId: bigint): Promise<void> {
  const [found] = await archivedOn(trx, { administrationId });
  if (found !== undefined && found.archived_on !== null) throw archivedRefusal();
}

const archivedOn = prepared((db, { administrationId }: { administrationId: bigint }) =>
  db.selectFrom('administration').where('id', '=', administrationId).select('archived_on'),
);

/** Thrown before work in an administration whose staged changes are being applied. */
class Unfinished extends Error {}

/**
 * The id of the last change that a new transaction finds in log_change: of work that the log does not know.
 * @throws Unfinished when staged changes are being applied; only SQLite has them
 */
async function changesBefore(trx: Database, administrationId: bigint): Promise<bigint> {
  if (dialectOf(trx).expressions.isTransactionIdUnique) return 0n;
  const [found] = await changedAndStaged(trx, { administrationId });
  if (found!.staged !== null) throw new Unfinished();
  return found!.last ?? 0n;
}

const changedAndStaged = prepared((db, { administrationId }: { administrationId: bigint }) =>
  db.selectNoFrom((one) => [
    one
      .selectFrom('log_change')
      .select(({ fn }) => fn.max('id').as('last'))
      .as('last'),
    one.selectFrom('staged_work').where('administration_id', '=', administrationId).select('file').as('staged'),
  ]),
);

/** Runs work inside a savepoint of a transaction: a failure rolls back this work only. */
export async function inSavepoint<T>(trx: Database, work: () => Promise<T>): Promise<T> {
  await trx.executeQuery(savepoint);
  try {
    const done = await work();
    await trx.executeQuery(release);
    return done;
  } catch (failure) {
    try {
      await trx.executeQuery(rollback);
      await trx.executeQuery(release);
    } catch {
      // The whole transaction has ended, for example with its connection: throw the original error.
    }
    throw failure;
  }
}

/** Compiled once: a push sets a savepoint for each of its rows. */
const [savepoint, release, rollback] = ['savepoint inner_work', 'release inner_work', 'rollback to inner_work'].map(
  (statement) => CompiledQuery.raw(statement),
) as [CompiledQuery, CompiledQuery, CompiledQuery];

/** Reads a snapshot: one moment, however long it takes. Unlike other transactions, it blocks no writer. */
export const atOneMoment = <T>(db: Database, work: (snapshot: Database) => Promise<T>): Promise<T> =>
  db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read').execute(work);
