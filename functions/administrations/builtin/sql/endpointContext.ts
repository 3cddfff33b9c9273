import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from './database.ts';
import type { Grouping, Logging } from './logWriting/appendChanges.ts';
import type { Author } from './logWriting/author.ts';
import type { Row, Seconds } from './schema.ts';
import { writingIn } from './transaction.ts';

/** The context of an endpoint of one administration. */
export type EndpointContext = {
  db: Database;
  administration: Row<'administration'>;
  now: () => Seconds;
  today: () => CalendarDate;
  /** The author of changes, for the log. */
  author: Author;
};

/** A context with what reports errors that are not refusals, a line each. */
export type WarningContext = EndpointContext & { warn: (line: string) => void };

/** Runs work that writes, in one transaction, one at a time for an administration. A refusal is rolled back. */
export const writing = <Of extends EndpointContext, T>(
  context: Of,
  work: (transaction: Of, logging: Logging) => Promise<T>,
  grouping: Grouping = 'together',
): Promise<T> => {
  const log = { administrationId: context.administration.id, author: context.author, now: context.now(), grouping };
  return writingIn(context.db, log, (db, logging) => work({ ...context, db }, logging));
};
