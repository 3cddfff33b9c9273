import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from './database.ts';
import type { Grouping } from './log/appendChanges.ts';
import type { Author } from './log/author.ts';
import type { Row, Seconds } from './schema.ts';
import { writingIn } from './transaction.ts';

/** What an endpoint of one administration works with. */
export type EndpointContext = {
  db: Database;
  administration: Row<'administration'>;
  now: () => Seconds;
  today: () => CalendarDate;
  /** Who asks, for the log of changes. */
  author: Author;
};

/** What works with a log of what went wrong without a refusal. */
export type LoggingContext = EndpointContext & { log: (line: string) => void };

/**
 * Does work that writes, in one transaction, one at a time for an administration: what it read stays true until it is
 * done, numbers given out follow each other, and a refusal leaves nothing behind.
 */
export const writing = <Of extends EndpointContext, T>(
  scope: Of,
  work: (inside: Of) => Promise<T>,
  grouping?: Grouping,
): Promise<T> => {
  const { administration, author, now } = scope;
  const by = {
    administrationId: administration.id,
    author,
    now: now(),
    ...(grouping === undefined ? {} : { grouping }),
  };
  return writingIn(scope.db, by, (db) => work({ ...scope, db }));
};
