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

/**
 * Runs work that writes, in one transaction, one at a time for an administration. A refusal is rolled back.
 * @param options.unlessArchived whether it is refused when the administration was archived since the credential was
 *   looked at
 */
export const writing = <Of extends EndpointContext, T>(
  context: Of,
  work: (transaction: Of, logging: Logging) => Promise<T>,
  options: { grouping?: Grouping; unlessArchived?: boolean } = {},
): Promise<T> => {
  const { administration, author } = context;
  const by = { administrationId: administration.id, author, now: context.now(), ...options };
  return writingIn(context.db, by, (db, logging) => work({ ...context, db }, logging));
};
