import { Problem } from '../../../../shared/problem.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialects/dialectOf.ts';

/** Seconds after which a caller may try again. */
const RETRY_SECONDS = 5;

/**
 * Does work with a database for somebody who waits for the response.
 * @throws Problem UNAVAILABLE when the database did not carry out a statement in time: then nothing was changed
 */
export async function withTimeout<T>(db: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && dialectOf(db).errors.isTimeout(cause))) throw cause;
    throw new Problem('UNAVAILABLE', 'The database took too long. Nothing was changed: try again later.', {
      cause,
      headers: { 'Retry-After': String(RETRY_SECONDS) },
    });
  }
}
