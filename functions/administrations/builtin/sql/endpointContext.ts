import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from './database.ts';
import type { Grouping } from './log/appendChanges.ts';
import type { Author } from './log/author.ts';
import type { Row, Seconds } from './schema.ts';
import { writingIn } from './transaction.ts';

/** The context of an endpoint of one administration. */
export type EndpointContext = {
  db: Database;
  administration: Row<'administration'>;
  now: () => Seconds;
  today: () => CalendarDate;
  /** Who asks, for the log of changes. */
  author: Author;
};

/** A context with a log for errors that are not refusals. */
export type LoggingContext = EndpointContext & { log: (line: string) => void };

/**
 * Runs work that writes, in one transaction, one at a time for an administration: what it read stays true until it is
 * done, numbers have no gaps, and a refusal is rolled back.
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
