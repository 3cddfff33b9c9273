import { Problem } from '../../../../shared/problem.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import { isOfCommit } from './transaction.ts';

/** Seconds after which a caller may try again. */
const RETRY_SECONDS = 5;

/**
 * Does work with a database for somebody who waits for the response: reads, or one transaction at the end.
 * @throws Problem UNAVAILABLE when the database did not carry out a statement in time, or was lost before the commit: then
 *   nothing was changed
 */
export async function withTimeout<T>(db: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof Problem) throw cause;
    const { isTimeout, isTransient } = dialectOf(db).errors;
    if (isTimeout(cause)) throw unavailable('The database took too long. Nothing was changed: try again later.', cause);
    if (isTransient(cause) && !isOfCommit(cause)) {
      throw unavailable('The database cannot be used at the moment. Nothing was changed.', cause);
    }
    throw cause;
  }
}

const unavailable = (message: string, cause: Error): Problem =>
  new Problem('UNAVAILABLE', message, { cause, headers: { 'Retry-After': String(RETRY_SECONDS) } });
